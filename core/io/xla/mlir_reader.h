#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/io/xla/mlir_scanner.h"
#include "core/io/xla/mlir_sharding.h"
#include "core/io/xla/module.h"

namespace core::xla {

// dense<...> : tensor<...>
struct MlirLiteral {
  Type type;
  bool splat = false;           // one element stands for all
  positional::DataPtr data;     // nothing where positional::Data can't hold it; of a splat a scalar
};

struct MlirAttribute;
using MlirDictionary = std::map<std::string, MlirAttribute>;

struct MlirAttribute {
  Attribute value;                          // as it stands, where it is no number, text or list of whole numbers
  std::map<std::string, Attribute> fields;  // of a dialect's structure: lhs_contracting_dimensions ...
  std::vector<MeshSharding> shardings;      // of #sdy.sharding<...> and #sdy.sharding_per_value<[...]>
  std::vector<std::string> symbols;         // @function
  std::shared_ptr<const MlirLiteral> literal;
  std::optional<Type> type;                 // of a typed number
  std::shared_ptr<const MlirDictionary> entries;  // of a dictionary in a dictionary
};

// How the values of an operation, or one of a function, lie.
struct MlirPlacement {
  std::vector<MeshSharding> shardings;  // one a value
  std::string tiling;                   // as mhlo.sharding has it: "{devices=[2,1]<=[2]}"
  bool none() const { return shardings.empty() && tiling.empty(); }
};

// Types, attributes and locations of MLIR, with the aliases that a file gives them.
class MlirReader {
 public:
  MlirReader(std::string_view text, std::string path) : scan(text, std::move(path)) {}

  MlirScanner scan;

  Type type();
  std::vector<Type> types();                  // T | (T, T) | ()
  std::vector<Type> typesInBrackets();        // (T, T)
  MlirAttribute attribute();
  MlirDictionary dictionary();                // {a = 1, b}
  void convolutionNumbers(std::map<std::string, Attribute>& into);  // [b, 0, f]x[0, i, o]->[b, 0, f]
  MeshSharding sharding();                    // <@mesh, [{"a"}, {}]>
  std::vector<MeshSharding> shardings();      // [<@mesh, []>, ...]
  MlirPlacement placement(const MlirDictionary& attributes);
  DeviceMesh mesh();                          // <["a"=2, "b"=2], device_ids=[0, 1, 2, 3]>
  std::string location();                     // loc(...), if it stands here: a name, "#alias" of one, or ""
  std::string nameOf(std::string location) const;  // with aliases resolved
  void alias();                               // #name = ..., !name = ...

  // Nesting is counted, so that no text exhausts the stack: Deeper inside(*this);
  class Deeper {
   public:
    explicit Deeper(MlirReader& reader);
    ~Deeper() { --depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    int& depth_;
  };

 private:
  Type tensor();
  Type scalar(const std::string& word);
  MlirAttribute numeric();
  MlirAttribute listed();
  MlirAttribute named(const std::string& word);     // true, dense<...>, array<...>, i32 ...
  MlirAttribute ofDialect();                        // #stablehlo.gather<...>, #alias
  MlirAttribute dense();
  MlirAttribute array();
  void structure(std::map<std::string, Attribute>& into);  // <a = 1, b = [2]>
  std::vector<AxisPart> axisParts();                // {"a", "b":(1)2, ?}
  std::string locationBody();

  std::map<std::string, Type> types_;
  std::map<std::string, MlirAttribute> attributes_;
  std::map<std::string, std::string> locations_;
  int depth_ = 0;
};

MlirLiteral readDense(MlirReader& reader);                    // behind "dense", with its type
MlirLiteral readScalar(MlirReader& reader, const Type& type);  // a number alone

}  // namespace core::xla
