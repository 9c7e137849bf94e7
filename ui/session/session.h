#pragma once

#include <QObject>
#include <QPoint>
#include <functional>
#include <memory>
#include <vector>

#include "core/graph/fold.h"
#include "core/plan/analyze.h"
#include "ui/canvas/scene.h"
#include "ui/document/document.h"
#include "ui/models/figures.h"
#include "ui/session/newest.h"
#include "ui/session/run_watch.h"
#include "ui/session/selection.h"
#include "ui/session/shortage_finder.h"

namespace ui {

// An edit that might be made, asked for its effect first.
struct Proposal {
  QString key;  // what the asker knows it by
  Edit edit;
};

inline constexpr const char* hoverKey = "hover";  // of previewAt

// What all panels share: the document, its analysis, the selection, and the effect of edits before they are made.
// Panels read it and apply edits to the document; they do not know each other.
class Session : public QObject {
  Q_OBJECT

 public:
  explicit Session(QObject* parent = nullptr);  // with core::analyze
  Session(Analyze analyze, PlanFormat format, QObject* parent = nullptr);

  Document& document() { return document_; }
  const Document& document() const { return document_; }
  bool isOpen() const { return document_.isOpen(); }

  // Of the current variant; the last that was found, which may be of an older snapshot: then it is stale.
  const core::Analysis& analysis() const { return *analysis_; }
  AnalysisRef analysisRef() const { return analysis_; }
  bool stale() const { return stale_; }
  double analysisSeconds() const { return seconds_; }
  const Analyze& analyzer() const { return analyze_; }  // for work of one's own, off the UI thread
  // What canvas and outline show; of the newest analysis, or without figures until there is one.
  const std::shared_ptr<const Scene>& scene() const { return scene_; }
  const std::shared_ptr<const core::Fold>& fold() const { return fold_; }
  // The graph that names on screen mean: of the step when it is known, else the model.
  const core::Graph& graph() const { return analysis_->step ? *analysis_->step : *document_.plan().graph; }
  RunWatch& run() { return run_; }
  ShortageFinder& shortage() { return shortage_; }  // of the newest analysis, where it does not fit its machine
  void openRun(const QString& folder);  // of a run that goes on or is over; reports when it is none

  const Selection& selection() const { return selection_; }
  void select(const Selection& selection);
  // What is in the air: a dimension or an axis; targets light up and say whether they take it.
  const Selection& dragged() const { return dragged_; }
  void setDragged(const Selection& dragged);
  const Selection& hovered() const { return hovered_; }
  void hover(const Selection& hovered);

  // Effects arrive one by one as `previewed`; asking anew drops what has not arrived.
  void preview(std::vector<Proposal> proposals);
  // The effect of one edit, shown in the box near the pointer.
  void previewAt(const QString& title, const Edit& edit, const QPoint& globalPosition);
  void endPreview();

  // One variant beside another; delivered once, unless it was asked anew meanwhile.
  void analyzeVariant(std::size_t variant, std::function<void(AnalysisRef)> deliver);

  // Applies and says so; an Error is reported as `failed` and returns false.
  bool apply(const QString& name, const Edit& edit);
  void report(const core::Error& error) { emit failed(QString::fromStdString(error.text())); }
  void say(const QString& message) { emit said(message); }
  void showPanel(const QString& panel) { emit panelWanted(panel); }  // by its id in panels.cpp
  void hint(const QString& text) { emit hinted(text); }              // of what the pointer is on; empty = nothing

  void waitForAnalysis();  // until the answer to the last edit is there

 signals:
  void analysisChanged();
  void sceneChanged();
  void staleChanged(bool stale);
  void selectionChanged();
  void hoveredChanged();
  void draggedChanged();
  void previewed(const QString& key, const ui::Effect& effect);
  void previewStarted(const QString& title, const QPoint& globalPosition);
  void previewEnded();
  void failed(const QString& message);
  void said(const QString& message);
  void hinted(const QString& text);
  void panelWanted(const QString& panel);

 private:
  void analyze();
  void foldGraph();
  void previewNext(std::shared_ptr<std::vector<Proposal>> proposals, std::size_t next);

  Analyze analyze_;
  Document document_;
  AnalysisRef analysis_ = std::make_shared<const core::Analysis>();
  bool stale_ = false;
  double seconds_ = 0;
  Selection selection_;
  Selection hovered_;
  Selection dragged_;
  QString previewing_;  // title of what previewAt shows now
  Newest analyst_;
  Newest previewer_;
  Newest comparer_;
  std::shared_ptr<const core::Graph> foldedGraph_;
  std::shared_ptr<const core::Fold> fold_;
  std::shared_ptr<const Scene> scene_;
  RunWatch run_;
  ShortageFinder shortage_;
};

}  // namespace ui
