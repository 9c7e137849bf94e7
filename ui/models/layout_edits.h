#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "core/plan/analyze.h"
#include "ui/document/document.h"

// The edits behind the main gesture: a dimension onto an axis, for the whole graph (a rule) or for one tensor (a pin).
// Each has the name of its undo entry and can say why it would be illegal before it is made.

namespace ui {

struct NamedEdit {
  QString name;
  Edit edit;
};

NamedEdit splitDimension(const QString& dimension, const QString& axis);
NamedEdit unsplitDimension(const QString& dimension, const QString& axis);  // empty axis: all of them

// `tensor` is a name or a glob; `now` is what the tensor has, from which its pin begins.
NamedEdit splitTensor(const core::Pin& now, const QString& dimension, const QString& axis);
NamedEdit unsplitTensor(const core::Pin& now, const QString& dimension, const QString& axis);
NamedEdit pinTensor(const core::Pin& now);
NamedEdit unpinTensor(const QString& tensor);

// A tensor's sharding as a pin of it, under the name given ("h.*.attn.weight" for all layers).
core::Pin pinOf(const core::Analysis& analysis, core::TensorId tensor, const QString& name);

// The glob of a tensor and its equals in other layers, with numbers in its name for any; the name itself where that
// would also mean tensors of other shapes.
QString patternOf(const core::Graph& graph, const QString& tensor);
int matches(const core::Graph& graph, const QString& pattern);

// Why the edit may not be made: the first error that the layout has after it and not before. Empty = legal as far as
// the layout alone shows; analyze has the last word.
QString refusalOf(const core::Plan& plan, const core::Graph& graph, const Edit& edit);

// "heads: 8 over model: 3 pads to 9"; empty when it divides.
QString paddingNote(std::int64_t size, const std::vector<std::int64_t>& axisSizes);

}  // namespace ui
