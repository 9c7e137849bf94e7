#include "core/io/naming/relater.h"

// Norms, losses, convolutions and pooling.

namespace core::naming {

using positional::Node;

namespace {

// Scale and bias (inputs 1, 2) against the last axes of x.
void layerNorm(Relater& relater, const Node& node, Relation& relation) {
  auto& operands = relation.operands;
  std::size_t rank = operands.at(0).axes.size(), axis = axisOf(node.integer("axis", -1), rank);
  for (std::size_t k = 1; k < operands.size(); ++k) {
    if (operands[k].value < 0) continue;
    std::size_t own = operands[k].axes.size();
    if (own > rank) throw Contradiction{};
    for (std::size_t i = 0; i < own; ++i)
      if (!operands[k].axes[i].empty()) relater.unify(operands[0], rank - own + i, operands[k], i);
  }
  relation.outputs.at(0) = operands[0].axes;
  for (std::size_t i = axis; i < rank; ++i) relation.summed.push_back(operands[0].axes[i]);
  for (std::size_t k = 1; k < relation.outputs.size(); ++k) {
    relation.outputs[k] = operands[0].axes;
    for (std::size_t i = axis; i < rank; ++i) relation.outputs[k][i] = {};
  }
}

// Scores [N, C, d...], labels [N, d...], weights [C].
void loss(Relater& relater, const Node& node, Relation& relation) {
  auto& operands = relation.operands;
  if (operands.at(0).axes.size() < 2 || operands.at(1).axes.size() + 1 != operands[0].axes.size()) throw Contradiction{};
  relater.makeWhole(operands[0], 1);
  for (std::size_t i = 0; i < operands[1].axes.size(); ++i) relater.unify(operands[0], i == 0 ? 0 : i + 1, operands[1], i);
  if (operands.size() > 2 && operands[2].value >= 0) relater.unify(operands[0], 1, operands[2], 0);
  relater.tieIndex(node.inputs[1], operands[0].axes[1]);
  relation.summed.push_back(operands[0].axes[1]);
  if (node.text("reduction", "mean") == "none") relation.outputs.at(0) = operands[1].axes;
  if (relation.outputs.size() > 1) relation.outputs[1] = operands[0].axes;
}

// The axes of an image behind batch and channels: of equal size the same, else a new one of the same family.
void spatial(Relater& relater, const Node& node, Operand& image, Axes& out) {
  const positional::Sizes& sizes = relater.sizesOf(node.outputs.at(0));
  for (std::size_t i = 2; i < image.axes.size(); ++i) {
    relater.makeWhole(image, i);
    Axis own = relater.atoms.leaves(image.axes[i]);
    bool same = relater.atoms.product(own) == sizes.at(i);
    if (same) out.push_back(own);
    else if (sizes[i] == 1) out.push_back({});
    else out.push_back({own.empty() ? relater.atoms.make(sizes[i]) : relater.atoms.derived(own[0], sizes[i])});
  }
}

void pool(Relater& relater, const Node& node, Relation& relation) {
  Operand& image = relation.operands.at(0);
  if (image.axes.size() < 3) throw Contradiction{};
  Axes out{image.axes[0], image.axes[1]};
  spatial(relater, node, image, out);
  for (Axes& one : relation.outputs) one = out;
}

// The image's channels are (group, channel), and the groups are one dimension in image and weight. A convolution's weights have the
// channels of one group in their second axis, a transposed one's those of the image in their first.
void tieGroups(Relater& relater, Operand& image, Operand& weight, std::int64_t groups, bool forward) {
  relater.splitMajor(weight.axes[0], groups);
  if (!forward) return relater.unify({&image}, image, 1, {&weight}, weight, 0, true);
  relater.splitMajor(image.axes[1], groups);
  const auto [group, channel] = relater.partsOf(image.axes[1], groups);
  relater.unifyParts(image, group, weight, relater.partsOf(weight.axes[0], groups).first);
  relater.unifyParts(image, channel, weight, relater.atoms.leaves(weight.axes[1]));
}

// Channels of the image and of the weight's axis `in`; the weight's axis `made` are the new channels. With groups both are
// (group, rest) with one group.
void convolve(Relater& relater, const Node& node, Relation& relation, std::size_t in, std::size_t made) {
  auto& operands = relation.operands;
  Operand& image = operands.at(0);
  Operand& weight = operands.at(1);
  std::int64_t groups = node.integer("group", 1);
  if (image.axes.size() < 3 || weight.axes.size() != image.axes.size() || groups < 1) throw Contradiction{};
  if (groups == 1) relater.unify({&image}, image, 1, {&weight}, weight, in, true);
  else tieGroups(relater, image, weight, groups, made == 0);
  for (std::size_t i = 2; i < weight.axes.size(); ++i) relater.makeWhole(weight, i);
  Axis channels = relater.atoms.leaves(weight.axes[made]);
  if (groups > 1 && made != 0) {
    Axis all = relater.partsOf(weight.axes[0], groups).first;
    all.insert(all.end(), channels.begin(), channels.end());
    channels = all;
  }
  if (operands.size() > 2 && operands[2].value >= 0 && !channels.empty()) {
    Operand result{.axes = {channels}};
    relater.unify(result, 0, operands[2], 0);
    channels = result.axes[0];
  }
  Axes out{image.axes[0], relater.atoms.leaves(channels)};
  spatial(relater, node, image, out);
  // Batch or height may by now be the dimension that the new channels have (equal names come from outside): that is a contradiction.
  Axis all = relater.atoms.leaves(out);
  if (std::set<AtomId>(all.begin(), all.end()).size() != all.size()) throw Contradiction{};
  relation.outputs.at(0) = out;
  static const char* kernels[] = {"kernel_depth", "kernel_height", "kernel_width"};
  std::size_t spatials = image.axes.size() - 2;
  for (std::size_t i = 0; i < spatials && spatials <= 3; ++i) relater.atoms.hint(weight.axes[2 + i], 2, kernels[3 - spatials + i]);
}

void conv(Relater& relater, const Node& node, Relation& relation) { convolve(relater, node, relation, 1, 0); }
void convTranspose(Relater& relater, const Node& node, Relation& relation) { convolve(relater, node, relation, 0, 1); }

// Vectors of one number a channel.
void channelNorm(Relater& relater, const Node& node, Relation& relation) {
  auto& operands = relation.operands;
  if (operands.at(0).axes.size() < 2) throw Contradiction{};
  for (std::size_t k = 1; k < operands.size(); ++k)
    if (operands[k].value >= 0 && !operands[k].axes.at(0).empty()) relater.unify(operands[0], 1, operands[k], 0);
  relation.outputs.at(0) = operands[0].axes;
  for (std::size_t k = 1; k < relation.outputs.size(); ++k) {
    relation.outputs[k] = {operands[0].axes[1]};
    relation.opaque = relation.opaque || node.outputs[k] >= 0;
  }
}

}  // namespace

const std::map<std::string, Rule>& networkRules() {
  static const std::map<std::string, Rule> table{
      {"LayerNormalization", layerNorm}, {"SoftmaxCrossEntropyLoss", loss}, {"NegativeLogLikelihoodLoss", loss}, {"MaxPool", pool}, {"AveragePool", pool}, {"LpPool", pool},
      {"GlobalAveragePool", pool}, {"GlobalMaxPool", pool}, {"Conv", conv}, {"ConvTranspose", convTranspose}, {"BatchNormalization", channelNorm}, {"InstanceNormalization", channelNorm}};
  return table;
}

}  // namespace core::naming
