#include "ui/theme/appearance.h"

#include <QApplication>
#include <QEvent>
#include <QFont>
#include <QPixmapCache>
#include <QStyleFactory>

#include "ui/theme/theme.h"

namespace ui {

namespace {

struct Current {
  Theme theme = lightTheme();
  Appearance appearance = Appearance::light;
};

Current& current() {
  static Current value;
  return value;
}

bool systemIsDark(QApplication& application) {
  application.setPalette(QPalette());  // back to the system's, which is then what palette() gives
  QPalette system = application.palette();
  return system.color(QPalette::Window).lightnessF() < system.color(QPalette::WindowText).lightnessF();
}

Theme themeOf(QApplication& application, Appearance appearance) {
  switch (appearance) {
    case Appearance::light:
      return lightTheme();
    case Appearance::dark:
      return darkTheme();
    case Appearance::highContrast:
      return highContrastTheme(systemIsDark(application));
    case Appearance::followSystem:
      break;
  }
  return systemIsDark(application) ? darkTheme() : lightTheme();
}

// Qt 6.4 has no signal for the system's colour scheme; the windows get ThemeChange.
class SystemWatch : public QObject {
 public:
  using QObject::QObject;
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::ThemeChange && watched->isWindowType() && !busy_ &&
        current().appearance == Appearance::followSystem) {
      busy_ = true;
      applyAppearance(*qApp, Appearance::followSystem);
      busy_ = false;
    }
    return false;
  }

 private:
  bool busy_ = false;
};

}  // namespace

const Theme& theme() {
  return current().theme;
}
Appearance appearance() {
  return current().appearance;
}

void applyAppearance(QApplication& application, Appearance appearance) {
  static SystemWatch* watch = nullptr;
  if (!watch) {
    watch = new SystemWatch(&application);
    QObject::connect(watch, &QObject::destroyed, [] { watch = nullptr; });
    application.installEventFilter(watch);
    application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  }
  current() = {themeOf(application, appearance), appearance};
  QPixmapCache::clear();  // icons were drawn in the old colours
  application.setPalette(paletteOf(theme()));
  application.setStyleSheet(styleSheetOf(theme()));
}

}  // namespace ui
