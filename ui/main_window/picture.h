#pragma once

#include <QString>

namespace ui {

class MainWindow;

// What a picture of the window shows.
struct PictureOptions {
  QString file;
  QString size;       // "1280x720"
  QString workspace;  // "design", "compare", "run"
  QString select;     // "tensor:NAME"; empty = nothing
  QString overlay;    // "none", "memory", "compute", "communication", "source"
  QString unfold;     // paths of groups, by comma, or "all"
  QString run;        // folder
};

// Draws the window when estimate and graph are there. What was wrong, or empty.
QString takePicture(MainWindow& window, const PictureOptions& options);

}  // namespace ui
