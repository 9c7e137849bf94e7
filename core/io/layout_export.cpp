#include "core/io/layout_export.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/io/json_print.h"

namespace core {
namespace {

// A Python string; JSON's escapes are Python's.
std::string quoted(const std::string& text) { return printJsonLine(Json(text)); }

std::string head(const LayoutFile& file) {
  std::string text = fmt::format("# Layout of {}: mesh {}, {}\n", file.model.empty() ? "a model" : file.model, print(*file.mesh), file.step);
  text.erase(std::remove(text.begin(), text.end() - 1, '\n'), text.end() - 1);  // a name must not end the comment
  return text;
}

const LayoutFile& requireTensors(const LayoutFile& file) {
  if (!file.mesh || file.tensors.empty())
    throw Error{.what = "this layout holds no tensors", .where = file.model, .right = "export it from a plan, so that their shardings are known"};
  return file;
}

bool isBoundary(const ExportedTensor& tensor) { return tensor.kind != TensorKind::value; }

std::string spec(const ExportedTensor& tensor) {
  std::string text = "P(";
  for (std::size_t d = 0; d < tensor.dims.size(); ++d) {
    const auto& axes = tensor.dims[d].axes;
    std::string entry = axes.empty() ? "None" : quoted(axes[0]);
    for (std::size_t i = 1; i < axes.size(); ++i) entry += ", " + quoted(axes[i]);
    text += (d ? ", " : "") + (axes.size() > 1 ? "(" + entry + ")" : entry);
  }
  return text + ")";
}

std::size_t indexOf(const Mesh& mesh, const std::string& axis) { return mesh.find(axis).value_or(0); }

std::string_view partialWord(Reduction reduction) {
  if (reduction == Reduction::sum) return "Partial()";
  if (reduction == Reduction::max) return "Partial(\"max\")";
  if (reduction == Reduction::min) return "Partial(\"min\")";
  if (reduction == Reduction::product) return "Partial(\"product\")";
  throw Error{.what = fmt::format("DTensor has no partial value of kind \"{}\"", toString(reduction)), .where = {}, .right = {}};
}

std::string placements(const ExportedTensor& tensor, const Mesh& mesh) {
  std::vector<std::string> words(mesh.axes.size(), "Replicate()");
  for (std::size_t d = 0; d < tensor.dims.size(); ++d) {
    const auto& axes = tensor.dims[d].axes;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (i > 0 && indexOf(mesh, axes[i]) < indexOf(mesh, axes[i - 1]))
        throw Error{.what = fmt::format("dimension '{}' of {} is split over '{}' before '{}'", tensor.dims[d].name, tensor.name, axes[i - 1], axes[i]),
                    .where = tensor.name,
                    .right = "DTensor splits over axes in the mesh's order only"};
      words[indexOf(mesh, axes[i])] = fmt::format("Shard({})", d);
    }
  }
  for (const std::string& axis : tensor.partial) words[indexOf(mesh, axis)] = partialWord(tensor.reduction);
  return fmt::format("[{}]", fmt::join(words, ", "));
}

std::string dimensions(const ExportedTensor& tensor) {
  std::string text;
  for (const ExportedDimension& dim : tensor.dims) text += fmt::format("{}{}:{}", text.empty() ? "" : " ", dim.name, dim.size);
  return text;
}

}  // namespace

std::string printPartitionSpecs(const LayoutFile& file) {
  std::string text = head(requireTensors(file)) + "from jax.sharding import PartitionSpec as P\n\nmesh_axes = {";
  for (std::size_t i = 0; i < file.mesh->axes.size(); ++i) text += fmt::format("{}{}: {}", i ? ", " : "", quoted(file.mesh->axes[i].name), file.mesh->axes[i].size);
  text += "}\n\npartition_specs = {\n";
  for (const ExportedTensor& tensor : file.tensors)
    if (isBoundary(tensor)) text += fmt::format("    {}: {},  # {}\n", quoted(tensor.name), spec(tensor), dimensions(tensor));
  return text + "}\n";
}

std::string printDTensorPlacements(const LayoutFile& file) {
  std::vector<std::int64_t> sizes;
  std::vector<std::string> names;
  for (const MeshAxis& axis : requireTensors(file).mesh->axes) sizes.push_back(axis.size), names.push_back(quoted(axis.name));
  std::string text = head(file) + "from torch.distributed.tensor import Partial, Replicate, Shard\n\n";
  text += fmt::format("mesh_shape = [{}]\nmesh_dim_names = [{}]\n\nplacements = {{\n", fmt::join(sizes, ", "), fmt::join(names, ", "));
  for (const ExportedTensor& tensor : file.tensors)
    if (isBoundary(tensor)) text += fmt::format("    {}: {},  # {}\n", quoted(tensor.name), placements(tensor, *file.mesh), dimensions(tensor));
  return text + "}\n";
}

}  // namespace core
