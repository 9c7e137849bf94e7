#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "core/spmd/passes/passes.h"

namespace core {
namespace {

constexpr std::size_t leastCount = 3;
constexpr std::string_view placeholder = "{}";

// --- what has to be equal for two instructions to be iterations of one ---

using Number = std::int64_t;

void describeBuffer(const Program& program, BufferId id, std::vector<Number>& key) {
  const Buffer& buffer = program.buffers[id.index()];
  key.push_back(static_cast<Number>(buffer.dtype));
  key.push_back(static_cast<Number>(buffer.memoryClass));
  key.push_back(buffer.persistent + 2 * buffer.alias.valid() + 4 * (buffer.offset < 0));
  key.insert(key.end(), buffer.sizes.begin(), buffer.sizes.end());
  for (const AxisList& axes : buffer.placement.sharding.dims) key.push_back(static_cast<Number>(axes.size() == 0 ? 0 : axes[0] + 1 + 16 * axes.size()));
  key.push_back(buffer.placement.sharding.partial.bits);
  for (const Window& window : buffer.placement.windows) key.insert(key.end(), {window.extent, window.low, window.high});
}

std::vector<Number> keyOf(const Program& program, const Instruction& one) {
  std::vector<Number> key{static_cast<Number>(one.kind), one.expression, static_cast<Number>(one.inputs.size()), static_cast<Number>(one.outputs.size()),
                          static_cast<Number>(one.collective.kind), one.collective.splitDim, one.collective.concatDim, static_cast<Number>(one.body.size())};
  for (AxisId axis : one.collective.axes) key.push_back(axis);
  for (const AxisList& axes : one.loopAxes) {
    key.push_back(-2);
    for (AxisId axis : axes) key.push_back(axis);
  }
  for (BufferId id : one.inputs) describeBuffer(program, id, key);
  for (BufferId id : one.outputs) describeBuffer(program, id, key);
  for (const Instruction& inner : one.body) {
    const std::vector<Number> more = keyOf(program, inner);
    key.insert(key.end(), more.begin(), more.end());
  }
  return key;
}

// --- names: equal but for one number, the iteration's label ---

struct Token {
  std::string text;
  bool number;
};

std::vector<Token> tokens(const std::string& name) {
  std::vector<Token> found;
  for (char c : name) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (found.empty() || found.back().number != digit) found.push_back({"", digit});
    found.back().text += c;
  }
  return found;
}

// The common form of the names, "{}" where they differ; the labels are found or have to agree. None when they differ otherwise.
std::optional<std::string> commonName(const std::vector<const std::string*>& names, std::vector<std::string>& labels) {
  std::vector<std::vector<Token>> split;
  for (const std::string* name : names) {
    split.push_back(tokens(*name));
    if (split.back().size() != split.front().size()) return std::nullopt;
  }
  std::string common;
  for (std::size_t t = 0; t < split[0].size(); ++t) {
    bool equal = true;
    std::vector<std::string> here;
    for (const auto& one : split) {
      if (one.size() != split[0].size() || one[t].number != split[0][t].number) return std::nullopt;
      equal = equal && one[t].text == split[0][t].text;
      here.push_back(one[t].text);
    }
    if (equal) {
      common += split[0][t].text;
      continue;
    }
    if (!split[0][t].number) return std::nullopt;
    if (labels.empty()) labels = here;
    if (labels != here) return std::nullopt;
    common += placeholder;
  }
  return common;
}

std::string withLabel(const std::string& name, const std::string& label) {
  std::string text;
  for (std::size_t at = 0; at < name.size();) {
    if (name.compare(at, placeholder.size(), placeholder) == 0) {
      text += label;
      at += placeholder.size();
    } else {
      text += name[at++];
    }
  }
  return text;
}

// --- rolling ---

struct Run {
  std::size_t start = 0, period = 0, count = 0;
};

class Rolling {
 public:
  explicit Rolling(Program program) : program_(std::move(program)) {}

  Program run() {
    std::vector<Instruction> old = std::move(program_.instructions);
    std::map<std::vector<Number>, int> known;
    for (const Instruction& one : old) codes_.push_back(known.try_emplace(keyOf(program_, one), static_cast<int>(known.size())).first->second);
    taken_.assign(old.size(), false);
    for (std::size_t period : likelyPeriods()) findRuns(period, old);
    std::vector<Instruction> rolled;
    for (std::size_t at = 0; at < old.size();) {
      const auto found = found_.find(at);
      if (found == found_.end()) {
        rolled.push_back(std::move(old[at++]));
        continue;
      }
      rolled.push_back(std::move(found->second.second));
      at += found->second.first;
    }
    program_.instructions = std::move(rolled);
    return std::move(program_);
  }

