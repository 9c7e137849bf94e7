#include "core/io/detect.h"

#include <algorithm>
#include <string_view>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/io/onnx_wire.h"

namespace core {
namespace {

std::string_view headOf(std::span<const std::byte> file) { return {reinterpret_cast<const char*>(file.data()), std::min<std::size_t>(file.size(), 4096)}; }

bool isText(std::string_view head) {
  return std::all_of(head.begin(), head.end(), [](unsigned char c) { return c >= 32 ? c != 127 : c == '\n' || c == '\r' || c == '\t'; });
}

bool begins(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

// MLIR may begin with comments, and with aliases of attributes and places: #loc1 = loc("x").
bool isMlir(std::string_view text) {
  if (text.find("stablehlo.") != std::string_view::npos) return true;
  while (begins(text, "//")) text = trim(text.substr(std::min(text.find('\n'), text.size())));
  const std::string_view line = text.substr(0, text.find('\n'));
  const bool alias = (begins(line, "#") || begins(line, "!")) && line.find(' ') == line.find(" = ") && line.find(" = ") != std::string_view::npos;
  const auto openings = {"module ", "module@", "\"builtin.module\"", "func.func", "sdy.mesh"};
  return alias || std::any_of(openings.begin(), openings.end(), [&](const char* opening) { return begins(text, opening); });
}

FileKind kindOfText(std::string_view head) {
  std::string_view text = trim(head);
  if (begins(text, "HloModule")) return FileKind::hlo;
  if (isMlir(text)) return FileKind::stableHlo;
  if (begins(text, "{") || begins(text, "[")) return FileKind::json;
  if (begins(text, "ir_version") || begins(text, "graph {") || begins(text, "opset_import") || begins(text, "producer_name") || text.find("\ngraph {") != std::string_view::npos) return FileKind::textProto;
  return FileKind::text;
}

}  // namespace

FileKind detectFile(std::span<const std::byte> file) {
  if (file.empty()) return FileKind::empty;
  std::string_view head = headOf(file);
  if (begins(head, "version https://git-lfs.github.com/spec/")) return FileKind::lfsPointer;
  if (begins(head, "PK\x03\x04")) return FileKind::zip;
  if (begins(head, "\x1f\x8b")) return FileKind::gzip;
  if (begins(head, "ML\xEFR")) return FileKind::stableHlo;  // bytecode, which its parser names
  if (isText(head)) return kindOfText(head);
  if (looksLikeTensor(file)) return FileKind::tensor;
  return FileKind::onnx;
}

void requireModel(std::span<const std::byte> file, const std::string& path) {
  auto refuse = [&](std::string what, std::string right) { throw Error{.what = std::move(what), .where = path, .right = std::move(right)}; };
  switch (detectFile(file)) {
    case FileKind::onnx: return;
    case FileKind::empty: return refuse("the file is empty", "an ONNX model");
    case FileKind::lfsPointer: return refuse("this is a Git LFS pointer, not the model itself", "fetch the file that it stands for: git lfs pull");
    case FileKind::tensor: return refuse("this is a tensor (a TensorProto), not a model", "the model.onnx that it belongs to; tensors are inputs of `evaluate`");
    case FileKind::textProto: return refuse("this is an ONNX model as protobuf text", "the binary form: protoc --encode=onnx.ModelProto onnx.proto < model.textproto > model.onnx");
    case FileKind::hlo: return refuse("this is HLO text, not an ONNX model", "HLO is read where a model is imported");
    case FileKind::stableHlo: return refuse("this is StableHLO text, not an ONNX model", "StableHLO is read where a model is imported");
    case FileKind::json: return refuse("this is JSON, not an ONNX model", "an ONNX model; a config.json is read as a model too, a plan (*.plan.json) is opened");
    case FileKind::zip: return refuse("this is a ZIP archive (a PyTorch checkpoint or a packed folder), not an ONNX model", "an ONNX model; from PyTorch: torch.onnx.export");
    case FileKind::gzip: return refuse("this file is compressed (gzip)", "the file unpacked: gunzip; HLO, StableHLO and config.json are read as they are");
    case FileKind::text: return refuse("this is a text file, not an ONNX model", "an ONNX model");
    case FileKind::unknown: return refuse("not a known format", "an ONNX model");
  }
}

}  // namespace core
