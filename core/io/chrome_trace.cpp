#include "core/io/chrome_trace.h"

#include <fmt/format.h>

#include "core/cost/simulate.h"
#include "core/io/json_print.h"

namespace core {
namespace {

std::string quoted(const std::string& text) { return printJsonLine(Json(text)); }

class Writer {
 public:
  explicit Writer(const std::string& title) { put("{{\"otherData\":{{\"title\":{}}},\"displayTimeUnit\":\"ms\",\"traceEvents\":[", quoted(title)); }

  void nameProcess(std::int64_t process, const std::string& name) {
    event("{{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":{},\"args\":{{\"name\":{}}}}}", process, quoted(name));
    event("{{\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":{},\"args\":{{\"sort_index\":{}}}}}", process, process);
  }

  void nameLane(std::int64_t process, int lane, const std::string& name) {
    event("{{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":{}}}}}", process, lane, quoted(name));
  }

  // `name` and `category` are quoted already: there are few of them and many spans.
  void span(std::int64_t process, int lane, const std::string& name, const std::string& category, double start, double end, const std::string& arguments) {
    event("{{\"name\":{},\"cat\":{},\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{:.3f},\"dur\":{:.3f},\"args\":{{{}}}}}", name, category, process, lane, start * 1e6, (end - start) * 1e6, arguments);
  }

  std::string take() {
    put("\n]}}\n");
    return fmt::to_string(text_);
  }

 private:
  template <class... Parts>
  void put(fmt::format_string<Parts...> format, Parts&&... parts) {
    fmt::format_to(fmt::appender(text_), format, std::forward<Parts>(parts)...);
  }
  template <class... Parts>
  void event(fmt::format_string<Parts...> format, Parts&&... parts) {
    put("{}", first_ ? "\n" : ",\n");
    first_ = false;
    put(format, std::forward<Parts>(parts)...);
  }

  fmt::memory_buffer text_;
  bool first_ = true;
};

std::string categoryOf(InstructionKind kind, const std::string& op) { return quoted(std::string(toString(kind)) + (op.empty() ? "" : "," + op)); }

std::string titleOf(const PredictedTrace& trace, const Mesh& mesh) {
  std::string text;
  for (std::size_t i = 0; i < trace.coordinate.size(); ++i) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", mesh.axes[i].name, trace.coordinate[i]);
  return fmt::format("device {}{}", text.empty() ? "0" : text, trace.devices > 1 ? fmt::format(" and {} alike", trace.devices - 1) : "");
}

}  // namespace

std::string printChromeTrace(const Trace& trace, const std::string& title) {
  std::vector<std::string> names, categories;
  for (const TraceInstruction& one : trace.instructions) {
    names.push_back(quoted(one.name));
    categories.push_back(categoryOf(one.kind, one.op));
  }
  Writer writer(title);
  for (std::int64_t rank = 0; rank < trace.ranks; ++rank) writer.nameProcess(rank, fmt::format("rank {}", rank));
  for (const Span& span : trace.spans) {
    const auto i = static_cast<std::size_t>(span.instruction);
    writer.span(span.rank, 0, names[i], categories[i], span.start, span.end,
                fmt::format("\"step\":{},\"iteration\":{},\"bytesIn\":{},\"bytesOut\":{},\"flops\":{}", span.step, span.iteration, span.bytesIn, span.bytesOut, span.flops));
  }
  return writer.take();
}

std::string printChromeTrace(const Cost& cost, const Mesh& mesh, const std::string& title) {
  const std::vector<PredictedTrace> traces = simulate(cost);
  if (traces.empty()) throw Error{.what = "without a machine there are no seconds to show", .where = title, .right = "--machine NAME; `machines` lists them"};
  Writer writer(title);
  for (std::size_t process = 0; process < traces.size(); ++process) {
    const auto pid = static_cast<std::int64_t>(process);
    writer.nameProcess(pid, titleOf(traces[process], mesh));
    writer.nameLane(pid, 0, "device");
    writer.nameLane(pid, 1, "links");
    for (const PredictedSpan& span : traces[process].spans) {
      const PricedInstruction& priced = cost.devices[process].instructions[span.instruction];
      writer.span(pid, span.communication ? 1 : 0, quoted(priced.name()), categoryOf(priced.instruction->kind, priced.instruction->op), span.start, span.end,
                  fmt::format("\"iteration\":{},\"bytesIn\":{},\"bytesOut\":{},\"wireBytes\":{},\"flops\":{}", priced.iteration, priced.cost.bytesIn, priced.cost.bytesOut,
                              priced.cost.wireBytes, priced.cost.flops));
    }
  }
  return writer.take();
}

}  // namespace core
