#include "ui/session/shortage_finder.h"

#include <algorithm>
#include <optional>

namespace ui {

struct ShortageFinder::Search {
  Analyze analyze;
  AnalysisRef before;
  std::vector<core::Relief> left;  // the next one last
  std::vector<ReliefOffer> found;
};

namespace {

// None where it is refused or does not help.
std::optional<ReliefOffer> offerOf(const Analyze& analyze, const core::Analysis& before, const core::Relief& relief) {
  try {
    core::Plan plan = *before.plan;
    plan.current = before.variant;
    auto changed = std::make_shared<const core::Plan>(core::relieve(std::move(plan), relief));
    core::Analysis after = analyze(changed, changed->current);
    std::optional<core::Reached> reached = core::reached(after), now = core::reached(before);
    if (!reached || !now || reached->peakBytes >= now->peakBytes) return {};
    return ReliefOffer{relief, *reached, effectOf(before, after)};
  } catch (const core::Error&) {
    return {};
  }
}

}  // namespace

void ShortageFinder::look(const Analyze& analyze, AnalysisRef analysis) {
  if (!analysis->program || !analysis->cost || analysis->cost->fits()) return clear();
  worker_.cancel();
  short_ = searching_ = true;
  causes_.clear();
  offers_.clear();
  emit changed();
  auto search = std::make_shared<Search>(Search{analyze, std::move(analysis), {}, {}});
  worker_.start([this, search]() -> Newest::Deliver {
    std::vector<core::PeakCause> causes = core::peakCauses(*search->before, mostCauses);
    search->left = core::reliefs(*search->before);
    std::reverse(search->left.begin(), search->left.end());
    return [this, search, causes = std::move(causes)] {
      causes_ = causes;
      next(search);
      emit changed();
    };
  });
}

// One job a change: between them an edit ends the search.
void ShortageFinder::next(const std::shared_ptr<Search>& search) {
  if (search->left.empty()) return take(*search);
  worker_.start([this, search]() -> Newest::Deliver {
    std::optional<ReliefOffer> offer = offerOf(search->analyze, *search->before, search->left.back());
    return [this, search, offer] {
      if (offer) search->found.push_back(*offer);
      search->left.pop_back();
      next(search);
    };
  });
}

void ShortageFinder::take(const Search& search) {
  offers_ = search.found;
  std::stable_sort(offers_.begin(), offers_.end(), [](const ReliefOffer& one, const ReliefOffer& other) {
    return core::isBetter(one.reached, other.reached);
  });
  if (offers_.size() > mostOffers) offers_.resize(mostOffers);
  searching_ = false;
  emit changed();
}

void ShortageFinder::cancel() {
  worker_.cancel();
}

void ShortageFinder::clear() {
  worker_.cancel();
  bool was = short_;
  short_ = searching_ = false;
  causes_.clear();
  offers_.clear();
  if (was) emit changed();
}

}  // namespace ui
