#include <fmt/format.h>

#include "core/io/xla/mlir_parser.h"

namespace core::xla {
namespace {

const std::int64_t* integerOf(const MlirDictionary& attributes, const std::string& name) {
  auto found = attributes.find(name);
  return found == attributes.end() ? nullptr : std::get_if<std::int64_t>(&found->second.value);
}

std::string textOf(const MlirDictionary& attributes, const std::string& name) {
  auto found = attributes.find(name);
  const std::string* text = found == attributes.end() ? nullptr : std::get_if<std::string>(&found->second.value);
  return text ? *text : std::string();
}

}  // namespace

void MlirParser::items(std::string_view end) {
  while (!(end.empty() ? scan_.atEnd() : scan_.take(end))) {
    if (scan_.sawSplit() && (sawModule_ || !functions_.empty())) scan_.fail("the file holds several modules, split by // -----", "one module a file");
    item();
  }
}

void MlirParser::item() {
  if (scan_.peek() == '#' || scan_.peek() == '!') return reader_.alias();
  if (scan_.take("{-#")) {  // resources of the file
    const std::size_t end = scan_.text().find("#-}", scan_.position());
    if (end == std::string_view::npos) scan_.fail("{-# has no end", "#-} behind it");
    return scan_.goTo(end + 3);
  }
  if (scan_.takeWord("module") || scan_.takeWord("builtin.module")) return module();
  if (scan_.takeWord("func.func") || scan_.takeWord("func")) return function();
  if (scan_.takeWord("sdy.mesh")) return mesh();
  if (scan_.takeWord("util.global")) return global();
  if (scan_.take("\"builtin.module\"")) return genericModule();
  if (scan_.take("\"func.func\"")) return genericFunction();
  scan_.failMissing("a module or function");
}

void MlirParser::header(const MlirDictionary& attributes) {
  if (const std::int64_t* partitions = integerOf(attributes, "mhlo.num_partitions"); partitions && *partitions > 0) module_.partitions = *partitions;
  if (const std::string name = textOf(attributes, "sym_name"); !name.empty()) module_.name = name;
  auto frontend = attributes.find("mhlo.frontend_attributes");
  if (frontend == attributes.end() || !frontend->second.entries) return;
  const std::string meshes = textOf(*frontend->second.entries, "xla.sdy.meshes");
  if (meshes.empty()) return;
  MlirReader inner(meshes, scan_.place(scan_.position()));  // {mesh = #sdy.mesh<["a"=2]>}
  inner.scan.need("{");
  while (!inner.scan.take("}")) {
    const std::string name = inner.scan.word();
    inner.scan.need("=");
    inner.scan.need("#sdy.mesh");
    meshes_.declare(name, inner.mesh(), scan_.position());
    if (inner.scan.peek() != '}') inner.scan.need(",");
  }
}

void MlirParser::module() {
  MlirReader::Deeper inside(reader_);
  if (sawModule_) scan_.fail("a second module stands here", "one module a file");
  sawModule_ = true;
  if (scan_.take("@")) module_.name = scan_.name();
  if (scan_.takeWord("attributes")) header(reader_.dictionary());
  scan_.need("{");
  items("}");
  reader_.location();
}

// "builtin.module"() <{sym_name = "jit_main"}> ({ ... }) {mhlo.num_partitions = 1 : i32} : () -> ()
void MlirParser::genericModule() {
  MlirReader::Deeper inside(reader_);
  if (sawModule_) scan_.fail("a second module stands here", "one module a file");
  sawModule_ = true;
  scan_.need("(");
  scan_.need(")");
  if (scan_.take("<")) {
    header(reader_.dictionary());
    scan_.need(">");
  }
  scan_.need("(");
  scan_.need("{");
  items("}");
  scan_.need(")");
  if (scan_.peek() == '{') header(reader_.dictionary());
  scan_.need(":");
  reader_.type();
  reader_.location();
}

// sdy.mesh @mesh = <["a"=2, "b"=2]>
void MlirParser::mesh() {
  scan_.need("@");
  const std::size_t position = scan_.position();
  const std::string name = scan_.name();
  scan_.need("=");
  meshes_.declare(name, reader_.mesh(), position);
  reader_.location();
}

// util.global private @name ... : type, kept as it stands for those who read it.
void MlirParser::global() {
  const std::size_t begin = scan_.position();
  while (!scan_.atEnd() && scan_.peek() != '@') scan_.word();
  scan_.need("@");
  const std::string name = scan_.name();
  while (!scan_.atEnd() && scan_.peek() != ':') {
    if (scan_.peek() == '{' || scan_.peek() == '<') scan_.bracket();
    else scan_.goTo(scan_.position() + 1);
  }
  scan_.need(":");
  reader_.type();
  globals_[name] = std::string(scan_.text().substr(begin, scan_.position() - begin));
}

void MlirParser::declare(const std::string& name, bool isPublic, std::size_t position) {
  Function function{.isPublic = isPublic, .position = position};
  if (!functions_.emplace(name, function).second) scan_.failAt(position, fmt::format("the function @{} is defined twice", name), "a name of its own for each");
}

// (%a: T {attributes}, ...), or types alone where there is no body.
std::vector<MlirArgument> MlirParser::arguments(std::vector<MlirDictionary>& attributes) {
  std::vector<MlirArgument> found;
  scan_.need("(");
  while (!scan_.take(")")) {
    if (scan_.peek() == '%') found.push_back(argument());
    else found.push_back({.type = reader_.type()});
    attributes.push_back(scan_.peek() == '{' ? reader_.dictionary() : MlirDictionary());
    if (std::string location = reader_.location(); !location.empty()) found.back().location = std::move(location);
    if (scan_.peek() != ')') scan_.need(",");
  }
  return found;
}

// -> T, -> (T {attributes}, T)
std::vector<Type> MlirParser::functionResults(std::vector<MlirDictionary>& attributes) {
  std::vector<Type> found;
  if (!scan_.take("->")) return found;
  if (scan_.peek() != '(') return {reader_.type()};
  scan_.need("(");
  while (!scan_.take(")")) {
    found.push_back(reader_.type());
    attributes.push_back(scan_.peek() == '{' ? reader_.dictionary() : MlirDictionary());
    if (scan_.peek() != ')') scan_.need(",");
  }
  return found;
}

// func.func public @main(%a: T) -> T attributes {...} { ... }
void MlirParser::function() {
  bool isPublic = true;
  for (const char* visibility : {"private", "nested"})
    if (scan_.takeWord(visibility)) isPublic = false;
  scan_.takeWord("public");
  scan_.need("@");
  const std::size_t position = scan_.position();
  const std::string name = scan_.name();
  declare(name, isPublic, position);
  std::vector<MlirDictionary> given, made;
  const std::vector<MlirArgument> parameters = arguments(given);
  const std::vector<Type> results = functionResults(made);
  if (scan_.takeWord("attributes")) reader_.dictionary();
  if (scan_.peek() == '{') {
    functions_[name].hasBody = true;
    const int computation = region(name, parameters, true).computation;
    functions_[name].computation = computation;
    for (const MlirArgument& one : parameters) locations_[computation].push_back(one.location);
    finishFunction(name, results, given, made);
  }
  reader_.location();
}

// "func.func"() <{function_type = (T) -> T, sym_name = "main", sym_visibility = "private"}> ({ ^bb0(%a: T): ... }) : () -> ()
void MlirParser::genericFunction() {
  scan_.need("(");
  scan_.need(")");
  const std::size_t position = scan_.position();
  MlirDictionary attributes;
  if (scan_.take("<")) {
    attributes = reader_.dictionary();
    scan_.need(">");
  }
  const std::string name = textOf(attributes, "sym_name");
  const std::string visibility = textOf(attributes, "sym_visibility");
  declare(name, visibility.empty() || visibility == "public", position);
  scan_.need("(");
  functions_[name].hasBody = true;
  functions_[name].computation = region(name, {}, true).computation;
  scan_.need(")");
  if (scan_.peek() == '{') reader_.dictionary();
  scan_.need(":");
  reader_.type();
  reader_.location();
}

void MlirParser::finishFunction(const std::string& name, const std::vector<Type>& results, const std::vector<MlirDictionary>& given, const std::vector<MlirDictionary>& made) {
  const int index = functions_[name].computation;
  Computation& computation = module_.computations[static_cast<std::size_t>(index)];
  bool same = computation.results.size() == results.size();
  for (std::size_t i = 0; same && i < results.size(); ++i) same = computation.values[static_cast<std::size_t>(computation.results[i])].type == results[i];
  if (!same) scan_.failAt(functions_[name].position, fmt::format("@{} returns other values than it declares", name));
  for (std::size_t i = 0; i < given.size(); ++i) place(index, {computation.parameters[i]}, -1, reader_.placement(given[i]));
  for (std::size_t i = 0; i < made.size(); ++i) place(index, {-1}, static_cast<int>(i), reader_.placement(made[i]));
}

}  // namespace core::xla
