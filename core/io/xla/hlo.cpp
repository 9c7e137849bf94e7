#include "core/io/xla/hlo.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "core/base/error.h"
#include "core/io/xla/check.h"
#include "core/io/xla/hlo_attributes.h"
#include "core/io/xla/hlo_literal.h"
#include "core/io/xla/hlo_scanner.h"
#include "core/io/xla/hlo_sharding.h"
#include "core/io/xla/hlo_type.h"

namespace core::xla {
namespace {

constexpr std::size_t mostValues = std::size_t{1} << 24;

const std::map<std::string, std::string>& opcodes() {
  static const std::map<std::string, std::string> table{{"broadcast", "broadcast_in_dim"}, {"dot", "dot_general"}, {"fusion", "call"}, {"topk", "top_k"}, {"opt_barrier", "optimization_barrier"}};
  return table;
}

// A name of the text: the values that it is taken apart into.
struct Named {
  HloType type;
  std::vector<int> values;
};

class Parser {
 public:
  Parser(std::string_view text, const std::string& path) : scan_(text, path), path_(path) {}

  Module run() {
    header();
    while (!scan_.atEnd()) section();
    if (module_.entry < 0) scan_.fail("no computation is the ENTRY", "a whole HLO module");
    for (const auto& [name, index] : computations_)
      if (defined_.count(index) == 0) scan_.fail(fmt::format("the computation \"{}\" is called but not there", name), "a whole HLO module");
    nameShardings();
    check(module_, path_);
    return std::move(module_);
  }

 private:
  // A tiling that waits for the mesh: a result of an instruction, or of the computation.
  struct Tiled {
    int computation;
    int value;  // -1: `result`
    int result;
    Tiling tiling;
  };

  void header() {
    if (!scan_.take("HloModule")) scan_.fail("this is no HLO text", "a first line \"HloModule NAME\"");
    module_.format = "HLO";
    module_.name = scan_.word();
    while (scan_.take(",")) {
      const std::string key = scan_.word();
      scan_.need("=");
      if (key == "num_partitions") module_.partitions = scan_.integer();
      else if (const std::string_view value = scan_.balanced(); key == "frontend_attributes") frontend_ = value;
    }
    if (module_.partitions < 1 || module_.partitions > 1 << 24) scan_.fail(fmt::format("{} partitions", module_.partitions), "from 1 to 2^24");
  }

  void section() {
    for (const char* table : {"FileNames", "FunctionNames", "FileLocations", "StackFrames"})
      if (scan_.take(table)) {
        while (std::isdigit(static_cast<unsigned char>(scan_.peek())) != 0) scan_.line();
        return;
      }
    computation();
  }

  int computationOf(const std::string& name) {
    auto [found, fresh] = computations_.emplace(name, static_cast<int>(module_.computations.size()));
    if (fresh) module_.computations.push_back({.name = name});
    return found->second;
  }

  void computation() {
    const bool entry = scan_.take("ENTRY");
    const std::string name = scan_.word();
    const int index = computationOf(name);
    if (!defined_.insert(index).second) scan_.fail(fmt::format("there are two computations \"{}\"", name));
    if (scan_.take("(")) {
      while (!scan_.take(")")) {
        scan_.word();
        scan_.need(":");
        readType(scan_);
        if (scan_.peek() != ')') scan_.need(",");
      }
      scan_.need("->");
      readType(scan_);
    }
    scan_.need("{");
    names_.clear();
    parameters_.clear();
    built_ = Computation{.name = name};
    index_ = index;
    bool root = false;
    while (!scan_.take("}")) root = instruction() || root;
    if (scan_.take(",")) scan_.line();  // execution_thread="main"
    if (!root) scan_.fail(fmt::format("no instruction of \"{}\" is its ROOT", name), "a whole computation");
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      auto found = parameters_.find(static_cast<std::int64_t>(i));
      if (found == parameters_.end()) scan_.fail(fmt::format("\"{}\" lacks parameter({})", name, i));
      built_.parameters.insert(built_.parameters.end(), found->second.begin(), found->second.end());
    }
    module_.computations[static_cast<std::size_t>(index)] = std::move(built_);
    if (!entry) return;
    if (module_.entry >= 0) scan_.fail("there are two ENTRY computations");
    module_.entry = index;
  }

  const Named& named(const std::string& name) {
    auto found = names_.find(name);
    if (found == names_.end()) scan_.fail(fmt::format("nothing before makes \"{}\"", name));
    return found->second;
  }

  int newValue(std::string name, const Type& type) {
    if (built_.values.size() >= mostValues) scan_.fail("the computation has too many values", fmt::format("at most {}", mostValues));
    built_.values.push_back({std::move(name), type, std::nullopt});
    return static_cast<int>(built_.values.size()) - 1;
  }

  std::vector<int> newValues(const std::string& name, const HloType& type) {
    std::vector<Type> leaves;
    type.flatten(leaves);
    std::vector<int> made;
    for (std::size_t i = 0; i < leaves.size(); ++i) made.push_back(newValue(type.tuple ? fmt::format("{}.{}", name, i) : name, leaves[i]));
    return made;
  }

  // "%x" or "f32[8]{0} %x" or "x"
  const Named& operand() {
    if (scan_.peek() == '%') return named(scan_.word());
    if (scan_.peek() == '(') {
      readType(scan_);
      return named(scan_.word());
    }
    const Scanner before = scan_;
    const std::string word = scan_.word();
    if (scan_.peek() != '[') return named(word);
    scan_ = before;
    readType(scan_);
    return named(scan_.word());
  }

