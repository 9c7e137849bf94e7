#pragma once

#include <QObject>
#include <QThreadPool>
#include <functional>
#include <memory>

namespace ui {

// Runs jobs off the UI thread, one at a time. Only the newest that waits is kept, and only what the newest found is
// delivered; so an answer is never older than one that was shown before.
class Newest : public QObject {
  Q_OBJECT

 public:
  using Deliver = std::function<void()>;  // on the UI thread
  using Job = std::function<Deliver()>;   // on another one; must not touch widgets

  explicit Newest(QObject* parent = nullptr);
  ~Newest() override;  // waits for the job that runs

  void start(Job job);
  void cancel();  // what runs or waits is never delivered
  bool busy() const { return running_; }
  void wait();  // until nothing runs or waits and all is delivered; for tests and screenshots

 signals:
  void busyChanged(bool busy);

 private:
  void launch();
  void finish(quint64 number, const Deliver& deliver);

  QThreadPool pool_;
  Job waiting_;
  quint64 newest_ = 0;
  bool running_ = false;
};

}  // namespace ui