 private:
  // Distances at which equal instructions stand again, those that cover most first.
  std::vector<std::size_t> likelyPeriods() const {
    std::map<int, std::size_t> last;
    std::map<std::size_t, std::size_t> covered;
    for (std::size_t i = 0; i < codes_.size(); ++i) {
      const auto before = last.find(codes_[i]);
      if (before != last.end()) covered[i - before->second] += 1;
      last[codes_[i]] = i;
    }
    std::vector<std::pair<std::size_t, std::size_t>> order;
    for (const auto& [period, times] : covered)
      if (times >= leastCount - 1) order.push_back({times * period, period});
    std::sort(order.rbegin(), order.rend());
    std::vector<std::size_t> periods;
    for (std::size_t i = 0; i < order.size() && i < 12; ++i) periods.push_back(order[i].second);
    std::sort(periods.rbegin(), periods.rend());  // the layers of a model before what repeats inside one
    return periods;
  }

  void findRuns(std::size_t period, const std::vector<Instruction>& old) {
    const std::size_t size = codes_.size();
    for (std::size_t i = 0; i + period < size;) {
      std::size_t end = i;
      while (end + period < size && codes_[end] == codes_[end + period] && !taken_[end] && !taken_[end + period]) ++end;
      if (end + period - i >= leastCount * period) i = takeFrom(i, end + period, period, old);
      else i = end + 1;
    }
  }

  // In a stretch that repeats, the first place where names repeat too. Where to go on.
  std::size_t takeFrom(std::size_t start, std::size_t end, std::size_t period, const std::vector<Instruction>& old) {
    for (std::size_t phase = 0; phase < period; ++phase) {
      Run run{start + phase, period, (end - start - phase) / period};
      if (run.count < leastCount) break;
      run.count = alike(run, old);
      if (run.count < leastCount || !roll(run, old)) continue;
      const std::size_t length = run.period * run.count;
      std::fill_n(taken_.begin() + static_cast<std::ptrdiff_t>(run.start), length, true);
      found_[run.start] = {length, std::move(*rolledRun_)};
      return run.start + length;
    }
    return end;
  }

  // How many of the iterations have names that differ by their label alone.
  std::size_t alike(const Run& run, const std::vector<Instruction>& old) const {
    std::size_t count = run.count;
    std::vector<std::string> labels;
    for (std::size_t j = 0; j < run.period && count >= leastCount; ++j) {
      while (count >= leastCount && !sameBut(run, j, count, old, labels)) --count;
    }
    return count;
  }

  bool sameBut(const Run& run, std::size_t j, std::size_t count, const std::vector<Instruction>& old, std::vector<std::string>& labels) const {
    std::vector<const std::string*> names, origins;
    for (std::size_t i = 0; i < count; ++i) {
      names.push_back(&old[run.start + i * run.period + j].name);
      origins.push_back(&old[run.start + i * run.period + j].origin);
    }
    std::vector<std::string> tried = labels;
    if (tried.size() > count) tried.resize(count);
    if (!commonName(names, tried) || !commonName(origins, tried)) return false;
    labels = std::move(tried);
    return true;
  }

  bool roll(const Run& run, const std::vector<Instruction>& old) {
    Instruction repeat{.kind = InstructionKind::repeat, .count = static_cast<std::int64_t>(run.count)};
    slots_.clear();
    const std::size_t buffers = program_.buffers.size();
    for (std::size_t j = 0; j < run.period; ++j) {
      std::vector<const Instruction*> same;
      for (std::size_t i = 0; i < run.count; ++i) same.push_back(&old[run.start + i * run.period + j]);
      auto body = merge(same, repeat);
      if (!body) {
        program_.buffers.resize(buffers);
        program_.sources.resize(buffers);
        return false;
      }
      repeat.body.push_back(std::move(*body));
    }
    repeat.name = "repeat of " + withLabel(repeat.body.front().name, repeat.labels.empty() ? "" : repeat.labels.front() + ".." + repeat.labels.back());
    repeat.reason = std::to_string(run.count) + " equal runs of " + std::to_string(run.period) + " instructions";
    rolledRun_ = std::move(repeat);
    return true;
  }

