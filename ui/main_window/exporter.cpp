#include "ui/main_window/exporter.h"

#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QFutureWatcher>
#include <QGuiApplication>
#include <QProcess>
#include <QTimer>
#include <QtConcurrentRun>

#include "core/io/exports.h"
#include "core/io/file.h"
#include "core/io/layout_file.h"
#include "ui/graph_layout/layout_service.h"
#include "ui/session/session.h"
#include "ui/widgets/number_text.h"

namespace ui {

struct Exporter::Job {
  const core::Export* form = nullptr;
  QString path;
  std::string title, run;
  Snapshot plan;
  Analyze analyze;
  AnalysisRef analysis;  // none: it is made first
  std::string text;
  std::size_t attempt = 0;  // at a picture
  QStringList notes;
  std::optional<core::Error> error;
};

namespace {

QString text(std::string_view words) {
  return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
}

QString firstLine(const QByteArray& message) {
  return QString::fromUtf8(message.trimmed().left(400)).section('\n', 0, 0);
}

bool isLastAttempt(std::size_t attempt) {
  return attempt + 1 >= core::pictureAttempts().size();
}

}  // namespace

Exporter::Exporter(Session& session, QWidget* window)
    : QObject(window),
      session_(session),
      window_(window),
      layoutProgram_(LayoutService::programBesideUs()),
      deadline_(core::pictureSeconds * 1000) {
  pool_.setMaxThreadCount(1);
}

Exporter::~Exporter() {
  endChild();
  pool_.waitForDone();
}

void Exporter::askLayout() {
  if (!session_.isOpen()) return;
  QString path =
      QFileDialog::getSaveFileName(window_, tr("Layout as JSON"), session_.document().folder() + "/layout.layout.json",
                                   tr("Layouts (*.layout.json)"));
  if (!path.isEmpty()) write("layout-json", path);
}

std::vector<const core::Export*> Exporter::offered() const {
  std::vector<const core::Export*> forms;
  for (const core::Export& one : core::exports())
    if (one.wants == core::ExportWants::run ? session_.run().isOpen() : session_.isOpen()) forms.push_back(&one);
  return forms;
}

void Exporter::ask() {
  std::vector<const core::Export*> forms = offered();
  if (forms.empty()) return;
  QStringList filters;
  for (const core::Export* one : forms) filters << QStringLiteral("%1 (*.%2)").arg(text(one->title), text(one->suffix));
  QString chosen;
  QString path = QFileDialog::getSaveFileName(window_, tr("Export as"),
                                              session_.document().folder() + "/" + session_.document().name(),
                                              filters.join(";;"), &chosen);
  qsizetype row = filters.indexOf(chosen);
  if (path.isEmpty() || row < 0) return;
  const core::Export& form = *forms[static_cast<std::size_t>(row)];
  QString suffix = "." + text(form.suffix);
  write(std::string(form.name), path.endsWith(suffix) ? path : path + suffix);
}

void Exporter::copyLayout() {
  if (!session_.isOpen()) return;
  QString rules = QString::fromStdString(core::printMeshTensorflow(session_.document().plan().variant().layout));
  QGuiApplication::clipboard()->setText(rules);
  session_.say(tr("Copied %1").arg(rules));
}

void Exporter::write(const std::string& form, const QString& path) {
  auto job = std::make_shared<Job>();
  job->path = path;
  for (const core::Export* one : offered())
    if (one->name == form) job->form = one;
  jobs_.push_back(job);
  if (!job->form) {
    const bool ofRun = core::findExport(form) && core::findExport(form)->wants == core::ExportWants::run;
    job->error = {.what = ofRun ? "no run is open" : "there is nothing to write as '" + form + "'",
                  .where = path.toStdString(),
                  .right = ofRun ? "start a run, or open one" : ""};
  } else if (job->form->wants == core::ExportWants::run) {
    job->run = session_.run().folder().path;
    job->title = QFileInfo(QString::fromStdString(job->run)).fileName().toStdString();
  } else {
    job->title = session_.document().name().toStdString();
    job->plan = session_.document().snapshot();
    job->analyze = session_.analyzer();
    if (!session_.stale()) job->analysis = session_.analysisRef();
  }
  session_.say(tr("Writing %1 …").arg(path));
  if (jobs_.size() == 1) startNext();
}

// Never from within `write`: who asks can listen first.
void Exporter::startNext() {
  if (jobs_.empty()) return;
  QTimer::singleShot(0, this, [this, job = jobs_.front()] { job->error ? finish(job) : print(job); });
}

void Exporter::work(const JobRef& job, const std::function<void(Job&)>& behind, const std::function<void()>& then) {
  auto* watcher = new QFutureWatcher<void>(this);
  connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, job, then] {
    watcher->deleteLater();
    if (job->error) return finish(job);
    then();
  });
  watcher->setFuture(QtConcurrent::run(&pool_, [job, behind] {
    try {
      behind(*job);
    } catch (const core::Error& error) {
      job->error = error;
    }
  }));
}

