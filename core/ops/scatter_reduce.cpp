#include "core/base/error.h"
#include "core/ops/builder.h"
#include "core/ops/catalogue.h"
#include "core/ops/example.h"
#include "core/ops/require.h"
#include "core/ops/scatter.h"

// The greatest (least) of the updates for a row, where those for other rows count as what stands there; or the product of the updates, those
// for other rows as one. Whoever wants what stands there to count always joins it to the result. Attribute "reduction": max, min (inputs ids,
// updates, x) or product (ids, updates); the others as scatter_add has them.

namespace core {
namespace {

Reduction reductionOf(const OperatorView& op) {
  for (Reduction one : {Reduction::max, Reduction::min, Reduction::product})
    if (op.string("reduction") == toString(one)) return one;
  throw Error{.what = "no scatter reduces by \"" + op.string("reduction") + "\"", .where = {}, .right = "max, min or product; sums are scatter_add's"};
}

Expression expression(const OperatorView& op) {
  const Reduction reduction = reductionOf(op);
  const bool product = reduction == Reduction::product;
  requireInputs(op, product ? 2 : 3);
  ExpressionBuilder y(op, product ? std::vector<std::string>{"ids", "updates"} : std::vector<std::string>{"ids", "updates", "x"});
  const Value here = scatterLoops(op, y, reduction);
  y.result(reduce(reduction, select(here, y.read(1), product ? y.constant(1) : y.read(2)), op.dims("dims")), op.dtype(1));
  return y.take();
}

Graph one(const char* reduction) {
  return example([&](GraphBuilder& build) {
    const TensorId ids = rowsInput(build, "ids", "b:3 k:2", 5), updates = build.input("updates", "b k d:4");
    const Shape rows{build.dim("v", 5)};
    std::vector<TensorId> inputs{ids, updates};
    if (std::string_view(reduction) != "product") inputs.push_back(build.input("x", "b v d"));
    return build.addOne("scatter_reduce", inputs, {{"dims", build.shape("k")}, {"rows", rows}, {"shape", build.shape("b v d")}, {"reduction", std::string(reduction)}});
  });
}

std::vector<Graph> examples() { return {one("max"), one("min"), one("product")}; }

}  // namespace

const Op& scatterReduceOp() {
  static const Op op{.name = "scatter_reduce",
                     .summary = "The greatest, least or product of the updates by the rows that integers name.",
                     .text = "y[v,d] = max(*b) select(ids[*b] == v, updates[*b,d], x[v,d])",
                     .domain = "index",
                     .expression = expression,
                     .examples = examples};
  return op;
}

}  // namespace core
