#include "ui/main_window/file_flow.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QUrl>

#include "core/io/layout_file.h"
#include "core/io/plan_file.h"
#include "core/plan/edit/layout.h"
#include "core/plan/edit/mesh.h"
#include "core/run/run_folder.h"
#include "ui/main_window/import_sheet.h"
#include "ui/main_window/new_model_dialog.h"
#include "ui/session/session.h"

namespace ui {
namespace {

constexpr const char* planSuffix = ".plan.json";
constexpr const char* layoutSuffix = ".layout.json";

QString filters() {
  return FileFlow::tr(
      "All that can be opened (*.plan.json *.onnx *.hlo *.hlo.txt *.hlo.txt.gz *.mlir *config.json);;Plans (*.plan.json);;"
      "ONNX models (*.onnx);;HLO and StableHLO text (*.hlo *.hlo.txt *.hlo.txt.gz *.mlir);;"
      "Hugging Face config (*config.json);;All files (*)");
}

QMessageBox* question(QWidget* window, const QString& text, const QString& detail) {
  auto* box = new QMessageBox(QMessageBox::Question, QStringLiteral("Meshwright"), text, QMessageBox::NoButton, window);
  box->setObjectName("question");
  box->setAccessibleName(text);
  box->setInformativeText(detail);
  box->setAttribute(Qt::WA_DeleteOnClose);
  return box;
}

}  // namespace

QString samplePath() {
  QString here = QCoreApplication::applicationDirPath();
  for (const QString& folder :
       {QStringLiteral(MESHWRIGHT_SAMPLES), here + "/../share/meshwright/samples", here + "/samples"}) {
    QString path = folder + "/plans/transformer.plan.json";
    if (QFileInfo::exists(path)) return QFileInfo(path).absoluteFilePath();
  }
  return {};
}

FileFlow::FileFlow(Session& session, const QString& recoveryFolder, QWidget* window)
    : QObject(window),
      session_(session),
      window_(window),
      recoveryFolder_(recoveryFolder),
      recovery_(session.document(), recoveryFolder) {}

void FileFlow::open() {
  QString path = QFileDialog::getOpenFileName(window_, tr("Open"), session_.document().folder(), filters());
  if (!path.isEmpty()) openPath(path);
}

bool FileFlow::openPath(const QString& path) {
  if (core::isRunFolder(path.toStdString())) {
    session_.openRun(path);
    return true;
  }
  if (path.endsWith(QLatin1String(layoutSuffix))) return takeLayout(path);
  if (!mayLose()) return false;
  try {
    if (!path.endsWith(QLatin1String(planSuffix))) return importPath(path);
    session_.document().open(path);
    recent_.add(path);
    session_.say(tr("Opened %1").arg(path));
    reconnect();
    return true;
  } catch (const core::Error& error) {
    session_.report(error);
    return false;
  }
}

// A run of this plan that goes on is watched again.
void FileFlow::reconnect() {
  const std::vector<std::string>& runs = session_.document().plan().runs;
  if (runs.empty() || session_.run().live() || !core::isRunFolder(runs.back())) return;
  core::RunInfo info = core::readRunInfo(core::openRunFolder(runs.back()));
  bool goesOn = info.state == core::RunState::running && !core::isOrphaned(info, core::secondsNow());
  if (goesOn) session_.openRun(QString::fromStdString(runs.back()));
}

// A layout becomes the current variant's, with its mesh if it names one.
bool FileFlow::takeLayout(const QString& path) {
  try {
    if (!session_.isOpen())
      throw core::Error{.what = "a layout needs a model to lie on",
                        .where = path.toStdString(),
                        .right = "open the model or plan first"};
    core::LayoutFile file = core::readLayoutFile(path.toStdString());
    return session_.apply(tr("Layout of %1").arg(QFileInfo(path).fileName()), [file](core::Plan plan) {
      if (file.mesh) plan = core::setMesh(std::move(plan), *file.mesh);
      return core::setLayout(std::move(plan), file.layout);
    });
  } catch (const core::Error& error) {
    session_.report(error);
    return false;
  }
}

bool FileFlow::importPath(const QString& path) {
  std::optional<core::Plan> plan = importWithSheet(path, window_);
  if (!plan) return false;
  session_.document().show(std::move(*plan));
  recent_.add(path);
  session_.say(tr("Imported %1").arg(path));
  return true;
}

// The sample opens as something new: a person may change it without harm.
bool FileFlow::openSample() {
  if (!mayLose()) return false;
  try {
    QString path = samplePath();
    if (path.isEmpty())
      throw core::Error{.what = "the sample is not installed",
                        .where = "plans/transformer.plan.json",
                        .right = "a folder of samples beside the program"};
    session_.document().show(core::readPlan(path.toStdString()));
    session_.say(tr("Opened the sample: a small Transformer on a 2×2 mesh"));
    return true;
  } catch (const core::Error& error) {
    session_.report(error);
    return false;
  }
}

void FileFlow::newModel() {
  if (!mayLose()) return;
  NewModelDialog dialog(window_);
  if (dialog.exec() != QDialog::Accepted) return;
  try {
    session_.document().show(dialog.plan());
    session_.say(tr("New model"));
  } catch (const core::Error& error) {
    session_.report(error);
  }
}

bool FileFlow::writeTo(const QString& path) {
  try {
    session_.document().saveAs(path);
    recent_.add(path);
    session_.say(tr("Saved %1").arg(path));
    return true;
  } catch (const core::Error& error) {
    session_.report(error);
    return false;
  }
}

bool FileFlow::save() {
  if (!session_.isOpen()) return true;
  return session_.document().path().isEmpty() ? saveAs() : writeTo(session_.document().path());
}

bool FileFlow::saveAs() {
  if (!session_.isOpen()) return true;
  QString name = session_.document().name();
  if (!name.endsWith(QLatin1String(planSuffix))) name += QLatin1String(planSuffix);
  QString path = QFileDialog::getSaveFileName(window_, tr("Save as"), session_.document().folder() + "/" + name,
                                              tr("Plans (*.plan.json)"));
  if (path.isEmpty()) return false;
  if (!path.endsWith(QLatin1String(planSuffix))) path += QLatin1String(planSuffix);
  return writeTo(path);
}

bool FileFlow::mayLose() {
  if (!session_.document().isDirty()) return true;
  // A model that was only looked at is no loss.
  if (session_.document().path().isEmpty() && session_.document().position() == 0) return true;
  QMessageBox* box = question(window_, tr("Save the changes to %1?").arg(session_.document().name()),
                              tr("%n step(s) since it was saved.", nullptr, session_.document().stepsSinceSave()));
  QPushButton* keep = box->addButton(tr("Save"), QMessageBox::AcceptRole);
  QPushButton* lose = box->addButton(tr("Discard"), QMessageBox::DestructiveRole);
  box->addButton(tr("Cancel"), QMessageBox::RejectRole);
  box->setDefaultButton(keep);
  box->setAttribute(Qt::WA_DeleteOnClose, false);
  box->exec();
  bool wantsSave = box->clickedButton() == keep, wantsLoss = box->clickedButton() == lose;
  box->deleteLater();
  return wantsSave ? save() : wantsLoss;
}

bool FileFlow::close() {
  if (!mayLose()) return false;
  session_.document().close();
  return true;
}

// Not modal: the window is there, and the newest that was lost is offered in it. Keeping it is the default.
void FileFlow::offerRecovery() {
  std::vector<Recoverable> found = Recovery::find(recoveryFolder_);
  if (found.empty()) return;
  Recoverable one = found.front();
  QMessageBox* box = question(window_, tr("Recover %1?").arg(one.name),
                              tr("%n step(s) after the last save, %1.", nullptr, one.steps)
                                  .arg(QLocale().toString(one.time, QLocale::ShortFormat)));
  QPushButton* recover = box->addButton(tr("Recover"), QMessageBox::AcceptRole);
  QPushButton* discard = box->addButton(tr("Discard"), QMessageBox::DestructiveRole);
  box->addButton(tr("Later"), QMessageBox::RejectRole);
  box->setDefaultButton(recover);
  connect(recover, &QPushButton::clicked, this, [this, one] {
    try {
      session_.document().show(Recovery::read(one, session_.document().format()));
      session_.say(one.path.isEmpty() ? tr("Recovered %1: not saved yet").arg(one.name)
                                      : tr("Recovered; the saved file %1 is as it was").arg(one.path));
      recovery_.flush();
      Recovery::discard(one);
    } catch (const core::Error& error) {
      session_.report(error);
    }
  });
  connect(discard, &QPushButton::clicked, this, [one] { Recovery::discard(one); });
  box->open();
}

QStringList FileFlow::droppedFiles(const QMimeData* data) {
  QStringList files;
  for (const QUrl& url : data->urls())
    if (url.isLocalFile()) files << url.toLocalFile();
  return files;
}

}  // namespace ui
