#include "core/io/onnx_wire.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>

#include "core/base/error.h"

namespace core {
namespace {

enum class Message { model, graph, node, attribute, tensor };

// Payloads of Constant nodes smaller than this stay in the message.
constexpr std::size_t smallConstant = 4096;

std::string_view nameOf(Message message) {
  switch (message) {
    case Message::model: return "ModelProto";
    case Message::graph: return "GraphProto";
    case Message::node: return "NodeProto";
    case Message::attribute: return "AttributeProto";
    case Message::tensor: return "TensorProto";
  }
  return "";
}

// The message that a field holds, where weights may be inside.
std::optional<Message> inner(Message message, std::uint64_t field) {
  if (message == Message::model && field == 7) return Message::graph;
  if (message == Message::graph && field == 1) return Message::node;
  if (message == Message::graph && field == 5) return Message::tensor;
  if (message == Message::node && field == 5) return Message::attribute;
  if (message == Message::attribute && field == 5) return Message::tensor;
  return std::nullopt;
}

struct Field {
  std::uint64_t number = 0;
  int wire = 0;
  std::size_t begin = 0;    // of the key
  std::size_t payload = 0;  // first byte behind key and length
  std::size_t end = 0;
  std::uint64_t varint = 0;
};

class Reader {
 public:
  Reader(std::span<const std::byte> file, std::string path) : file_(file), path_(std::move(path)) {}

  // The field at `at`, inside a message that ends at `end`.
  Field field(std::size_t at, std::size_t end, Message message) const {
    Field found{.begin = at};
    std::uint64_t key = varint(at, end, message);
    found.number = key >> 3;
    found.wire = static_cast<int>(key & 7);
    if (found.number == 0 || found.number > 100000) fail(found.begin, message, fmt::format("a field number {} that ONNX does not have", found.number));
    found.payload = at;
    switch (found.wire) {
      case 0: found.varint = varint(at, end, message); found.end = at; break;
      case 1: found.end = at + 8; break;
      case 2: {
        std::uint64_t length = varint(at, end, message);
        found.payload = at;
        if (length > end - at) cut(at, length, end, message, found.number);
        found.end = at + length;
        break;
      }
      case 5: found.end = at + 4; break;
      default: fail(found.begin, message, fmt::format("a field of wire type {}", found.wire));
    }
    if (found.end > end) cut(found.payload, found.end - found.payload, end, message, found.number);
    return found;
  }

  std::string rewrite(std::size_t begin, std::size_t end, Message message, bool constant) const {
    if (message == Message::tensor) return tensor(begin, end, constant);
    std::string out;
    for (std::size_t at = begin; at < end;) {
      Field field = this->field(at, end, message);
      std::optional<Message> within = field.wire == 2 ? inner(message, field.number) : std::nullopt;
      if (within) append(out, field.number, rewrite(field.payload, field.end, *within, constant || message == Message::attribute));
      else copy(out, field);
      at = field.end;
    }
    return out;
  }

 private:
  std::uint64_t varint(std::size_t& at, std::size_t end, Message message) const {
    std::uint64_t value = 0;
    std::size_t begin = at;
    for (int shift = 0; shift < 70; shift += 7) {
      if (at >= end) cut(begin, at - begin + 1, end, message, 0);
      auto byte = std::to_integer<std::uint64_t>(file_[at++]);
      if (shift < 64) value |= (byte & 127) << shift;
      if ((byte & 128) == 0) return value;
    }
    fail(begin, message, "a number of more than ten bytes");
  }

  [[noreturn]] void cut(std::size_t at, std::uint64_t needed, std::size_t end, Message message, std::uint64_t field) const {
    throw Error{.what = end == file_.size()
                            ? fmt::format("the file is cut: at byte {}, field {} of {} needs {} bytes, {} are there", at, field, nameOf(message), needed, end - at)
                            : fmt::format("not a model: at byte {}, field {} of {} is longer than what holds it", at, field, nameOf(message)),
                .where = path_,
                .right = "a whole ONNX file (a protobuf ModelProto); was it downloaded to the end?"};
  }

  [[noreturn]] void fail(std::size_t at, Message message, const std::string& found) const {
    throw Error{.what = fmt::format("not a model: at byte {}, in {}, there is {}", at, nameOf(message), found),
                .where = path_,
                .right = "an ONNX file (a protobuf ModelProto)"};
  }

  void copy(std::string& out, const Field& field) const {
    out.append(reinterpret_cast<const char*>(file_.data()) + field.begin, field.end - field.begin);
  }

  static void number(std::string& out, std::uint64_t value) {
    for (; value > 127; value >>= 7) out.push_back(static_cast<char>((value & 127) | 128));
    out.push_back(static_cast<char>(value));
  }

  static void append(std::string& out, std::uint64_t field, std::string_view bytes) {
    number(out, field << 3 | 2);
    number(out, bytes.size());
    out.append(bytes);
  }

  // raw_data (9), or packed float_data (4) and double_data (10), which have the same bytes.
  std::string tensor(std::size_t begin, std::size_t end, bool constant) const {
    std::string out;
    std::optional<Field> payload;
    int payloads = 0;
    for (std::size_t at = begin; at < end;) {
      Field field = this->field(at, end, Message::tensor);
      bool holdsBytes = field.wire == 2 && (field.number == 9 || field.number == 4 || field.number == 10) && field.end > field.payload;
      if (holdsBytes && ++payloads == 1) payload = field;
      at = field.end;
    }
    std::size_t bytes = payload ? payload->end - payload->payload : 0;
    if (payloads != 1 || (constant && bytes < smallConstant)) {
      out.assign(reinterpret_cast<const char*>(file_.data()) + begin, end - begin);
      return out;
    }
    for (std::size_t at = begin; at < end;) {
      Field field = this->field(at, end, Message::tensor);
      if (field.begin != payload->begin) copy(out, field);
      at = field.end;
    }
    number(out, 14 << 3);
    number(out, 1);  // data_location: EXTERNAL
    entry(out, "location", selfLocation);
    entry(out, "offset", std::to_string(payload->payload));
    entry(out, "length", std::to_string(bytes));
    return out;
  }

  static void entry(std::string& out, std::string_view key, std::string_view value) {
    std::string text;
    append(text, 1, key);
    append(text, 2, value);
    append(out, 13, text);
  }

  std::span<const std::byte> file_;
  std::string path_;
};

}  // namespace

std::string referToWeights(std::span<const std::byte> file, const std::string& path) {
  return Reader(file, path).rewrite(0, file.size(), Message::model, false);
}

// dims (1) and data_type (2) are numbers; in a ModelProto field 2 is a text, the producer's name.
bool looksLikeTensor(std::span<const std::byte> file) {
  Reader reader(file, {});
  bool type = false;
  bool payload = false;
  try {
    for (std::size_t at = 0; at < file.size();) {
      Field field = reader.field(at, file.size(), Message::tensor);
      if (field.number == 2 && field.wire == 0 && field.varint >= 1 && field.varint <= 30) type = true;
      if (field.number == 7 && field.wire == 2 && !type) return false;
      if ((field.number == 9 || (field.number >= 4 && field.number <= 11 && field.number != 8)) && type) payload = true;
      at = field.end;
    }
  } catch (const Error&) {
    return type && payload;
  }
  return type;
}

}  // namespace core
