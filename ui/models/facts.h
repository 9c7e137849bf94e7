#pragma once

#include <QString>

#include "core/plan/analyze.h"

// What is known of a thing of the plan, as rich text; names of other things are links ("tensor:h.0/attn").

namespace ui {

QString tensorFacts(const core::Analysis& analysis, const core::Graph& graph, const std::string& name);
QString tensorReason(const core::Analysis& analysis, const std::string& name);
QString operatorFacts(const core::Analysis& analysis, const core::Graph& graph, const std::string& name);
QString dimensionFacts(const core::Graph& graph, const core::Layout& layout, const std::string& name);
QString axisFacts(const core::Analysis& analysis, const core::Variant& variant, const std::string& name);
QString instructionFacts(const core::Analysis& analysis, const std::string& name);
QString scopeFacts(const core::Graph& graph, const std::string& scope);
QString modelFacts(const core::Plan& plan);

QString link(const char* kind, const std::string& name);
QString factRow(const QString& name, const QString& value);
QString factTable(const QString& rows);

}  // namespace ui
