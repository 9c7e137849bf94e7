#include "ui/panels/panels.h"

#include <QCoreApplication>

#include "ui/panels/compare_panel.h"
#include "ui/panels/estimate_panel.h"
#include "ui/panels/history_panel.h"
#include "ui/panels/inspector_panel.h"
#include "ui/panels/layout_panel.h"
#include "ui/panels/log_panel.h"
#include "ui/panels/measured_panel.h"
#include "ui/panels/mesh_panel.h"
#include "ui/panels/outline_panel.h"
#include "ui/panels/problems_panel.h"
#include "ui/panels/run_panel.h"
#include "ui/panels/timeline_panel.h"

namespace ui {
namespace {

template <class Panel>
QWidget* make(Session& session) {
  return new Panel(session);
}

// In the order of the View menu, and of the tabs where several share a place.
const PanelInfo table[] = {
    {"outline", QT_TRANSLATE_NOOP("Panels", "Outline"), "outline", PanelPlace::left, "dcr", make<OutlinePanel>},
    {"history", QT_TRANSLATE_NOOP("Panels", "History"), "history", PanelPlace::left, "", make<HistoryPanel>},
    {"layout", QT_TRANSLATE_NOOP("Panels", "Layout"), "layout", PanelPlace::right, "dc", make<LayoutPanel>},
    {"mesh", QT_TRANSLATE_NOOP("Panels", "Mesh"), "mesh", PanelPlace::right, "", make<MeshPanel>},
    {"inspector", QT_TRANSLATE_NOOP("Panels", "Inspector"), "inspector", PanelPlace::right, "d", make<InspectorPanel>},
    {"run", QT_TRANSLATE_NOOP("Panels", "Run"), "run", PanelPlace::right, "r", make<RunPanel>},
    {"estimate", QT_TRANSLATE_NOOP("Panels", "Estimate"), "estimate", PanelPlace::bottom, "d", make<EstimatePanel>},
    {"compare", QT_TRANSLATE_NOOP("Panels", "Compare"), "compare", PanelPlace::bottom, "c", make<ComparePanel>},
    {"problems", QT_TRANSLATE_NOOP("Panels", "Problems"), "problems", PanelPlace::bottom, "d", make<ProblemsPanel>},
    {"timeline", QT_TRANSLATE_NOOP("Panels", "Timeline"), "timeline", PanelPlace::bottom, "r", make<TimelinePanel>},
    {"measured", QT_TRANSLATE_NOOP("Panels", "Measured"), "good", PanelPlace::bottom, "r", make<MeasuredPanel>},
    {"log", QT_TRANSLATE_NOOP("Panels", "Log"), "log", PanelPlace::bottom, "r", make<LogPanel>},
};

}  // namespace

std::span<const PanelInfo> panels() {
  return table;
}

QString panelTitle(const PanelInfo& info) {
  return QCoreApplication::translate("Panels", info.title);
}

}  // namespace ui
