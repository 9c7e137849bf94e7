#include "core/graph/dtype.h"

#include <array>

#include "core/base/error.h"

namespace core {
namespace {

struct Row {
  DType type;
  std::string_view name;
  std::int64_t bytes;
  bool floating;
};

constexpr std::array<Row, 7> rows{{{DType::f32, "f32", 4, true},
                                   {DType::f64, "f64", 8, true},
                                   {DType::bf16, "bf16", 2, true},
                                   {DType::f16, "f16", 2, true},
                                   {DType::i32, "i32", 4, false},
                                   {DType::i64, "i64", 8, false},
                                   {DType::boolean, "bool", 1, false}}};

const Row& row(DType type) { return rows[static_cast<std::size_t>(type)]; }

}  // namespace

std::int64_t byteSize(DType type) { return row(type).bytes; }

std::string_view toString(DType type) { return row(type).name; }

bool isFloating(DType type) { return row(type).floating; }

DType parseDType(const std::string& text) {
  for (const Row& one : rows)
    if (one.name == text) return one.type;
  throw Error{.what = "unknown element type \"" + text + "\"", .right = "one of f32, f64, bf16, f16, i32, i64, bool"};
}

}  // namespace core
