#include "core/io/onnx_parse.h"

#include <fmt/format.h>
#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <unordered_map>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/element.h"
#include "core/io/onnx_tensor.h"
#include "core/io/onnx_walk.h"
#include "core/io/onnx_wire.h"

namespace core {
namespace {

using positional::AttributeValue;
using positional::Model;
using positional::Node;
using positional::Value;
using Names = std::unordered_map<std::string, int>;  // of one graph or function body
using CallAttributes = std::map<std::string, const onnx::AttributeProto*>;

constexpr std::size_t mostNodes = 300'000;  // functions that call functions can multiply

std::string domainOf(const std::string& domain) { return domain == "ai.onnx" ? std::string() : domain; }

// What is known of a call to a function while its body is read.
struct Frame {
  Names names;
  std::string prefix;  // of node and value names
  std::map<std::string, std::int64_t> opsets;
  const CallAttributes* attributes = nullptr;
  int depth = 0;
};

class Parser {
 public:
  Parser(std::span<const std::byte> file, std::string path) : file_(file), path_(std::move(path)) {}

  Model parse() {
    onnx::ModelProto proto = message();
    model_.producerName = proto.producer_name();
    Frame frame;
    frame.opsets = opsets(proto.opset_import());
    model_.opsets = frame.opsets;
    model_.opset = frame.opsets.count("") ? frame.opsets.at("") : 0;
    if (model_.opset == 0 && proto.graph().node_size() > 0)
      throw Error{.what = "the model does not say which version of the operators it uses (opset_import)", .where = path_, .right = "a whole ONNX file; was it cut?"};
    for (const onnx::FunctionProto& function : proto.functions()) functions_[{domainOf(function.domain()), function.name()}] = &function;
    graph(proto.graph(), frame);
    return std::move(model_);
  }

 private:
  onnx::ModelProto message() const {
    google::protobuf::LogSilencer quiet;
    onnx::ModelProto proto;
    std::string text = referToWeights(file_, path_);
    if (!proto.ParseFromString(text))
      throw Error{.what = "protobuf can't read it as a ModelProto", .where = path_, .right = "an ONNX file that was not cut or changed"};
    if (!proto.has_graph()) throw Error{.what = "there is no graph in it", .where = path_, .right = "an ONNX model (ModelProto with a graph); was the file cut?"};
    return proto;
  }

  template <class Imports>
  static std::map<std::string, std::int64_t> opsets(const Imports& imports) {
    std::map<std::string, std::int64_t> found;
    for (const auto& one : imports) found[domainOf(one.domain())] = one.version();
    return found;
  }

  void graph(const onnx::GraphProto& proto, Frame& frame) {
    for (const onnx::TensorProto& tensor : proto.initializer()) initializer(tensor, frame);
    if (proto.sparse_initializer_size() > 0) throw Error{.what = "it has sparse initializers", .where = path_, .right = "dense weights"};
    const bool storesWeights = std::any_of(model_.values.begin(), model_.values.end(), isParameter);
    for (const onnx::ValueInfoProto& input : proto.input()) {
      if (frame.names.count(input.name())) {
        if (model_.values[static_cast<std::size_t>(frame.names[input.name()])].kind == Value::Kind::input)
          throw Error{.what = fmt::format("two inputs are named \"{}\"", input.name()), .where = path_, .right = "a name of its own for each"};
        continue;
      }
      int id = named(input.name(), frame);
      Value& value = model_.values[static_cast<std::size_t>(id)];
      value.kind = Value::Kind::input;
      declare(value, input);
      value.isFed = storesWeights && isNumbered(value.name);
      model_.inputs.push_back(id);
    }
    for (const onnx::ValueInfoProto& info : proto.value_info()) declared_[info.name()] = &info;
    for (const onnx::ValueInfoProto& info : proto.output()) declared_[info.name()] = &info;
    for (const onnx::NodeProto& node : ordered(proto.node(), frame)) this->node(node, frame);
    for (const onnx::ValueInfoProto& output : proto.output()) {
      auto found = frame.names.find(output.name());
      if (found == frame.names.end())
        throw Error{.what = fmt::format("nothing makes the output \"{}\"", output.name()), .where = path_, .right = "outputs that a node, an input or an initializer makes"};
      model_.outputs.push_back(found->second);
    }
  }

