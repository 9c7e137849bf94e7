#include "ui/panels/parts/shortage_box.h"

#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/shortage_rows.h"
#include "ui/panels/parts/section.h"
#include "ui/session/session.h"

namespace ui {

ShortageCauses::ShortageCauses(Session& session) : session_(session) {
  setObjectName("shortageCauses");
  setAccessibleName(tr("What takes most of the memory"));
  setTextFormat(Qt::RichText);
  setWordWrap(true);
  setTextInteractionFlags(Qt::TextBrowserInteraction);
  connect(this, &QLabel::linkActivated, this, &ShortageCauses::selectCause);
  connect(&session_.shortage(), &ShortageFinder::changed, this, &ShortageCauses::refresh);
  refresh();
}

void ShortageCauses::refresh() {
  const std::vector<core::PeakCause>& causes = session_.shortage().causes();
  std::int64_t peak = figuresOf(session_.analysis()).peakBytes;
  QStringList rows;
  for (std::size_t i = 0; i < causes.size(); ++i) {
    QString text = causeText(causes[i], peak).toHtmlEscaped();
    rows << (causes[i].tensors.empty()
                 ? text
                 : QStringLiteral("<a href='%1' style='text-decoration:none'>%2</a>").arg(i).arg(text));
  }
  setText(rows.join(QStringLiteral("<br>")));
  setVisible(!rows.isEmpty());
}

void ShortageCauses::selectCause(const QString& link) {
  const std::vector<core::PeakCause>& causes = session_.shortage().causes();
  std::size_t at = link.toULong();
  if (at >= causes.size()) return;
  QStringList names;
  for (const std::string& one : causes[at].tensors) names << QString::fromStdString(one);
  session_.select({Selection::Kind::tensor, names});
}

ShortageReliefs::ShortageReliefs(Session& session)
    : session_(session), heading_(sectionHeading({}, "shortageHelps")), offers_(new QVBoxLayout) {
  setObjectName("shortageReliefs");
  setAccessibleName(tr("What would make it fit"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  offers_->setSpacing(3);
  column->addWidget(heading_);
  column->addLayout(offers_);
  connect(&session_.shortage(), &ShortageFinder::changed, this, &ShortageReliefs::refresh);
  connect(&session_, &Session::staleChanged, this, &ShortageReliefs::refresh);
  refresh();
}

// A button that was clicked is still at it: it goes later.
void ShortageReliefs::refresh() {
  while (QLayoutItem* item = offers_->takeAt(0)) {
    item->widget()->hide();
    item->widget()->setObjectName({});
    item->widget()->deleteLater();
    delete item;
  }
  const ShortageFinder& found = session_.shortage();
  setVisible(found.isShort());
  heading_->setText(found.searching()        ? tr("Looking for what would help …")
                    : found.offers().empty() ? tr("No single change that was tried lowers the peak")
                                             : tr("What helps most, each by itself"));
  heading_->setAccessibleName(heading_->text());
  for (std::size_t i = 0; i < found.offers().size(); ++i) {
    NamedEdit edit = editOf(found.offers()[i].relief);
    QString effect = offerText(found.offers()[i]);
    auto* button = new QPushButton(edit.name + '\n' + effect);
    button->setObjectName(QStringLiteral("relief:%1").arg(i));
    button->setAccessibleName(edit.name + QStringLiteral(", ") + effect);
    button->setStyleSheet(QStringLiteral("text-align: left; padding: 2px 8px;"));
    button->setEnabled(!session_.stale());  // else it is of a plan that has changed
    connect(button, &QPushButton::clicked, this, [this, edit] { session_.apply(edit.name, edit.edit); });
    offers_->addWidget(button);
  }
}

}  // namespace ui
