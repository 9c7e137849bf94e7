#include "ui/main_window/picture.h"

#include <QAction>
#include <QPixmap>

#include "ui/main_window/canvas_view.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/workspaces.h"
#include "ui/models/outline_model.h"

namespace ui {
namespace {

std::optional<QSize> sizeOf(const QString& text) {
  QStringList parts = text.split('x');
  if (parts.size() != 2) return {};
  QSize size(parts[0].toInt(), parts[1].toInt());
  if (size.width() < 320 || size.height() < 240 || size.width() > 8192 || size.height() > 8192) return {};
  return size;
}

std::optional<Selection> selectionOf(const QString& text) {
  const std::pair<const char*, Selection::Kind> kinds[] = {{"tensor", Selection::Kind::tensor},
                                                           {"op", Selection::Kind::op},
                                                           {"scope", Selection::Kind::scope},
                                                           {"dimension", Selection::Kind::dimension},
                                                           {"axis", Selection::Kind::axis}};
  for (const auto& [word, kind] : kinds)
    if (text.startsWith(QLatin1String(word) + ":")) return Selection{kind, {text.section(':', 1)}};
  return {};
}

std::optional<Overlay> overlayOf(const QString& name) {
  if (name == "none") return Overlay::none;
  if (name == "memory") return Overlay::memory;
  if (name == "compute") return Overlay::compute;
  if (name == "communication") return Overlay::communication;
  if (name == "source") return Overlay::layoutSource;
  return {};
}

QString unfold(MainWindow& window, const QString& paths) {
  Canvas& canvas = window.view().canvas();
  if (paths == "all") canvas.expandAll();
  if (paths.isEmpty() || paths == "all") return {};
  if (!window.session().scene()) return MainWindow::tr("nothing is open, so nothing can be unfolded");
  for (const QString& path : paths.split(',')) {
    SceneRef ref = refOf(*window.session().scene(), Selection::Kind::scope, path);
    if (!ref.valid()) return MainWindow::tr("there is no group %1").arg(path);
    canvas.setExpanded(ref, true);
  }
  return {};
}

}  // namespace

QString takePicture(MainWindow& window, const PictureOptions& options) {
  std::optional<QSize> size = sizeOf(options.size);
  if (!size) return MainWindow::tr("--size %1: not a size such as 1280x720").arg(options.size);
  std::optional<Overlay> overlay = overlayOf(options.overlay);
  if (!overlay)
    return MainWindow::tr("--overlay %1: not one of none, memory, compute, communication, source").arg(options.overlay);
  std::optional<Selection> selection = options.select.isEmpty() ? Selection{} : selectionOf(options.select);
  if (!selection) return MainWindow::tr("--select %1: not of the form tensor:NAME").arg(options.select);
  window.resize(*size);
  window.show();
  window.settle();
  if (!options.run.isEmpty()) window.session().openRun(options.run);
  window.workspaces().show(options.workspace.isEmpty() ? QChar('d') : options.workspace[0]);
  window.workspaces().reset();
  window.view().setOverlay(*overlay);
  if (QString wrong = unfold(window, options.unfold); !wrong.isEmpty()) return wrong;
  window.session().select(*selection);
  window.settle();
  window.resize(*size);
  return window.grab().save(options.file) ? QString() : MainWindow::tr("%1 could not be written").arg(options.file);
}

}  // namespace ui
