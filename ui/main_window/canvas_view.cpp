#include "ui/main_window/canvas_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScopedValueRollback>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/plan/edit/graph.h"
#include "ui/actions/actions.h"
#include "ui/main_window/canvas_drops.h"
#include "ui/models/outline_model.h"
#include "ui/panels/parts/section.h"
#include "ui/session/session.h"
#include "ui/theme/icon.h"

namespace ui {
namespace {

using Kind = Selection::Kind;
constexpr Overlay overlays[] = {Overlay::none, Overlay::memory, Overlay::compute, Overlay::communication,
                                Overlay::layoutSource};
constexpr std::size_t mostPlaces = 100;

// What carries a dimension, so that choosing one in the layout lights it up in the graph.
std::vector<SceneRef> carriers(const Scene& scene, const QStringList& dimensions) {
  std::vector<SceneRef> found;
  for (std::size_t i = 0; i < scene.tensors.size(); ++i)
    for (const SceneDim& dim : scene.tensors[i].dims)
      if (dimensions.contains(dim.name)) {
        found.push_back({SceneRef::Kind::tensor, static_cast<int>(i)});
        break;
      }
  return found;
}

}  // namespace

CanvasView::CanvasView(Session& session, Actions& actions, QWidget* parent)
    : QWidget(parent),
      session_(session),
      canvas_(new Canvas),
      place_(textLabel("canvasPlace", tr("Where you are"))),
      overlay_(new QComboBox),
      searchBar_(makeSearch()) {
  setObjectName("canvasView");
  setAccessibleName(tr("Graph"));
  canvas_->setObjectName("canvas");
  canvas_->setAccessibleName(tr("Canvas"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeHeader());
  column->addWidget(searchBar_);
  column->addWidget(canvas_, 1);
  searchBar_->hide();
  actions.addTo(this);
  bindActions(actions);
  bindCanvas();
  bindDrops();
  connect(&session_, &Session::sceneChanged, this, &CanvasView::showScene);
  connect(&session_, &Session::selectionChanged, this, &CanvasView::showSelection);
  connect(&session_, &Session::staleChanged, canvas_, &Canvas::setStale);
  showScene();
}

QWidget* CanvasView::makeHeader() {
  auto* header = new QWidget;
  header->setObjectName("canvasHeader");
  header->setAccessibleName(tr("Above the graph"));
  overlay_->setObjectName("overlayBox");
  overlay_->setAccessibleName(tr("Overlay"));
  for (Overlay overlay : overlays) overlay_->addItem(overlayName(overlay), static_cast<int>(overlay));
  connect(overlay_, &QComboBox::activated, this,
          [this] { setOverlay(static_cast<Overlay>(overlay_->currentData().toInt())); });
  place_->setWordWrap(false);
  place_->setAlignment(Qt::AlignVCenter | Qt::AlignLeft);
  connect(place_, &QLabel::linkActivated, this,
          [this](const QString& link) { canvas_->enter(core::GroupId(link.toInt())); });
  auto* line = new QHBoxLayout(header);
  line->setContentsMargins(10, 4, 8, 4);
  line->addWidget(place_, 1);
  QLabel* label = mutedLabel(tr("Overlay"), "overlayLabel");
  label->setWordWrap(false);
  line->addWidget(label);
  line->addWidget(overlay_);
  return header;
}

QWidget* CanvasView::makeSearch() {
  auto* bar = new QWidget;
  bar->setObjectName("searchBar");
  bar->setAccessibleName(tr("Search in the graph"));
  searchText_ = new QLineEdit;
  searchText_->setObjectName("searchText");
  searchText_->setAccessibleName(tr("Find operator or tensor"));
  searchText_->setPlaceholderText(tr("Find operator or tensor"));
  searchCount_ = mutedLabel(QString(), "searchCount");
  searchCount_->setWordWrap(false);
  auto* shut = new QToolButton;
  shut->setObjectName("searchClose");
  shut->setAccessibleName(tr("Close the search"));
  shut->setIcon(icon("close"));
  auto* line = new QHBoxLayout(bar);
  line->setContentsMargins(10, 2, 8, 4);
  line->addWidget(searchText_, 1);
  line->addWidget(searchCount_);
  line->addWidget(shut);
  connect(searchText_, &QLineEdit::textChanged, this, &CanvasView::search);
  connect(searchText_, &QLineEdit::returnPressed, this, [this] { stepSearch(1); });
  connect(shut, &QToolButton::clicked, this, [this] {
    searchText_->clear();
    searchBar_->hide();
    canvas_->setFocus();
  });
  return bar;
}

void CanvasView::bindActions(Actions& actions) {
  actions.on("view.fit", this, [this] { canvas_->fitSelection(); });
  actions.on("view.fitAll", this, [this] { canvas_->fitAll(); });
  actions.on("view.zoomIn", this, [this] { canvas_->zoomBy(1.25); });
  actions.on("view.zoomOut", this, [this] { canvas_->zoomBy(0.8); });
  actions.on("view.zoomReset", this, [this] { canvas_->resetZoom(); });
  actions.on("graph.unfold", this, [this] {
    for (const SceneRef& ref : std::vector(canvas_->selection())) canvas_->toggle(ref);
  });
  actions.on("graph.unfoldAll", this, [this] { canvas_->expandAll(); });
  actions.on("graph.foldAll", this, [this] { canvas_->collapseAll(); });
  actions.on("graph.enter", this, [this] {
    for (const SceneRef& ref : canvas_->selection())
      if (ref.kind == SceneRef::Kind::group) return canvas_->enter(core::GroupId(ref.index));
  });
  actions.on("graph.leave", this, [this] { canvas_->leave(); });
  actions.on("graph.back", this, [this] { goBack(); });
  actions.on("graph.forward", this, [this] { goForward(); });
  actions.on("edit.find", this, [this] { openSearch(); });
  actions.on("edit.findNext", this, [this] { stepSearch(1); });
  actions.on("edit.findPrevious", this, [this] { stepSearch(-1); });
  actions.on("edit.delete", this, [this] { deleteSelected(); });
  actions.on("edit.unselect", this, [this] { session_.select({}); });
}

void CanvasView::bindCanvas() {
  connect(canvas_, &Canvas::selectionChanged, this, &CanvasView::takeSelection);
  connect(canvas_, &Canvas::enteredChanged, this, &CanvasView::showPlace);
  connect(canvas_, &Canvas::menuRequested, this, &CanvasView::openMenu);
  connect(canvas_, &Canvas::hovered, this, [this](const SceneRef& ref) {
    const std::shared_ptr<const Scene>& scene = session_.scene();
    session_.hover(scene && ref.valid() ? selectionOfNode(*scene, ref) : Selection{});
    session_.hint(scene && ref.valid() ? scene->describe(ref) : QString());
  });
}

void CanvasView::bindDrops() {
  auto edit = [this](core::TensorId tensor, const QString& dimension, const QString& axis, bool onlyHere) {
    return dropEdit(session_, tensorName(tensor), dimension, axis, onlyHere);
  };
  canvas_->setDropCheck([this, edit](core::TensorId tensor, const QString& dimension, const QString& axis) {
    return session_.isOpen()
               ? refusalOf(session_.document().plan(), session_.graph(), edit(tensor, dimension, axis, false).edit)
               : QString();
  });
  connect(canvas_, &Canvas::dropPreviewed, this,
          [this, edit](core::TensorId tensor, const QString& dimension, const QString& axis, const QPoint& at) {
            NamedEdit one = edit(tensor, dimension, axis, false);
            session_.previewAt(one.name, one.edit, at);
          });
  connect(canvas_, &Canvas::previewEnded, &session_, &Session::endPreview);
  connect(canvas_, &Canvas::dropRequested, this,
          [this, edit](core::TensorId tensor, const QString& dimension, const QString& axis, bool onlyHere) {
            NamedEdit one = edit(tensor, dimension, axis, onlyHere);
            session_.endPreview();
            session_.apply(one.name, one.edit);
          });
  connect(canvas_, &Canvas::axesRequested, this,
          [this](core::TensorId tensor, const QString& dimension) { chooseAxis(tensorName(tensor), dimension); });
  connect(canvas_, &Canvas::unpinRequested, this, [this](core::TensorId tensor, const QString& dimension) {
    NamedEdit one = unsplitTensor(dropPin(session_, tensorName(tensor), false), dimension, {});
    session_.apply(one.name, one.edit);
  });
  connect(canvas_, &Canvas::pinRequested, this, [this](core::TensorId tensor, const QString&) {
    NamedEdit one = togglePin(session_, tensorName(tensor));
    session_.apply(one.name, one.edit);
  });
}

QString CanvasView::tensorName(core::TensorId tensor) const {
  return QString::fromStdString((*session_.document().plan().graph)[tensor].name);
}

void CanvasView::chooseAxis(const QString& tensor, const QString& dimension) {
  SceneRef ref = refOf(*session_.scene(), Kind::tensor, tensor);
  QPoint at = canvas_->mapToGlobal(canvas_->rectOf(ref).bottomLeft().toPoint());
  openAxisChooser(session_, tensor, dimension, at, this);
}

void CanvasView::showScene() {
  canvas_->setScene(session_.scene());
  showPlace();
  showSelection();
  if (searchBar_->isVisible()) search(searchText_->text());
}

void CanvasView::showPlace() {
  if (!session_.isOpen() || !session_.fold()) return place_->clear();
  QStringList parts;
  for (core::GroupId at = canvas_->entered(); at.valid(); at = (*session_.fold())[at].parent) {
    const core::Group& group = (*session_.fold())[at];
    QString name = group.parent.valid() ? QString::fromStdString(group.name) : session_.document().name();
    parts.prepend(at == canvas_->entered()
                      ? QStringLiteral("<b>%1</b>").arg(name.toHtmlEscaped())
                      : QStringLiteral("<a href='%1'>%2</a>").arg(at.value).arg(name.toHtmlEscaped()));
  }
  if (parts.isEmpty()) parts << QStringLiteral("<b>%1</b>").arg(session_.document().name().toHtmlEscaped());
  place_->setText(parts.join(QStringLiteral(" › ")));
}

void CanvasView::showSelection() {
  const std::shared_ptr<const Scene>& scene = session_.scene();
  if (!scene) return;
  remember();
  const Selection& selection = session_.selection();
  bool marks = selection.kind == Kind::dimension;
  if (!searchBar_->isVisible())
    canvas_->setSearchMarks(marks ? carriers(*scene, selection.names) : std::vector<SceneRef>{});
  std::vector<SceneRef> refs;
  for (const QString& name : selection.names)
    if (SceneRef ref = refOf(*scene, selection.kind, name); ref.valid()) refs.push_back(ref);
  canvas_->setSelection(refs);
  if (!ours_ && !refs.empty()) canvas_->reveal(refs.front());
}

void CanvasView::takeSelection(const std::vector<SceneRef>& refs) {
  const std::shared_ptr<const Scene>& scene = session_.scene();
  if (!scene) return;
  Selection selection;
  for (const SceneRef& ref : refs) {
    Selection one = selectionOfNode(*scene, ref);
    if (selection.kind == Kind::none) selection.kind = one.kind;
    if (one.kind == selection.kind) selection.names += one.names;
  }
  QScopedValueRollback guard(ours_, true);
  session_.select(selection);
}

void CanvasView::remember() {
  if (traveling_ || session_.selection().empty()) return;
  if (placeAt_ >= 0 && places_[static_cast<std::size_t>(placeAt_)] == session_.selection()) return;
  places_.resize(static_cast<std::size_t>(placeAt_ + 1));
  places_.push_back(session_.selection());
  if (places_.size() > mostPlaces) places_.erase(places_.begin());
  placeAt_ = static_cast<int>(places_.size()) - 1;
}

void CanvasView::travel(int direction) {
  int next = placeAt_ + direction;
  if (next < 0 || next >= static_cast<int>(places_.size())) return;
  placeAt_ = next;
  QScopedValueRollback guard(traveling_, true);
  session_.select(places_[static_cast<std::size_t>(next)]);
}

void CanvasView::openSearch() {
  searchBar_->show();
  searchText_->setFocus();
  searchText_->selectAll();
}

void CanvasView::search(const QString& text) {
  found_.clear();
  foundAt_ = -1;
  const std::shared_ptr<const Scene>& scene = session_.scene();
  if (scene && !text.isEmpty()) {
    for (const SceneNode& node : scene->nodes)
      if (node.parent >= 0 &&
          (node.path.contains(text, Qt::CaseInsensitive) || node.subtitle.contains(text, Qt::CaseInsensitive)))
        found_.push_back(node.ref());
    for (std::size_t i = 0; i < scene->tensors.size(); ++i)
      if (scene->tensors[i].name.contains(text, Qt::CaseInsensitive))
        found_.push_back({SceneRef::Kind::tensor, static_cast<int>(i)});
  }
  canvas_->setSearchMarks(found_);
  searchCount_->setText(text.isEmpty()   ? QString()
                        : found_.empty() ? tr("nothing found")
                                         : tr("%1 found").arg(found_.size()));
}

void CanvasView::stepSearch(int direction) {
  if (found_.empty()) return;
  int count = static_cast<int>(found_.size());
  foundAt_ = foundAt_ < 0 ? (direction > 0 ? 0 : count - 1) : (foundAt_ + direction + count) % count;
  searchCount_->setText(tr("%1 of %2").arg(foundAt_ + 1).arg(count));
  session_.select(selectionOfNode(*session_.scene(), found_[static_cast<std::size_t>(foundAt_)]));
  canvas_->reveal(found_[static_cast<std::size_t>(foundAt_)]);
}

void CanvasView::setOverlay(Overlay overlay) {
  canvas_->setOverlay(overlay);
  overlay_->setCurrentIndex(overlay_->findData(static_cast<int>(overlay)));
}

// Operators go from last to first, so that readers go before what they read.
void CanvasView::deleteSelected() {
  if (session_.selection().kind != Kind::op) return;
  std::vector<std::string> names;
  for (const core::Operator& op : session_.document().plan().graph->operators)
    if (session_.selection().names.contains(QString::fromStdString(op.name))) names.insert(names.begin(), op.name);
  session_.apply(names.size() == 1 ? tr("Delete %1").arg(session_.selection().first())
                                   : tr("Delete %1 operators").arg(names.size()),
                 [names](core::Plan plan) {
                   for (const std::string& name : names) plan = core::deleteOperator(std::move(plan), name);
                   return plan;
                 });
}

void CanvasView::openMenu(const SceneRef& ref, const QPoint& at) {
  QMenu menu(this);
  menu.setObjectName("canvasMenu");
  menu.setAccessibleName(tr("Graph"));
  for (QAction* action : actions()) menu.addAction(action);
  if (ref.kind == SceneRef::Kind::tensor) {
    QString name = selectionOfNode(*session_.scene(), ref).first();
    menu.addSeparator();
    menu.addAction(tr("Pin or unpin"), this, [this, name] {
      NamedEdit one = togglePin(session_, name);
      session_.apply(one.name, one.edit);
    });
  }
  menu.exec(at);
}

}  // namespace ui
