#pragma once

#include <QPoint>
#include <QString>

#include "ui/models/layout_edits.h"

class QWidget;

// What a drop on a tensor of the graph means: a pin of that tensor and its equals in other layers, or of it alone.

namespace ui {

class Session;

core::Pin dropPin(const Session& session, const QString& tensor, bool onlyHere);
NamedEdit dropEdit(const Session& session, const QString& tensor, const QString& dimension, const QString& axis,
                   bool onlyHere);
NamedEdit togglePin(const Session& session, const QString& tensor);
void openAxisChooser(Session& session, const QString& tensor, const QString& dimension, const QPoint& at,
                     QWidget* parent);

}  // namespace ui
