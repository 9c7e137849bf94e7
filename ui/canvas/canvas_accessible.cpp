#include <QAccessible>
#include <QAccessibleWidget>
#include <QPointer>

#include "ui/canvas/canvas_state.h"

namespace ui {

namespace {

// A selected node or one of its neighbours: name and place, no more. All content and every action are in the outline
// too.
class ItemAccessible : public QAccessibleInterface {
 public:
  ItemAccessible(Canvas* canvas, SceneRef ref) : canvas_(canvas), ref_(ref) {}
  bool isValid() const override { return canvas_ && canvas_->scene(); }
  QObject* object() const override { return nullptr; }
  QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  QAccessibleInterface* parent() const override {
    return canvas_ ? QAccessible::queryAccessibleInterface(canvas_) : nullptr;
  }
  QAccessibleInterface* child(int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  QString text(QAccessible::Text kind) const override {
    return kind == QAccessible::Name && isValid() ? canvas_->scene()->describe(ref_) : QString();
  }
  void setText(QAccessible::Text, const QString&) override {}
  QRect rect() const override {
    QRect own = canvas_ ? canvas_->rectOf(ref_).toRect() : QRect();
    return own.isNull() ? own : QRect(canvas_->mapToGlobal(own.topLeft()), own.size());
  }
  QAccessible::Role role() const override { return QAccessible::Graphic; }
  QAccessible::State state() const override {
    QAccessible::State state;
    state.focusable = state.selectable = true;
    const auto& selection = canvas_->selection();
    state.selected = state.focused = !selection.empty() && selection.back() == ref_;
    return state;
  }

 private:
  QPointer<Canvas> canvas_;
  SceneRef ref_;
};

class CanvasAccessible : public QAccessibleWidget {
 public:
  CanvasAccessible(Canvas* canvas, const std::vector<quint32>* children)
      : QAccessibleWidget(canvas, QAccessible::Canvas), children_(children) {}
  int childCount() const override { return static_cast<int>(children_->size()); }
  QAccessibleInterface* child(int index) const override {
    return index >= 0 && index < childCount()
               ? QAccessible::accessibleInterface((*children_)[static_cast<std::size_t>(index)])
               : nullptr;
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    for (int i = 0; i < childCount(); ++i)
      if (this->child(i) == child) return i;
    return -1;
  }

 private:
  const std::vector<quint32>* children_;
};

}  // namespace

// The factory knows a canvas by its class name; the list of children lives in the canvas' state.
static QHash<const QObject*, const std::vector<quint32>*>& registered() {
  static QHash<const QObject*, const std::vector<quint32>*> all;
  return all;
}

static QAccessibleInterface* makeInterface(const QString& className, QObject* object) {
  auto* canvas = className == QLatin1String("ui::Canvas") ? qobject_cast<Canvas*>(object) : nullptr;
  const auto* children = registered().value(object, nullptr);
  return canvas && children ? new CanvasAccessible(canvas, children) : nullptr;
}

void Canvas::State::installAccessible() {
  static const bool once = [] {
    QAccessible::installFactory(makeInterface);
    return true;
  }();
  Q_UNUSED(once)
  registered()[&canvas] = &accessible;
}

void Canvas::State::dropAccessible() {
  for (quint32 id : accessible) QAccessible::deleteAccessibleInterface(id);
  accessible.clear();
  registered().remove(&canvas);
}

void Canvas::State::announceSelection() {
  if (!ready()) return;
  for (quint32 id : accessible) QAccessible::deleteAccessibleInterface(id);
  accessible.clear();
  if (selection.empty()) return;
  canvas.setAccessibleDescription(scene->describe(selection.back()));
  auto add = [&](const SceneRef& ref) {
    accessible.push_back(QAccessible::registerAccessibleInterface(new ItemAccessible(&canvas, ref)));
  };
  add(selection.back());
  if (auto node = selectedDrawn())
    for (bool above : {true, false})
      for (int n : neighbours(*node, above))
        add(scene->nodes[static_cast<std::size_t>(picture->nodes[static_cast<std::size_t>(n)].node)].ref());
  QAccessibleEvent focus(&canvas, QAccessible::Focus);
  focus.setChild(0);
  QAccessible::updateAccessibility(&focus);
}

}  // namespace ui
