#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/io/xla/mesh_union.h"
#include "core/io/xla/mlir_reader.h"
#include "core/io/xla/mlir_scopes.h"
#include "core/io/xla/module.h"

namespace core::xla {

// An argument of a function or region: %name : type.
struct MlirArgument {
  std::string name;
  Type type;
  std::string location;
  std::size_t position = 0;
};

// What is known of an operation while it is read.
struct MlirOperation {
  std::string dialect;  // "stablehlo"; "" where none is named
  std::string opcode;   // "dot_general"
  std::size_t position = 0;
  bool generic = false;
  std::vector<std::pair<std::string, std::size_t>> names;  // of results, and how many each stands for
  std::vector<int> operands;
  std::vector<int> initial;               // of reduce: they stand between the others
  std::map<std::string, Attribute> attributes;
  MlirPlacement placement;                // of the results
  std::vector<std::string> symbols;       // @names that it calls
  std::vector<std::string> words;         // LT, SIGNED
  std::string applies;                    // stablehlo.add
  std::shared_ptr<const MlirLiteral> literal;
  std::vector<std::string> loopNames;     // of while: what its regions call its operands
  std::vector<MlirRegion> regions;
  std::vector<Type> results;
  int groups = 0;                         // brackets with operands so far

  std::string fullName() const { return dialect.empty() ? opcode : dialect + "." + opcode; }
};

// StableHLO's text into a Module. Members stand in files by what they read.
class MlirParser {
 public:
  MlirParser(std::string_view text, const std::string& path) : reader_(text, path), scan_(reader_.scan), scopes_(module_, scan_), meshes_(scan_) {}

  Module parse();

 private:
  // mlir_function.cpp
  void items(std::string_view end);  // of a file or module
  void item();
  void module();
  void genericModule();
  void function();
  void genericFunction();
  void mesh();
  void global();
  std::vector<MlirArgument> arguments(std::vector<MlirDictionary>& attributes);
  std::vector<Type> functionResults(std::vector<MlirDictionary>& attributes);
  void declare(const std::string& name, bool isPublic, std::size_t position);
  void finishFunction(const std::string& name, const std::vector<Type>& results, const std::vector<MlirDictionary>& given, const std::vector<MlirDictionary>& made);
  void header(const MlirDictionary& attributes);

  // mlir_operation.cpp
  bool operation();  // false: it ended its region
  void generic(MlirOperation& op);
  void signature(MlirOperation& op);
  void merge(MlirOperation& op, const MlirDictionary& attributes);
  void emit(MlirOperation& op);
  void emitConstant(MlirOperation& op, Instruction instruction);
  void append(MlirOperation& op, Instruction instruction);
  std::string unnamed();
  std::vector<int> defineResults(const MlirOperation& op);
  int value();  // %name, %name#1

  // mlir_pretty.cpp
  void pretty(MlirOperation& op);
  void foreign(MlirOperation& op);
  void group(MlirOperation& op);
  void bracketed(MlirOperation& op);
  void angled(MlirOperation& op);
  void braced(MlirOperation& op);
  void worded(MlirOperation& op);
  void clause(MlirOperation& op, const std::string& key);
  void ranges(MlirOperation& op);
  void dimNumbers(MlirOperation& op, const std::string& key);
  void window(MlirOperation& op, const std::string& key);
  void pair(MlirOperation& op, const std::string& key);
  void numberFormat(MlirOperation& op, const std::string& key);
  void placed(MlirOperation& op, const std::string& key);

  // mlir_region.cpp
  MlirRegion region(const std::string& name, const std::vector<MlirArgument>& arguments, bool isolated = false);
  MlirArgument argument();
  void body(std::string_view end);
  void loop(MlirOperation& op);
  void reducer(MlirOperation& op);
  void applied(MlirOperation& op);

  // stablehlo.cpp
  void resolveCalls();
  void refuseRecursion() const;
  void chooseEntry();
  void nameArguments();

  // mlir_placement.cpp
  void place(int computation, const std::vector<int>& values, int result, const MlirPlacement& placement);
  void resolveShardings();
  void resolveTilings();

  struct Call {
    int computation, instruction;
    std::string symbol;
    std::size_t position;
  };
  struct Placed {
    int computation, value, result;  // of a computation: one of its values, else one of its results
    MeshSharding sharding;
    std::string tiling;
    std::size_t position;
  };
  void keep(const Placed& placed, Sharding sharding);
  struct Function {
    int computation = -1;
    bool isPublic = true, hasBody = false;
    std::size_t position = 0;
  };

  Module module_;
  MlirReader reader_;
  MlirScanner& scan_;
  MlirScopes scopes_;
  MeshUnion meshes_;
  std::map<std::string, Function> functions_;
  std::map<std::string, std::string> globals_;  // util.global, as it stands
  std::vector<Call> calls_;
  std::vector<Placed> placed_;
  std::map<int, std::vector<std::string>> locations_;  // of a function's arguments
  bool sawModule_ = false;
};

}  // namespace core::xla
