#include <algorithm>
#include <bit>
#include <map>

#include "core/tdl/flops.h"
#include "core/tdl/function.h"
#include "executor/kernels/tiles/tiles.h"

namespace executor::tiles {
namespace {

using core::DType;
using core::Expression;
using core::Function;
using core::Node;

constexpr std::int64_t exactInFloat = std::int64_t{1} << 24;

bool computable(DType dtype) { return dtype != DType::bf16 && dtype != DType::f16; }
Class classOf(DType dtype) { return dtype == DType::f32 || dtype == DType::boolean ? Class::f : Class::d; }

// Turns expressions into operations on registers.
class Builder {
 public:
  Builder(const std::vector<Part>& parts, int threads, Plan& plan) : parts_(parts), threads_(threads), plan_(plan) {}

  bool build() {
    if (!findSpace(parts_, space_)) return false;
    plan_.loops = space_.loops;
    if (!collectAccesses()) return false;
    if (!tile()) return false;
    for (std::size_t p = 0; p < parts_.size(); ++p)
      if (!emitPart(p)) return false;
    if (!finish(plan_, parts_.size() > 1, tiling_.transposes, threads_)) return false;
    for (const Part& part : parts_) {
      std::vector<std::int64_t> extents;
      for (const core::Range& range : part.request.loops) extents.push_back(range.size);
      plan_.flops += core::flops(*part.request.expression, extents);
    }
    return true;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  const Expression& expression(std::size_t p) const { return *parts_[p].request.expression; }

  // --- before the tile is chosen ---

  bool collectAccesses() {
    reads_.resize(parts_.size());
    writes_.resize(parts_.size());
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      for (const Held& held : parts_[p].request.inputs)
        if (!computable(held.dtype)) return false;
      for (std::size_t n = 0; n < expression(p).nodes.size(); ++n)
        if (!collect(p, static_cast<int>(n))) return false;
      for (std::size_t o = 0; o < expression(p).outputs.size(); ++o) {
        if (!computable(parts_[p].request.outputs[o].dtype)) return false;
        if (parts_[p].outputs[o].kind == Place::Kind::inside) {
          writes_[p].push_back(-1);
          continue;
        }
        writes_[p].push_back(static_cast<int>(plan_.accesses.size()));
        plan_.accesses.push_back(outputAccess(parts_[p], space_.loopOf[p], plan_.loops.size(), o));
      }
    }
    return !plan_.accesses.empty();
  }

  bool collect(std::size_t p, int n) {
    const Node& node = expression(p).nodes[at(n)];
    if (node.kind == Node::Kind::loop || node.kind == Node::Kind::random)
      for (int loop : node.loops) {
        const int one = space_.loopOf[p][at(loop)];
        if (one < 0) return false;
        plan_.loops[at(one)].alone = true;
      }
    if (node.kind == Node::Kind::reduce) {
      std::size_t reduced = 0;
      for (std::size_t l = 0; l < expression(p).loops.size(); ++l) reduced += expression(p).loops[l].kind == core::Loop::Kind::reduced;
      if (node.loops.size() != reduced) return false;  // all of them at once
    }
    if (node.kind != Node::Kind::read || made(p, node)) return true;
    Access access;
    if (!accessOf(parts_[p], space_.loopOf[p], plan_.loops.size(), node, access)) return false;
    if (parts_[p].inputs[at(node.operand)].kind != Place::Kind::input) return false;
    for (std::size_t l = 0; l < access.inside.size(); ++l)  // a loop that leaves the operand is not joined with another
      if (access.inside[l].start > 0 || access.inside[l].end() < plan_.loops[l].size) plan_.loops[l].alone = true;
    reads_[p][n] = static_cast<int>(plan_.accesses.size());
    plan_.accesses.push_back(access);
    return true;
  }

  // An operand that an earlier compute of the chain has made: its register serves, if it is read element by element.
  bool made(std::size_t p, const Node& node) const { return parts_[p].inputs[at(node.operand)].kind != Place::Kind::input; }

