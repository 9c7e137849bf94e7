#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/layout/layout.h"
#include "core/mesh/mesh.h"
#include "core/plan/analyze.h"

// *.layout.json: what was chosen (mesh, rules, pins, choices), and beside it what followed: the sharding of every tensor with
// its provenance, and a hash of the model that it was derived for. Reading takes what was chosen; what followed is kept as it stands.

namespace core {

struct ExportedDimension {
  std::string name;
  std::int64_t size = 0;
  std::vector<std::string> axes;  // major first
  Origin origin = Origin::replicated;
  bool operator==(const ExportedDimension&) const = default;
};

struct ExportedTensor {
  std::string name;
  TensorKind kind = TensorKind::value;
  std::vector<ExportedDimension> dims;
  std::vector<std::string> partial;  // axes
  Reduction reduction = Reduction::sum;
  std::string reason;
  bool operator==(const ExportedTensor&) const = default;
};

struct LayoutFile {
  Layout layout;
  std::optional<Mesh> mesh;
  std::string model;      // its name
  std::string modelHash;  // see hashOf; empty for a layout of no model in particular
  std::string step;       // "inference", "training": the tensors are those of such a step
  std::vector<ExportedTensor> tensors;
  bool operator==(const LayoutFile&) const = default;
};

LayoutFile readLayoutFile(const std::string& path);
void writeLayoutFile(const LayoutFile& file, const std::string& path);
LayoutFile parseLayoutFile(std::string_view text, const std::string& where);
std::string printLayoutFile(const LayoutFile& file);

// Of dimensions, tensors and operators; not of values or where they lie.
std::string hashOf(const Graph& graph);

LayoutFile exportLayout(const Analysis& analysis);

}  // namespace core
