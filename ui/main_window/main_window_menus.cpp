#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>

#include "core/plan/edit/graph.h"
#include "core/plan/edit/layout.h"
#include "core/plan/edit/mesh.h"
#include "core/plan/edit/presets.h"
#include "core/plan/edit/variants.h"
#include "ui/main_window/canvas_view.h"
#include "ui/main_window/command_palette.h"
#include "ui/main_window/exporter.h"
#include "ui/main_window/file_flow.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/shortcut_overlay.h"
#include "ui/main_window/workspaces.h"
#include "ui/panels/panels.h"
#include "ui/theme/theme.h"
#include "ui/widgets/number_text.h"

// What the menus hold and what their actions do.

namespace ui {
namespace {

using Kind = Selection::Kind;

QString kindText(Kind kind) {
  switch (kind) {
    case Kind::scope:
      return MainWindow::tr("group");
    case Kind::op:
      return MainWindow::tr("operator");
    case Kind::tensor:
      return MainWindow::tr("tensor");
    case Kind::dimension:
      return MainWindow::tr("dimension");
    case Kind::axis:
      return MainWindow::tr("axis");
    case Kind::instruction:
      return MainWindow::tr("instruction");
    case Kind::none:
      break;
  }
  return {};
}

Edit renameEdit(Kind kind, const std::string& from, const std::string& to) {
  switch (kind) {
    case Kind::op:
      return [from, to](core::Plan plan) { return core::renameOperator(std::move(plan), from, to); };
    case Kind::tensor:
      return [from, to](core::Plan plan) { return core::renameTensor(std::move(plan), from, to); };
    case Kind::dimension:
      return [from, to](core::Plan plan) { return core::renameDimension(std::move(plan), from, to); };
    case Kind::axis:
      return [from, to](core::Plan plan) { return core::renameAxis(std::move(plan), from, to); };
    default:
      return {};
  }
}

}  // namespace

void MainWindow::buildMenus() {
  menuBar()->setObjectName("menuBar");
  menuBar()->setAccessibleName(tr("Menu bar"));
  QHash<QString, QMenu*> menus;
  auto menu = [&](const QString& path) {
    if (QMenu* known = menus.value(path)) return known;
    QString parent = path.section('/', 0, -2), title = path.section('/', -1);
    QMenu* made = parent.isEmpty()
                      ? menuBar()->addMenu("&" + QCoreApplication::translate("Actions", qPrintable(title)))
                      : menus.value(parent)->addMenu(QCoreApplication::translate("Actions", qPrintable(title)));
    made->setObjectName("menu:" + path);
    made->setAccessibleName(title);
    return menus[path] = made;
  };
  for (const ActionInfo& info : actionTable()) {
    QMenu* target = menu(QString::fromLatin1(info.menu));
    if (*info.text == 0)
      target->addSeparator();
    else
      target->addAction(actions_[info.id]);
  }
  auto* recent = new QMenu(tr("Open &recent"), this);
  recent->setObjectName("menu:recent");
  recent->setAccessibleName(tr("Open recent"));
  menus["File"]->insertMenu(actions_["file.sample"], recent);
  connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(recent); });
  auto* shown = new QMenu(tr("&Panels"), this);
  shown->setObjectName("menu:panels");
  shown->setAccessibleName(tr("Panels"));
  for (const PanelInfo& info : panels()) {
    QAction* toggle = workspaces_->dock(info.id)->toggleViewAction();
    toggle->setProperty("menu", QStringLiteral("View"));
    shown->addAction(toggle);
    actions_.addDynamic(toggle);
  }
  menus["View"]->insertMenu(actions_["view.reset"], shown);
}

void MainWindow::fillRecent(QMenu* menu) {
  menu->clear();
  for (const RecentFile& file : files_->recent().files()) {
    QAction* action =
        menu->addAction((file.pinned ? QStringLiteral("★ ") : QString()) + QFileInfo(file.path).fileName());
    action->setToolTip(file.path);
    action->setEnabled(QFileInfo::exists(file.path));
    connect(action, &QAction::triggered, this, [this, path = file.path] { files_->openPath(path); });
  }
  if (menu->isEmpty())
    menu->addAction(tr("Nothing yet"))->setEnabled(false);
  else if (session_.isOpen() && !session_.document().path().isEmpty()) {
    menu->addSeparator();
    QString path = session_.document().path();
    bool pinned = false;
    for (const RecentFile& file : files_->recent().files()) pinned = pinned || (file.path == path && file.pinned);
    menu->addAction(pinned ? tr("Unpin this file") : tr("Pin this file"), this,
                    [this, path, pinned] { files_->recent().setPinned(path, !pinned); });
  }
}

