#include <algorithm>

#include "core/base/random.h"
#include "core/io/mapped_file.h"
#include "executor/data/batches.h"

namespace executor {
namespace {

class Text final : public Batches {
 public:
  Text(const core::Program& program, const std::string& path, std::uint64_t seed) : file_(path), seed_(seed) {
    std::int64_t below = 0;
    for (const Input& one : inputsOf(program)) {
      if (one.role != Role::ids && one.role != Role::labels) continue;
      const core::Buffer& buffer = program.buffers[one.buffer.index()];
      sequence_ = std::max(sequence_, buffer.sizes.size() > 1 ? buffer.sizes.back() : 1);
      if (one.below > 0) below = below == 0 ? one.below : std::min(below, one.below);
    }
    if (sequence_ == 0) throw core::Error{.what = "the model takes no ids, so a text cannot be fed to it", .where = path, .right = "synthetic data, or arrays"};
    if (static_cast<std::int64_t>(file_.bytes().size()) < sequence_ + 1)
      throw core::Error{.what = "has " + std::to_string(file_.bytes().size()) + " bytes", .where = path, .right = "at least the sequence and one more, " + std::to_string(sequence_ + 1)};
    checkBytes(path, below);
  }

  double number(const Input& input, const core::Buffer&, std::int64_t step, std::span<const std::int64_t> index) const override {
    const std::int64_t row = index.empty() ? 0 : index[0], last = index.size() > 1 ? index.back() : 0;
    switch (input.role) {
      case Role::ids: return byte(step, row, last);
      case Role::labels: return byte(step, row, last + 1);
      case Role::positions: return static_cast<double>(index.empty() ? 0 : index.back());
      case Role::ones: return 1;
      default: return 0;
    }
  }

 private:
  double byte(std::int64_t step, std::int64_t row, std::int64_t at) const {
    const std::uint64_t starts = file_.bytes().size() - static_cast<std::uint64_t>(sequence_);
    const core::RandomKey key = core::randomKey(seed_, "data/window", static_cast<std::uint32_t>(step));
    const std::uint64_t start = core::integerAt(key, static_cast<std::uint64_t>(row), starts);
    return static_cast<double>(file_.bytes()[start + static_cast<std::uint64_t>(at)]);
  }

  void checkBytes(const std::string& path, std::int64_t below) const {
    if (below == 0 || below > 255) return;
    const auto bytes = file_.bytes();
    const auto found = std::find_if(bytes.begin(), bytes.end(), [&](std::byte one) { return static_cast<std::int64_t>(one) >= below; });
    if (found == bytes.end()) return;
    throw core::Error{.what = "byte " + std::to_string(static_cast<int>(*found)) + " at " + std::to_string(found - bytes.begin()) + " is outside the vocabulary of " + std::to_string(below),
                      .where = path,
                      .right = "bytes below " + std::to_string(below)};
  }

  core::MappedFile file_;
  std::uint64_t seed_;
  std::int64_t sequence_ = 0;
};

}  // namespace

std::unique_ptr<Batches> makeText(const core::Program& program, const std::string& file, std::uint64_t seed) { return std::make_unique<Text>(program, file, seed); }

}  // namespace executor
