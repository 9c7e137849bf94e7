#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/tdl/element.h"
#include "core/tdl/function.h"
#include "executor/kernels/tiles/memory.h"
#include "executor/kernels/tiles/tiles.h"
#include "executor/kernels/vector/vector.h"
#include "executor/threads.h"

namespace executor::tiles {
namespace {

using core::DType;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// What one thread needs: its registers and running results.
struct Worker {
  std::vector<std::byte> memory;
  std::vector<std::byte*> registers;
  std::vector<double> running;
  std::vector<std::int64_t> index;  // of every loop: of the tile's own where the tile begins
};

class TileKernel final : public Kernel {
 public:
  TileKernel(Plan plan, int threads) : plan_(std::move(plan)), code_(vectorCode()) {
    items_ = countItems();
    threads_ = static_cast<int>(std::clamp<std::int64_t>(items_, 1, threads));
    constexpr std::int64_t worthwhile = 1 << 14;
    if (plan_.flops + touched() < worthwhile) threads_ = 1;
    for (int t = 0; t < threads_; ++t) workers_.push_back(makeWorker());
  }

  void run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs, const KernelContext& context) override {
    inputs_ = inputs;
    outputs_ = outputs;
    context_ = context;
    inParallel(threads_, items_, [&](int thread, std::int64_t first, std::int64_t end) {
      for (std::int64_t item = first; item < end; ++item) runItem(workers_[at(thread)], item);
    });
  }

  std::int64_t flops() const override { return plan_.flops; }
  std::int64_t scratchBytes() const override {
    std::int64_t bytes = 0;
    for (const Worker& one : workers_) bytes += static_cast<std::int64_t>(one.memory.size() + one.running.size() * sizeof(double));
    return bytes;
  }
  const char* name() const override { return "tiles"; }

 private:
  struct Tile {
    std::int64_t rows = 1, columns = 1;
  };

  std::int64_t size(int loop) const { return loop < 0 ? 1 : plan_.loops[at(loop)].size; }
  bool reduced(int loop) const { return loop >= 0 && plan_.loops[at(loop)].reduced; }
  std::int64_t rowTiles() const { return (size(plan_.row) + plan_.tileRows - 1) / plan_.tileRows; }
  std::int64_t columnTiles() const { return (size(plan_.column) + plan_.tileColumns - 1) / plan_.tileColumns; }
  // A chain's reduced columns are one tile.
  bool loopsOver(int loop) const { return reduced(loop) && plan_.accumulated >= 0; }

  std::int64_t countItems() const {
    std::int64_t items = 1;
    for (int loop : plan_.outer) items *= size(loop);
    if (!reduced(plan_.row)) items *= rowTiles();
    if (!loopsOver(plan_.column)) items *= reduced(plan_.column) ? 1 : columnTiles();
    return items;
  }

  std::int64_t touched() const {
    std::int64_t elements = 1;
    for (const Loop& loop : plan_.loops) elements *= std::max<std::int64_t>(1, loop.size);
    return elements;
  }

  Worker makeWorker() const {
    Worker worker{.memory = std::vector<std::byte>(static_cast<std::size_t>(plan_.bytes) + 64), .registers = {}, .running = {}, .index = std::vector<std::int64_t>(plan_.loops.size(), 0)};
    if (plan_.accumulated >= 0) worker.running.resize(static_cast<std::size_t>(plan_.tileRows * plan_.tileColumns));
    worker.registers.resize(plan_.registers.size());
    for (std::size_t r = 0; r < plan_.registers.size(); ++r) {
      const Register& one = plan_.registers[r];
      if (!one.constant) continue;
      std::byte* own = ownMemory(worker, static_cast<int>(r));
      worker.registers[r] = own;
      const std::int64_t n = elements(one.extent, {plan_.tileRows, plan_.tileColumns});
      if (one.type == Class::f) std::fill_n(reinterpret_cast<float*>(own), n, static_cast<float>(one.value));
      else std::fill_n(reinterpret_cast<double*>(own), n, one.value);
    }
    return worker;
  }

  std::byte* ownMemory(const Worker& worker, int r) const {
    auto base = reinterpret_cast<std::uintptr_t>(worker.memory.data());
    base = (base + 63) / 64 * 64;
    return reinterpret_cast<std::byte*>(base) + plan_.registers[at(r)].offset;
  }

