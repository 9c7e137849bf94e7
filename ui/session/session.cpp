#include "ui/session/session.h"

#include <QElapsedTimer>

namespace ui {
namespace {

// Analysis of an edited copy; an edit that throws is an illegal one.
core::Analysis analyzeEdited(const Analyze& analyze, const core::Plan& plan, const Edit& edit) {
  try {
    auto edited = std::make_shared<const core::Plan>(edit(plan));
    return analyze(edited, edited->current);
  } catch (const core::Error& error) {
    core::Analysis refused;
    refused.diagnostics.push_back({.what = error.what, .where = error.where, .right = error.right});
    return refused;
  }
}

}  // namespace

Session::Session(QObject* parent)
    : Session([](Snapshot plan, std::size_t variant) { return core::flattened(core::analyze(std::move(plan), variant)); }, planJson(),
              parent) {}

Session::Session(Analyze analyze, PlanFormat format, QObject* parent)
    : QObject(parent), analyze_(std::move(analyze)), document_(std::move(format)) {
  connect(&document_, &Document::opened, this, [this] {
    analyst_.cancel();
    comparer_.cancel();
    shortage_.clear();
    endPreview();
    select({});
    analysis_ = std::make_shared<const core::Analysis>();
    scene_.reset();
    fold_.reset();
    foldedGraph_.reset();
    emit sceneChanged();
    emit analysisChanged();
  });
  connect(&document_, &Document::changed, this, &Session::analyze);
}

void Session::foldGraph() {
  std::shared_ptr<const core::Graph> graph = document_.plan().graph;
  if (graph == foldedGraph_) return;
  foldedGraph_ = graph;
  fold_ = std::make_shared<const core::Fold>(core::fold(*graph));
  scene_ = std::make_shared<const Scene>(buildScene(*graph, *fold_));
  emit sceneChanged();
}

void Session::analyze() {
  endPreview();
  shortage_.cancel();
  foldGraph();
  if (!stale_) emit staleChanged(stale_ = true);
  analyst_.start([this, run = analyze_, plan = document_.snapshot(), fold = fold_]() -> Newest::Deliver {
    QElapsedTimer clock;
    clock.start();
    auto found = std::make_shared<const core::Analysis>(run(plan, plan->current));
    double seconds = double(clock.nsecsElapsed()) * 1e-9;
    auto scene = std::make_shared<const Scene>(buildScene(*plan->graph, *fold, found.get()));
    return [this, found, seconds, scene] {
      analysis_ = found;
      seconds_ = seconds;
      scene_ = scene;
      stale_ = false;
      emit sceneChanged();
      emit staleChanged(false);
      shortage_.look(analyze_, found);
      emit analysisChanged();
    };
  });
}

void Session::select(const Selection& selection) {
  if (selection == selection_) return;
  selection_ = selection;
  emit selectionChanged();
}

void Session::setDragged(const Selection& dragged) {
  if (dragged == dragged_) return;
  dragged_ = dragged;
  emit draggedChanged();
}

void Session::hover(const Selection& hovered) {
  if (hovered == hovered_) return;
  hovered_ = hovered;
  emit hoveredChanged();
}

void Session::preview(std::vector<Proposal> proposals) {
  previewing_.clear();
  if (!proposals.empty()) previewNext(std::make_shared<std::vector<Proposal>>(std::move(proposals)), 0);
}

void Session::previewAt(const QString& title, const Edit& edit, const QPoint& globalPosition) {
  bool same = title == previewing_;  // the pointer only moved on
  emit previewStarted(title, globalPosition);
  if (same) return;
  preview({{hoverKey, edit}});
  previewing_ = title;
}

void Session::endPreview() {
  previewing_.clear();
  previewer_.cancel();
  emit previewEnded();
}

void Session::previewNext(std::shared_ptr<std::vector<Proposal>> proposals, std::size_t next) {
  const Proposal& proposal = (*proposals)[next];
  auto job = [this, run = analyze_, plan = document_.snapshot(), before = analysis_, proposal, proposals,
              next]() -> Newest::Deliver {
    Effect effect = effectOf(*before, analyzeEdited(run, *plan, proposal.edit));
    return [this, proposals, next, effect] {
      if (next + 1 < proposals->size()) previewNext(proposals, next + 1);
      emit previewed((*proposals)[next].key, effect);
    };
  };
  previewer_.start(std::move(job));
}

void Session::analyzeVariant(std::size_t variant, std::function<void(AnalysisRef)> deliver) {
  comparer_.start(
      [run = analyze_, plan = document_.snapshot(), variant, deliver = std::move(deliver)]() -> Newest::Deliver {
        auto found = std::make_shared<const core::Analysis>(run(plan, variant));
        return [deliver, found] { deliver(found); };
      });
}

bool Session::apply(const QString& name, const Edit& edit) {
  if (!isOpen()) return false;
  try {
    bool applied = document_.apply(name, edit);
    if (applied) emit said(name);
    return applied;
  } catch (const core::Error& error) {
    report(error);
    return false;
  }
}

void Session::openRun(const QString& folder) {
  try {
    core::openRunFolder(folder.toStdString());
    run_.open(folder);
  } catch (const core::Error& error) {
    report(error);
  }
}

void Session::waitForAnalysis() {
  analyst_.wait();
  comparer_.wait();
}

}  // namespace ui