void MainWindow::bindFiles() {
  actions_.on("file.open", this, [this] { files_->open(); });
  actions_.on("file.sample", this, [this] { files_->openSample(); });
  actions_.on("file.new", this, [this] { files_->newModel(); });
  actions_.on("file.save", this, [this] { files_->save(); });
  actions_.on("file.saveAs", this, [this] { files_->saveAs(); });
  actions_.on("file.close", this, [this] { files_->close(); });
  actions_.on("file.quit", this, [this] { close(); });
  actions_.on("file.exportLayout", this, [this] { exporter_->askLayout(); });
  actions_.on("file.copyLayout", this, [this] { exporter_->copyLayout(); });
  actions_.on("file.exportAs", this, [this] { exporter_->ask(); });
  actions_.on("file.exportPicture", this, [this] { exportPicture(); });
}

void MainWindow::bindEdit() {
  actions_.on("edit.undo", this, [this] { session_.document().undo(); });
  actions_.on("edit.redo", this, [this] { session_.document().redo(); });
  actions_.on("edit.rename", this, [this] { renameSelected(); });
  actions_.on("edit.palette", this, [this] { openPalette(); });
  actions_.on("edit.goTo", this, [this] { openGoTo(); });
  actions_.on("graph.bind", this, [this] { bindSelected(); });
  actions_.on("help.shortcuts", this, [this] { new ShortcutOverlay(actions_, this); });
  actions_.on("help.about", this, [this] {
    QMessageBox::about(this, tr("About Meshwright"),
                       tr("<b>Meshwright %1</b><br>Designs how a tensor program is laid out on a mesh of processors, "
                          "says what that costs each device, runs it, and watches.")
                           .arg(QApplication::applicationVersion()));
  });
}

void MainWindow::bindView() {
  actions_.on("view.design", this, [this] { workspaces_->show('d'); });
  actions_.on("view.compare", this, [this] { workspaces_->show('c'); });
  actions_.on("view.run", this, [this] { workspaces_->show('r'); });
  actions_.on("view.reset", this, [this] { workspaces_->reset(); });
  actions_.on("view.float", this, [this] { workspaces_->toggleFloating(); });
  actions_.on("view.nextPane", this, [this] { workspaces_->focusNext(1); });
  actions_.on("view.previousPane", this, [this] { workspaces_->focusNext(-1); });
  const std::pair<const char*, Overlay> overlays[] = {{"view.overlayNone", Overlay::none},
                                                      {"view.overlayMemory", Overlay::memory},
                                                      {"view.overlayCompute", Overlay::compute},
                                                      {"view.overlayCommunication", Overlay::communication},
                                                      {"view.overlaySource", Overlay::layoutSource}};
  auto* overlayGroup = new QActionGroup(this);
  for (const auto& [id, overlay] : overlays) {
    overlayGroup->addAction(actions_[id]);
    actions_.on(id, this, [this, overlay = overlay] { view_->setOverlay(overlay); });
  }
  actions_["view.overlayNone"]->setChecked(true);
  const std::pair<const char*, Appearance> themes[] = {{"view.themeSystem", Appearance::followSystem},
                                                       {"view.themeLight", Appearance::light},
                                                       {"view.themeDark", Appearance::dark},
                                                       {"view.themeContrast", Appearance::highContrast}};
  auto* themeGroup = new QActionGroup(this);
  for (const auto& [id, wanted] : themes) {
    themeGroup->addAction(actions_[id]);
    actions_[id]->setChecked(appearance() == wanted);
    actions_.on(id, this, [wanted = wanted] {
      applyAppearance(*qApp, wanted);
      QSettings().setValue("appearance", static_cast<int>(wanted));
    });
  }
  connect(actions_["view.wheelZooms"], &QAction::toggled, this, [this](bool zooms) {
    view_->canvas().setPlainWheelZooms(zooms);
    QSettings().setValue("wheelZooms", zooms);
  });
  actions_["view.wheelZooms"]->setChecked(QSettings().value("wheelZooms", false).toBool());
}

void MainWindow::bindLayout() {
  actions_.on("layout.dataParallel", this, [this] { session_.apply(tr("Data-parallel layout"), core::dataParallel); });
  actions_.on("layout.megatron", this, [this] { session_.apply(tr("Megatron layout"), core::megatron); });
  actions_.on("layout.clear", this, [this] {
    session_.apply(tr("Clear layout"), [](core::Plan plan) { return core::setLayout(std::move(plan), {}); });
  });
  actions_.on("layout.duplicate", this, [this] {
    session_.apply(tr("Duplicate variant"), [](core::Plan plan) {
      std::size_t current = plan.current;
      return core::duplicateVariant(std::move(plan), current);
    });
  });
  actions_.on("layout.removeVariant", this, [this] {
    session_.apply(tr("Remove variant"), [](core::Plan plan) {
      std::size_t current = plan.current;
      return core::removeVariant(std::move(plan), current);
    });
  });
  actions_.on("layout.nextVariant", this, [this] {
    session_.apply(tr("Go to the next variant"), [](core::Plan plan) {
      std::size_t next = (plan.current + 1) % plan.variants.size();
      return core::selectVariant(std::move(plan), next);
    });
  });
  actions_.on("layout.renameVariant", this, [this] {
    bool sure = false;
    QString old = QString::fromStdString(session_.document().plan().variant().name);
    QString name = QInputDialog::getText(this, tr("Rename variant"), tr("Name"), QLineEdit::Normal, old, &sure);
    if (sure)
      session_.apply(tr("Rename variant %1").arg(old), [name = name.toStdString()](core::Plan plan) {
        std::size_t current = plan.current;
        return core::renameVariant(std::move(plan), current, name);
      });
  });
}

