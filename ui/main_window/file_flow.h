#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

#include "ui/document/recent_files.h"
#include "ui/document/recovery.h"

class QMimeData;
class QWidget;

namespace ui {

class Session;

// Opening, importing, saving and recovering, with the questions that these ask. Errors are reported in the window;
// only what could lose work asks in a dialog.
class FileFlow : public QObject {
  Q_OBJECT

 public:
  FileFlow(Session& session, const QString& recoveryFolder, QWidget* window);

  RecentFiles& recent() { return recent_; }
  Recovery& recovery() { return recovery_; }

  void open();                         // asks which
  bool openPath(const QString& path);  // a plan, a model to import, or the folder of a run; false when it could not be
  bool openSample();
  void newModel();
  bool save();
  bool saveAs();
  bool close();          // false = the person wants to stay
  bool mayLose();        // asks when something is not saved
  void offerRecovery();  // of processes that were killed

  static QStringList droppedFiles(const QMimeData* data);

 private:
  void reconnect();
  bool takeLayout(const QString& path);
  bool importPath(const QString& path);
  bool writeTo(const QString& path);

  Session& session_;
  QWidget* window_;
  RecentFiles recent_;
  QString recoveryFolder_;
  Recovery recovery_;
};

QString samplePath();  // of the plan that the sample door opens; empty when it is not installed

}  // namespace ui