  // "input.1": a value that PyTorch numbered, no part of a module.
  static bool isNumbered(const std::string& name) {
    const std::size_t dot = name.find('.');
    return dot != std::string::npos && dot > 0 && dot + 1 < name.size() && name.find_first_not_of("0123456789", dot + 1) == std::string::npos;
  }

  // File order where it is a legal order, else Kahn's by node index. Error for a cycle.
  template <class Nodes>
  std::vector<std::reference_wrapper<const onnx::NodeProto>> ordered(const Nodes& nodes, const Frame& frame) const {
    std::unordered_map<std::string, int> maker;
    for (int i = 0; i < nodes.size(); ++i)
      for (const std::string& output : nodes[i].output()) {
        if (output.empty()) continue;
        if (frame.names.count(output) || !maker.emplace(output, i).second)
          throw Error{.what = fmt::format("the value \"{}\" is made twice", output), .where = path_, .right = "one node that makes a value"};
      }
    std::vector<int> waits(static_cast<std::size_t>(nodes.size()), 0);
    std::vector<std::vector<int>> users(static_cast<std::size_t>(nodes.size()));
    for (int i = 0; i < nodes.size(); ++i)
      for (const std::string& input : nodes[i].input()) {
        auto found = maker.find(input);
        if (found == maker.end()) continue;
        ++waits[static_cast<std::size_t>(i)];
        users[static_cast<std::size_t>(found->second)].push_back(i);
      }
    std::set<int> ready;
    for (int i = 0; i < nodes.size(); ++i)
      if (waits[static_cast<std::size_t>(i)] == 0) ready.insert(i);
    std::vector<std::reference_wrapper<const onnx::NodeProto>> order;
    while (!ready.empty()) {
      int i = *ready.begin();
      ready.erase(ready.begin());
      order.emplace_back(nodes[i]);
      for (int user : users[static_cast<std::size_t>(i)])
        if (--waits[static_cast<std::size_t>(user)] == 0) ready.insert(user);
    }
    if (order.size() != static_cast<std::size_t>(nodes.size())) {
      auto stuck = std::find_if(waits.begin(), waits.end(), [](int count) { return count > 0; }) - waits.begin();
      throw Error{.what = fmt::format("node \"{}\" waits for its own output", nodes[static_cast<int>(stuck)].name()), .where = path_, .right = "a graph without cycles"};
    }
    return order;
  }

  int fresh(const std::string& name) {
    model_.values.push_back(Value{.name = name});
    return static_cast<int>(model_.values.size()) - 1;
  }

  int named(const std::string& name, Frame& frame) {
    int id = fresh(frame.prefix + name);
    frame.names[name] = id;
    return id;
  }

  void declare(Value& value, const onnx::ValueInfoProto& info) const {
    if (!info.has_type()) return;
    if (!info.type().has_tensor_type())
      throw Error{.what = fmt::format("\"{}\" is a sequence, map or optional", info.name()), .where = path_, .right = "tensors"};
    const onnx::TypeProto_Tensor& type = info.type().tensor_type();
    if (std::optional<DType> dtype = readAs(type.elem_type())) {
      value.dtype = *dtype;
      value.typeKnown = true;
    } else if (value.kind == Value::Kind::input) {
      throw Error{.what = fmt::format("input \"{}\" has elements of type {}", info.name(), onnxTypeName(type.elem_type())), .where = path_, .right = "numbers or booleans"};
    }
    if (!type.has_shape()) return;
    value.sizes.emplace();
    for (int axis = 0; axis < type.shape().dim_size(); ++axis) {
      const auto& dim = type.shape().dim(axis);
      bool known = dim.has_dim_value() && dim.dim_value() > 0;
      if (known && dim.dim_value() >= std::int64_t{1} << 40)
        throw Error{.what = fmt::format("\"{}\" has the size {} on axis {}", info.name(), dim.dim_value(), axis), .where = path_, .right = "sizes below 2^40"};
      value.sizes->push_back(known ? dim.dim_value() : -1);
      value.symbols.push_back(known ? "" : dim.has_dim_param() && !dim.dim_param().empty() ? dim.dim_param() : fmt::format("{}_{}", info.name(), axis));
    }
  }

