#include "core/layers/gpt.h"

#include <fmt/format.h>

#include "core/layers/attention.h"
#include "core/layers/dense.h"
#include "core/layers/feed_forward.h"
#include "core/layers/sizes.h"

namespace core {
namespace {

GptSizes checked(GptSizes sizes) {
  if (sizes.ffn == 0 && sizes.modelSize < (std::int64_t{1} << 60)) sizes.ffn = 4 * sizes.modelSize;
  if (sizes.positions == 0) sizes.positions = sizes.seq;
  requireSizes("gpt", sizes.layers,
               {{"d_model", sizes.modelSize},
                {"heads", sizes.heads},
                {"ffn", sizes.ffn},
                {"vocab", sizes.vocab},
                {"seq", sizes.seq},
                {"batch", sizes.batch}});
  requireDivides("gpt", "d_model", sizes.modelSize, "heads", sizes.heads);
  requirePlaces("gpt", sizes.seq, sizes.positions);
  return sizes;
}

struct Block {
  AttentionDims attention;
  FeedForward ffn;
  double epsilon = 0, attentionDropout = 0, residualDropout = 0;
};

TensorId block(GraphBuilder& build, const std::string& name, TensorId x, const Block& options, TensorId mask) {
  const DimId model = options.attention.model;
  const auto added = [&](const std::string& at, TensorId made, const char* residual) {
    const TensorId kept = dropout(build, name + "/" + at, made, options.residualDropout);
    build.nextName(name + "/" + residual);
    return build.plus(x, kept);
  };
  const TensorId first = layerNorm(build, name + ".ln_1", x, model, options.epsilon);
  x = added("attn", attention(build, name + ".attn", first, options.attention, mask, options.attentionDropout),
            "residual_1");
  const TensorId second = layerNorm(build, name + ".ln_2", x, model, options.epsilon);
  return added("mlp", feedForward(build, name + ".mlp", second, options.ffn), "residual_2");
}

TensorId embedded(GraphBuilder& build, TensorId tokens, const AttentionDims& dims, DimId vocab, DimId positions,
                  double rate) {
  const TensorId token = embedding(build, "wte", tokens, vocab, dims.model);
  const TensorId place = learnedPositions(build, "wpe", positions, dims.seq, dims.model);
  build.nextName("embedded");
  return dropout(build, "embedded", build.plus(token, place), rate);
}

}  // namespace

Graph gpt(const GptSizes& wanted) {
  const GptSizes sizes = checked(wanted);
  GraphBuilder build;
  build.edit().name = "gpt";
  const DimId batch = build.dim("batch", sizes.batch), seq = build.dim("seq", sizes.seq),
              keys = build.dim("seq_kv", sizes.seq);
  const DimId heads = build.dim("heads", sizes.heads), headDim = build.dim("head_dim", sizes.modelSize / sizes.heads);
  const DimId model = build.dim("d_model", sizes.modelSize), ffn = build.dim("ffn", sizes.ffn);
  const DimId vocab = build.dim("vocab", sizes.vocab), positions = build.dim("positions", sizes.positions);
  const AttentionDims dims{model, seq, keys, heads, headDim};

  const TensorId tokens = build.input("tokens", Shape{batch, seq}, DType::i64);
  const Block options{.attention = dims,
                      .ffn = {.model = model, .ffn = ffn, .activation = sizes.activation, .bias = true},
                      .epsilon = sizes.epsilon,
                      .attentionDropout = sizes.attentionDropout,
                      .residualDropout = sizes.residualDropout};
  TensorId x = embedded(build, tokens, dims, vocab, positions, sizes.embeddingDropout);
  const TensorId mask = causalMask(build, "mask", seq, keys);
  for (std::int64_t i = 0; i < sizes.layers; ++i) x = block(build, fmt::format("h.{}", i), x, options, mask);
  x = layerNorm(build, "ln_f", x, model, sizes.epsilon);
  const TensorId head = sizes.tied ? *build.graph().findTensor("wte.weight")
                                   : build.parameter("lm_head.weight", Shape{model, vocab},
                                                     Initializer{Initializer::Kind::normal, 0, 0.02});
  build.nextName("logits");
  build.output(build.einsum({x, head}, Shape{batch, seq, vocab}));
  return build.take();
}

}  // namespace core
