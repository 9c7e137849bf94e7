#pragma once

#include <QLabel>
#include <QString>

class QVBoxLayout;
class QWidget;

namespace ui {

// A small heading within a panel, and the label widgets that panels are made of; named, so that they can be found and
// read aloud.
QLabel* sectionHeading(const QString& text, const QString& objectName);
QLabel* textLabel(const QString& objectName,
                  const QString& accessibleName);  // wraps, selectable, links open as linkActivated
QLabel* mutedLabel(const QString& text, const QString& objectName);

// A column with the margins of a panel, inside a scroll area if it may grow.
QVBoxLayout* panelColumn(QWidget* panel);
QWidget* scrolled(QWidget* content, const QString& objectName);

}  // namespace ui
