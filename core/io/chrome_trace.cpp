#include "core/io/chrome_trace.h"

#include <fmt/format.h>

#include "core/io/json_print.h"

namespace core {
namespace {

std::string quoted(const std::string& text) { return printJsonLine(Json(text)); }

void printRankNames(const Trace& trace, fmt::memory_buffer& text) {
  for (std::int64_t rank = 0; rank < trace.ranks; ++rank) {
    fmt::format_to(fmt::appender(text), "{{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":{},\"args\":{{\"name\":\"rank {}\"}}}},\n", rank, rank);
    fmt::format_to(fmt::appender(text), "{{\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":{},\"args\":{{\"sort_index\":{}}}}},\n", rank, rank);
  }
}

}  // namespace

std::string printChromeTrace(const Trace& trace, const std::string& title) {
  std::vector<std::string> names, categories;
  for (const TraceInstruction& one : trace.instructions) {
    names.push_back(quoted(one.name));
    categories.push_back(quoted(std::string(toString(one.kind)) + (one.op.empty() ? "" : "," + one.op)));
  }
  fmt::memory_buffer text;
  fmt::format_to(fmt::appender(text), "{{\"otherData\":{{\"title\":{}}},\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", quoted(title));
  printRankNames(trace, text);
  for (const Span& span : trace.spans) {
    const auto i = static_cast<std::size_t>(span.instruction);
    fmt::format_to(fmt::appender(text),
                   "{{\"name\":{},\"cat\":{},\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{:.3f},\"dur\":{:.3f},\"args\":{{\"step\":{},\"iteration\":{},\"bytesIn\":{},"
                   "\"bytesOut\":{},\"flops\":{}}}}},\n",
                   names[i], categories[i], span.rank, 0, span.start * 1e6, (span.end - span.start) * 1e6, span.step, span.iteration, span.bytesIn, span.bytesOut,
                   span.flops);
  }
  fmt::format_to(fmt::appender(text), "{{\"name\":\"end\",\"ph\":\"M\",\"pid\":0,\"args\":{{}}}}\n]}}\n");
  return fmt::to_string(text);
}

}  // namespace core
