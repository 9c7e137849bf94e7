#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/io/positional.h"
#include "core/io/xla/module.h"

// The state of lowering, and what the families of opcodes share.

namespace core::xla {

// A value of the program on its way: a value of the model that broadcasts to `type.sizes` (numpy's rule), and may have fewer axes.
struct Term {
  Type type;
  int value = -1;
  std::optional<std::int64_t> splat;       // all elements are this whole number or truth value
  std::shared_ptr<struct Assembly> parts;  // instead of `value`: a buffer that is filled part by part
};
using Terms = std::vector<Term>;

// `base`, with parts of it replaced along one axis; what loops do that collect their results. Nothing is computed until read.
struct Assembly {
  Term base;
  std::size_t axis = 0;
  std::map<std::int64_t, Term> parts;  // by where they start; they do not overlap
};

class Lowerer {
 public:
  explicit Lowerer(const Module& module) : module_(module) {}
  positional::Model run();

  // What the families use.
  struct Site {
    const Instruction& instruction;
    const Computation& computation;
    const Terms& operands;
    const Type& result(std::size_t i = 0) const { return computation.values[static_cast<std::size_t>(instruction.results.at(i))].type; }
  };
  using Attributes = std::map<std::string, positional::AttributeValue>;

  const Module& module() const { return module_; }
  int valueOf(Term& term);                       // settled: still broadcast
  int whole(Term term);                          // with all its axes and sizes
  Sizes sizesOf(int value) const;                // of the model's value
  Sizes padded(Term& term);                      // of its value, with axes of size 1 in front: as many as the type has
  DType kept(const Type& type) const;            // Error for a type that nothing here holds

  int node(const std::string& type, std::vector<int> inputs, Attributes attributes, const Sizes& sizes, DType dtype);
  std::vector<int> nodes(const std::string& type, const std::string& domain, std::vector<int> inputs, Attributes attributes, const std::vector<std::pair<Sizes, DType>>& outputs);
  int constant(positional::Data data);
  int integers(const std::vector<std::int64_t>& values);                       // i64 [n]
  int number(double value, DType dtype);                                       // []
  Term scalar(std::int64_t value, const Type& type);                           // its splat is known

  // Element by element, broadcast among the operands' values.
  Term apply(const std::string& type, Terms operands, const Type& result, Attributes attributes = {});
  Term cast(Term x, const Type& to);
  Term wrapped(Term x);  // where its type is kept wider than it is: 200 + 100 is 44 in u8, -56 - 100 is 100 in s8
  Term reshape(Term x, const Sizes& sizes);
  Term transpose(Term x, const std::vector<std::int64_t>& permutation);
  Term slice(Term x, std::size_t axis, std::int64_t start, std::int64_t limit, std::int64_t stride = 1);
  Term reverse(Term x, std::size_t axis);
  Term concat(Terms parts, std::size_t axis);
  Term pad(Term x, const std::vector<std::int64_t>& low, const std::vector<std::int64_t>& high, Term filling);  // negative ones cut
  Term dilate(Term x, std::size_t axis, std::int64_t factor, Term filling);  // factor - 1 fillings between elements
  Term filled(Term filling, Type type, std::size_t axis, std::int64_t count);  // `filling` [] everywhere in `count` of an axis
  Term take(Term x, std::size_t axis, Term indices);                         // indices [n]
  Term update(Term base, Term part, const std::vector<std::int64_t>& starts);
  Term iota(std::int64_t count, const std::string& element);                 // [count]

  Terms inlined(int computation, const Terms& arguments);
  // Nodes made while it lives stand in a scope of their own: one step of a loop.
  class Within {
   public:
    Within(Lowerer& lower, const std::string& scope) : lower_(lower), before_(lower.prefix_) { lower_.prefix_ += scope + "/"; }
    ~Within() { lower_.prefix_ = before_; }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

   private:
    Lowerer& lower_;
    std::string before_;
  };
  const std::string& scope() const { return scope_; }
  Terms opaque(const Site& site);
  bool isBinary(int computation, std::string& opcode) const;  // two parameters and one instruction of them: what a reduction applies

 private:
  Terms instruction(const Instruction& instruction, const Computation& computation, const Terms& operands);
  void parameters(const Computation& entry);
  void outputs(const Computation& entry, const Terms& results);
  std::string nodeName(const std::string& type);
  void shard(Term& term, const Sharding& sharding);
  int expand(int value, const Sizes& sizes);

  const Module& module_;
  positional::Model model_;
  std::string scope_;   // of the instruction at hand, behind that of the loops around it
  std::string prefix_;  // of the loops
  int depth_ = 0;
  std::map<std::string, int> named_;  // how often a name was given
  std::map<std::vector<std::int64_t>, int> integers_;
  std::map<std::pair<double, DType>, int> numbers_;
  std::map<std::pair<int, Sizes>, int> expanded_;
  std::map<std::pair<int, std::int64_t>, int> reversed_;  // value and axis
};

// Makes what an instruction computes; nothing where it has no such operators.
using LowerRule = std::optional<Terms> (*)(Lowerer& lower, const Lowerer::Site& site);
const std::map<std::string, LowerRule>& lowerElements();
const std::map<std::string, LowerRule>& lowerShapes();
const std::map<std::string, LowerRule>& lowerProducts();
const std::map<std::string, LowerRule>& lowerWindows();
const std::map<std::string, LowerRule>& lowerIndices();
const std::map<std::string, LowerRule>& lowerControl();

}  // namespace core::xla
