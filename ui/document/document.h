#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <memory>
#include <vector>

#include "core/plan/plan.h"
#include "ui/document/plan_format.h"

// The open plan and how it came to be. Every state is a snapshot that is never changed, so undo is a place in a list.
//
//   document.apply(tr("Split batch over data"), [](core::Plan plan) { return core::addRule(std::move(plan), "batch",
//   "data"); }); document.undo();

namespace ui {

using Edit = std::function<core::Plan(core::Plan)>;
using Snapshot = std::shared_ptr<const core::Plan>;

class Document : public QObject {
  Q_OBJECT

 public:
  explicit Document(PlanFormat format = planJson(), QObject* parent = nullptr);

  bool isOpen() const { return !steps_.empty(); }
  const core::Plan& plan() const { return *snapshot(); }
  const Snapshot& snapshot() const { return steps_[position_].plan; }
  const QString& path() const { return path_; }  // empty = never saved
  QString name() const;                          // for the title: the file's name, or the plan's
  QString folder() const;                        // that relative paths in the plan start from
  bool isDirty() const { return isOpen() && snapshot() != saved_; }
  int stepsSinceSave() const;

  // Open, save and saveAs throw core::Error; what was open stays as it was.
  void open(const QString& path);
  void show(core::Plan plan, const QString& path = {});  // a new or imported plan; not saved yet
  void save() { saveAs(path_); }
  void saveAs(const QString& path);
  void close();

  // One undo entry; false and none when the edit changes nothing. Throws what the edit throws, and then nothing has
  // happened.
  bool apply(const QString& name, const Edit& edit);
  bool canUndo() const { return isOpen() && position_ > 0; }
  bool canRedo() const { return isOpen() && position_ + 1 < steps_.size(); }
  void undo() { goTo(static_cast<int>(position_) - 1); }
  void redo() { goTo(static_cast<int>(position_) + 1); }
  QString undoName() const { return canUndo() ? steps_[position_].name : QString(); }
  QString redoName() const { return canRedo() ? steps_[position_ + 1].name : QString(); }

  QStringList history() const;  // names, the first is what was opened
  int position() const { return static_cast<int>(position_); }
  void goTo(int position);

  const PlanFormat& format() const { return format_; }

 signals:
  void opened();   // another document, or none
  void changed();  // another snapshot, by whatever way
  void saved();

 private:
  struct Step {
    QString name;
    Snapshot plan;
  };
  void begin(core::Plan plan, const QString& path, bool isSaved);

  PlanFormat format_;
  QString path_;
  std::vector<Step> steps_;
  std::size_t position_ = 0;
  Snapshot saved_;
};

}  // namespace ui
