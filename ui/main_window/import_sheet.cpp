#include "ui/main_window/import_sheet.h"

namespace ui {

std::optional<core::Plan> importWithSheet(const QString& path, QWidget*) {
  throw core::Error{.what = "this kind of file cannot be opened", .where = path.toStdString(), .right = "a *.plan.json or the folder of a run"};
}

}  // namespace ui
