#include "core/plan/edit/variants.h"

#include <fmt/format.h>

#include <algorithm>

namespace core {
namespace {

bool taken(const Plan& plan, const std::string& name) {
  return std::any_of(plan.variants.begin(), plan.variants.end(), [&](const Variant& one) { return one.name == name; });
}

void requireIndex(const Plan& plan, std::size_t index) {
  if (index < plan.variants.size()) return;
  throw Error{.what = fmt::format("there is no variant number {}", index),
              .where = plan.name,
              .right = fmt::format("0 to {}", plan.variants.size() - 1)};
}

void requireFree(const Plan& plan, const std::string& name) {
  if (name.empty()) throw Error{.what = "a variant needs a name", .where = plan.name, .right = "a letter or a word"};
  if (taken(plan, name))
    throw Error{
        .what = fmt::format("there is a variant \"{}\" already", name), .where = plan.name, .right = "another name"};
}

}  // namespace

std::string freeVariantName(const Plan& plan) {
  for (int round = 1;; ++round)
    for (char letter = 'A'; letter <= 'Z'; ++letter) {
      std::string name = round == 1 ? std::string(1, letter) : fmt::format("{}{}", letter, round);
      if (!taken(plan, name)) return name;
    }
}

Plan addVariant(Plan plan, Variant variant) {
  if (variant.name.empty()) variant.name = freeVariantName(plan);
  requireFree(plan, variant.name);
  plan.variants.push_back(std::move(variant));
  plan.current = plan.variants.size() - 1;
  return plan;
}

Plan duplicateVariant(Plan plan, std::size_t index) {
  requireIndex(plan, index);
  Variant copy = plan.variants[index];
  copy.name.clear();
  return addVariant(std::move(plan), std::move(copy));
}

Plan removeVariant(Plan plan, std::size_t index) {
  requireIndex(plan, index);
  if (plan.variants.size() == 1)
    throw Error{
        .what = "the last variant cannot be removed", .where = plan.name, .right = "a plan has at least one variant"};
  plan.variants.erase(plan.variants.begin() + static_cast<std::ptrdiff_t>(index));
  if (plan.current > index || plan.current == plan.variants.size()) --plan.current;
  return plan;
}

Plan renameVariant(Plan plan, std::size_t index, const std::string& name) {
  requireIndex(plan, index);
  if (plan.variants[index].name == name) return plan;
  requireFree(plan, name);
  plan.variants[index].name = name;
  return plan;
}

Plan selectVariant(Plan plan, std::size_t index) {
  requireIndex(plan, index);
  plan.current = index;
  return plan;
}

Plan setStep(Plan plan, const Step& step) {
  plan.variants[plan.current].step = step;
  return plan;
}

Plan setData(Plan plan, const Data& data) {
  plan.variants[plan.current].data = data;
  return plan;
}

Plan setMachine(Plan plan, const std::string& nameOrFile) {
  plan.variants[plan.current].machine = nameOrFile;
  return plan;
}

Plan addRun(Plan plan, const std::string& folder) {
  std::erase(plan.runs, folder);
  plan.runs.push_back(folder);
  return plan;
}

}  // namespace core