  const Access& primary() const {
    // Of a reduction of one operand what it reads; else what is written over most loops, or read if that stays inside.
    const bool chain = parts_.size() > 1;
    const bool reduces = std::any_of(plan_.loops.begin(), plan_.loops.end(), [](const Loop& loop) { return loop.reduced; }) && reads_[0].size() == 1;
    const Access* best = &plan_.accesses.back();
    std::size_t most = 0;
    for (const Access& access : plan_.accesses) {
      const std::size_t loops = static_cast<std::size_t>(std::count_if(access.strides.begin(), access.strides.end(), [](std::int64_t stride) { return stride != 0; }));
      const bool preferred = access.output == !(reduces && !chain);
      const std::size_t rank = 2 * loops + (preferred ? 1 : 0);
      if (rank > most) best = &access, most = rank;
    }
    return *best;
  }

  bool tile() {
    tiling_ = chooseTile(plan_, primary(), parts_.size() > 1);
    return tiling_.fits;
  }

  // --- registers ---

  int newRegister(Class type, Extent extent) {
    plan_.registers.push_back({type, extent});
    return static_cast<int>(plan_.registers.size()) - 1;
  }
  const Register& reg(int r) const { return plan_.registers[at(r)]; }

  int emit(Op op, Class type, Extent extent) {
    op.out = newRegister(type, extent);
    plan_.ops.push_back(std::move(op));
    return plan_.ops.back().out;
  }

  int constant(double value, Class type) {
    const auto [found, isNew] = constants_.emplace(std::pair(std::bit_cast<std::uint64_t>(value), type), -1);
    if (isNew) {
      found->second = newRegister(type, 0);
      plan_.registers.back().constant = true;
      plan_.registers.back().value = value;
    }
    return found->second;
  }

  int expanded(int r, Extent extent) {
    if (reg(r).extent == extent) return r;
    const auto [found, isNew] = expansions_.emplace(std::pair(r, extent), -1);
    if (!isNew) return found->second;
    if (reg(r).constant) {
      const Register wide{reg(r).type, extent, true, reg(r).value};
      plan_.registers.push_back(wide);
      return found->second = static_cast<int>(plan_.registers.size()) - 1;
    }
    return found->second = emit({.kind = Op::Kind::expand, .a = r}, reg(r).type, extent);
  }

  int converted(int r, Class type) {
    if (reg(r).type == type) return r;
    if (reg(r).constant) return expanded(constant(reg(r).value, type), reg(r).extent);
    return emit({.kind = Op::Kind::convert, .a = r}, type, reg(r).extent);
  }

  Extent extentOf(const Access& access) const {
    Extent extent = 0;
    if (plan_.row >= 0 && access.strides[at(plan_.row)] != 0) extent |= alongRows;
    if (plan_.column >= 0 && access.strides[at(plan_.column)] != 0) extent |= alongColumns;
    return extent;
  }

  // --- nodes ---

  bool emitPart(std::size_t p) {
    const Expression& one = expression(p);
    nodes_.assign(one.nodes.size(), -1);
    usual_ = Class::f;
    for (const auto* list : {&parts_[p].request.inputs, &parts_[p].request.outputs})
      for (const Held& held : *list)
        if (classOf(held.dtype) == Class::d) usual_ = Class::d;
    for (std::size_t o = 0; o < one.outputs.size(); ++o) {
      int root = node(p, one.outputs[o].root);
      if (root < 0) return false;
      const DType dtype = parts_[p].request.outputs[o].dtype;
      if (writes_[p][o] >= 0) {
        const Extent extent = extentOf(plan_.accesses[at(writes_[p][o])]);
        if ((reg(root).extent & ~extent) != 0) return false;
        root = expanded(root, extent);
        plan_.ops.push_back({.kind = Op::Kind::store, .a = root, .access = writes_[p][o]});
      }
      // What later computes of the chain read is of the buffer's type.
      const Place& place = parts_[p].outputs[o];
      Made made{rounded(root, dtype), {}};
      for (int loop : one.outputs[o].loops) made.loops.push_back(space_.loopOf[p][at(loop)]);
      made_[{place.kind, place.index}] = made;
    }
    return true;
  }

  int rounded(int r, DType dtype) {
    if (dtype == DType::f32) return converted(r, Class::f);
    if (dtype == DType::f64) return converted(r, Class::d);
    return r;  // whole numbers and truths are such already: casts are nodes
  }

  int node(std::size_t p, int n) {
    if (n < 0) return -1;
    if (nodes_[at(n)] < 0) nodes_[at(n)] = fresh(p, n);
    return nodes_[at(n)];
  }

  // What may not be looked at in the end.
  int branch(std::size_t p, int n) {
    ++branches_;
    const int r = node(p, n);
    --branches_;
    return r;
  }

