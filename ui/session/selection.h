#pragma once

#include <QString>
#include <QStringList>

namespace ui {

// What is selected, the same everywhere: canvas, outline, tables, bars, timeline and problems show it.
// By name, so that it survives an edit and means the same in the model and in the graph of a step.
struct Selection {
  enum class Kind { none, scope, op, tensor, dimension, axis, instruction };
  Kind kind = Kind::none;
  QStringList names;

  bool empty() const { return kind == Kind::none || names.isEmpty(); }
  bool holds(Kind wanted, const QString& name) const { return kind == wanted && names.contains(name); }
  QString first() const { return names.isEmpty() ? QString() : names.first(); }
  bool operator==(const Selection&) const = default;
};

}  // namespace ui
