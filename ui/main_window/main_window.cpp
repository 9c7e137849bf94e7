#include "ui/main_window/main_window.h"

#include <QAction>
#include <QCloseEvent>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>

#include "ui/main_window/canvas_view.h"
#include "ui/main_window/command_palette.h"
#include "ui/main_window/exporter.h"
#include "ui/main_window/file_flow.h"
#include "ui/main_window/start_page.h"
#include "ui/main_window/status_line.h"
#include "ui/main_window/tool_bar.h"
#include "ui/main_window/workspaces.h"
#include "ui/panels/parts/effect_box.h"
#include "ui/theme/icon.h"

namespace ui {

MainWindow::MainWindow(WindowOptions options, QWidget* parent)
    : MainWindow([](Snapshot plan, std::size_t variant) { return core::flattened(core::analyze(std::move(plan), variant)); },
                 std::move(options), parent) {}

MainWindow::MainWindow(Analyze analyze, WindowOptions options, QWidget* parent)
    : QMainWindow(parent), options_(std::move(options)), session_(std::move(analyze), planJson()), actions_(this) {
  if (options_.recoveryFolder.isEmpty()) options_.recoveryFolder = Recovery::defaultFolder();
  build();
}

MainWindow::~MainWindow() = default;

void MainWindow::build() {
  setObjectName("mainWindow");
  setAccessibleName(QStringLiteral("Meshwright"));
  setWindowIcon(icon("meshwright"));
  setAcceptDrops(true);
  resize(1440, 900);
  setMinimumSize(900, 600);
  files_ = new FileFlow(session_, options_.recoveryFolder, this);
  exporter_ = new Exporter(session_, this);
  view_ = new CanvasView(session_, actions_);
  start_ = new StartPage(actions_, files_->recent());
  start_->setMinimumSize(1, 1);  // else what it lists keeps the docks small when it is not even shown
  middle_ = new QStackedWidget;
  middle_->setObjectName("middle");
  middle_->setAccessibleName(tr("Graph"));
  middle_->addWidget(start_);
  middle_->addWidget(view_);
  setCentralWidget(middle_);
  auto* bar = new ToolBar(session_, actions_, this);
  addToolBar(bar);
  setStatusBar(new StatusLine(session_, view_->canvas(), this));
  workspaces_ = new Workspaces(session_, *this, options_.keepArrangement);
  palette_ = new CommandPalette(this);
  effect_ = new EffectBox(session_, this);
  buildMenus();
  bindFiles();
  bindEdit();
  bindView();
  bindLayout();
  bindRun();

  connect(bar, &ToolBar::meshRequested, this, [this] { workspaces_->raise("mesh"); });
  connect(&session_, &Session::panelWanted, workspaces_, &Workspaces::raise);
  connect(start_, &StartPage::fileChosen, this, [this](const QString& path) { files_->openPath(path); });
  for (auto signal : {&Document::opened, &Document::changed, &Document::saved}) {
    connect(&session_.document(), signal, this, &MainWindow::refreshActions);
    connect(&session_.document(), signal, this, &MainWindow::refreshTitle);
  }
  connect(&session_.run(), &RunWatch::stateChanged, this, &MainWindow::refreshActions);
  connect(&session_.run(), &RunWatch::opened, this, [this] {
    if (session_.run().isOpen()) workspaces_->show('r');
  });
  connect(&session_, &Session::selectionChanged, this, &MainWindow::refreshActions);
  if (options_.keepArrangement) restoreGeometry(QSettings().value("window/geometry").toByteArray());
  refreshActions();
  refreshTitle();
}

void MainWindow::refreshTitle() {
  bool open = session_.isOpen();
  workspaces_->setEmpty(!open && !session_.run().isOpen());
  middle_->setCurrentWidget(open ? static_cast<QWidget*>(view_) : start_);
  setWindowTitle(open ? QStringLiteral("%1[*] — Meshwright").arg(session_.document().name())
                      : QStringLiteral("Meshwright"));
  setWindowModified(session_.document().isDirty());
}

void MainWindow::refreshActions() {
  const Document& document = session_.document();
  bool open = document.isOpen();
  actions_.setEnabled(
      {"file.save", "file.saveAs", "file.close", "file.exportLayout", "file.copyLayout", "file.exportPicture",
       "edit.find", "edit.findNext", "edit.findPrevious", "edit.unselect", "layout.dataParallel", "layout.megatron",
       "layout.clear", "layout.duplicate", "layout.renameVariant", "graph.unfoldAll", "graph.foldAll", "graph.bind"},
      open);
  actions_["edit.undo"]->setEnabled(document.canUndo());
  actions_["edit.redo"]->setEnabled(document.canRedo());
  actions_["edit.undo"]->setText(document.canUndo() ? tr("&Undo %1").arg(document.undoName()) : tr("&Undo"));
  actions_["edit.redo"]->setText(document.canRedo() ? tr("&Redo %1").arg(document.redoName()) : tr("&Redo"));
  bool several = open && document.plan().variants.size() > 1;
  actions_.setEnabled({"layout.removeVariant", "layout.nextVariant"}, several);
  Selection::Kind kind = session_.selection().kind;
  actions_["edit.delete"]->setEnabled(open && kind == Selection::Kind::op);
  actions_["edit.rename"]->setEnabled(open && session_.selection().names.size() == 1 &&
                                      kind != Selection::Kind::scope && kind != Selection::Kind::instruction);
  actions_["file.exportAs"]->setEnabled(!exporter_->offered().empty());
  actions_["run.start"]->setEnabled(open && !session_.run().live());
  actions_["run.stop"]->setEnabled(session_.run().live());
  actions_["run.close"]->setEnabled(session_.run().isOpen());
}

void MainWindow::settle(int milliseconds) {
  session_.waitForAnalysis();
  session_.shortage().wait();
  QElapsedTimer clock;
  clock.start();
  const RunWatch& run = session_.run();
  const auto reading = [&] { return run.ranks() > 0 && !run.live() && !run.comparison(); };
  while ((view_->canvas().layingOut() || reading()) && clock.elapsed() < milliseconds)
    QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
  session_.run().settle(milliseconds);
  view_->canvas().fitAll();
  for (int i = 0; i < 5; ++i) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!files_->mayLose()) return event->ignore();
  if (session_.run().live()) {
    QMessageBox box(QMessageBox::Question, QStringLiteral("Meshwright"), tr("A run goes on."), QMessageBox::NoButton,
                    this);
    box.setObjectName("question");
    box.setAccessibleName(tr("A run goes on."));
    box.setInformativeText(tr("It goes on without this window, and can be opened again from its folder."));
    QPushButton* leave = box.addButton(tr("Leave it running"), QMessageBox::AcceptRole);
    QPushButton* stop = box.addButton(tr("Stop it"), QMessageBox::DestructiveRole);
    QPushButton* stay = box.addButton(tr("Cancel"), QMessageBox::RejectRole);
    box.setDefaultButton(leave);
    box.exec();
    if (box.clickedButton() == stay || box.clickedButton() == nullptr) return event->ignore();
    if (box.clickedButton() == stop) session_.run().requestStop();
  }
  if (options_.keepArrangement) {
    workspaces_->keep();
    QSettings().setValue("window/geometry", saveGeometry());
    QSettings().setValue("run/last",
                         QString::fromStdString(session_.run().live() ? session_.run().folder().path : std::string()));
  }
  event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!FileFlow::droppedFiles(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  QStringList files = FileFlow::droppedFiles(event->mimeData());
  if (files.isEmpty()) return;
  event->acceptProposedAction();
  // After the drop has returned to where it came from: an import may ask.
  QMetaObject::invokeMethod(
      this, [this, path = files.first()] { files_->openPath(path); }, Qt::QueuedConnection);
}

void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && files_) refreshActions();
}

}  // namespace ui
