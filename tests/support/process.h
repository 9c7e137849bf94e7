#pragma once

#include <QByteArray>
#include <QStringList>

// What a program of ours did: started beside the tests, as a person would start it.
struct Ran {
  int code = -1;  // -1: it did not start, -2: it hung and was killed
  QByteArray output, messages;
  double seconds = 0;
};

// `program` is a name in the build's bin folder, or a path. Relative paths are below `folder`.
Ran runProgram(const QString& bin, const QString& program, const QStringList& arguments, const QString& folder, const QStringList& environment = {}, int timeoutSeconds = 120);
