#include "tests/support/process.h"

#include <QElapsedTimer>
#include <QProcess>

Ran runProgram(const QString& bin, const QString& program, const QStringList& arguments, const QString& folder, const QStringList& environment, int timeoutSeconds) {
  QProcess process;
  process.setWorkingDirectory(folder);
  QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
  for (const QString& one : environment) variables.insert(one.section('=', 0, 0), one.section('=', 1));
  process.setProcessEnvironment(variables);
  QElapsedTimer timer;
  timer.start();
  process.start(program.contains('/') ? program : bin + "/" + program, arguments);
  Ran ran;
  if (!process.waitForStarted()) return ran;
  process.closeWriteChannel();
  const bool ended = process.waitForFinished(timeoutSeconds * 1000);
  if (!ended) process.kill();
  process.waitForFinished(5000);
  ran.code = !ended ? -2 : process.exitStatus() == QProcess::CrashExit ? 128 : process.exitCode();
  ran.output = process.readAllStandardOutput();
  ran.messages = process.readAllStandardError();
  ran.seconds = static_cast<double>(timer.elapsed()) / 1000;
  return ran;
}