  std::optional<Instruction> merge(const std::vector<const Instruction*>& same, Instruction& repeat) {
    Instruction result = *same[0];
    for (const auto member : {&Instruction::name, &Instruction::origin, &Instruction::reason}) {
      std::vector<const std::string*> names;
      for (const Instruction* one : same) names.push_back(&(one->*member));
      auto common = commonName(names, repeat.labels);
      if (!common && member != &Instruction::reason) return std::nullopt;  // a reason may name a neighbour: the first one's stands for all
      if (common) result.*member = std::move(*common);
    }
    for (const Instruction* one : same)
      if (one->op != same[0]->op || one->attributes != same[0]->attributes) return std::nullopt;
    mergeBuffers(same, &Instruction::inputs, result, repeat);
    mergeBuffers(same, &Instruction::outputs, result, repeat);
    for (std::size_t k = 0; k < result.body.size(); ++k) {
      std::vector<const Instruction*> inner;
      for (const Instruction* one : same) inner.push_back(&one->body[k]);
      auto merged = merge(inner, repeat);
      if (!merged) return std::nullopt;
      result.body[k] = std::move(*merged);
    }
    return result;
  }

  void mergeBuffers(const std::vector<const Instruction*>& same, std::vector<BufferId> Instruction::*member, Instruction& result, Instruction& repeat) {
    for (std::size_t k = 0; k < (result.*member).size(); ++k) {
      std::vector<BufferId> perIteration;
      for (const Instruction* one : same) perIteration.push_back((one->*member)[k]);
      if (std::equal(perIteration.begin() + 1, perIteration.end(), perIteration.begin())) continue;
      (result.*member)[k] = slotFor(perIteration, repeat);
    }
  }

  // A buffer of its own that stands for each iteration's: no bytes, no place.
  BufferId slotFor(const std::vector<BufferId>& perIteration, Instruction& repeat) {
    const auto known = slots_.find(perIteration);
    if (known != slots_.end()) return known->second;
    const BufferId slot(static_cast<std::int64_t>(program_.buffers.size()));
    Buffer buffer = program_.buffers[perIteration[0].index()];
    buffer.offset = -1;
    buffer.persistent = false;
    buffer.alias = {};
    buffer.tensor = {};
    program_.buffers.push_back(std::move(buffer));
    program_.sources.emplace_back();
    repeat.views.push_back({slot, perIteration});
    slots_[perIteration] = slot;
    return slot;
  }

  Program program_;
  std::vector<int> codes_;
  std::vector<bool> taken_;                                                // instructions that are in a repeat
  std::map<std::size_t, std::pair<std::size_t, Instruction>> found_;       // first instruction -> how many, and what replaces them
  std::map<std::vector<BufferId>, BufferId> slots_;
  std::optional<Instruction> rolledRun_;
};

// --- flattening ---

Instruction substituted(Instruction one, const std::map<BufferId, BufferId>& meant, const std::string& label) {
  for (auto* text : {&one.name, &one.origin, &one.reason}) *text = withLabel(*text, label);
  for (auto* ids : {&one.inputs, &one.outputs})
    for (BufferId& id : *ids)
      if (const auto found = meant.find(id); found != meant.end()) id = found->second;
  for (Instruction& inner : one.body) inner = substituted(std::move(inner), meant, label);
  return one;
}

}  // namespace

Program rollRepeats(Program program) { return Rolling(std::move(program)).run(); }

Program flatten(const Program& program) {
  Program flat = program;
  flat.instructions.clear();
  std::size_t firstSlot = program.buffers.size();
  int pair = 0;
  for (const Instruction& one : program.instructions) {
    if (one.kind != InstructionKind::repeat) {
      flat.instructions.push_back(one);
      continue;
    }
    for (std::int64_t i = 0; i < one.count; ++i) {
      std::map<BufferId, BufferId> meant;
      for (const IterationView& view : one.views) {
        meant[view.slot] = view.perIteration[static_cast<std::size_t>(i)];
        firstSlot = std::min(firstSlot, view.slot.index());
      }
      for (const Instruction& inner : one.body) flat.instructions.push_back(substituted(inner, meant, one.labels.empty() ? "" : one.labels[static_cast<std::size_t>(i)]));
    }
  }
  for (Instruction& one : flat.instructions) {
    if (one.kind == InstructionKind::start) one.pair = pair++;
    if (one.kind == InstructionKind::wait) one.pair = pair - 1;
  }
  flat.buffers.resize(firstSlot);
  flat.sources.resize(firstSlot);
  return flat;
}

}  // namespace core
