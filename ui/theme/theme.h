#pragma once

#include <QColor>
#include <QPalette>
#include <array>

class QApplication;

// All colours of the window. One visual channel per meaning: hue = mesh axis, lightness = memory class,
// icon and word (with a colour) = status. Nothing relies on colour alone: axes also have a letter and a hatch.

namespace ui {

enum class Appearance { followSystem, light, dark, highContrast };

inline constexpr int axisHues = 6;     // past these: letters and hatches only
inline constexpr int memoryTones = 6;  // in the order of core::MemoryClass

struct Theme {
  bool dark = false;
  bool highContrast = false;

  QColor ground;   // canvas and window
  QColor surface;  // panels, nodes
  QColor raised;   // headers, toolbars, hovered rows
  QColor sunken;   // wells: tracks of bars, empty slots
  QColor border;
  QColor strong;  // borders of what matters: node outlines, focus
  QColor text;
  QColor muted;   // second line, units, hints; still 4.5:1
  QColor accent;  // selection, primary action
  QColor onAccent;

  std::array<QColor, axisHues> axes;
  QColor axisNone;  // for the seventh axis and later
  std::array<QColor, memoryTones> memory;
  QColor good, warning, error, information;

  QColor axis(int index) const {
    return index >= 0 && index < axisHues ? axes[static_cast<std::size_t>(index)] : axisNone;
  }
  QColor memoryTone(int memoryClass) const { return memory[static_cast<std::size_t>(memoryClass) % memoryTones]; }
  bool operator==(const Theme&) const = default;
};

Theme lightTheme();
Theme darkTheme();
Theme highContrastTheme(bool dark);

// The theme in use. Widgets read it in paintEvent; a change arrives as QEvent::PaletteChange.
const Theme& theme();

// Style, palette and style sheet of the whole application; with followSystem again whenever the system's palette
// changes.
void applyAppearance(QApplication& application, Appearance appearance);
Appearance appearance();

QPalette paletteOf(const Theme& theme);

// Contrast of two opaque colours as WCAG defines it, 1 to 21.
double contrast(const QColor& a, const QColor& b);
QColor mix(const QColor& a, const QColor& b, double share);  // share 0 = a, 1 = b
QColor textOn(const QColor& ground);                         // the theme's text or its opposite, whichever reads better

}  // namespace ui