  static std::int64_t elements(Extent extent, Tile tile) { return (extent & alongRows ? tile.rows : 1) * (extent & alongColumns ? tile.columns : 1); }

  // --- the walk over tiles ---

  void runItem(Worker& worker, std::int64_t item) {
    Tile tile{size(plan_.row), size(plan_.column)};
    if (!loopsOver(plan_.column) && !reduced(plan_.column)) {
      const std::int64_t which = item % columnTiles();
      item /= columnTiles();
      setColumn(worker, tile, which);
    }
    if (!reduced(plan_.row)) {
      const std::int64_t which = item % rowTiles();
      item /= rowTiles();
      setRow(worker, tile, which);
    }
    for (std::size_t i = plan_.outer.size(); i-- > 0;) {
      worker.index[at(plan_.outer[i])] = item % size(plan_.outer[i]);
      item /= size(plan_.outer[i]);
    }
    if (plan_.accumulated < 0) {
      for (const Op& op : plan_.ops) execute(worker, op, tile);
      return;
    }
    accumulate(worker, tile);
  }

  void setRow(Worker& worker, Tile& tile, std::int64_t which) const {
    if (plan_.row < 0) return;
    worker.index[at(plan_.row)] = which * plan_.tileRows;
    tile.rows = std::min(plan_.tileRows, size(plan_.row) - which * plan_.tileRows);
  }

  void setColumn(Worker& worker, Tile& tile, std::int64_t which) const {
    if (plan_.column < 0) return;
    worker.index[at(plan_.column)] = which * plan_.tileColumns;
    tile.columns = std::min(plan_.tileColumns, size(plan_.column) - which * plan_.tileColumns);
  }

  // Goes through all tiles that are reduced into one, then does what follows the reduction.
  void accumulate(Worker& worker, Tile tile) {
    const Op& op = plan_.ops[at(plan_.accumulated)];
    const Extent extent = plan_.registers[at(op.out)].extent;
    std::fill(worker.running.begin(), worker.running.end(), core::identityOf(op.reduction));
    std::int64_t count = 1;
    for (int loop : plan_.outerReduced) count *= size(loop);
    const std::int64_t rows = reduced(plan_.row) ? rowTiles() : 1, columns = reduced(plan_.column) ? columnTiles() : 1;
    count *= rows * columns;
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t rest = i;
      if (reduced(plan_.column)) setColumn(worker, tile, rest % columns);
      rest /= columns;
      if (reduced(plan_.row)) setRow(worker, tile, rest % rows);
      rest /= rows;
      for (std::size_t l = plan_.outerReduced.size(); l-- > 0;) {
        worker.index[at(plan_.outerReduced[l])] = rest % size(plan_.outerReduced[l]);
        rest /= size(plan_.outerReduced[l]);
      }
      for (int o = 0; o <= plan_.accumulated; ++o) execute(worker, plan_.ops[at(o)], tile);
      const std::byte* part = worker.registers[at(op.out)];
      if (plan_.registers[at(op.out)].type == Class::f) code_.joinF(op.reduction, reinterpret_cast<const float*>(part), worker.running.data(), elements(extent, tile));
      else code_.joinD(op.reduction, reinterpret_cast<const double*>(part), worker.running.data(), elements(extent, tile));
    }
    std::byte* own = worker.registers[at(op.out)] = ownMemory(worker, op.out);
    if (plan_.registers[at(op.out)].type == Class::f) code_.narrow(worker.running.data(), reinterpret_cast<float*>(own), elements(extent, tile));
    else std::copy_n(worker.running.data(), elements(extent, tile), reinterpret_cast<double*>(own));
    for (std::size_t o = at(plan_.accumulated) + 1; o < plan_.ops.size(); ++o) execute(worker, plan_.ops[o], tile);
  }

  // --- operations ---

  MemoryTile memoryOf(const Worker& worker, int access, Tile tile) const {
    const Access& one = plan_.accesses[at(access)];
    std::int64_t offset = one.base;
    for (std::size_t l = 0; l < one.strides.size(); ++l) offset += worker.index[l] * one.strides[l];
    const std::byte* data = one.output ? outputs_[one.operand] : inputs_[one.operand];
    MemoryTile memory{const_cast<std::byte*>(data) + offset * core::byteSize(one.dtype), one.dtype, 1, 1, 0, 0};
    if (plan_.row >= 0 && one.strides[at(plan_.row)] != 0) memory.rows = tile.rows, memory.rowStride = one.strides[at(plan_.row)];
    if (plan_.column >= 0 && one.strides[at(plan_.column)] != 0) memory.columns = tile.columns, memory.columnStride = one.strides[at(plan_.column)];
    return memory;
  }