  void initializer(const onnx::TensorProto& tensor, Frame& frame) {
    if (frame.names.count(tensor.name()))
      throw Error{.what = fmt::format("two initializers are named \"{}\"", tensor.name()), .where = path_, .right = "a name of its own for each"};
    int id = named(tensor.name(), frame);
    tensorValue(model_.values[static_cast<std::size_t>(id)], tensor);
  }

  void tensorValue(Value& value, const onnx::TensorProto& tensor) {
    value.kind = Value::Kind::initializer;
    value.sizes = tensorSizes(tensor, path_);
    std::optional<DType> dtype = readAs(tensor.data_type());
    if (!dtype) throw Error{.what = fmt::format("tensor \"{}\" has elements of type {}", value.name, onnxTypeName(tensor.data_type())), .where = path_, .right = "numbers or booleans"};
    value.dtype = *dtype;
    value.typeKnown = true;
    bool external = tensor.data_location() == onnx::TensorProto_DataLocation_EXTERNAL;
    if (external) {
      value.source = elsewhere(tensor, value.name);
      if (!storedAs(tensor.data_type())) convert(value, tensor.data_type());
    } else if (isFloating(value.dtype) && holdsNothing(tensor) && positional::product(*value.sizes) > 0) {
      model_.missingFiles.push_back(value.name + "\n" + path_);  // a file whose weights were taken out
    } else {
      std::vector<std::byte> bytes = tensorBytes(tensor, path_);
      value.data = std::make_shared<positional::Data>(readElements(bytes, tensor.data_type(), *value.sizes));
    }
  }

  static bool holdsNothing(const onnx::TensorProto& tensor) {
    return tensor.raw_data().empty() && tensor.float_data().empty() && tensor.double_data().empty() && tensor.int32_data().empty() && tensor.int64_data().empty();
  }

  // A type that we lack is widened now, where the data stand in this file.
  void convert(Value& value, int onnxType) {
    const auto& source = std::get<FileSource>(value.source);
    if (source.path != path_)
      throw Error{.what = fmt::format("tensor \"{}\" in {} has elements of type {}", value.name, source.path, onnxTypeName(onnxType)), .where = path_, .right = "float, int32, int64 or bool in files beside the model"};
    auto bytes = file_.subspan(static_cast<std::size_t>(source.offset), static_cast<std::size_t>(source.bytes));
    value.data = std::make_shared<positional::Data>(readElements(bytes, onnxType, *value.sizes));
    value.source = {};
  }

  FileSource elsewhere(const onnx::TensorProto& tensor, const std::string& name) {
    std::map<std::string, std::string> entries;
    for (const auto& entry : tensor.external_data()) entries[entry.key()] = entry.value();
    FileSource source{.path = path_};
    source.stored = storedAs(tensor.data_type()).value_or(DType::f32);
    std::int64_t needed = positional::product(tensorSizes(tensor, path_)) * onnxByteSize(tensor.data_type());
    source.offset = parseInteger(entries["offset"]).value_or(0);
    source.bytes = parseInteger(entries["length"]).value_or(needed);
    const std::string& location = entries["location"];
    if (location != selfLocation) source.path = beside(location, name);
    std::error_code missing;
    auto bytes = location == selfLocation ? file_.size() : std::filesystem::file_size(source.path, missing);
    if (missing) {
      model_.missingFiles.push_back(name + "\n" + source.path);
      source.bytes = needed;
      return source;
    }
    source.fileBytes = static_cast<std::int64_t>(bytes);
    if (source.bytes != needed || source.offset < 0 || source.offset > source.fileBytes || source.bytes > source.fileBytes - source.offset)
      throw Error{.what = fmt::format("tensor \"{}\" [{}] of {} needs {} bytes; {} at offset {} of a file of {} bytes stand for it", name,
                                      fmt::join(tensor.dims(), ","), onnxTypeName(tensor.data_type()), needed, source.bytes, source.offset, source.fileBytes),
                  .where = source.path,
                  .right = "a whole tensor; was the file cut?"};
    return source;
  }

  // Only files below the model's folder: a model must not read what lies elsewhere.
  std::string beside(const std::string& location, const std::string& name) const {
    std::filesystem::path relative(location);
    bool leaves = relative.is_absolute() || std::any_of(relative.begin(), relative.end(), [](const auto& part) { return part == ".."; });
    if (location.empty() || leaves)
      throw Error{.what = fmt::format("the data of \"{}\" are said to lie in \"{}\"", name, location), .where = path_, .right = "a file in the folder of the model"};
    return (std::filesystem::path(path_).parent_path() / relative).string();
  }

