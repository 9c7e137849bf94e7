#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/io/xla/mlir_scanner.h"
#include "core/io/xla/module.h"

namespace core::xla {

// A computation that stood inside another: what it reads of the values around it, as they have it and as it has it.
struct MlirRegion {
  int computation = -1;
  std::vector<std::pair<int, int>> captured;
};

// The computations that are open while a text is read, innermost last, and the names of their values.
class MlirScopes {
 public:
  MlirScopes(Module& module, const MlirScanner& scan) : module_(module), scan_(scan) {}

  int open(std::string name, bool isolated);  // isolated: it sees no value of those around it
  MlirRegion close();
  bool any() const { return !scopes_.empty(); }
  Computation& here() { return module_.computations[static_cast<std::size_t>(index())]; }
  int index() const { return scopes_.back().computation; }
  const Type& typeOf(int value) { return here().values[static_cast<std::size_t>(value)].type; }

  // Values that one name stands for, %x or %x#0, %x#1. Error where the name is taken.
  std::vector<int> define(const std::string& name, const std::vector<Type>& types, std::size_t position);
  int use(const std::string& name, std::size_t number, std::size_t position);  // Error where there is none

  // All regions of an instruction take the same captured values, as their last parameters. Those are returned.
  std::vector<int> join(const std::vector<MlirRegion>& regions);

 private:
  struct Named {
    int first = 0;
    std::size_t count = 0;
  };
  struct Scope {
    int computation = -1;
    bool isolated = false;
    std::unordered_map<std::string, Named> names;
    std::vector<std::pair<int, int>> captured;
    std::unordered_map<int, int> own;  // of captured values
  };
  struct Found {
    std::size_t scope = 0;
    Named named;
  };
  std::optional<Found> find(const std::string& name) const;
  int add(int computation, Value value);

  Module& module_;
  const MlirScanner& scan_;
  std::vector<Scope> scopes_;
};

}  // namespace core::xla