  // Where the result goes: straight to memory where it can.
  std::byte* target(Worker& worker, const Op& op, Tile tile) {
    std::byte*& slot = worker.registers[at(op.out)];
    slot = ownMemory(worker, op.out);
    const bool mayWriteOut = op.access >= 0 && op.kind != Op::Kind::load && op.kind != Op::Kind::lookup;
    if (mayWriteOut)
      if (const MemoryTile memory = memoryOf(worker, op.access, tile); memory.dense()) slot = memory.data;
    return slot;
  }

  void execute(Worker& worker, const Op& op, Tile tile) {
    switch (op.kind) {
      case Op::Kind::load: return load(worker, op, tile);
      case Op::Kind::store: return store(worker, op, tile);
      case Op::Kind::lookup: return typed(op) == Class::f ? lookup<float>(worker, op, tile) : lookup<double>(worker, op, tile);
      case Op::Kind::reduce: return reduce(worker, op, tile);
      case Op::Kind::expand: return typed(op) == Class::f ? expand<float>(worker, op, tile) : expand<double>(worker, op, tile);
      case Op::Kind::loopNumber: return typed(op) == Class::f ? loopNumber<float>(worker, op, tile) : loopNumber<double>(worker, op, tile);
      case Op::Kind::random: return typed(op) == Class::f ? random<float>(worker, op, tile) : random<double>(worker, op, tile);
      default: return typed(op) == Class::f ? arithmetic<float>(worker, op, tile) : arithmetic<double>(worker, op, tile);
    }
  }

  Class typed(const Op& op) const { return plan_.registers[at(op.out)].type; }
  template <class T>
  const T* operand(const Worker& worker, int r) const { return reinterpret_cast<const T*>(worker.registers[at(r)]); }
  void load(Worker& worker, const Op& op, Tile tile) {
    const MemoryTile memory = memoryOf(worker, op.access, tile);
    const DType own = typed(op) == Class::f ? DType::f32 : DType::f64;
    std::byte*& slot = worker.registers[at(op.out)];
    if (op.a < 0 && memory.dtype == own && memory.dense()) {
      slot = memory.data;
      return;
    }
    slot = ownMemory(worker, op.out);
    if (op.a >= 0) return typed(op) == Class::f ? loadInside<float>(worker, op, tile, memory) : loadInside<double>(worker, op, tile, memory);
    if (typed(op) == Class::f) gather(memory, reinterpret_cast<float*>(slot));
    else gather(memory, reinterpret_cast<double*>(slot));
  }

  // The part of a tile that lies inside the operand; the rest is what stands outside it.
  template <class T>
  void loadInside(Worker& worker, const Op& op, Tile tile, const MemoryTile& memory) const {
    const Access& access = plan_.accesses[at(op.access)];
    T* out = reinterpret_cast<T*>(worker.registers[at(op.out)]);
    std::copy_n(operand<T>(worker, op.a), elements(plan_.registers[at(op.out)].extent, tile), out);
    for (std::size_t l = 0; l < access.inside.size(); ++l) {
      const bool inTile = static_cast<int>(l) == plan_.row || static_cast<int>(l) == plan_.column;
      if (!inTile && (worker.index[l] < access.inside[l].start || worker.index[l] >= access.inside[l].end())) return;
    }
    const core::Range rows = insideTile(worker, access, plan_.row, memory.rows), columns = insideTile(worker, access, plan_.column, memory.columns);
    for (std::int64_t r = rows.start; r < rows.end(); ++r) {
      const std::int64_t offset = r * memory.rowStride + columns.start * memory.columnStride;
      gather(MemoryTile{memory.data + offset * core::byteSize(memory.dtype), memory.dtype, 1, columns.size, 0, memory.columnStride}, out + r * memory.columns + columns.start);
    }
  }

  core::Range insideTile(const Worker& worker, const Access& access, int loop, std::int64_t size) const {
    if (loop < 0) return {0, size};
    return intersect({0, size}, {access.inside[at(loop)].start - worker.index[at(loop)], access.inside[at(loop)].size});
  }

