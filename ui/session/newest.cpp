#include "ui/session/newest.h"

#include <QCoreApplication>
#include <QEventLoop>

namespace ui {

Newest::Newest(QObject* parent) : QObject(parent) {
  pool_.setMaxThreadCount(1);
}

Newest::~Newest() {
  cancel();
  pool_.waitForDone();
}

void Newest::start(Job job) {
  ++newest_;
  waiting_ = std::move(job);
  if (!running_) launch();
}

void Newest::cancel() {
  ++newest_;
  waiting_ = nullptr;
}

void Newest::launch() {
  Job job = std::move(waiting_);
  waiting_ = nullptr;
  if (!running_) {
    running_ = true;
    emit busyChanged(true);
  }
  pool_.start([this, job = std::move(job), number = newest_] {
    Deliver deliver = job();
    QMetaObject::invokeMethod(
        this, [this, number, deliver = std::move(deliver)] { finish(number, deliver); }, Qt::QueuedConnection);
  });
}

void Newest::finish(quint64 number, const Deliver& deliver) {
  if (number == newest_ && deliver) deliver();
  if (waiting_) {
    launch();
    return;
  }
  running_ = false;
  emit busyChanged(false);
}

void Newest::wait() {
  while (running_) QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 50);
}

}  // namespace ui
