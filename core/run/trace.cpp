#include "core/run/trace.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "core/base/error.h"
#include "core/io/json_reader.h"
#include "core/run/lines.h"
#include "core/run/run_folder.h"

namespace core {
namespace {

void append(const std::vector<Instruction>& instructions, std::vector<TraceInstruction>& to) {
  for (const Instruction& one : instructions) {
    const bool moves = one.kind == InstructionKind::start || one.kind == InstructionKind::wait;
    to.push_back({one.name, one.kind, moves ? std::string(toString(one.collective.kind)) : one.op});
    append(one.body, to);
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
  append(program.instructions, all);
  return all;
}

void TraceReader::poll(Trace& trace) {
  for (const std::string& line : newLines(path_, offset_)) {
    const std::string where = path_ + ", line " + std::to_string(++line_);
    const Json json = parseJson(line, where);
    const JsonReader reader(json, where);
    if (line_ == 1)
      rank_ = readHeader(reader, trace);
    else if (json.is_object())
      trace.memory.push_back(readMemory(reader, rank_));
    else
      trace.spans.push_back(readSpan(reader, rank_, trace.instructions.size()));
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