void Exporter::print(const JobRef& job) {
  auto print = [](Job& one) {
    if (one.plan && !one.analysis)
      one.analysis = std::make_shared<const core::Analysis>(one.analyze(one.plan, one.plan->current));
    core::ExportSource source{.analysis = one.analysis.get(), .title = one.title, .run = one.run};
    if (!one.form->picture.empty()) source.drawn = core::pictureAttempts()[one.attempt].drawn;
    one.text = core::exported(*one.form, source);
  };
  work(job, print, [this, job] { job->form->picture.empty() ? save(job) : draw(job); });
}

void Exporter::endChild() {
  if (!child_) return;
  child_->disconnect(this);
  child_->kill();
  child_->waitForFinished(1000);
  child_->deleteLater();
  child_ = nullptr;
}

// The child can hang or crash on legal graphs: it has a deadline, and a plainer picture is asked for then.
void Exporter::draw(const JobRef& job) {
  child_ = new QProcess(this);
  connect(child_, &QProcess::errorOccurred, this, [this, job](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    endChild();
    job->error = {.what = "meshwright-layout, which draws graphs with Graphviz, cannot be started",
                  .where = layoutProgram_.isEmpty() ? "beside this program and on PATH" : layoutProgram_.toStdString(),
                  .right = "install it beside this program; DOT can be written without it"};
    finish(job);
  });
  connect(child_, &QProcess::finished, this, [this, job](int code, QProcess::ExitStatus status) {
    if (status == QProcess::NormalExit && code == 0) {
      job->text = child_->readAllStandardOutput().toStdString();
      return drawn(job, {});
    }
    QString said = firstLine(child_->readAllStandardError());
    drawn(job, !said.isEmpty()                  ? said
               : status == QProcess::NormalExit ? tr("meshwright-layout failed with code %1").arg(code)
                                                : tr("meshwright-layout crashed"));
  });
  QTimer::singleShot(deadline_, child_, [this, job] {
    drawn(job, tr("took longer than %1 and was ended").arg(secondsText(deadline_ * 1e-3)));
  });
  child_->start(layoutProgram_, {QStringLiteral("-T"), text(job->form->picture)});
  if (!child_) return;  // it could not be started
  child_->write(job->text.data(), static_cast<qint64>(job->text.size()));
  child_->closeWriteChannel();
}

void Exporter::drawn(const JobRef& job, const QString& problem) {
  endChild();
  if (problem.isEmpty()) return save(job);
  job->notes << tr("%1: %2").arg(text(core::pictureAttempts()[job->attempt].lacks), problem);
  if (!isLastAttempt(job->attempt)) {
    ++job->attempt;
    return print(job);
  }
  job->error = {.what = job->notes.last().toStdString(),
                .where = layoutProgram_.toStdString(),
                .right = "DOT, for a Graphviz of your own"};
  finish(job);
}

void Exporter::save(const JobRef& job) {
  work(
      job, [](Job& one) { core::writeTextAtomically(one.path.toStdString(), one.text); }, [this, job] { finish(job); });
}

void Exporter::finish(const JobRef& job) {
  jobs_.erase(jobs_.begin());
  if (job->error)
    session_.report(*job->error);
  else
    session_.say(
        (QStringList{tr("Wrote %1, %2").arg(job->path, bytesText(static_cast<std::int64_t>(job->text.size())))} +
         job->notes)
            .join(QStringLiteral(" · ")));
  startNext();
  emit written(job->path, !job->error);
}

}  // namespace ui
