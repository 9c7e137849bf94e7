#include "tests/support/positional_model.h"

#include <algorithm>
#include <set>

#include "core/base/text.h"
#include "core/io/naming/name.h"

namespace tests {

using namespace core;
using namespace core::positional;

int PositionalModel::value(Value made) {
  made.typeKnown = true;
  model.opset = 17;
  model.opsets[""] = 17;
  model.values.push_back(std::move(made));
  return static_cast<int>(model.values.size()) - 1;
}

int PositionalModel::input(const std::string& name, Sizes sizes, DType dtype) {
  int id = value({.name = name, .kind = Value::Kind::input, .dtype = dtype, .sizes = sizes, .symbols = std::vector<std::string>(sizes.size())});
  model.inputs.push_back(id);
  return id;
}

int PositionalModel::input(const std::string& name, const std::vector<std::string>& symbols, DType dtype) {
  Value made{.name = name, .kind = Value::Kind::input, .dtype = dtype, .sizes = Sizes{}};
  for (const std::string& symbol : symbols) {
    std::optional<std::int64_t> size = parseInteger(symbol);
    made.sizes->push_back(size.value_or(-1));
    made.symbols.push_back(size ? "" : symbol);
  }
  int id = value(std::move(made));
  model.inputs.push_back(id);
  return id;
}

int PositionalModel::weight(const std::string& name, Sizes sizes) { return value({.name = name, .kind = Value::Kind::initializer, .dtype = DType::f32, .sizes = sizes}); }

int PositionalModel::constant(std::vector<std::int64_t> values) {
  auto data = std::make_shared<Data>(Data{.dtype = DType::i64, .sizes = {static_cast<std::int64_t>(values.size())}, .integers = values});
  return value({.name = "constant_" + std::to_string(model.values.size()), .kind = Value::Kind::initializer, .dtype = DType::i64, .sizes = data->sizes, .data = data, .isConstant = true});
}

std::vector<int> PositionalModel::nodes(const std::string& type, std::vector<int> inputs, std::size_t outputs, std::map<std::string, AttributeValue> attributes) {
  Node made{.name = type + "_" + std::to_string(model.nodes.size()), .type = type, .opset = 17, .attributes = std::move(attributes), .inputs = std::move(inputs)};
  for (std::size_t i = 0; i < outputs; ++i) {
    made.outputs.push_back(value({.name = made.name + "_output_" + std::to_string(i), .producer = static_cast<int>(model.nodes.size()), .producerOutput = static_cast<int>(i)}));
    model.values.back().typeKnown = false;
  }
  model.nodes.push_back(made);
  return made.outputs;
}

int PositionalModel::node(const std::string& type, std::vector<int> inputs, std::map<std::string, AttributeValue> attributes, const std::string& name) {
  int made = nodes(type, std::move(inputs), 1, std::move(attributes))[0];
  if (!name.empty()) model.nodes.back().name = name;
  return made;
}

void PositionalModel::output(int id, const std::string& name) {
  if (!name.empty()) model.values[static_cast<std::size_t>(id)].name = name;
  model.outputs.push_back(id);
}

Named nameAxes(const Model& model, const std::map<std::string, std::int64_t>& bound) {
  Walk walked = walk(model, bound);
  naming::Names names = naming::relate(model, walked);
  naming::uniteRepeated(names, model, walked);
  naming::addHints(names, model, walked);
  naming::Dictionary dictionary = naming::chooseNames(names, model, walked);
  Named named;
  std::set<naming::AtomId> classes;
  for (const auto& axes : names.axes) {
    std::string text;
    for (std::size_t i = 0; axes && i < axes->size(); ++i) {
      if (i > 0) text += " | ";
      std::string axis;
      for (naming::AtomId leaf : names.atoms.leaves((*axes)[i])) {
        axis += (axis.empty() ? "" : " ") + dictionary.names.at(leaf) + ":" + std::to_string(names.atoms.size(leaf));
        classes.insert(leaf);
      }
      text += axis;
    }
    named.axes.push_back(text);
  }
  named.classes = classes.size();
  for (const naming::Relation& relation : names.relations)
    for (const naming::Operand& operand : relation.operands)
      for (const naming::Edit& edit : operand.edits) {
        naming::Axis from = names.atoms.leaves(edit.from), to = names.atoms.leaves(edit.to);
        if (from == to) continue;
        ++(from.size() == 1 && to.size() == 1 ? named.renames : named.reshapes);
      }
  return named;
}

}  // namespace tests