  // Whether it is the ROOT.
  bool instruction() {
    const bool root = scan_.take("ROOT");
    const std::string name = scan_.word();
    if (names_.count(name) > 0) scan_.fail(fmt::format("there are two instructions \"{}\"", name));
    scan_.need("=");
    Named made{.type = readType(scan_), .values = {}};
    Instruction instruction{.line = scan_.lineNumber()};
    const std::string opcode = scan_.word();
    instruction.opcode = opcode;
    std::replace(instruction.opcode.begin(), instruction.opcode.end(), '-', '_');
    if (auto other = opcodes().find(instruction.opcode); other != opcodes().end()) instruction.opcode = other->second;
    ++module_.instructions;
    scan_.need("(");
    std::optional<std::int64_t> parameter;
    std::vector<const Named*> operands;
    if (opcode == "parameter") {
      parameter = scan_.integer();
    } else if (opcode == "constant") {
      if (made.type.tuple) scan_.fail("a constant of several values", "constants of one");
      instruction.literal = readLiteral(scan_, made.type.leaf);
    } else {
      while (scan_.peek() != ')') {
        operands.push_back(&operand());
        if (scan_.peek() != ')') scan_.need(",");
      }
    }
    scan_.need(")");
    HloAttributes attributes = readAttributes(scan_, instruction);
    for (const Named* one : operands) instruction.operands.insert(instruction.operands.end(), one->values.begin(), one->values.end());
    for (const std::string& called : attributes.computations) instruction.computations.push_back(computationOf(called));
    if (opcode == "tuple") {
      made.values = instruction.operands;
      if (made.values.size() != made.type.leaves()) scan_.fail("the tuple has other parts than its type");
    } else if (opcode == "get-tuple-element") {
      made.values = element(operands, attributes.index);
    } else {
      made.values = newValues(name, made.type);
    }
    keepShardings(attributes.shardings, made.values, root && opcode == "tuple");
    if (parameter) {
      if (*parameter < 0 || !parameters_.emplace(*parameter, made.values).second) scan_.fail(fmt::format("parameter({}) is there twice or none", *parameter));
      if (!made.type.tuple && !instruction.scope.empty()) built_.values[static_cast<std::size_t>(made.values[0])].name = instruction.scope;
    } else if (opcode != "tuple" && opcode != "get-tuple-element") {
      instruction.results = made.values;
      built_.instructions.push_back(std::move(instruction));
    }
    if (root) built_.results = made.values;
    names_.emplace(name, std::move(made));
    return root;
  }

  std::vector<int> element(const std::vector<const Named*>& operands, std::int64_t index) {
    if (operands.size() != 1 || !operands[0]->type.tuple || index < 0 || index >= static_cast<std::int64_t>(operands[0]->type.parts.size()))
      scan_.fail(fmt::format("there is no element {} to get", index), "an index of the tuple");
    const Named& tuple = *operands[0];
    std::size_t begin = 0;
    for (std::int64_t i = 0; i < index; ++i) begin += tuple.type.parts[static_cast<std::size_t>(i)].leaves();
    const auto first = tuple.values.begin() + static_cast<std::ptrdiff_t>(begin);
    return {first, first + static_cast<std::ptrdiff_t>(tuple.type.parts[static_cast<std::size_t>(index)].leaves())};
  }

  // Of a root tuple they are the results', not those of the values: these may lie otherwise where they are read.
  void keepShardings(const std::vector<Tiling>& tilings, const std::vector<int>& values, bool ofResults) {
    if (tilings.empty()) return;
    if (tilings.size() != 1 && tilings.size() != values.size()) scan_.fail(fmt::format("{} shardings for {} values", tilings.size(), values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Tiling& tiling = tilings[tilings.size() == 1 ? 0 : i];
      const std::size_t rank = built_.values[static_cast<std::size_t>(values[i])].type.sizes.size();
      if (tiling.axes.size() > rank) scan_.fail(fmt::format("a sharding of {} axes for a value of {}", tiling.axes.size(), rank));
      tiled_.push_back({index_, ofResults ? -1 : values[i], static_cast<int>(i), tiling});
    }
  }

  void nameShardings() {
    if (tiled_.empty() && module_.partitions == 1) return;
    std::vector<Tiling> tilings;
    for (const Tiled& one : tiled_) tilings.push_back(one.tiling);
    const MeshOf mesh(tilings, namedMesh(frontend_, module_.partitions), module_.partitions);
    module_.mesh = mesh.axes();
    for (const Tiled& one : tiled_) {
      Computation& in = module_.computations[static_cast<std::size_t>(one.computation)];
      Sharding sharding = mesh.sharding(one.tiling);
      const int value = one.value >= 0 ? one.value : in.results.at(static_cast<std::size_t>(one.result));
      sharding.axes.resize(in.values[static_cast<std::size_t>(value)].type.sizes.size());
      if (one.value >= 0) {
        in.values[static_cast<std::size_t>(value)].sharding = std::move(sharding);
      } else {
        in.resultShardings.resize(in.results.size());
        in.resultShardings[static_cast<std::size_t>(one.result)] = std::move(sharding);
      }
    }
  }

  Scanner scan_;
  const std::string& path_;
  Module module_;
  std::string_view frontend_;
  std::map<std::string, int> computations_;
  std::set<int> defined_;
  std::vector<Tiled> tiled_;

  // The computation at hand.
  Computation built_;
  int index_ = -1;
  std::map<std::string, Named> names_;
  std::map<std::int64_t, std::vector<int>> parameters_;
};

}  // namespace

Module parseHlo(std::string_view text, const std::string& path) { return Parser(text, path).run(); }

}  // namespace core::xla
