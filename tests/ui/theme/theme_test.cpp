#include "ui/theme/theme.h"

#include <QApplication>
#include <QtTest>

#include "ui/theme/hatch.h"
#include "ui/theme/icon.h"

using namespace ui;

namespace {

const std::pair<const char*, Theme> all[] = {{"light", lightTheme()},
                                             {"dark", darkTheme()},
                                             {"high contrast light", highContrastTheme(false)},
                                             {"high contrast dark", highContrastTheme(true)}};

void atLeast(const char* theme, const char* what, const QColor& colour, const QColor& ground, double least) {
  double found = contrast(colour, ground);
  QVERIFY2(found >= least, qPrintable(QStringLiteral("%1: %2 %3 on %4 has %5, needs %6")
                                          .arg(theme, what, colour.name(), ground.name())
                                          .arg(found)
                                          .arg(least)));
}

}  // namespace

class ThemeTest : public QObject {
  Q_OBJECT

 private slots:
  void contrastIsThatOfWcag() {
    QCOMPARE(qRound(contrast(Qt::black, Qt::white) * 100), 2100);
    QCOMPARE(qRound(contrast(QColor("#777777"), Qt::white) * 100), 448);
  }

  void textIsReadableOnEveryGround() {
    for (const auto& [name, t] : all)
      for (const QColor& ground : {t.ground, t.surface, t.raised}) {
        atLeast(name, "text", t.text, ground, 7);
        atLeast(name, "muted", t.muted, ground, 4.5);
      }
    for (const auto& [name, t] : all) atLeast(name, "text on accent", t.onAccent, t.accent, 4.5);
  }

  void axesAndStatusStandOutFromTheGround() {
    for (const auto& [name, t] : all) {
      for (const QColor& axis : t.axes) atLeast(name, "axis", axis, t.ground, 3);
      for (const QColor& status : {t.good, t.warning, t.error, t.information})
        atLeast(name, "status", status, t.ground, 3.9);
      atLeast(name, "node outline", t.strong, t.ground, 3);
    }
  }

  void labelsOnAxesAndTonesAreReadable() {
    for (const auto& [name, t] : all) {
      for (const QColor& axis : t.axes) atLeast(name, "letter", textOn(axis), axis, 4.5);
      for (const QColor& tone : t.memory) atLeast(name, "label", textOn(tone), tone, 4.5);
    }
  }

  void neighbouringMemoryTonesDiffer() {
    for (const auto& [name, t] : all)
      for (std::size_t i = 0; i + 2 < t.memory.size(); ++i) atLeast(name, "tone", t.memory[i], t.memory[i + 1], 1.3);
  }

  void anAppearanceReachesPaletteAndTheme() {
    applyAppearance(*qApp, Appearance::dark);
    QVERIFY(theme().dark);
    QCOMPARE(qApp->palette().color(QPalette::Window), darkTheme().ground);
    applyAppearance(*qApp, Appearance::light);
    QCOMPARE(qApp->palette().color(QPalette::Window), lightTheme().ground);
    applyAppearance(*qApp, Appearance::followSystem);
    QCOMPARE(appearance(), Appearance::followSystem);
    QVERIFY(!theme().dark);  // the offscreen system is light
  }

  void axesHaveLettersOfTheirOwn() {
    const QStringList axes = {"data", "depth", "model", "dd"};
    QStringList letters;
    for (int i = 0; i < axes.size(); ++i) letters += axisLetter(axes, i);
    QCOMPARE(letters, QStringList({"d", "e", "m", "4"}));
  }

  void iconsTakeTheColourOfTheText() {
    QVERIFY(iconNames().contains("open"));
    for (const QString& name : iconNames()) {
      applyAppearance(*qApp, Appearance::dark);
      QImage dark = icon(name).pixmap(32, 32).toImage();
      bool drawn = false;
      for (int y = 0; y < dark.height() && !drawn; ++y)
        for (int x = 0; x < dark.width() && !drawn; ++x) drawn = qAlpha(dark.pixel(x, y)) > 200;
      QVERIFY2(drawn, qPrintable(name));
    }
    QImage dark = icon("stop").pixmap(32, 32).toImage();
    applyAppearance(*qApp, Appearance::light);
    QVERIFY(icon("stop").pixmap(32, 32).toImage() != dark);
  }
};

QTEST_MAIN(ThemeTest)
#include "theme_test.moc"
