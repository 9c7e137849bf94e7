#include "core/base/labels.h"
#include "core/run/trace.h"

#include <string_view>
#include <cmath>
#include <charconv>
#include <algorithm>
#include <limits>
#include <optional>

#include "core/base/error.h"
#include "core/io/json_reader.h"
#include "core/run/lines.h"
#include "core/run/run_folder.h"

namespace core {
namespace {

void append(const std::vector<Instruction>& instructions, const Instruction* repeat, std::size_t iteration, std::vector<TraceInstruction>& to) {
  for (const Instruction& one : instructions) {
    const bool moves = one.kind == InstructionKind::start || one.kind == InstructionKind::wait;
    to.push_back({repeat ? withLabels(one.name, repeat->labels, iteration) : one.name, one.kind, moves ? std::string(toString(one.collective.kind)) : one.op});
    if (one.kind != InstructionKind::repeat) append(one.body, repeat, iteration, to);
    else
      for (std::size_t i = 0; i < static_cast<std::size_t>(one.count); ++i) append(one.body, &one, i, to);
  }
}

std::optional<InstructionKind> kindOf(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(InstructionKind::repeat); ++i)
    if (toString(static_cast<InstructionKind>(i)) == name) return static_cast<InstructionKind>(i);
  return std::nullopt;
}

TraceInstruction readInstruction(const JsonReader& reader) {
  const auto texts = reader.strings();
  const auto kind = texts.size() == 3 ? kindOf(texts[1]) : std::nullopt;
  if (!kind) reader.refuse("not an instruction", "[name, kind, operator]");
  return {texts[0], *kind, texts[2]};
}

// Returns the rank that the file is of.
std::int32_t readHeader(const JsonReader& reader, Trace& trace) {
  expectFormat(reader, "meshwright.trace", 1);
  const JsonObject header(reader, {"format", "rank", "ranks", "clock", "instructions"});
  header.at("clock").finite();
  trace.ranks = header.at("ranks").integer(1, std::numeric_limits<std::int32_t>::max());
  auto instructions = header.at("instructions").list(readInstruction);
  if (!trace.instructions.empty() && trace.instructions != instructions) reader.refuse("the instructions are not those of the other ranks");
  trace.instructions = std::move(instructions);
  return static_cast<std::int32_t>(header.at("rank").integer(0, trace.ranks - 1));
}

MemoryCount readMemory(const JsonReader& reader, std::int32_t rank) {
  const JsonObject object(reader, {"memory", "runtime", "step"});
  MemoryCount count{.rank = rank, .step = object.at("step").count(), .runtime = object.at("runtime").count()};
  const auto bytes = object.at("memory").list([](const JsonReader& item) { return item.count(); });
  if (bytes.size() != memoryClasses) object.at("memory").refuse("not one number for each class of memory");
  std::copy(bytes.begin(), bytes.end(), count.bytes.begin());
  return count;
}

Span readSpan(const JsonReader& reader, std::int32_t rank, std::size_t instructions) {
  if (reader.length() != 8) reader.refuse("not a span", "8 numbers");
  const auto at = [&](std::size_t i) { return JsonReader(reader.json()[i], reader, i); };
  return {.rank = rank,
          .instruction = static_cast<std::int32_t>(at(1).integer(0, static_cast<std::int64_t>(instructions) - 1)),
          .iteration = static_cast<std::int32_t>(at(2).integer(0, std::numeric_limits<std::int32_t>::max())),
          .step = at(0).count(),
          .start = at(3).finite(),
          .end = at(4).finite(),
          .bytesIn = at(5).count(),
          .bytesOut = at(6).count(),
          .flops = at(7).count()};
}

// A span as the writer writes it, without the detour through JSON: there are millions. None where anything is unusual.
std::optional<Span> plainSpan(std::string_view line, std::int32_t rank, std::size_t instructions) {
  Span span{.rank = rank};
  const char* at = line.data();
  const char* const end = at + line.size();
  bool good = !line.empty();
  const auto next = [&](char before, auto& number) {
    if (!good || at == end || *at != before) return void(good = false);
    const auto [stop, error] = std::from_chars(at + 1, end, number);
    good = error == std::errc() && !(number < 0);
    at = stop;
  };
  next('[', span.step);
  next(',', span.instruction);
  next(',', span.iteration);
  next(',', span.start);
  next(',', span.end);
  next(',', span.bytesIn);
  next(',', span.bytesOut);
  next(',', span.flops);
  if (!good || at + 1 != end || *at != ']' || static_cast<std::size_t>(span.instruction) >= instructions || !std::isfinite(span.start) || !std::isfinite(span.end)) return std::nullopt;
  return span;
}

// When a rank left its first control instruction; all of them do at one time, since none can before the last has come.
std::vector<std::optional<double>> controlTimes(const Trace& trace) {
  std::vector<std::optional<double>> times(static_cast<std::size_t>(trace.ranks));
  for (const Span& span : trace.spans) {
    auto& time = times[static_cast<std::size_t>(span.rank)];
    if (trace.instructions[static_cast<std::size_t>(span.instruction)].kind == InstructionKind::control && (!time || span.end < *time)) time = span.end;
  }
  return times;
}

}  // namespace

std::vector<TraceInstruction> traceInstructions(const Program& program) {
  std::vector<TraceInstruction> all;
  append(program.instructions, nullptr, 0, all);
  return all;
}

void TraceReader::poll(Trace& trace, std::int64_t most) {
  const std::int64_t begin = offset_;
  std::int64_t used = 0;
  for (const std::string& line : newLines(path_, offset_, line_ == 0 ? std::max(most, mostAtOnce) : most)) {
    if (used > most) {  // the first line may be longer than what is wanted of the others
      offset_ = begin + used;
      return;
    }
    used += static_cast<std::int64_t>(line.size()) + 1;
    if (line_ > 0) {
      if (const auto span = plainSpan(line, rank_, instructions_)) {
        trace.spans.push_back(*span);
        ++line_;
        continue;
      }
    }
    const std::string where = path_ + ", line " + std::to_string(++line_);
    const Json json = parseJson(line, where);
    const JsonReader reader(json, where);
    if (line_ == 1) {
      rank_ = readHeader(reader, trace);
      instructions_ = trace.instructions.size();
    } else if (json.is_object()) {
      trace.memory.push_back(readMemory(reader, rank_));
    } else {
      trace.spans.push_back(readSpan(reader, rank_, instructions_));
    }
  }
}

Trace readTrace(const std::string& runFolder) {
  const RunFolder folder{runFolder};
  Trace trace;
  trace.ranks = 1;  // until the first file says how many there are
  for (std::int64_t rank = 0; rank < trace.ranks; ++rank) {
    TraceReader reader(folder.trace(rank));
    for (std::size_t before = std::numeric_limits<std::size_t>::max(); before != trace.spans.size();) {
      before = trace.spans.size();
      reader.poll(trace);
    }
  }
  alignClocks(trace);
  return trace;
}

void alignClocks(Trace& trace) {
  const auto times = controlTimes(trace);
  std::optional<double> reference;
  for (const auto& time : times)
    if (time && !reference) reference = time;
  if (reference)
    for (Span& span : trace.spans)
      if (const auto& own = times[static_cast<std::size_t>(span.rank)]) span.start += *reference - *own, span.end += *reference - *own;
  double first = std::numeric_limits<double>::infinity();
  for (const Span& span : trace.spans) first = std::min(first, span.start);
  for (Span& span : trace.spans) span.start -= first, span.end -= first;
}

}  // namespace core