  void store(Worker& worker, const Op& op, Tile tile) {
    const MemoryTile memory = memoryOf(worker, op.access, tile);
    if (worker.registers[at(op.a)] == memory.data) return;
    if (plan_.registers[at(op.a)].type == Class::f) scatter(operand<float>(worker, op.a), memory);
    else scatter(operand<double>(worker, op.a), memory);
  }

  template <class T>
  void lookup(Worker& worker, const Op& op, Tile tile) {
    const Access& access = plan_.accesses[at(op.access)];
    const MemoryTile memory = memoryOf(worker, op.access, tile);
    T* out = reinterpret_cast<T*>(target(worker, op, tile));
    const Extent ids = plan_.registers[at(op.a)].extent, extent = plan_.registers[at(op.out)].extent;
    const double* rows = operand<double>(worker, op.a);
    const std::int64_t outRows = extent & alongRows ? tile.rows : 1, outColumns = extent & alongColumns ? tile.columns : 1;
    const std::int64_t bytes = core::byteSize(access.dtype);
    const std::int64_t idColumns = ids & alongColumns ? tile.columns : 1;
    for (std::int64_t r = 0; r < outRows; ++r) {
      // One id for the whole row of the tile, or one for each of its elements.
      const std::int64_t step = idColumns > 1 ? 1 : outColumns;
      for (std::int64_t c = 0; c < outColumns; c += step) {
        const std::int64_t row = static_cast<std::int64_t>(rows[(ids & alongRows ? r * idColumns : 0) + (idColumns > 1 ? c : 0)]);
        if (row < 0 || row >= access.tableRows)
          throw core::Error{.what = "row " + std::to_string(row) + " of a table with " + std::to_string(access.tableRows) + " rows", .where = "", .right = "ids from 0 to " + std::to_string(access.tableRows - 1)};
        T* to = out + r * outColumns + c;
        if (row < access.rows.start || row >= access.rows.end()) {
          std::fill_n(to, step, T{0});
          continue;
        }
        const std::int64_t offset = (row - access.firstRow) * access.rowStride + r * memory.rowStride + c * memory.columnStride;
        gather(MemoryTile{memory.data + offset * bytes, access.dtype, 1, step, 0, memory.columnStride}, to);
      }
    }
  }

  template <class T>
  void expand(Worker& worker, const Op& op, Tile tile) {
    const Extent from = plan_.registers[at(op.a)].extent, to = plan_.registers[at(op.out)].extent;
    const T* a = operand<T>(worker, op.a);
    T* out = reinterpret_cast<T*>(target(worker, op, tile));
    const std::int64_t rows = to & alongRows ? tile.rows : 1, columns = to & alongColumns ? tile.columns : 1;
    for (std::int64_t r = 0; r < rows; ++r, out += columns) {
      const T* source = from & alongRows ? a + r : a;
      if (from & alongColumns) std::memcpy(out, a, static_cast<std::size_t>(columns) * sizeof(T));
      else std::fill_n(out, columns, *source);
    }
  }

  template <class T>
  void loopNumber(Worker& worker, const Op& op, Tile tile) {
    const std::int64_t first = plan_.loops[at(op.loop)].start + worker.index[at(op.loop)];
    T* out = reinterpret_cast<T*>(target(worker, op, tile));
    const std::int64_t n = elements(plan_.registers[at(op.out)].extent, tile);
    for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(first + i);
  }