void MainWindow::bindRun() {
  actions_.on("run.start", this, [this] {
    workspaces_->show('r');
    if (auto* start = findChild<QWidget*>("runStart")) QMetaObject::invokeMethod(start, "click");
  });
  actions_.on("run.stop", this, [this] { session_.run().requestStop(); });
  actions_.on("run.open", this, [this] {
    QString folder = QFileDialog::getExistingDirectory(this, tr("Folder of a run"), session_.document().folder());
    if (!folder.isEmpty()) session_.openRun(folder);
  });
  actions_.on("run.close", this, [this] { session_.run().close(); });
}

void MainWindow::openPalette() {
  std::vector<PaletteItem> items;
  for (QAction* action : actions_.all())
    if (action->isEnabled())
      items.push_back({actionTitle(action), actionMenu(action), actionKeys(action), [action] { action->trigger(); }});
  palette_->open(tr("Command"), std::move(items));
}

void MainWindow::openGoTo() {
  std::vector<PaletteItem> items;
  auto add = [&](Kind kind, const std::string& name) {
    QString text = QString::fromStdString(name);
    items.push_back({text, kindText(kind), {}, [this, kind, text] { session_.select({kind, {text}}); }});
  };
  if (session_.isOpen()) {
    const core::Plan& plan = session_.document().plan();
    for (const core::Dim& dim : plan.graph->dims) add(Kind::dimension, dim.name);
    for (const core::MeshAxis& axis : plan.variant().mesh.axes) add(Kind::axis, axis.name);
    for (const core::Operator& op : plan.graph->operators) add(Kind::op, op.name);
    for (const core::Tensor& tensor : plan.graph->tensors) add(Kind::tensor, tensor.name);
  }
  for (const PanelInfo& info : panels())
    items.push_back(
        {panelTitle(info), tr("panel"), {}, [this, id = QString::fromLatin1(info.id)] { workspaces_->raise(id); }});
  for (QAction* action : actions_.all())
    if (action->isEnabled())
      items.push_back({actionTitle(action), actionMenu(action), actionKeys(action), [action] { action->trigger(); }});
  palette_->open(tr("Operator, tensor, dimension, panel or command"), std::move(items));
}

void MainWindow::renameSelected() {
  const Selection selection = session_.selection();
  if (selection.empty()) return;
  bool sure = false;
  QString to = QInputDialog::getText(this, tr("Rename %1").arg(kindText(selection.kind)), tr("Name"), QLineEdit::Normal,
                                     selection.first(), &sure)
                   .trimmed();
  Edit edit = renameEdit(selection.kind, selection.first().toStdString(), to.toStdString());
  if (!sure || !edit) return;
  if (session_.apply(tr("Rename %1 to %2").arg(selection.first(), to), edit)) session_.select({selection.kind, {to}});
}

// Offered first: the selected dimension, else one that has no size yet.
void MainWindow::bindSelected() {
  const std::vector<core::Dim>& dims = session_.document().plan().graph->dims;
  QStringList names;
  int offered = 0;
  for (const core::Dim& dim : dims) {
    names << QString::fromStdString(dim.name);
    bool selected = session_.selection().holds(Kind::dimension, names.back());
    bool unbound = dim.size == 0 && dims[static_cast<std::size_t>(offered)].size != 0;
    if (selected || (unbound && session_.selection().kind != Kind::dimension))
      offered = static_cast<int>(names.size()) - 1;
  }
  bool sure = false;
  QString title = tr("Size of a dimension");
  QString name = QInputDialog::getItem(this, title, tr("Dimension"), names, offered, false, &sure);
  if (!sure) return;
  std::int64_t now = dims[static_cast<std::size_t>(names.indexOf(name))].size;
  int size =
      QInputDialog::getInt(this, title, tr("Size of %1").arg(name), now > 0 ? int(now) : 8, 1, 1 << 30, 1, &sure);
  if (!sure) return;
  session_.apply(tr("Size of %1: %2").arg(name).arg(size), [name = name.toStdString(), size](core::Plan plan) {
    return core::bindDimension(std::move(plan), name, size);
  });
}

void MainWindow::exportPicture() {
  QString path = QFileDialog::getSaveFileName(this, tr("Picture of the graph"),
                                              session_.document().folder() + "/graph.png", tr("Pictures (*.png)"));
  if (path.isEmpty()) return;
  if (view_->canvas().grab().save(path))
    session_.say(tr("Wrote %1").arg(path));
  else
    session_.report({.what = "the picture could not be written",
                     .where = path.toStdString(),
                     .right = "a folder that can be written to"});
}

}  // namespace ui
