#pragma once

#include <QWidget>

#include "core/base/error.h"
#include "ui/session/selection.h"

class QTreeWidget;

namespace ui {

class Session;

// Where a diagnostic's place is on the canvas: a tensor, operator, scope, dimension or axis of that name.
Selection selectionOf(const Session& session, const std::string& where);

// What is wrong with the plan, and the defaults that were used; each row goes to its place.
class ProblemsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ProblemsPanel(Session& session);

 private:
  void refresh();
  void addRow(const core::Diagnostic& diagnostic);
  void go();

  Session& session_;
  QTreeWidget* rows_;
};

}  // namespace ui
