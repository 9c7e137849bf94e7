#include "core/io/onnx_infer.h"

#include <fmt/format.h>
#include <onnx/defs/schema.h>
#include <onnx/shape_inference/implementation.h>

#include "core/io/element.h"

namespace core {
namespace {

using positional::Node;

const onnx::OpSchema* schemaOf(const Node& node) {
  int version = static_cast<int>(std::min(node.opset, newestOpset()));
  return onnx::OpSchemaRegistry::Instance()->Schema(node.type, version, node.domain);
}

void fill(onnx::TypeProto& type, const Known& known) {
  type.mutable_tensor_type()->set_elem_type(onnxTypeOf(known.dtype));
  if (!known.sizes) return;
  auto* shape = type.mutable_tensor_type()->mutable_shape();
  for (std::int64_t size : *known.sizes) {
    auto* dim = shape->add_dim();
    if (size >= 0) dim->set_dim_value(size);
  }
}

// Only what shape rules look at: a few integers (or the scales of a Resize).
void fill(onnx::TensorProto& tensor, const positional::Data& data) {
  for (std::int64_t size : data.sizes) tensor.add_dims(size);
  tensor.set_data_type(onnxTypeOf(data.dtype));
  for (std::size_t i = 0; i < data.count(); ++i) {
    if (data.dtype == DType::f32) tensor.add_float_data(static_cast<float>(data.reals[i]));
    else if (data.dtype == DType::f64) tensor.add_double_data(data.reals[i]);
    else if (data.dtype == DType::i64) tensor.add_int64_data(data.integers[i]);
    else tensor.add_int32_data(static_cast<std::int32_t>(data.floating() ? 0 : data.integers[i]));
  }
}

bool fill(onnx::AttributeProto& attribute, const std::string& name, const positional::AttributeValue& value) {
  using Type = onnx::AttributeProto;
  attribute.set_name(name);
  if (const auto* i = std::get_if<std::int64_t>(&value)) attribute.set_type(Type::INT), attribute.set_i(*i);
  else if (const auto* f = std::get_if<double>(&value)) attribute.set_type(Type::FLOAT), attribute.set_f(static_cast<float>(*f));
  else if (const auto* s = std::get_if<std::string>(&value)) attribute.set_type(Type::STRING), attribute.set_s(*s);
  else if (const auto* is = std::get_if<std::vector<std::int64_t>>(&value)) {
    attribute.set_type(Type::INTS);
    for (std::int64_t one : *is) attribute.add_ints(one);
  } else if (const auto* fs = std::get_if<std::vector<double>>(&value)) {
    attribute.set_type(Type::FLOATS);
    for (double one : *fs) attribute.add_floats(static_cast<float>(one));
  } else if (const auto* ss = std::get_if<std::vector<std::string>>(&value)) {
    attribute.set_type(Type::STRINGS);
    for (const std::string& one : *ss) attribute.add_strings(one);
  } else {
    return false;
  }
  return true;
}

Known read(const onnx::TypeProto& type) {
  Known known;
  if (!type.has_tensor_type()) return known;
  if (auto dtype = readAs(type.tensor_type().elem_type())) {
    known.dtype = *dtype;
    known.typeKnown = true;
  }
  if (!type.tensor_type().has_shape()) return known;
  known.sizes.emplace();
  for (const auto& dim : type.tensor_type().shape().dim()) known.sizes->push_back(dim.has_dim_value() ? dim.dim_value() : -1);
  return known;
}

}  // namespace

std::int64_t newestOpset() {
  static const std::int64_t newest = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map().at("").second;
  return newest;
}

bool isOnnxOperator(const Node& node) { return schemaOf(node) != nullptr; }

std::vector<Known> inferOutputs(const Node& node, const std::vector<const Known*>& inputs, std::string& problem) {
  std::vector<Known> outputs(node.outputs.size());
  const onnx::OpSchema* schema = schemaOf(node);
  if (!schema || !schema->has_type_and_shape_inference_function()) return outputs;
  onnx::NodeProto proto;
  proto.set_op_type(node.type);
  for (const auto& [name, value] : node.attributes) {
    onnx::AttributeProto attribute;
    if (fill(attribute, name, value)) *proto.add_attribute() = std::move(attribute);
    else if (std::holds_alternative<positional::Subgraph>(value)) return outputs;
  }
  std::vector<onnx::TypeProto> types(inputs.size());
  std::vector<onnx::TensorProto> tensors(inputs.size());
  std::unordered_map<std::string, onnx::TypeProto*> typeOf;
  std::unordered_map<std::string, const onnx::TensorProto*> dataOf;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::string name = inputs[i] ? fmt::format("i{}", i) : std::string();
    proto.add_input(name);
    if (!inputs[i]) continue;
    fill(types[i], *inputs[i]);
    typeOf[name] = &types[i];
    if (!inputs[i]->data || inputs[i]->data->count() > 4096 || inputs[i]->data->dtype == DType::f16 || inputs[i]->data->dtype == DType::bf16) continue;
    fill(tensors[i], *inputs[i]->data);
    dataOf[name] = &tensors[i];
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i) proto.add_output(fmt::format("o{}", i));
  try {
    onnx::shape_inference::InferenceContextImpl context(proto, typeOf, dataOf, {});
    schema->GetTypeAndShapeInferenceFunction()(context);
    for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = read(*context.getOutputType(i));
  } catch (const std::exception& error) {
    problem = error.what();
  }
  return outputs;
}

}  // namespace core
