#pragma once

#include <QIcon>
#include <QString>

namespace ui {

// An icon of resources/icons in the colours of the theme, at any scale: icon("open"). Follows a change of theme.
QIcon icon(const QString& name);
QStringList iconNames();

}  // namespace ui