  void node(const onnx::NodeProto& proto, Frame& frame) {
    if (model_.nodes.size() > mostNodes) throw Error{.what = fmt::format("more than {} nodes", mostNodes), .where = path_, .right = "a smaller graph"};
    if (frame.depth == 0) ++model_.fileNodes;
    auto function = functions_.find({domainOf(proto.domain()), proto.op_type()});
    if (function != functions_.end()) return call(proto, *function->second, frame);
    if (proto.op_type() == "Constant" && domainOf(proto.domain()).empty() && constant(proto, frame)) return;
    Node node{.type = proto.op_type(), .domain = domainOf(proto.domain())};
    node.name = frame.prefix + (proto.name().empty() ? fmt::format("{}_{}", proto.op_type(), model_.nodes.size()) : proto.name());
    node.opset = frame.opsets.count(node.domain) ? frame.opsets.at(node.domain) : model_.opset;
    for (const std::string& input : proto.input()) node.inputs.push_back(read(input, proto, frame));
    for (const onnx::AttributeProto& attribute : proto.attribute()) this->attribute(node, attribute, frame);
    for (const std::string& output : proto.output()) node.outputs.push_back(write(output, frame, node.outputs.size()));
    model_.nodes.push_back(std::move(node));
  }

  int read(const std::string& name, const onnx::NodeProto& node, const Frame& frame) const {
    if (name.empty()) return -1;
    auto found = frame.names.find(name);
    if (found == frame.names.end())
      throw Error{.what = fmt::format("node \"{}\" reads \"{}\", which nothing makes", node.name().empty() ? node.op_type() : node.name(), name), .where = path_, .right = "an input, an initializer or a node's output"};
    return found->second;
  }

  int write(const std::string& name, Frame& frame, std::size_t output) {
    if (name.empty()) return -1;
    auto bound = frame.names.find(name);  // an output of a function is the caller's value
    int id = bound != frame.names.end() ? bound->second : named(name, frame);
    Value& value = model_.values[static_cast<std::size_t>(id)];
    value.producer = static_cast<int>(model_.nodes.size());
    value.producerOutput = static_cast<int>(output);
    if (auto info = declared_.find(name); frame.depth == 0 && info != declared_.end()) declare(value, *info->second);
    return id;
  }

  void attribute(Node& node, const onnx::AttributeProto& given, Frame& frame) {
    const onnx::AttributeProto* attribute = &given;
    if (!given.ref_attr_name().empty()) {
      if (!frame.attributes || !frame.attributes->count(given.ref_attr_name())) return;  // the operator's default holds
      attribute = frame.attributes->at(given.ref_attr_name());
    }
    if (auto value = attributeValue(*attribute)) node.attributes[given.name()] = *value;
  }

  std::optional<AttributeValue> attributeValue(const onnx::AttributeProto& attribute) {
    using Type = onnx::AttributeProto;
    switch (attribute.type()) {
      case Type::INT: return AttributeValue(static_cast<std::int64_t>(attribute.i()));
      case Type::FLOAT: return AttributeValue(static_cast<double>(attribute.f()));
      case Type::STRING: return AttributeValue(attribute.s());
      case Type::INTS: return AttributeValue(std::vector<std::int64_t>(attribute.ints().begin(), attribute.ints().end()));
      case Type::FLOATS: return AttributeValue(std::vector<double>(attribute.floats().begin(), attribute.floats().end()));
      case Type::STRINGS: return AttributeValue(std::vector<std::string>(attribute.strings().begin(), attribute.strings().end()));
      case Type::TENSOR: {
        int id = fresh(attribute.name());
        Value value = model_.values.back();
        tensorValue(value, attribute.t());
        model_.values[static_cast<std::size_t>(id)] = std::move(value);
        return AttributeValue(id);
      }
      case Type::GRAPH: case Type::GRAPHS: return AttributeValue(positional::Subgraph{});
      default: break;
    }
    if (attribute.ints_size() > 0) return AttributeValue(std::vector<std::int64_t>(attribute.ints().begin(), attribute.ints().end()));
    if (attribute.has_i()) return AttributeValue(static_cast<std::int64_t>(attribute.i()));
    if (attribute.has_f()) return AttributeValue(static_cast<double>(attribute.f()));
    if (attribute.has_s()) return AttributeValue(attribute.s());
    return std::nullopt;
  }

