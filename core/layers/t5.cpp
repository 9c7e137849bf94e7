#include "core/layers/t5.h"

#include <fmt/format.h>

#include <cmath>

#include "core/layers/attention.h"
#include "core/layers/dense.h"
#include "core/layers/feed_forward.h"
#include "core/layers/named.h"
#include "core/layers/relative_bias.h"
#include "core/layers/sizes.h"
#include "core/ops/require.h"

namespace core {
namespace {

void check(const T5Sizes& sizes) {
  requireSizes("t5", sizes.layers,
               {{"decoder layers", sizes.decoderLayers},
                {"d_model", sizes.modelSize},
                {"heads", sizes.heads},
                {"head_dim", sizes.headSize},
                {"ffn", sizes.ffn},
                {"vocab", sizes.vocab},
                {"buckets", sizes.buckets},
                {"seq", sizes.seq},
                {"target_seq", sizes.targetSeq},
                {"batch", sizes.batch}});
  requireSizes("t5", sizes.decoderLayers, {});
  requireDivides("t5", "buckets", sizes.buckets, "quarters:", 4);
  if (sizes.farthest <= sizes.buckets / 2) requirePlaces("t5", sizes.buckets / 2 + 1, sizes.farthest);
}

class Building {
 public:
  Building(GraphBuilder& build, const T5Sizes& sizes)
      : build_(build),
        sizes_(sizes),
        model_(build.dim("d_model", sizes.modelSize)),
        heads_(build.dim("heads", sizes.heads)),
        headDim_(build.dim("head_dim", sizes.headSize)),
        ffn_{.model = model_,
             .ffn = build.dim("ffn", sizes.ffn),
             .activation = sizes.activation,
             .dropout = sizes.dropout} {}

  // `keysFrom` has the places that are looked at, of which there are `keys`.
  struct Looking {
    TensorId keysFrom;
    DimId seq, keysSeq, keys;
    TensorId bias, mask;
  };

  TensorId attend(const std::string& name, TensorId x, const Looking& at) const {
    const std::string scope = scopeOfLayer(name);
    const Shape heads{heads_, headDim_};
    const auto project = [&](const char* which, TensorId from) {
      return dense(build_, name + "." + which, from, {model_}, heads, false);
    };
    const auto overKeys = [&](const char* which, TensorId made) {
      if (at.keysSeq == at.keys) return made;
      return Named(build_, scope)(std::string(which) + "_rename").rename(made, at.keysSeq, at.keys);
    };
    const TensorId q = project("q", x);
    const TensorId k = overKeys("k", project("k", at.keysFrom)), v = overKeys("v", project("v", at.keysFrom));
    const TensorId scores = pairScores(build_, scope, q, k, at.seq, at.keys, {headDim_});
    const TensorId mixed =
        mixValues(build_, scope, scores, v, at.keys, {.bias = at.bias, .mask = at.mask, .dropout = sizes_.dropout},
                  build_.graph()[q].shape);
    return dense(build_, name + ".o", mixed, heads, {model_}, false);
  }

  TensorId feed(const std::string& name, TensorId x) const {
    return sizes_.gated ? gatedFeedForward(build_, name, x, ffn_) : feedForward(build_, name, x, ffn_, "wi", "wo");
  }

  TensorId normed(const std::string& name, TensorId x) const {
    return rmsNorm(build_, name + ".layer_norm", x, model_, sizes_.epsilon);
  }

  TensorId added(const std::string& name, TensorId x, TensorId made) const {
    const std::string scope = scopeOfLayer(name);
    const TensorId kept = dropout(build_, scope, made, sizes_.dropout);
    return Named(build_, scope)("residual").plus(x, kept);
  }

  TensorId encoder(TensorId x, DimId seq) const {
    const DimId keys = build_.dim("seq_kv", sizes_.seq);
    const TensorId bias = positions("encoder", seq, keys, true);
    for (std::int64_t i = 0; i < sizes_.layers; ++i) {
      const std::string block = fmt::format("encoder.block.{}", i), self = block + ".self", ff = block + ".ff";
      const TensorId first = normed(self, x);
      x = added(self, x, attend(self, first, {first, seq, seq, keys, bias, TensorId()}));
      x = added(ff, x, feed(ff, normed(ff, x)));
    }
    return dropout(build_, "encoder/last", normed("encoder.final", x), sizes_.dropout);
  }

