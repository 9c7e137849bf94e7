#pragma once

#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <memory>
#include <optional>

#include "ui/document/document.h"

// What was not saved survives the process: each change of a document is written to a file of its own, off the UI
// thread, newest wins. The file goes when the document is saved or closed.
//
//   <id>.recovery    a line of JSON (path, name, steps, time), then the plan as it is saved
//   <id>.lock        held while the process lives

namespace ui {

struct Recoverable {
  QString file;  // of the journal
  QString path;  // of the plan; empty = never saved
  QString name;
  int steps = 0;  // since the last save
  QDateTime time;
};

class Recovery : public QObject {
  Q_OBJECT

 public:
  Recovery(Document& document, const QString& folder, QObject* parent = nullptr);
  ~Recovery() override;

  void flush();  // what is pending is on disk when this returns
  static QString defaultFolder();

  // Of processes that are gone; newest first. A file that cannot be read is left out.
  static std::vector<Recoverable> find(const QString& folder);
  static core::Plan read(const Recoverable& found, const PlanFormat& format);  // Error when it is not a plan
  static void discard(const Recoverable& found);

 private:
  void note();
  void write();
  void forget();

  Document& document_;
  QString folder_;
  QString file_;
  std::unique_ptr<QLockFile> lock_;
  QTimer delay_;
  QThreadPool writer_;  // one thread: files are written in order
};

}  // namespace ui
