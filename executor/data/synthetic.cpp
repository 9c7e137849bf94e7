#include <cmath>

#include "core/base/random.h"
#include "executor/data/batches.h"

namespace executor {
namespace {

// Ids follow each other by a fixed stride, from a start that each row draws; labels are the ids one further on. Rows of real numbers are
// normal, and what is to be predicted from them is a function of the row's first number. So a model can learn all of it.
class Synthetic final : public Batches {
 public:
  Synthetic(const core::Program& program, std::uint64_t seed) : seed_(seed) {
    for (const Input& one : inputsOf(program)) {
      if (one.role == Role::ids) hasIds_ = true;
      if (one.role == Role::numbers && !numbers_) numbers_ = &program.buffers[one.buffer.index()];
    }
  }

  double number(const Input& input, const core::Buffer& buffer, std::int64_t step, std::span<const std::int64_t> index) const override {
    const std::int64_t row = index.empty() ? 0 : index[0], last = index.empty() ? 0 : index.back();
    switch (input.role) {
      case Role::ids: return token(input, step, row, index.size() > 1 ? last : 0);
      case Role::labels: return hasIds_ ? token(input, step, row, (index.size() > 1 ? last : 0) + 1) : label(input, step, row);
      case Role::positions: return static_cast<double>(last);
      case Role::zeros: return 0;
      case Role::ones: return 1;
      case Role::numbers: return normal(buffer.name, step, linear(buffer, index));
      case Role::targets: return std::tanh(first(step, row) + 0.5 * static_cast<double>(last % 5));
    }
    return 0;
  }

 private:
  static std::uint64_t linear(const core::Buffer& buffer, std::span<const std::int64_t> index) {
    std::int64_t at = 0;
    for (std::size_t d = 0; d < index.size(); ++d) at = at * buffer.sizes[d] + index[d];
    return static_cast<std::uint64_t>(at);
  }

  double normal(const std::string& name, std::int64_t step, std::uint64_t index) const {
    return core::normalAt(core::randomKey(seed_, "data/" + name, static_cast<std::uint32_t>(step)), index);
  }

  // The first number of a row of the first real input: what the rest of the row's data follows from.
  double first(std::int64_t step, std::int64_t row) const {
    if (!numbers_) return 0;
    const std::int64_t width = numbers_->sizes.empty() ? 1 : product(numbers_->sizes) / numbers_->sizes[0];
    return normal(numbers_->name, step, static_cast<std::uint64_t>(row * width));
  }

  double token(const Input& input, std::int64_t step, std::int64_t row, std::int64_t at) const {
    const std::int64_t below = std::max<std::int64_t>(1, input.below);
    const core::RandomKey key = core::randomKey(seed_, "data/start", static_cast<std::uint32_t>(step));
    const auto start = static_cast<std::int64_t>(core::integerAt(key, static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(below)));
    return static_cast<double>((start + at * stride(below)) % below);
  }

  static std::int64_t stride(std::int64_t below) { return below > 7 ? 7 : 1; }

  double label(const Input& input, std::int64_t step, std::int64_t row) const {
    const double share = 0.5 * std::erfc(-first(step, row) / std::sqrt(2.0));  // uniform in 0..1
    return std::floor(share * static_cast<double>(std::max<std::int64_t>(1, input.below)) * (1 - 1e-12));
  }

  std::uint64_t seed_;
  bool hasIds_ = false;
  const core::Buffer* numbers_ = nullptr;
};

}  // namespace

std::unique_ptr<Batches> makeSynthetic(const core::Program& program, std::uint64_t seed) { return std::make_unique<Synthetic>(program, seed); }

}  // namespace executor
