#pragma once

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <vector>

class QProcess;
class QWidget;

namespace core {
struct Error;
struct Export;
}  // namespace core

namespace ui {

class Session;

// What leaves the window, in the forms of core/io/exports.h. Written behind the window, in the order in which it was
// asked for; what came of it is said, or reported. What is written is what was on screen when it was asked for, though
// its estimate may not have been there yet.
class Exporter : public QObject {
  Q_OBJECT

 public:
  Exporter(Session& session, QWidget* window);
  ~Exporter() override;  // ends the child, waits for the file that is being written

  void askLayout();   // where to
  void ask();         // in which form and where to
  void copyLayout();  // as text, to the clipboard
  void write(const std::string& form, const QString& path);

  std::vector<const core::Export*> offered() const;  // of the plan, and of the run, that are open
  bool busy() const { return !jobs_.empty(); }
  void setLayoutProgram(const QString& path) { layoutProgram_ = path; }  // for tests, as is
  void setDeadline(int milliseconds) { deadline_ = milliseconds; }       // of one attempt at a picture

 signals:
  void written(const QString& path, bool well);

 private:
  struct Job;
  using JobRef = std::shared_ptr<Job>;

  void work(const JobRef& job, const std::function<void(Job&)>& behind, const std::function<void()>& then);
  void print(const JobRef& job);
  void draw(const JobRef& job);
  void drawn(const JobRef& job, const QString& problem);
  void endChild();
  void save(const JobRef& job);
  void finish(const JobRef& job);
  void startNext();

  Session& session_;
  QWidget* window_;
  QString layoutProgram_;
  int deadline_;
  std::vector<JobRef> jobs_;  // the first is at work
  QProcess* child_ = nullptr;
  QThreadPool pool_;
};

}  // namespace ui
