#include "executor/states.h"

#include <cstring>
#include <filesystem>

#include "core/base/random.h"
#include "core/spmd/redistribute.h"
#include "core/tdl/element.h"
#include "executor/file_shard.h"
#include "executor/kernels/copy.h"

namespace executor {
namespace {

using core::Buffer;

// Calls f(global row-major index, local element) for every element that a rank holds.
template <class F>
void forEachHeld(const Held& held, F f) {
  if (isEmpty(held.ranges)) return;
  const std::vector<std::int64_t> global = rowMajorStrides(held.sizes);
  std::vector<std::int64_t> index(held.sizes.size(), 0);
  for (;;) {
    std::int64_t linear = 0, local = 0;
    for (std::size_t d = 0; d < index.size(); ++d) {
      linear += (held.ranges[d].start + index[d]) * global[d];
      local += index[d] * held.strides[d];
    }
    f(linear, local);
    std::size_t d = index.size();
    while (d > 0 && ++index[d - 1] == held.ranges[d - 1].size) index[--d] = 0;
    if (d == 0) return;
  }
}

void draw(const core::Initializer& initializer, const Buffer& buffer, const Held& held, std::uint64_t seed, std::byte* block) {
  using Kind = core::Initializer::Kind;
  const core::RandomKey key = core::randomKey(seed, buffer.name);
  forEachHeld(held, [&](std::int64_t linear, std::int64_t local) {
    double value = initializer.first;
    if (initializer.kind == Kind::normal) value += initializer.second * core::normalAt(key, static_cast<std::uint64_t>(linear));
    if (initializer.kind == Kind::uniform) value += (initializer.second - initializer.first) * core::uniformAt(key, static_cast<std::uint64_t>(linear));
    core::storeElement(block, local, held.dtype, value);
  });
}

void copyInline(const core::InlineSource& source, const Buffer& buffer, const Held& held, std::byte* block) {
  const Held whole = wholeTensor(buffer.dtype, buffer.sizes);
  if (!source.bytes || static_cast<std::int64_t>(source.bytes->size()) != whole.bytes())
    throw core::Error{.what = "a value of " + std::to_string(source.bytes ? source.bytes->size() : 0) + " bytes", .where = buffer.name, .right = std::to_string(whole.bytes()) + " bytes"};
  run(copyOf(held.ranges, whole, held), source.bytes->data(), block, core::byteSize(buffer.dtype));
}

void copyFile(const core::FileSource& source, const Buffer& buffer, const Held& held, const std::string& folder, std::byte* block) {
  const FileShard file(source, product(buffer.sizes), buffer.name, folder);
  std::vector<std::byte> stored;
  const std::int64_t storedBytes = core::byteSize(source.stored);
  const std::vector<core::Range> runs = core::linearRuns(held.ranges, held.sizes);
  file.read(runs, [&](std::int64_t linear, const std::byte* data, std::int64_t count) {
    std::int64_t local = 0, rest = linear;
    for (std::size_t d = held.sizes.size(); d-- > 0;) {
      local += (rest % held.sizes[d] - held.ranges[d].start) * held.strides[d];
      rest /= held.sizes[d];
    }
    if (source.stored == held.dtype) {
      std::memcpy(block + local * storedBytes, data, static_cast<std::size_t>(count * storedBytes));
      return;
    }
    for (std::int64_t i = 0; i < count; ++i) core::storeElement(block, local + i, held.dtype, core::loadElement(data, i, source.stored));
  });
}

}  // namespace

void loadState(const core::Source& source, const Buffer& buffer, const Held& held, std::uint64_t seed, const std::string& folder, std::byte* block) {
  if (const auto* initializer = std::get_if<core::Initializer>(&source)) return draw(*initializer, buffer, held, seed, block);
  if (const auto* given = std::get_if<core::InlineSource>(&source)) return copyInline(*given, buffer, held, block);
  if (const auto* file = std::get_if<core::FileSource>(&source)) return copyFile(*file, buffer, held, folder, block);
}

void loadStates(Interpreter& interpreter, const core::Program& program, std::uint64_t seed, const std::string& folder) {
  for (std::size_t i = 0; i < program.sources.size(); ++i) {
    if (std::holds_alternative<std::monostate>(program.sources[i])) continue;
    const core::BufferId id(static_cast<std::int64_t>(i));
    for (std::size_t local = 0; local < interpreter.localRanks(); ++local)
      loadState(program.sources[i], program.buffers[i], interpreter.held(local, id), seed, folder, interpreter.data(local, id));
  }
}

}  // namespace executor
