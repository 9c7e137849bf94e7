#include "core/layers/bert.h"

#include <fmt/format.h>

#include "core/layers/attention.h"
#include "core/layers/dense.h"
#include "core/layers/feed_forward.h"
#include "core/layers/named.h"
#include "core/layers/sizes.h"
#include "core/ops/elementwise.h"

namespace core {
namespace {

void check(const BertSizes& sizes) {
  requireSizes("bert", sizes.layers,
               {{"d_model", sizes.modelSize},
                {"heads", sizes.heads},
                {"ffn", sizes.ffn},
                {"vocab", sizes.vocab},
                {"token types", sizes.tokenTypes},
                {"seq", sizes.seq},
                {"batch", sizes.batch}});
  requireDivides("bert", "d_model", sizes.modelSize, "heads", sizes.heads);
  requirePlaces("bert", sizes.seq, sizes.positions);
}

TensorId embedded(GraphBuilder& build, const AttentionDims& dims, DimId batch, DimId vocab, const BertSizes& sizes) {
  const Named at(build, "embeddings");
  const TensorId tokens = build.input("tokens", Shape{batch, dims.seq}, DType::i64);
  const TensorId types = build.input("token_types", Shape{batch, dims.seq}, DType::i64);
  const TensorId word = embedding(build, "embeddings.word_embeddings", tokens, vocab, dims.model);
  const TensorId type = embedding(build, "embeddings.token_type_embeddings", types,
                                  build.dim("token_types", sizes.tokenTypes), dims.model);
  const TensorId place = learnedPositions(build, "embeddings.position_embeddings",
                                          build.dim("positions", sizes.positions), dims.seq, dims.model);
  const TensorId typed = at("with_type").plus(word, type);
  const TensorId sum = at("with_place").plus(typed, place);
  const TensorId normed = layerNorm(build, "embeddings.LayerNorm", sum, dims.model, sizes.epsilon);
  return dropout(build, "embeddings", normed, sizes.hiddenDropout);
}

TensorId layer(GraphBuilder& build, const std::string& name, TensorId x, const AttentionDims& dims,
               const FeedForward& ffn, const BertSizes& sizes) {
  const std::string scope = scopeOfLayer(name);
  const auto normed = [&](const std::string& part, TensorId made) {
    const TensorId kept = dropout(build, scope + "/" + part, made, sizes.hiddenDropout);
    const TensorId sum = Named(build, scope)(part + "_residual").plus(x, kept);
    return layerNorm(build, name + "." + part + ".LayerNorm", sum, dims.model, sizes.epsilon);
  };
  x = normed("attention", attention(build, name + ".attention", x, dims, TensorId(), sizes.attentionDropout));
  return normed("output", feedForward(build, name, x, ffn, "intermediate", "output.dense"));
}

void pooledHead(GraphBuilder& build, TensorId x, const AttentionDims& dims) {
  const TensorId first = Named(build, "pooler")("first").pick(x, dims.seq, 0);
  const DimId pooled = build.dim("pooled", build.graph().size(dims.model));
  const TensorId made = dense(build, "pooler.dense", first, {dims.model}, {pooled});
  build.nextName("pooled");
  build.output(build.unary(Function::tanh, made));
}

void maskedTokensHead(GraphBuilder& build, TensorId x, const AttentionDims& dims, DimId vocab, const BertSizes& sizes) {
  const Named at(build, "predictions");
  const DimId wide = build.dim("transformed", sizes.modelSize);
  TensorId made = dense(build, "predictions.transform", x, {dims.model}, {wide});
  made = at("activated").unary(sizes.activation, made);
  made = at("rename").rename(made, wide, dims.model);
  made = layerNorm(build, "predictions.LayerNorm", made, dims.model, sizes.epsilon);
  const TensorId table = sizes.tied ? *build.graph().findTensor("embeddings.word_embeddings.weight")
                                    : build.parameter("predictions.decoder.weight", Shape{vocab, dims.model},
                                                      Initializer{Initializer::Kind::normal, 0, 0.02});
  const TensorId bias =
      build.parameter("predictions.bias", Shape{vocab}, Initializer{Initializer::Kind::constant, 0, 0});
  Shape places = build.graph()[x].shape;
  places.back() = vocab;
  const TensorId scores = at("decoder").einsum({made, table}, places);
  build.nextName("logits");
  build.output(build.plus(scores, bias));
}

}  // namespace

Graph bert(const BertSizes& sizes) {
  check(sizes);
  GraphBuilder build;
  build.edit().name = "bert";
  const DimId batch = build.dim("batch", sizes.batch), vocab = build.dim("vocab", sizes.vocab);
  const AttentionDims dims{.model = build.dim("d_model", sizes.modelSize),
                           .seq = build.dim("seq", sizes.seq),
                           .keys = build.dim("seq_kv", sizes.seq),
                           .heads = build.dim("heads", sizes.heads),
                           .headDim = build.dim("head_dim", sizes.modelSize / sizes.heads)};
  const FeedForward ffn{
      .model = dims.model, .ffn = build.dim("ffn", sizes.ffn), .activation = sizes.activation, .bias = true};
  TensorId x = embedded(build, dims, batch, vocab, sizes);
  for (std::int64_t i = 0; i < sizes.layers; ++i)
    x = layer(build, fmt::format("encoder.layer.{}", i), x, dims, ffn, sizes);
  if (sizes.head == BertSizes::Head::maskedTokens) {
    maskedTokensHead(build, x, dims, vocab, sizes);
    return build.take();
  }
  build.output(x);
  pooledHead(build, x, dims);
  return build.take();
}

}  // namespace core
