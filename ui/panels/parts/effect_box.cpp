#include "ui/panels/parts/effect_box.h"

#include <QGuiApplication>
#include <QLabel>
#include <QScreen>
#include <QTextDocument>
#include <QVBoxLayout>

#include "ui/session/session.h"
#include "ui/theme/theme.h"

namespace ui {
namespace {

QString colourOf(Judgement judgement) {
  switch (judgement) {
    case Judgement::better:
      return theme().good.name();
    case Judgement::worse:
      return theme().warning.name();
    case Judgement::same:
      break;
  }
  return theme().muted.name();
}

QString row(const FigureLine& line) {
  return QStringLiteral(
             "<tr><td style='color:%1'>%2&nbsp;&nbsp;</td><td align='right'>%3</td><td "
             "style='color:%1'>&nbsp;→&nbsp;</td><td align='right'><b>%4</b></td>"
             "<td style='color:%5'>&nbsp;&nbsp;%6 %7</td></tr>")
      .arg(theme().muted.name(), line.name.toHtmlEscaped(), line.before, line.after, colourOf(line.judgement),
           arrowText(line), line.delta);
}

}  // namespace

QString effectTable(const Effect& effect) {
  if (!effect.after.legal())
    return QStringLiteral("<span style='color:%1'>✕ %2</span>")
        .arg(theme().error.name(), refusalText(effect.after).toHtmlEscaped());
  QString rows;
  for (const FigureLine& line : compareFigures(effect.before, effect.after))
    if (line.judgement != Judgement::same) rows += row(line);
  QString text = rows.isEmpty() ? EffectBox::tr("No figure changes.")
                                : QStringLiteral("<table cellspacing='1'>%1</table>").arg(rows);
  if (!effect.after.fits())
    text += QStringLiteral("<div style='color:%1'>✕ %2</div>")
                .arg(theme().error.name(), EffectBox::tr("does not fit the machine's memory"));
  if (effect.tensorsFollowing > 0)
    text += QStringLiteral("<div style='color:%1'>%2</div>")
                .arg(theme().muted.name(), EffectBox::tr("%1 tensors follow").arg(effect.tensorsFollowing));
  return text;
}

EffectBox::EffectBox(Session& session, QWidget* parent)
    : QFrame(parent, Qt::ToolTip | Qt::FramelessWindowHint | Qt::WindowTransparentForInput),
      title_(new QLabel),
      body_(new QLabel) {
  setObjectName("effectBox");
  setAccessibleName(tr("Effect of the drop"));
  setAttribute(Qt::WA_ShowWithoutActivating);
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  title_->setObjectName("effectTitle");
  title_->setAccessibleName(tr("Edit"));
  body_->setObjectName("effectBody");
  body_->setAccessibleName(tr("Its effect"));
  body_->setTextFormat(Qt::RichText);
  body_->setWordWrap(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 9, 12, 9);
  column->setSpacing(5);
  column->addWidget(title_);
  column->addWidget(body_);
  connect(&session, &Session::previewStarted, this, &EffectBox::begin);
  connect(&session, &Session::previewEnded, this, &QWidget::hide);
  connect(&session, &Session::previewed, this, [this](const QString& key, const Effect& effect) {
    if (key == hoverKey) show(effect);
  });
}

QString EffectBox::text() const {
  QTextDocument plain;
  plain.setHtml(body_->text());
  return title_->text() + "\n" + plain.toPlainText();
}

void EffectBox::begin(const QString& title, const QPoint& at) {
  at_ = at;
  title_->setText(QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped()));
  if (!isVisible())
    body_->setText(QStringLiteral("<span style='color:%1'>%2</span>").arg(theme().muted.name(), tr("estimating …")));
  moveNear(at);
  QFrame::show();
}

void EffectBox::show(const Effect& effect) {
  body_->setWordWrap(!effect.after.legal());
  body_->setMinimumWidth(effect.after.legal() ? 0 : 320);
  body_->setText(effectTable(effect));
  setAccessibleDescription(text());
  moveNear(at_);
  QFrame::show();
}

void EffectBox::moveNear(const QPoint& at) {
  adjustSize();
  QPoint corner = at + QPoint(20, 22);
  if (QScreen* screen = QGuiApplication::screenAt(at)) {
    QRect space = screen->availableGeometry();
    if (corner.x() + width() > space.right()) corner.setX(at.x() - width() - 12);
    if (corner.y() + height() > space.bottom()) corner.setY(at.y() - height() - 12);
  }
  move(corner);
}

}  // namespace ui
