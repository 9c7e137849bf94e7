#pragma once

#include <QElapsedTimer>
#include <QProcess>

// What a program of ours did: started as a person would start it.
struct Ran {
  int code = -1;  // -1: it did not start, -2: it hung and was killed, 128: a signal ended it
  QByteArray output, messages;
  double seconds = 0;
};

// Relative paths in the arguments are below `folder`; `environment` holds NAME=VALUE.
inline Ran runProgram(const QString& program, const QStringList& arguments, const QString& folder, const QStringList& environment = {}, int timeoutSeconds = 120) {
  QProcess process;
  process.setWorkingDirectory(folder);
  QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
  for (const QString& one : environment) variables.insert(one.section('=', 0, 0), one.section('=', 1));
  process.setProcessEnvironment(variables);
  QElapsedTimer timer;
  timer.start();
  process.start(program, arguments);
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