  int fresh(std::size_t p, int n) {
    const Node& one = expression(p).nodes[at(n)];
    switch (one.kind) {
      case Node::Kind::constant: return constant(one.value, usual_);
      case Node::Kind::loop: return loopNumber(p, one);
      case Node::Kind::read: return read(p, n, one);
      case Node::Kind::unary: {
        const int a = node(p, one.a);
        return a < 0 ? -1 : emit({.kind = Op::Kind::unary, .a = a, .function = one.function, .parameter = one.value}, reg(a).type, reg(a).extent);
      }
      case Node::Kind::binary: return binary(p, one);
      case Node::Kind::select: return select(node(p, one.a), branch(p, one.b), branch(p, one.c));
      case Node::Kind::reduce: return reduce(node(p, one.a), one.reduction);
      case Node::Kind::cast: return cast(node(p, one.a), one.dtype);
      case Node::Kind::random: return random(p, one);
    }
    return -1;
  }

  int loopNumber(std::size_t p, const Node& one) {
    const int loop = space_.loopOf[p][at(one.loops[0])];
    const Loop& over = plan_.loops[at(loop)];
    const bool exact = over.start + over.size <= exactInFloat;
    Extent extent = 0;
    if (loop == plan_.row) extent = alongRows;
    if (loop == plan_.column) extent = alongColumns;
    return emit({.kind = Op::Kind::loopNumber, .loop = loop}, exact ? Class::f : Class::d, extent);
  }

  int read(std::size_t p, int n, const Node& one) {
    const Place& place = parts_[p].inputs[at(one.operand)];
    if (made(p, one)) {
      const auto found = made_.find({place.kind, place.index});
      if (found == made_.end() || one.otherwise >= 0 || one.axes.size() != found->second.loops.size()) return -1;
      for (std::size_t d = 0; d < one.axes.size(); ++d)
        if (!one.axes[d].identity() || space_.loopOf[p][at(one.axes[d].terms[0].loop)] != found->second.loops[d]) return -1;
      return found->second.reg;
    }
    const int access = reads_[p].at(n);
    const Access& memory = plan_.accesses[at(access)];
    if (!memory.inside.empty()) return guarded(p, one, access);
    if (memory.rowStride != 0) {
      if (branches_ > 0) return -1;  // a row that the table lacks is an error only where it is taken
      int rows = -1;
      for (const core::AxisIndex& axis : one.axes)
        if (axis.kind == core::AxisIndex::Kind::lookup) rows = node(p, axis.node);
      if (rows < 0) return -1;
      rows = converted(rows, Class::d);
      return emit({.kind = Op::Kind::lookup, .a = rows, .access = access}, classOf(memory.dtype), static_cast<Extent>(extentOf(memory) | reg(rows).extent));
    }
    for (const Op& op : plan_.ops) {  // the same memory read before
      if (op.kind != Op::Kind::load || op.a >= 0) continue;
      const Access& known = plan_.accesses[at(op.access)];
      if (known.operand == memory.operand && known.base == memory.base && known.strides == memory.strides) return op.out;
    }
    return emit({.kind = Op::Kind::load, .access = access}, classOf(memory.dtype), extentOf(memory));
  }

  // What stands outside the operand is a value of its own; where no index can get there, as in the first part of a concat, any will do.
  int guarded(std::size_t p, const Node& one, int access) {
    const Access& memory = plan_.accesses[at(access)];
    const Class type = classOf(memory.dtype);
    int other = one.otherwise >= 0 ? branch(p, one.otherwise) : constant(0, type);
    if (other < 0 || memory.rowStride != 0 || (reg(other).extent & ~extentOf(memory)) != 0) return -1;
    other = expanded(converted(other, type), extentOf(memory));
    return emit({.kind = Op::Kind::load, .a = other, .access = access}, type, extentOf(memory));
  }

  // Operands of one class and one extent; a constant is of whatever class the others have.
  int several(Op op, const std::vector<int>& operands) {
    Class type = Class::f;
    bool settled = false;
    Extent extent = 0;
    for (int r : operands) {
      if (r < 0) return -1;
      extent |= reg(r).extent;
      if (reg(r).constant) continue;
      settled = true;
      if (reg(r).type == Class::d) type = Class::d;
    }
    if (!settled) type = usual_;
    int* const slots[] = {&op.a, &op.b, &op.c};
    for (std::size_t i = 0; i < operands.size(); ++i) *slots[i] = expanded(converted(operands[i], type), extent);
    return emit(std::move(op), type, extent);
  }

