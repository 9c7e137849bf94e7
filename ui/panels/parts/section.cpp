#include "ui/panels/parts/section.h"

#include <QFrame>
#include <QPalette>
#include <QScrollArea>
#include <QVBoxLayout>

namespace ui {

QLabel* sectionHeading(const QString& text, const QString& objectName) {
  auto* label = new QLabel(text);
  label->setObjectName(objectName);
  label->setAccessibleName(text);
  QFont font = label->font();
  font.setBold(true);
  label->setFont(font);
  return label;
}

QLabel* textLabel(const QString& objectName, const QString& accessibleName) {
  auto* label = new QLabel;
  label->setObjectName(objectName);
  label->setAccessibleName(accessibleName);
  label->setWordWrap(true);
  label->setTextFormat(Qt::RichText);
  label->setTextInteractionFlags(Qt::TextBrowserInteraction);
  label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  return label;
}

QLabel* mutedLabel(const QString& text, const QString& objectName) {
  auto* label = new QLabel(text);
  label->setObjectName(objectName);
  label->setAccessibleName(text.isEmpty() ? objectName : text);
  label->setWordWrap(true);
  label->setForegroundRole(QPalette::PlaceholderText);
  return label;
}

QVBoxLayout* panelColumn(QWidget* panel) {
  auto* column = new QVBoxLayout(panel);
  column->setContentsMargins(10, 8, 10, 8);
  column->setSpacing(8);
  return column;
}

QWidget* scrolled(QWidget* content, const QString& objectName) {
  auto* area = new QScrollArea;
  area->setObjectName(objectName);
  area->setAccessibleName(content->accessibleName());
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setWidget(content);
  return area;
}

}  // namespace ui