  TensorId decoder(TensorId x, DimId seq, TensorId encoded, DimId encodedSeq) const {
    const DimId keys = build_.dim("target_seq_kv", sizes_.targetSeq);
    const TensorId bias = positions("decoder", seq, keys, false);
    const TensorId mask = causalMask(build_, "mask", seq, keys);
    for (std::int64_t i = 0; i < sizes_.decoderLayers; ++i) {
      const std::string block = fmt::format("decoder.block.{}", i), self = block + ".self", cross = block + ".cross",
                        ff = block + ".ff";
      const TensorId first = normed(self, x);
      x = added(self, x, attend(self, first, {first, seq, seq, keys, bias, mask}));
      const TensorId second = normed(cross, x);
      x = added(cross, x, attend(cross, second, {encoded, seq, encodedSeq, encodedSeq, TensorId(), TensorId()}));
      x = added(ff, x, feed(ff, normed(ff, x)));
    }
    return dropout(build_, "decoder/last", normed("decoder.final", x), sizes_.dropout);
  }

  TensorId embedded(const std::string& stack, TensorId table, DimId vocab, TensorId ids) const {
    const Named at(build_, stack);
    return dropout(build_, stack + "/embedded", at("gather").gather(table, vocab, ids), sizes_.dropout);
  }

  DimId model() const { return model_; }

 private:
  TensorId positions(const std::string& stack, DimId seq, DimId keys, bool bothWays) const {
    const RelativeBias options{
        .buckets = build_.dim("buckets", sizes_.buckets), .farthest = sizes_.farthest, .bothWays = bothWays};
    return relativeBias(build_, stack + ".relative_attention_bias", seq, keys, heads_, options);
  }

  GraphBuilder& build_;
  const T5Sizes& sizes_;
  DimId model_, heads_, headDim_;
  FeedForward ffn_;
};

// How far initial weights spread: by what they are multiplied with, since scores are not scaled.
double initialSpread(std::string_view name, const T5Sizes& sizes) {
  const auto root = [](std::int64_t size) { return 1 / std::sqrt(static_cast<double>(size)); };
  const double model = root(sizes.modelSize);
  if (name == "shared.weight" || name == "lm_head.weight") return sizes.initialScale;
  if (name.ends_with(".q.weight")) return sizes.initialScale * model * root(sizes.headSize);
  if (name.ends_with(".o.weight")) return sizes.initialScale * root(sizes.heads) * root(sizes.headSize);
  if (name.ends_with(".wo.weight") || name.ends_with(".down_proj.weight")) return sizes.initialScale * root(sizes.ffn);
  return sizes.initialScale * model;
}

void spreadInitialWeights(Graph& graph, const T5Sizes& sizes) {
  for (Tensor& tensor : graph.tensors) {
    auto* initializer = std::get_if<Initializer>(&tensor.source);
    if (initializer && initializer->kind == Initializer::Kind::normal)
      initializer->second = initialSpread(tensor.name, sizes);
  }
}

}  // namespace

Graph t5(const T5Sizes& sizes) {
  check(sizes);
  GraphBuilder build;
  build.edit().name = "t5";
  const DimId batch = build.dim("batch", sizes.batch), vocab = build.dim("vocab", sizes.vocab);
  const DimId seq = build.dim("seq", sizes.seq), target = build.dim("target_seq", sizes.targetSeq);
  const TensorId tokens = build.input("tokens", Shape{batch, seq}, DType::i64);
  const TensorId decoderTokens = build.input("decoder_tokens", Shape{batch, target}, DType::i64);
  const Building make(build, sizes);
  const Initializer small{Initializer::Kind::normal, 0, 0.02};
  const TensorId table = build.parameter("shared.weight", Shape{vocab, make.model()}, small);
  const TensorId encoded = make.encoder(make.embedded("encoder", table, vocab, tokens), seq);
  TensorId x = make.decoder(make.embedded("decoder", table, vocab, decoderTokens), target, encoded, seq);
  if (sizes.tied) x = Named(build, "decoder")("scaled").times(x, 1 / std::sqrt(static_cast<double>(sizes.modelSize)));
  const TensorId head = sizes.tied ? table : build.parameter("lm_head.weight", Shape{make.model(), vocab}, small);
  build.nextName("logits");
  build.output(build.einsum({x, head}, Shape{batch, target, vocab}));
  spreadInitialWeights(build.edit(), sizes);
  return build.take();
}

}  // namespace core
