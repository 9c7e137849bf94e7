#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <vector>

#include "core/plan/shortage.h"
#include "ui/document/document.h"
#include "ui/models/figures.h"
#include "ui/session/newest.h"

namespace ui {

using AnalysisRef = std::shared_ptr<const core::Analysis>;
using Analyze = std::function<core::Analysis(Snapshot, std::size_t variant)>;

// A change and what the analysis with it comes to.
struct ReliefOffer {
  core::Relief relief;
  core::Reached reached;
  Effect effect;
};

// Where an analysis does not fit its machine: what takes the memory, and the single changes that help most. Every one
// that may help is analysed on a copy of the plan, off the UI thread, one after the other; the next edit ends that.
class ShortageFinder : public QObject {
  Q_OBJECT

 public:
  static constexpr std::size_t mostCauses = 5, mostOffers = 3;

  void look(const Analyze& analyze, AnalysisRef analysis);  // nothing is found where it fits
  void cancel();                                            // what was found stays, until there is something newer
  void clear();

  bool isShort() const { return short_; }
  const std::vector<core::PeakCause>& causes() const { return causes_; }
  const std::vector<ReliefOffer>& offers() const { return offers_; }  // the best first; none until all are analysed
  bool searching() const { return searching_; }
  void wait() { worker_.wait(); }  // for tests and pictures

 signals:
  void changed();

 private:
  struct Search;
  void next(const std::shared_ptr<Search>& search);
  void take(const Search& search);

  bool short_ = false, searching_ = false;
  std::vector<core::PeakCause> causes_;
  std::vector<ReliefOffer> offers_;
  Newest worker_;
};

}  // namespace ui
