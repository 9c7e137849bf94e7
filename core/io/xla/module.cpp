#include "core/io/xla/module.h"

namespace core::xla {
namespace {

struct Row {
  std::string_view element;
  Kept kept;
};

constexpr Row rows[] = {
    {"pred", {DType::boolean}}, {"s32", {DType::i32}},       {"s64", {DType::i64}},         {"f16", {DType::f16}},         {"bf16", {DType::bf16}},       {"f32", {DType::f32}},        {"f64", {DType::f64}},
    {"s8", {DType::i32, false}}, {"s16", {DType::i32, false}}, {"u8", {DType::i32, false}}, {"u16", {DType::i32, false}}, {"u32", {DType::i64, false}}, {"u64", {DType::i64, false}}, {"s4", {DType::i32, false}}, {"u4", {DType::i32, false}},
};

const Attribute* find(const Instruction& instruction, const std::string& name) {
  auto found = instruction.attributes.find(name);
  return found == instruction.attributes.end() ? nullptr : &found->second;
}

}  // namespace

std::optional<Kept> keptAs(std::string_view element) {
  for (const Row& row : rows)
    if (row.element == element) return row.kept;
  return std::nullopt;
}

int wrapsAt(std::string_view element) {
  for (const Row& row : rows)
    if (row.element == element && !row.kept.exact && element != "u64") return std::stoi(std::string(element.substr(1)));
  return 0;
}

std::int64_t Instruction::integer(const std::string& name, std::int64_t missing) const {
  const Attribute* value = find(*this, name);
  const auto* number = value ? std::get_if<std::int64_t>(value) : nullptr;
  return number ? *number : missing;
}

std::string Instruction::text(const std::string& name, const std::string& missing) const {
  const Attribute* value = find(*this, name);
  const auto* text = value ? std::get_if<std::string>(value) : nullptr;
  return text ? *text : missing;
}

std::vector<std::int64_t> Instruction::integers(const std::string& name) const {
  const Attribute* value = find(*this, name);
  const auto* list = value ? std::get_if<std::vector<std::int64_t>>(value) : nullptr;
  return list ? *list : std::vector<std::int64_t>();
}

}  // namespace core::xla
