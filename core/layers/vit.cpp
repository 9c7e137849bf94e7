#include "core/layers/vit.h"

#include <fmt/format.h>

#include "core/layers/attention.h"
#include "core/layers/dense.h"
#include "core/layers/feed_forward.h"
#include "core/layers/named.h"
#include "core/layers/patches.h"
#include "core/layers/sizes.h"

namespace core {
namespace {

const Initializer small{Initializer::Kind::normal, 0, 0.02};

void check(const VitSizes& sizes) {
  requireSizes("vit", sizes.layers,
               {{"d_model", sizes.modelSize},
                {"heads", sizes.heads},
                {"ffn", sizes.ffn},
                {"channels", sizes.channels},
                {"height", sizes.height},
                {"width", sizes.width},
                {"classes", sizes.classes},
                {"batch", sizes.batch}});
  requireDivides("vit", "d_model", sizes.modelSize, "heads", sizes.heads);
  requireDivides("vit", "height", sizes.height, "patches of", sizes.patchHeight);
  requireDivides("vit", "width", sizes.width, "patches of", sizes.patchWidth);
}

Patches patchesOf(GraphBuilder& build, DimId model, const VitSizes& sizes) {
  const std::int64_t rows = sizes.height / sizes.patchHeight, columns = sizes.width / sizes.patchWidth;
  return {.channels = build.dim("channels", sizes.channels),
          .height = build.dim("height", sizes.height),
          .width = build.dim("width", sizes.width),
          .rows = build.dim("rows", rows),
          .columns = build.dim("columns", columns),
          .patchHeight = build.dim("patch_height", sizes.patchHeight),
          .patchWidth = build.dim("patch_width", sizes.patchWidth),
          .patches = build.dim("patches", rows * columns),
          .model = model};
}

// The class token stands first, patches behind it, each with its place added.
TensorId embedded(GraphBuilder& build, TensorId image, const Patches& patches, DimId batch, DimId seq,
                  const VitSizes& sizes) {
  const Named at(build, "embeddings");
  const DimId one = build.dim("class_token", 1);
  const TensorId row = patchEmbedding(build, "embeddings.patch_embeddings", image, patches);
  const TensorId token = build.parameter("embeddings.cls_token", Shape{one, patches.model}, small);
  const TensorId each = at("class_token").broadcast(token, {batch, one, patches.model});
  const TensorId all = at("with_class_token").concat({each, row}, {one, patches.patches}, seq);
  const TensorId places = build.parameter("embeddings.position_embeddings", Shape{seq, patches.model}, small);
  return dropout(build, "embeddings", at("with_place").plus(all, places), sizes.hiddenDropout);
}

TensorId layer(GraphBuilder& build, const std::string& name, TensorId x, const AttentionDims& dims,
               const FeedForward& ffn, const VitSizes& sizes) {
  const std::string scope = scopeOfLayer(name);
  const auto added = [&](const char* part, TensorId made) {
    const TensorId kept = dropout(build, scope + "/" + part, made, sizes.hiddenDropout);
    return Named(build, scope)(std::string(part) + "_residual").plus(x, kept);
  };
  const TensorId first = layerNorm(build, name + ".layernorm_before", x, dims.model, sizes.epsilon);
  x = added("attention", attention(build, name + ".attention", first, dims, TensorId(), sizes.attentionDropout));
  const TensorId second = layerNorm(build, name + ".layernorm_after", x, dims.model, sizes.epsilon);
  return added("output", feedForward(build, name, second, ffn, "intermediate", "output.dense"));
}

}  // namespace

Graph vit(const VitSizes& sizes) {
  check(sizes);
  GraphBuilder build;
  build.edit().name = "vit";
  const DimId batch = build.dim("batch", sizes.batch), model = build.dim("d_model", sizes.modelSize);
  const Patches patches = patchesOf(build, model, sizes);
  const std::int64_t places = build.graph().size(patches.patches) + 1;
  const AttentionDims dims{.model = model,
                           .seq = build.dim("seq", places),
                           .keys = build.dim("seq_kv", places),
                           .heads = build.dim("heads", sizes.heads),
                           .headDim = build.dim("head_dim", sizes.modelSize / sizes.heads),
                           .bias = sizes.attentionBias};
  const FeedForward ffn{
      .model = model, .ffn = build.dim("ffn", sizes.ffn), .activation = sizes.activation, .bias = true};
  const TensorId image = build.input("pixels", Shape{batch, patches.channels, patches.height, patches.width});
  TensorId x = embedded(build, image, patches, batch, dims.seq, sizes);
  for (std::int64_t i = 0; i < sizes.layers; ++i)
    x = layer(build, fmt::format("encoder.layer.{}", i), x, dims, ffn, sizes);
  x = layerNorm(build, "layernorm", x, model, sizes.epsilon);
  const TensorId first = Named(build, "classifier")("first").pick(x, dims.seq, 0);
  const TensorId scores = dense(build, "classifier", first, {model}, {build.dim("classes", sizes.classes)});
  build.nextName("logits");
  build.output(build.unary(Function::identity, scores));
  return build.take();
}

}  // namespace core
