#include "core/tdl/stars.h"

#include <algorithm>
#include <functional>

#include "core/base/error.h"
#include "core/tdl/lex.h"

namespace core {
namespace {

struct StarRead {
  std::string star;
  std::vector<StarDim> dims;
  std::size_t column = 0;
};

const Term* starIn(const Term& read) {
  for (const Term& index : read.children)
    if (index.kind == Term::Kind::star) return &index;
  return nullptr;
}

void forEachRead(const Term& term, const std::function<void(const Term&)>& visit) {
  if (term.kind == Term::Kind::read) visit(term);
  for (const Term& child : term.children) forEachRead(child, visit);
}

StarRead starRead(const Definition& definition, const BoundOperand& operand, const Term& read) {
  const auto stars = std::count_if(read.children.begin(), read.children.end(),
                                   [](const Term& one) { return one.kind == Term::Kind::star; });
  if (stars > 1 || read.children.size() > operand.sizes.size() + 1)
    throw Error{.what = "'" + read.name + "' is read by " + std::to_string(read.children.size()) + " indices",
                .where = placeIn(definition.source, read.column),
                .right = "it has " + std::to_string(operand.sizes.size()) +
                         " dimensions, and at most one * takes what is left"};
  return {starIn(read)->name, starOf(operand, read), read.column};
}

void unite(std::vector<StarDim>& known, const StarRead& read, const Definition& definition) {
  for (const StarDim& dim : read.dims) {
    const auto same =
        std::find_if(known.begin(), known.end(), [&](const StarDim& one) { return one.name == dim.name; });
    if (same == known.end())
      known.push_back(dim);
    else if (same->size != dim.size)
      throw Error{.what = "'" + dim.name + "' is " + std::to_string(same->size) + " in one operand and " +
                          std::to_string(dim.size) + " in another",
                  .where = placeIn(definition.source, read.column),
                  .right = "a name has one size"};
  }
}

}  // namespace

std::vector<StarDim> starOf(const BoundOperand& operand, const Term& read) {
  std::vector<StarDim> dims;
  const Term* star = starIn(read);
  const std::size_t fixed = read.children.size() - 1;
  if (!star || fixed > operand.sizes.size()) return dims;
  const std::size_t first = static_cast<std::size_t>(star - read.children.data());
  for (std::size_t d = first; d < first + operand.sizes.size() - fixed; ++d)
    dims.push_back({operand.dims[d], operand.sizes[d], d < operand.ids.size() ? operand.ids[d] : DimId{}});
  return dims;
}

Stars findStars(const Definition& definition, const Bindings& bindings) {
  std::vector<StarRead> reads;
  for (const Term& value : definition.values)
    forEachRead(value, [&](const Term& read) {
      if (!starIn(read)) return;
      for (const BoundOperand& operand : bindings.operands)
        if (operand.name == read.name) reads.push_back(starRead(definition, operand, read));
    });
  std::stable_sort(reads.begin(), reads.end(),
                   [](const StarRead& a, const StarRead& b) { return a.dims.size() > b.dims.size(); });
  Stars stars;
  for (const StarRead& read : reads) unite(stars[read.star], read, definition);
  return stars;
}

}  // namespace core