  // A loop's number below 2^24 is exact as float, and rounding another number does not change how it compares with that.
  int binary(std::size_t p, const Node& one) {
    int a = node(p, one.a), b = node(p, one.b);
    if (a < 0 || b < 0) return -1;
    const auto isSmallNumber = [&](int n) { return expression(p).nodes[at(n)].kind == Node::Kind::loop && reg(nodes_[at(n)]).type == Class::f; };
    if (core::rowOf(one.function).boolean && (isSmallNumber(one.a) || isSmallNumber(one.b))) a = converted(a, Class::f), b = converted(b, Class::f);
    return several({.kind = Op::Kind::binary, .function = one.function}, {a, b});
  }

  // The condition follows the class of what is chosen between.
  int select(int condition, int yes, int no) {
    if (condition < 0 || yes < 0 || no < 0) return -1;
    const bool numbers = !reg(yes).constant || !reg(no).constant;
    const auto isDouble = [&](int r) { return !reg(r).constant && reg(r).type == Class::d; };
    const Class type = numbers ? (isDouble(yes) || isDouble(no) ? Class::d : Class::f) : reg(condition).type;
    return several({.kind = Op::Kind::select}, {converted(condition, type), converted(yes, type), converted(no, type)});
  }

  int cast(int a, DType dtype) {
    if (a < 0 || !computable(dtype)) return -1;
    if (dtype == DType::f32) return converted(a, Class::f);
    if (dtype == DType::f64) return converted(a, Class::d);
    if (dtype == DType::boolean) return several({.kind = Op::Kind::binary, .function = Function::notEqual}, {a, constant(0, reg(a).type)});
    const int wide = converted(a, Class::d);
    Op op{.kind = Op::Kind::truncate, .a = wide};
    op.parameter = dtype == DType::i32 ? 2147483647.0 : 9223372036854774784.0;
    return emit(std::move(op), Class::d, reg(wide).extent);
  }

  int reduce(int a, core::Reduction reduction) {
    if (a < 0) return -1;
    Extent reduced = 0;
    if (plan_.row >= 0 && plan_.loops[at(plan_.row)].reduced) reduced |= alongRows;
    if (plan_.column >= 0 && plan_.loops[at(plan_.column)].reduced) reduced |= alongColumns;
    a = expanded(a, static_cast<Extent>(reg(a).extent | reduced));
    return emit({.kind = Op::Kind::reduce, .a = a, .reduction = reduction}, reg(a).type, static_cast<Extent>(reg(a).extent & ~reduced));
  }

  int random(std::size_t p, const Node& one) {
    Op op{.kind = Op::Kind::random, .seed = one.seed, .counted = std::vector<std::int64_t>(plan_.loops.size(), 0)};
    std::int64_t stride = 1;
    Extent extent = 0;
    for (std::size_t i = one.loops.size(); i-- > 0;) {
      const int loop = space_.loopOf[p][at(one.loops[i])];
      op.counted[at(loop)] = stride;
      op.counterBase += stride * plan_.loops[at(loop)].start;
      stride *= expression(p).loops[at(one.loops[i])].extent;
      if (loop == plan_.row) extent |= alongRows;
      if (loop == plan_.column) extent |= alongColumns;
    }
    return emit(std::move(op), usual_, extent);
  }

  struct Made {
    int reg = -1;
    std::vector<int> loops;
  };

  const std::vector<Part>& parts_;
  int threads_;
  Plan& plan_;
  Space space_;
  std::vector<std::map<int, int>> reads_;   // by part: node -> access
  std::vector<std::vector<int>> writes_;    // by part and output; -1: inside
  std::vector<int> nodes_;                  // of the part at hand: node -> register
  std::map<std::pair<Place::Kind, std::size_t>, Made> made_;
  std::map<std::pair<std::uint64_t, Class>, int> constants_;
  std::map<std::pair<int, Extent>, int> expansions_;
  Class usual_ = Class::f;
  int branches_ = 0;                        // how many selects are being emitted around the node at hand
  Tiling tiling_;
};

}  // namespace

bool build(const std::vector<Part>& parts, int threads, Plan& plan) { return Builder(parts, threads, plan).build(); }

}  // namespace executor::tiles
