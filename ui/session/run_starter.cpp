#include "ui/session/run_starter.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>

#include "core/io/plan_file.h"

namespace ui {
namespace {

QString& chosenProgram() {
  static QString program;
  return program;
}

QString dataArgument(const core::Data& data) {
  QString path = QString::fromStdString(data.path);
  switch (data.kind) {
    case core::Data::Kind::synthetic:
      return {};
    case core::Data::Kind::text:
      return "text:" + path;
    case core::Data::Kind::arrays:
      return "arrays:" + path;
  }
  return {};
}

}  // namespace

void setSupervisorProgram(const QString& path) {
  chosenProgram() = path;
}

QString supervisorProgram() {
  QString program =
      chosenProgram().isEmpty() ? QCoreApplication::applicationDirPath() + "/meshwright-cli" : chosenProgram();
  if (QFileInfo(program).isExecutable()) return program;
  throw core::Error{.what = "the program that starts runs is missing",
                    .where = program.toStdString(),
                    .right = "meshwright-cli beside meshwright"};
}

QString freeRunFolder(const QString& planPath, const QString& planName) {
  QString base = planPath.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation)
                                    : QFileInfo(planPath).absolutePath();
  QString name = planName;
  for (const QString& suffix : {QStringLiteral(".json"), QStringLiteral(".plan")})
    if (name.endsWith(suffix)) name.chop(suffix.size());
  for (int number = 1;; ++number) {
    QString folder =
        QStringLiteral("%1/runs/%2-%3").arg(base, name.isEmpty() ? QStringLiteral("run") : name).arg(number);
    if (!QFileInfo::exists(folder)) return folder;
  }
}

QStringList runArguments(const core::Plan& plan, const QString& planFile, const RunRequest& request) {
  const core::Variant& variant = plan.variant();
  QStringList arguments{"run",       planFile,
                        "--variant", QString::fromStdString(variant.name),
                        "--steps",   QString::number(request.steps),
                        "--to",      request.folder};
  if (!variant.step.training) arguments << "--inference";
  if (QString data = dataArgument(variant.data); !data.isEmpty()) arguments << "--data" << data;
  if (request.checkpointEvery > 0) arguments << "--checkpoint-every" << QString::number(request.checkpointEvery);
  if (!request.from.isEmpty()) arguments << "--from" << request.from;
  return arguments;
}

StartedRun startRun(const core::Plan& plan, const RunRequest& request) {
  QString program = supervisorProgram();
  QFileInfo folder(request.folder);
  if (!QDir().mkpath(folder.absolutePath()))
    throw core::Error{.what = "the folder for runs cannot be made",
                      .where = folder.absolutePath().toStdString(),
                      .right = "a place that can be written to"};
  QString planFile = folder.absoluteFilePath() + ".plan.json", errors = folder.absoluteFilePath() + ".start.log";
  core::writePlan(plan, planFile.toStdString());
  QFile::remove(errors);

  QProcess process;
  process.setProgram(program);
  process.setArguments(runArguments(plan, planFile, request));
  process.setStandardInputFile(QProcess::nullDevice());
  process.setStandardOutputFile(QProcess::nullDevice());
  process.setStandardErrorFile(errors);
  qint64 pid = 0;
  if (!process.startDetached(&pid))
    throw core::Error{.what = "the run could not be started: " + process.errorString().toStdString(),
                      .where = program.toStdString(),
                      .right = "a program that can be executed"};
  return {folder.absoluteFilePath(), pid, errors};
}

}  // namespace ui
