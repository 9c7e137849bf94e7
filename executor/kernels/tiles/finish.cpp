#include <algorithm>
#include <array>
#include <map>

#include "executor/kernels/tiles/tiles.h"

namespace executor::tiles {
namespace {

using core::DType;

constexpr std::int64_t tileElements = 2048;
constexpr std::int64_t transposeColumns = 64;

class Finishing {
 public:
  Finishing(Plan& plan, bool chain, bool transposes, int threads) : plan_(plan), chain_(chain), transposes_(transposes), threads_(threads) {}

  bool run() {
    if (!chooseAccumulated()) return false;
    writeAtOnce();
    chooseSizes();
    placeRegisters();
    return true;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  const Register& reg(int r) const { return plan_.registers[at(r)]; }

  // A reduction that a tile does not hold whole is added up over several; there can be one such.
  bool chooseAccumulated() {
    if (chain_) return true;
    for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
      if (plan_.ops[i].kind != Op::Kind::reduce) continue;
      if (plan_.accumulated >= 0) return false;
      plan_.accumulated = static_cast<int>(i);
    }
    if (plan_.accumulated < 0) return true;
    // What comes after it may use only what follows from it, and what does not vary along what is reduced.
    std::vector<int> madeBy(plan_.registers.size(), -1);
    for (std::size_t i = 0; i < plan_.ops.size(); ++i)
      if (plan_.ops[i].out >= 0) madeBy[at(plan_.ops[i].out)] = static_cast<int>(i);
    for (std::size_t i = at(plan_.accumulated) + 1; i < plan_.ops.size(); ++i)
      for (int operand : {plan_.ops[i].a, plan_.ops[i].b, plan_.ops[i].c})
        if (operand >= 0 && madeBy[at(operand)] >= 0 && madeBy[at(operand)] < plan_.accumulated) return false;
    return true;
  }

  // The operation that makes what is stored writes where it is stored, if that lies without gaps.
  void writeAtOnce() {
    for (const Op& store : plan_.ops) {
      if (store.kind != Op::Kind::store || reg(store.a).constant) continue;
      const DType dtype = plan_.accesses[at(store.access)].dtype;
      if (dtype != (reg(store.a).type == Class::f ? DType::f32 : DType::f64)) continue;
      for (Op& op : plan_.ops)
        if (op.out == store.a && op.access < 0 && op.kind != Op::Kind::reduce) op.access = store.access;
    }
  }

  void chooseSizes() {
    const auto size = [&](int loop) { return loop < 0 ? std::int64_t{1} : plan_.loops[at(loop)].size; };
    const std::int64_t rows = std::max<std::int64_t>(1, size(plan_.row)), columns = std::max<std::int64_t>(1, size(plan_.column));
    const bool wholeRows = chain_ && plan_.column >= 0 && plan_.loops[at(plan_.column)].reduced;
    plan_.tileColumns = wholeRows ? columns : std::min(columns, transposes_ ? transposeColumns : tileElements);
    // Enough tiles for all threads.
    std::int64_t items = plan_.row >= 0 && !plan_.loops[at(plan_.row)].reduced ? rows : 1;
    for (int loop : plan_.outer) items *= size(loop);
    const bool columnsSplit = plan_.column >= 0 && !plan_.loops[at(plan_.column)].reduced;
    if (!wholeRows && columnsSplit && items < threads_) plan_.tileColumns = std::min(plan_.tileColumns, std::max<std::int64_t>(16, ((columns + threads_ - 1) / threads_ + 15) / 16 * 16));
    plan_.tileRows = std::clamp<std::int64_t>(tileElements / plan_.tileColumns, 1, rows);
  }

  std::int64_t bytesOf(const Register& r) const {
    std::int64_t elements = 1;
    if (r.extent & alongRows) elements *= plan_.tileRows;
    if (r.extent & alongColumns) elements *= plan_.tileColumns;
    return (elements * (r.type == Class::f ? 4 : 8) + 63) / 64 * 64;
  }

  // A register's memory is used again after its last reader. Constants keep theirs; so does the accumulated one.
  void placeRegisters() {
    std::vector<int> last(plan_.registers.size(), -1);
    for (std::size_t i = 0; i < plan_.ops.size(); ++i)
      for (int operand : {plan_.ops[i].a, plan_.ops[i].b, plan_.ops[i].c, plan_.ops[i].out})
        if (operand >= 0) last[at(operand)] = static_cast<int>(i);
    std::multimap<std::int64_t, std::int64_t> idle;  // bytes -> offset
    for (Register& r : plan_.registers)
      if (r.constant) take(r, idle);
    for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
      if (plan_.ops[i].out >= 0) take(plan_.registers[at(plan_.ops[i].out)], idle);
      std::array<int, 4> ended{plan_.ops[i].a, plan_.ops[i].b, plan_.ops[i].c, plan_.ops[i].out};
      std::sort(ended.begin(), ended.end());
      const auto distinct = std::unique(ended.begin(), ended.end());
      for (auto operand = ended.begin(); operand != distinct; ++operand)
        if (*operand >= 0 && last[at(*operand)] == static_cast<int>(i) && !reg(*operand).constant) idle.emplace(bytesOf(reg(*operand)), reg(*operand).offset);
    }
  }

  void take(Register& r, std::multimap<std::int64_t, std::int64_t>& idle) {
    const std::int64_t bytes = bytesOf(r);
    if (const auto found = idle.find(bytes); found != idle.end()) {
      r.offset = found->second;
      idle.erase(found);
      return;
    }
    r.offset = plan_.bytes;
    plan_.bytes += bytes;
  }

  Plan& plan_;
  bool chain_, transposes_;
  int threads_;
};

}  // namespace

bool finish(Plan& plan, bool chain, bool transposes, int threads) { return Finishing(plan, chain, transposes, threads).run(); }

}  // namespace executor::tiles
