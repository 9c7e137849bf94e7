#pragma once

#include <QString>

namespace ui {

struct Theme;

// The style sheet of the window: flat docks and tabs, quiet borders, one focus ring. Small on purpose: what it does not
// name is drawn by the style with the palette.
QString styleSheetOf(const Theme& theme);

}  // namespace ui
