#include "ui/main_window/import_sheet.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QEventLoop>
#include <QFileInfo>
#include <QFormLayout>
#include <QFutureWatcher>
#include <QLabel>
#include <QProgressDialog>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <QtConcurrentRun>
#include <variant>

#include "core/io/import.h"
#include "ui/models/facts.h"
#include "ui/models/import_rows.h"
#include "ui/panels/parts/section.h"

namespace ui {
namespace {

using Outcome = std::variant<core::Import, core::Error>;

constexpr int busyAfterMilliseconds = 150;

Outcome importNow(const std::string& path, const core::ImportOptions& options) {
  try {
    return core::importModel(path, options);
  } catch (const core::Error& error) {
    return error;
  }
}

// Behind the window, with a way out; none when the person took it. What was begun then ends by itself, unheard.
std::optional<core::Import> importBehind(const QString& path, const core::ImportOptions& options, QWidget* window) {
  QFutureWatcher<Outcome> watcher;
  QProgressDialog busy(QObject::tr("Reading %1").arg(QFileInfo(path).fileName()), QObject::tr("Cancel"), 0, 0, window);
  busy.setObjectName("importBusy");
  busy.setAccessibleName(busy.labelText());
  busy.setWindowModality(Qt::WindowModal);
  busy.setMinimumDuration(busyAfterMilliseconds);
  busy.setValue(0);
  QEventLoop loop;
  QObject::connect(&watcher, &QFutureWatcher<Outcome>::finished, &loop, &QEventLoop::quit);
  QObject::connect(&busy, &QProgressDialog::canceled, &loop, &QEventLoop::quit);
  watcher.setFuture(QtConcurrent::run(importNow, path.toStdString(), options));
  if (!watcher.isFinished()) loop.exec();
  if (busy.wasCanceled() || !watcher.isFinished()) return {};
  Outcome outcome = watcher.result();
  if (const auto* error = std::get_if<core::Error>(&outcome)) throw *error;
  return std::get<core::Import>(std::move(outcome));
}

// What was found, and a size for each symbol that has none.
class ImportSheet : public QDialog {
 public:
  ImportSheet(const QString& path, const core::ImportReport& report, QWidget* window) : QDialog(window) {
    setObjectName("importSheet");
    setAccessibleName(tr("Import"));
    setWindowTitle(tr("Import %1").arg(QFileInfo(path).fileName()));
    setMinimumWidth(560);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(10);
    QLabel* found = textLabel("importFound", tr("What was found"));
    found->setText(importSummary(report));
    column->addWidget(found);
    addSymbols(column, report);
    if (QString warnings = importWarnings(report); !warnings.isEmpty()) {
      QLabel* label = textLabel("importWarnings", tr("What to know"));
      label->setText(warnings);
      QWidget* area = scrolled(label, "importWarningsScroll");
      area->setMaximumHeight(180);
      column->addWidget(area);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Import"));
    buttons->button(QDialogButtonBox::Ok)->setObjectName("importAccept");
    buttons->button(QDialogButtonBox::Ok)->setAccessibleName(tr("Import"));
    buttons->button(QDialogButtonBox::Cancel)->setObjectName("importCancel");
    buttons->button(QDialogButtonBox::Cancel)->setAccessibleName(tr("Cancel"));
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  }

  std::map<std::string, std::int64_t> given() const {
    std::map<std::string, std::int64_t> sizes;
    for (const auto& [name, box] : boxes_)
      if (box->value() > 0) sizes[name] = box->value();
    return sizes;
  }

 private:
  void addSymbols(QVBoxLayout* column, const core::ImportReport& report) {
    auto* form = new QFormLayout;
    for (const core::ImportReport::Symbol& symbol : report.symbols) {
      if (symbol.size > 0 && !symbol.chosen) continue;
      auto* box = new QSpinBox;
      QString name = QString::fromStdString(symbol.name);
      box->setObjectName("importSize:" + name);
      box->setAccessibleName(tr("Size of %1").arg(name));
      box->setRange(0, 1 << 30);
      box->setSpecialValueText(symbol.chosen ? tr("as chosen") : tr("leave open"));
      box->setValue(symbol.chosen ? static_cast<int>(std::min<std::int64_t>(symbol.size, 1 << 30)) : 8);
      form->addRow(tr("Size of %1").arg(name), box);
      boxes_[symbol.name] = box;
    }
    if (!boxes_.empty()) column->addLayout(form);
  }

  std::map<std::string, QSpinBox*> boxes_;
};

core::Plan planOf(const QString& path, const core::Import& found) {
  QString name = QFileInfo(path).completeBaseName();
  if (name == "model" || name == "config") name = QFileInfo(QFileInfo(path).absolutePath()).fileName();
  core::Plan plan{.name = name.toStdString(),
                  .graph = found.graph,
                  .origin = path.toStdString(),
                  .importNotes = core::describe(found.report)};
  plan.variants = {core::Variant{.name = "A", .mesh = found.mesh, .layout = found.layout}};
  return plan;
}

}  // namespace

std::optional<core::Plan> importWithSheet(const QString& path, QWidget* window) {
  std::optional<core::Import> found = importBehind(path, {}, window);
  if (!found) return {};
  ImportSheet sheet(path, found->report, window);
  if (sheet.exec() != QDialog::Accepted) return {};
  if (core::ImportOptions options{sheet.given()}; !options.dims.empty()) found = importBehind(path, options, window);
  return found ? std::optional(planOf(path, *found)) : std::nullopt;
}

}  // namespace ui
