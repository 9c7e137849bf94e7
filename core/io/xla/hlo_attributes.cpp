#include "core/io/xla/hlo_attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace core::xla {
namespace {

using Integers = std::vector<std::int64_t>;

// "dimensions" says something else in each opcode.
const std::map<std::string, std::string>& dimensionsOf() {
  static const std::map<std::string, std::string> table{
      {"broadcast_in_dim", "broadcast_dimensions"}, {"transpose", "permutation"}, {"concatenate", "dimension"}, {"sort", "dimension"}, {"all_gather", "all_gather_dim"}};
  return table;
}

const std::map<std::string, std::string>& renamed() {
  static const std::map<std::string, std::string> table{
      {"lhs_batch_dims", "lhs_batching_dimensions"}, {"rhs_batch_dims", "rhs_batching_dimensions"}, {"lhs_contracting_dims", "lhs_contracting_dimensions"},
      {"rhs_contracting_dims", "rhs_contracting_dimensions"}, {"dynamic_slice_sizes", "slice_sizes"}, {"direction", "comparison_direction"}, {"type", "compare_type"},
      {"custom_call_target", "call_target_name"}, {"distribution", "rng_distribution"}, {"algorithm", "rng_algorithm"}};
  return table;
}

bool isCall(const std::string& name) {
  static const std::set<std::string> names{"to_apply", "calls", "condition", "body", "branch_computations", "true_computation", "false_computation", "called_computations", "select", "scatter"};
  return names.count(name) > 0;
}

void put(Instruction& instruction, const std::string& name, Attribute value) { instruction.attributes[name] = std::move(value); }

// "3x3" or "1_1x0_2"
Integers crossed(Scanner& scan, int each) {
  Integers values;
  do {
    for (int i = 0; i < each; ++i) {
      if (i > 0) scan.need("_");
      values.push_back(scan.integer());
    }
  } while (scan.take("x"));
  return values;
}

// {size=3x3 stride=2x2 pad=1_1x1_1 lhs_dilate=2x2 rhs_dilate=2x2 rhs_reversal=1x1}; what is missing is filled in.
void readWindow(Scanner& scan, Instruction& instruction) {
  std::map<std::string, Integers> found;
  scan.need("{");
  while (!scan.take("}")) {
    const std::string key = scan.word();
    scan.need("=");
    found[key] = crossed(scan, key == "pad" ? 2 : 1);
  }
  const std::size_t rank = found["size"].size();
  auto get = [&](const char* key, std::int64_t missing, std::size_t count) {
    Integers values = found[key];
    if (values.empty()) values.assign(count, missing);
    if (values.size() != count) scan.fail(fmt::format("the window has {} sizes, but \"{}\" {} numbers", rank, key, values.size()));
    return values;
  };
  const bool convolution = instruction.opcode == "convolution";
  put(instruction, "window_dimensions", get("size", 1, rank));
  put(instruction, "window_strides", get("stride", 1, rank));
  put(instruction, "padding", get("pad", 0, 2 * rank));
  put(instruction, convolution ? "lhs_dilation" : "base_dilations", get("lhs_dilate", 1, rank));
  put(instruction, convolution ? "rhs_dilation" : "window_dilations", get("rhs_dilate", 1, rank));
  if (convolution) put(instruction, "window_reversal", get("rhs_reversal", 0, rank));
}

// "b01f_01io->b01f"
void readLabels(Scanner& scan, Instruction& instruction) {
  const std::string_view text = scan.balanced();
  const std::size_t under = text.find('_'), arrow = text.find("->");
  if (under == std::string_view::npos || arrow == std::string_view::npos || under > arrow) scan.fail(fmt::format("\"{}\" labels no convolution", text), "b01f_01io->b01f");
  struct Side {
    std::string_view labels;
    char first, second;  // batch and feature, or input and output features
    const char *firstName, *secondName, *spatial;
  };
  const Side sides[] = {{text.substr(0, under), 'b', 'f', "input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions"},
                        {text.substr(under + 1, arrow - under - 1), 'i', 'o', "kernel_input_feature_dimension", "kernel_output_feature_dimension", "kernel_spatial_dimensions"},
                        {text.substr(arrow + 2), 'b', 'f', "output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions"}};
  for (const Side& side : sides) {
    Integers spatial(side.labels.size() < 2 ? 0 : side.labels.size() - 2, -1);
    std::int64_t first = -1, second = -1;
    for (std::size_t i = 0; i < side.labels.size(); ++i) {
      const char c = side.labels[i];
      const auto at = static_cast<std::int64_t>(i);
      if (c == side.first) first = at;
      else if (c == side.second) second = at;
      else if (const int digit = c - '0'; digit >= 0 && static_cast<std::size_t>(digit) < spatial.size()) spatial[static_cast<std::size_t>(digit)] = at;
    }
    if (first < 0 || second < 0 || std::count(spatial.begin(), spatial.end(), -1) > 0) scan.fail(fmt::format("\"{}\" labels no convolution", text), "each axis once: b01f_01io->b01f");
    put(instruction, side.firstName, first);
    put(instruction, side.secondName, second);
    put(instruction, side.spatial, spatial);
  }
}

// {[0:4], [2:8:2]}
void readSlice(Scanner& scan, Instruction& instruction) {
  Integers starts, limits, strides;
  scan.need("{");
  while (!scan.take("}")) {
    scan.need("[");
    starts.push_back(scan.integer());
    scan.need(":");
    limits.push_back(scan.integer());
    strides.push_back(scan.take(":") ? scan.integer() : 1);
    scan.need("]");
    if (scan.peek() != '}') scan.need(",");
  }
  put(instruction, "start_indices", starts);
  put(instruction, "limit_indices", limits);
  put(instruction, "strides", strides);
}

// 0_0x1_2_3: low, high and what goes between elements.
void readPadding(Scanner& scan, Instruction& instruction) {
  Integers low, high, between;
  do {
    low.push_back(scan.integer());
    scan.need("_");
    high.push_back(scan.integer());
    between.push_back(scan.take("_") ? scan.integer() : 0);
  } while (scan.take("x"));
  put(instruction, "edge_padding_low", low);
  put(instruction, "edge_padding_high", high);
  put(instruction, "interior_padding", between);
}

// The name that the program's source gives: metadata={op_name="jit(step)/mlp/dot" source_file=...}
void readMetadata(Scanner& scan, Instruction& instruction) {
  Scanner inner(scan.balanced(), scan.place());
  inner.need("{");
  while (!inner.take("}")) {
    const std::string key = inner.word();
    inner.need("=");
    if (key == "op_name") instruction.scope = inner.quoted();
    else if (inner.peek() == '"') inner.quoted();
    else if (inner.peek() == '{') inner.need("{"), inner.balanced(), inner.need("}");
    else inner.word();
  }
}

void readCalls(Scanner& scan, std::vector<std::string>& names) {
  if (!scan.take("{")) return names.push_back(scan.word());
  while (!scan.take("}")) {
    names.push_back(scan.word());
    if (scan.peek() != '}') scan.need(",");
  }
}

void readPlain(Scanner& scan, Instruction& instruction, const std::string& name) {
  auto stable = renamed().find(name);
  const std::string& key = stable == renamed().end() ? name : stable->second;
  const char next = scan.peek();
  if (next == '"') return put(instruction, key, scan.quoted());
  if (next == '{') {
    Scanner inner(scan.balanced(), scan.place());
    inner.take("{");
    const char first = inner.peek();
    if (first != '}' && first != '-' && std::isdigit(static_cast<unsigned char>(first)) == 0) return;  // a structure that says nothing here
    Scanner again(inner.text(), scan.place());
    return put(instruction, key, again.list());
  }
  if (next == '-' || std::isdigit(static_cast<unsigned char>(next)) != 0) {
    const std::string_view text = scan.balanced();
    Scanner inner(text, scan.place());
    if (text.find_first_of(".xe") != std::string_view::npos) return put(instruction, key, inner.real());
    return put(instruction, key, inner.integer());
  }
  const std::string word = scan.word();
  if (word == "true" || word == "false") return put(instruction, key, std::int64_t{word == "true"});
  put(instruction, key, word);
}

void readDimensions(Scanner& scan, Instruction& instruction) {
  const Integers list = scan.list();
  auto other = dimensionsOf().find(instruction.opcode);
  if (other == dimensionsOf().end()) return put(instruction, "dimensions", list);
  if (other->second != "dimension") return put(instruction, other->second, list);
  if (list.size() != 1) scan.fail(fmt::format("{} goes along one axis, not {}", instruction.opcode, list.size()), "dimensions={0}");
  put(instruction, "dimension", list[0]);
}

}  // namespace

HloAttributes readAttributes(Scanner& scan, Instruction& instruction) {
  HloAttributes found;
  while (scan.take(",")) {
    const std::string name = scan.word();
    scan.need("=");
    if (name == "metadata") readMetadata(scan, instruction);
    else if (name == "sharding") found.shardings = readTilings(scan);
    else if (isCall(name)) readCalls(scan, found.computations);
    else if (name == "dimensions") readDimensions(scan, instruction);
    else if (name == "window") readWindow(scan, instruction);
    else if (name == "dim_labels") readLabels(scan, instruction);
    else if (name == "slice") readSlice(scan, instruction);
    else if (name == "padding") readPadding(scan, instruction);
    else if (name == "index") found.index = scan.integer();
    else readPlain(scan, instruction, name);
  }
  return found;
}

}  // namespace core::xla
