#include "core/tdl/linear.h"

#include <algorithm>
#include <cmath>

#include "core/tdl/interval.h"

namespace core {
namespace {

struct Linear {
  std::vector<LoopTerm> terms;
  std::int64_t offset = 0;
};
using Maybe = std::optional<Linear>;

class Reader {
 public:
  Reader(const LoopScope& scope, const std::map<std::string, std::int64_t>& integers)
      : scope_(scope), integers_(integers) {}

  Maybe linear(const Term& term) const {
    switch (term.kind) {
      case Term::Kind::number:
        return whole(term.number);
      case Term::Kind::name:
        return named(term.name);
      case Term::Kind::prefix:
        return scaled(linear(term.children[0]), -1);
      case Term::Kind::infix:
        return infix(term);
      default:
        return std::nullopt;
    }
  }

  std::optional<std::int64_t> positive(const Term& term) const {
    const Maybe found = linear(term);
    if (!found || !found->terms.empty() || found->offset < 1) return std::nullopt;
    return found->offset;
  }

 private:
  static Maybe whole(double number) {
    if (number != std::floor(number) || std::abs(number) > 0x1p53) return std::nullopt;
    return Linear{{}, static_cast<std::int64_t>(number)};
  }

  Maybe named(const std::string& name) const {
    if (const auto loop = scope_.find(name); loop != scope_.end()) return Linear{{{loop->second[0], 1}}, 0};
    if (const auto number = integers_.find(name); number != integers_.end()) return Linear{{}, number->second};
    return std::nullopt;
  }

  // None where 64 bits do not hold it.
  static Maybe scaled(Maybe a, std::int64_t factor) {
    if (!a) return a;
    bool fits = !__builtin_mul_overflow(a->offset, factor, &a->offset);
    for (LoopTerm& term : a->terms) fits &= !__builtin_mul_overflow(term.factor, factor, &term.factor);
    return fits ? a : std::nullopt;
  }

  static Maybe sum(Maybe a, const Maybe& b) {
    if (!a || !b || __builtin_add_overflow(a->offset, b->offset, &a->offset)) return std::nullopt;
    a->terms.insert(a->terms.end(), b->terms.begin(), b->terms.end());
    return a;
  }

  Maybe infix(const Term& term) const {
    const Maybe a = linear(term.children[0]), b = linear(term.children[1]);
    if (!a || !b) return std::nullopt;
    if (term.name == "+") return sum(a, b);
    if (term.name == "-") return sum(a, scaled(b, -1));
    if (term.name == "*" && a->terms.empty()) return scaled(b, a->offset);
    if (term.name == "*" && b->terms.empty()) return scaled(a, b->offset);
    if (!a->terms.empty() || !b->terms.empty() || b->offset < 1) return std::nullopt;
    if (term.name == "/") return Linear{{}, floorDivide(a->offset, b->offset)};
    if (term.name == "%") return Linear{{}, floorModulo(a->offset, b->offset)};
    return std::nullopt;
  }

  const LoopScope& scope_;
  const std::map<std::string, std::int64_t>& integers_;
};

}  // namespace

std::vector<LoopTerm> collected(const std::vector<LoopTerm>& terms) {
  std::vector<LoopTerm> sums;
  for (const LoopTerm& term : terms) {
    const auto same =
        std::find_if(sums.begin(), sums.end(), [&](const LoopTerm& one) { return one.loop == term.loop; });
    if (same == sums.end())
      sums.push_back(term);
    else
      same->factor += term.factor;
  }
  std::erase_if(sums, [](const LoopTerm& one) { return one.factor == 0; });
  return sums;
}

std::optional<AxisIndex> affineIndex(const Term& term, const LoopScope& scope,
                                     const std::map<std::string, std::int64_t>& integers) {
  const Reader reader(scope, integers);
  AxisIndex index;
  const Term* inner = &term;
  const auto strip = [&](const char* sign) -> std::optional<std::int64_t> {
    if (inner->kind != Term::Kind::infix || inner->name != sign || reader.linear(*inner)) return std::nullopt;
    const auto by = reader.positive(inner->children[1]);
    if (by) inner = &inner->children[0];
    return by;
  };
  if (const auto by = strip("%")) index.modulo = *by;
  if (const auto by = strip("/")) index.divide = *by;
  const Maybe sum = reader.linear(*inner);
  if (!sum) return std::nullopt;
  index.terms = collected(sum->terms);
  index.offset = sum->offset;
  return index;
}

}  // namespace core
