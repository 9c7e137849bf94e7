#include "ui/theme/icon.h"

#include <QDir>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

#include "ui/theme/theme.h"

static void initialiseIcons() {
  Q_INIT_RESOURCE(icons);
}  // outside a namespace, as the macro demands

namespace ui {

namespace {

// Draws an SVG whose strokes are `currentColor` in the theme's text colour, at the size that is asked for.
class ThemedIconEngine : public QIconEngine {
 public:
  explicit ThemedIconEngine(QByteArray svg) : svg_(std::move(svg)) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    const Theme& t = theme();
    QColor colour = mode == QIcon::Disabled   ? mix(t.muted, t.ground, 0.5)
                    : mode == QIcon::Selected ? t.onAccent
                                              : t.text;
    QByteArray svg = svg_;
    QSvgRenderer(svg.replace("currentColor", colour.name().toLatin1())).render(painter, rect);
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return pixmap;
  }

  QIconEngine* clone() const override { return new ThemedIconEngine(svg_); }

 private:
  QByteArray svg_;
};

}  // namespace

QIcon icon(const QString& name) {
  initialiseIcons();
  QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
  if (!file.open(QIODevice::ReadOnly)) {
    Q_ASSERT_X(false, "icon", qPrintable(name));
    return {};
  }
  return QIcon(new ThemedIconEngine(file.readAll()));
}

QStringList iconNames() {
  initialiseIcons();
  QStringList names = QDir(QStringLiteral(":/icons")).entryList({QStringLiteral("*.svg")});
  for (QString& name : names) name.chop(4);
  return names;
}

}  // namespace ui