  // A Constant node is a value; nothing runs. False for a kind that is not read.
  bool constant(const onnx::NodeProto& proto, Frame& frame) {
    if (proto.output_size() != 1 || proto.output(0).empty()) return false;
    for (const onnx::AttributeProto& given : proto.attribute()) {
      const onnx::AttributeProto* attribute = &given;
      if (!given.ref_attr_name().empty() && frame.attributes && frame.attributes->count(given.ref_attr_name())) attribute = frame.attributes->at(given.ref_attr_name());
      Value value{.name = frame.prefix + proto.output(0)};
      if (!constantValue(value, given.name(), *attribute)) continue;
      auto bound = frame.names.find(proto.output(0));
      int id = bound != frame.names.end() ? bound->second : named(proto.output(0), frame);
      if (bound != frame.names.end()) value.name = model_.values[static_cast<std::size_t>(id)].name;
      model_.values[static_cast<std::size_t>(id)] = std::move(value);
      return true;
    }
    return false;
  }

  bool constantValue(Value& value, const std::string& name, const onnx::AttributeProto& attribute) {
    if (name == "value") {
      tensorValue(value, attribute.t());
      value.isConstant = true;
      return true;
    }
    auto data = std::make_shared<positional::Data>();
    if (name == "value_int" || name == "value_ints") {
      data->dtype = DType::i64;
      data->integers.assign(attribute.ints().begin(), attribute.ints().end());
      if (name == "value_int") data->integers = {attribute.i()};
    } else if (name == "value_float" || name == "value_floats") {
      data->dtype = DType::f32;
      data->reals.assign(attribute.floats().begin(), attribute.floats().end());
      if (name == "value_float") data->reals = {attribute.f()};
    } else {
      return false;
    }
    if (name.back() == 's') data->sizes = {static_cast<std::int64_t>(data->count())};
    value.kind = Value::Kind::initializer;
    value.isConstant = true;
    value.dtype = data->dtype;
    value.typeKnown = true;
    value.sizes = data->sizes;
    value.data = data;
    return true;
  }

  void call(const onnx::NodeProto& proto, const onnx::FunctionProto& function, Frame& frame) {
    if (frame.depth > 32) throw Error{.what = fmt::format("function \"{}\" calls itself, or functions lie more than 32 deep", function.name()), .where = path_, .right = "functions that do not call themselves"};
    Frame inside;
    inside.depth = frame.depth + 1;
    inside.prefix = frame.prefix + (proto.name().empty() ? fmt::format("{}_{}", proto.op_type(), ++calls_) : proto.name()) + "/";
    inside.opsets = opsets(function.opset_import());
    for (const auto& [domain, version] : frame.opsets) inside.opsets.emplace(domain, version);
    CallAttributes attributes;
    for (const onnx::AttributeProto& given : proto.attribute()) {
      if (given.ref_attr_name().empty()) attributes[given.name()] = &given;
      else if (frame.attributes && frame.attributes->count(given.ref_attr_name())) attributes[given.name()] = frame.attributes->at(given.ref_attr_name());
    }
    inside.attributes = &attributes;
    for (int i = 0; i < function.input_size(); ++i) inside.names[function.input(i)] = i < proto.input_size() ? read(proto.input(i), proto, frame) : -1;
    for (const onnx::NodeProto& node : function.node()) this->node(node, inside);
    for (int i = 0; i < function.output_size() && i < proto.output_size(); ++i) {
      if (proto.output(i).empty()) continue;
      auto found = inside.names.find(function.output(i));
      if (found == inside.names.end()) throw Error{.what = fmt::format("nothing makes the output \"{}\" of function \"{}\"", function.output(i), function.name()), .where = path_, .right = "a whole function body"};
      frame.names[proto.output(i)] = found->second;
    }
  }

  std::span<const std::byte> file_;
  std::string path_;
  Model model_;
  std::unordered_map<std::string, const onnx::ValueInfoProto*> declared_;
  std::map<std::pair<std::string, std::string>, const onnx::FunctionProto*> functions_;
  int calls_ = 0;
};

}  // namespace

Model parseOnnx(std::span<const std::byte> file, const std::string& path) { return Parser(file, path).parse(); }

}  // namespace core