  template <class T>
  void random(Worker& worker, const Op& op, Tile tile) {
    const core::RandomKey key = context_.keyOf(op.seed);
    T* out = reinterpret_cast<T*>(target(worker, op, tile));
    const Extent extent = plan_.registers[at(op.out)].extent;
    std::int64_t first = op.counterBase;
    for (std::size_t l = 0; l < op.counted.size(); ++l) first += worker.index[l] * op.counted[l];
    const std::int64_t rows = extent & alongRows ? tile.rows : 1, columns = extent & alongColumns ? tile.columns : 1;
    const std::int64_t rowStep = plan_.row < 0 ? 0 : op.counted[at(plan_.row)], columnStep = plan_.column < 0 ? 0 : op.counted[at(plan_.column)];
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c) out[r * columns + c] = static_cast<T>(core::uniformAt(key, static_cast<std::uint64_t>(first + r * rowStep + c * columnStep)));
  }

  void reduce(Worker& worker, const Op& op, Tile tile) {
    const Extent from = plan_.registers[at(op.a)].extent, to = plan_.registers[at(op.out)].extent, lost = static_cast<Extent>(from & ~to);
    const std::int64_t rows = from & alongRows ? tile.rows : 1, columns = from & alongColumns ? tile.columns : 1;
    std::byte* out = target(worker, op, tile);
    const bool single = typed(op) == Class::f;
    const std::byte* a = worker.registers[at(op.a)];
    const auto by = [&](auto rowsF, auto rowsD, std::int64_t r, std::int64_t c) {
      if (single) rowsF(op.reduction, reinterpret_cast<const float*>(a), reinterpret_cast<float*>(out), r, c);
      else rowsD(op.reduction, reinterpret_cast<const double*>(a), reinterpret_cast<double*>(out), r, c);
    };
    if (lost == 0) std::memcpy(out, a, static_cast<std::size_t>(rows * columns) * (single ? 4 : 8));
    else if (lost == everywhere) by(code_.reduceRowsF, code_.reduceRowsD, 1, rows * columns);
    else if (lost == alongColumns) by(code_.reduceRowsF, code_.reduceRowsD, rows, columns);
    else by(code_.reduceColumnsF, code_.reduceColumnsD, rows, columns);
  }

  template <class T>
  void arithmetic(Worker& worker, const Op& op, Tile tile) {
    constexpr bool single = std::is_same_v<T, float>;
    T* out = reinterpret_cast<T*>(target(worker, op, tile));
    const std::int64_t n = elements(plan_.registers[at(op.out)].extent, tile);
    if (op.kind == Op::Kind::convert) {
      if constexpr (single) code_.narrow(operand<double>(worker, op.a), out, n);
      else code_.widen(operand<float>(worker, op.a), out, n);
      return;
    }
    const T* a = operand<T>(worker, op.a);
    if (op.kind == Op::Kind::truncate) {
      for (std::int64_t i = 0; i < n; ++i) out[i] = a[i] != a[i] ? T{0} : static_cast<T>(std::clamp(std::trunc(static_cast<double>(a[i])), -op.parameter - 1, op.parameter));
      return;
    }
    if (op.kind == Op::Kind::select) {
      if constexpr (single) code_.selectF(a, operand<T>(worker, op.b), operand<T>(worker, op.c), out, n);
      else code_.selectD(a, operand<T>(worker, op.b), operand<T>(worker, op.c), out, n);
      return;
    }
    if (op.kind == Op::Kind::unary) return unary(op, a, out, n);
    binary(op, a, operand<T>(worker, op.b), out, n);
  }

  template <class T>
  void unary(const Op& op, const T* a, T* out, std::int64_t n) const {
    if constexpr (std::is_same_v<T, float>)
      if (const auto loop = code_.unaryF(op.function)) return loop(a, out, n);
    for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(core::valueOf(op.function, static_cast<double>(a[i]), op.parameter));
  }

  template <class T>
  void binary(const Op& op, const T* a, const T* b, T* out, std::int64_t n) const {
    const auto loop = [&] {
      if constexpr (std::is_same_v<T, float>) return code_.binaryF(op.function);
      else return code_.binaryD(op.function);
    }();
    if (loop) return loop(a, b, out, n);
    for (std::int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(core::valueOf2(op.function, static_cast<double>(a[i]), static_cast<double>(b[i])));
  }

  Plan plan_;
  const VectorCode& code_;
  std::int64_t items_ = 0;
  int threads_ = 1;
  std::vector<Worker> workers_;
  std::span<const std::byte* const> inputs_;
  std::span<std::byte* const> outputs_;
  KernelContext context_;
};

}  // namespace

std::unique_ptr<Kernel> makeTiles(const std::vector<Part>& parts, int threads) {
  Plan plan;
  if (!build(parts, threads, plan)) return nullptr;
  return std::make_unique<TileKernel>(std::move(plan), threads);
}

std::unique_ptr<Kernel> makeTileKernel(const KernelRequest& request) {
  Part part{.request = request, .inputs = {}, .outputs = {}};
  for (std::size_t i = 0; i < request.inputs.size(); ++i) part.inputs.push_back({Place::Kind::input, i});
  for (std::size_t o = 0; o < request.outputs.size(); ++o) part.outputs.push_back({Place::Kind::output, o});
  return makeTiles({part}, request.threads);
}

}  // namespace executor::tiles
