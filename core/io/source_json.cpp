#include <fmt/format.h>

#include <charconv>

#include "core/base/hash.h"
#include "core/io/base64.h"
#include "core/io/json_print.h"
#include "core/io/value_json.h"

namespace core {
namespace {

constexpr std::pair<std::string_view, Initializer::Kind> initializers[] = {
    {"constant", Initializer::Kind::constant}, {"normal", Initializer::Kind::normal}, {"uniform", Initializer::Kind::uniform}};

constexpr std::pair<std::string_view, DType> types[] = {{"f32", DType::f32}, {"f64", DType::f64}, {"bf16", DType::bf16},    {"f16", DType::f16},
                                                        {"i32", DType::i32}, {"i64", DType::i64}, {"bool", DType::boolean}};

struct ToJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(const Initializer& from) const {
    const auto kind = nameOf<Initializer::Kind>(from.kind, initializers);
    if (from.kind == Initializer::Kind::constant) return {{"initial", kind}, {"value", numberJson(from.first)}};
    if (from.kind == Initializer::Kind::normal) return {{"initial", kind}, {"mean", from.first}, {"deviation", from.second}};
    return {{"initial", kind}, {"low", from.first}, {"high", from.second}};
  }
  Json operator()(const FileSource& from) const {
    Json chunks = Json::array();
    for (std::uint64_t hash : from.chunkHashes) chunks.push_back(fmt::format("{:016x}", hash));
    return {{"file", from.path}, {"fileBytes", from.fileBytes}, {"offset", from.offset}, {"bytes", from.bytes},
            {"stored", nameOf<DType>(from.stored, types)}, {"chunks", std::move(chunks)}};
  }
  Json operator()(const InlineSource& from) const {
    return {{"values", from.bytes ? toBase64(*from.bytes) : std::string()}};
  }
};

Source readInitializer(const JsonReader& reader) {
  const JsonObject object(reader, {"initial", "value", "mean", "deviation", "low", "high"});
  const auto kind = object.at("initial").oneOf<Initializer::Kind>(initializers);
  switch (kind) {
    case Initializer::Kind::constant: return Initializer{kind, JsonObject(reader, {"initial", "value"}).at("value").number(), 0};
    case Initializer::Kind::normal: {
      const JsonObject normal(reader, {"initial", "mean", "deviation"});
      return Initializer{kind, normal.at("mean").finite(), normal.at("deviation").finite()};
    }
    case Initializer::Kind::uniform: {
      const JsonObject uniform(reader, {"initial", "low", "high"});
      return Initializer{kind, uniform.at("low").finite(), uniform.at("high").finite()};
    }
  }
  reader.refuse("unknown initializer");
}

std::uint64_t readHash(const JsonReader& reader) {
  const std::string& text = reader.string();
  std::uint64_t hash = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), hash, 16);
  if (error != std::errc() || end != text.data() + text.size() || text.size() != 16) reader.refuse(fmt::format("\"{}\" is no hash", text), "16 hexadecimal digits");
  return hash;
}

Source readFileSource(const JsonReader& reader) {
  const JsonObject object(reader, {"file", "fileBytes", "offset", "bytes", "stored", "chunks"});
  FileSource source{.path = object.at("file").name(),
                    .fileBytes = object.at("fileBytes").count(),
                    .offset = object.at("offset").count(),
                    .bytes = object.at("bytes").count(),
                    .stored = readDType(object.at("stored")),
                    .chunkHashes = object.at("chunks").list(readHash)};
  if (source.offset > source.fileBytes || source.bytes > source.fileBytes - source.offset)
    object.at("bytes").refuse(fmt::format("{} bytes at {} lie beyond the file's {}", source.bytes, source.offset, source.fileBytes));
  const auto chunks = static_cast<std::size_t>(source.bytes / hashChunkBytes + (source.bytes % hashChunkBytes != 0));
  if (source.chunkHashes.size() != chunks)
    object.at("chunks").refuse(fmt::format("{} hashes", source.chunkHashes.size()), fmt::format("{}: one for every 16 MiB", chunks));
  return source;
}

Source readInline(const JsonReader& reader) {
  const JsonObject object(reader, {"values"});
  const JsonReader values = object.at("values");
  auto bytes = fromBase64(values.string());
  if (!bytes) values.refuse("not base64");
  return InlineSource{std::make_shared<const std::vector<std::byte>>(std::move(*bytes))};
}

}  // namespace

DType readDType(const JsonReader& reader) { return reader.oneOf<DType>(types); }

Json sourceJson(const Source& source) { return std::visit(ToJson{}, source); }

Source readSource(const JsonReader& reader) {
  if (reader.json().is_null()) return {};
  if (reader.json().contains("initial")) return readInitializer(reader);
  if (reader.json().contains("file")) return readFileSource(reader);
  if (reader.json().contains("values")) return readInline(reader);
  reader.refuse("no source", "\"initial\", \"file\" or \"values\"");
}

}  // namespace core
