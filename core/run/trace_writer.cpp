#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "core/base/error.h"
#include "core/io/json_print.h"
#include "core/run/trace.h"

namespace core {
namespace {

std::string header(std::int32_t rank, std::int64_t ranks, double clock, const std::vector<TraceInstruction>& instructions) {
  Json list = Json::array();
  for (const TraceInstruction& one : instructions) list.push_back({one.name, std::string(toString(one.kind)), one.op});
  return printJsonLine({{"format", formatOf("meshwright.trace", 1)}, {"rank", rank}, {"ranks", ranks}, {"clock", clock}, {"instructions", std::move(list)}});
}

void put(std::FILE* file, const char* begin, std::size_t size) {
  if (std::fwrite(begin, 1, size, file) != size) throw Error{.what = std::string("cannot write: ") + std::strerror(errno), .where = "trace", .right = {}};
}

}  // namespace

TraceWriter::TraceWriter(const std::string& path, std::int32_t rank, std::int64_t ranks, double clock, const std::vector<TraceInstruction>& instructions)
    : file_(std::fopen(path.c_str(), "we")) {
  if (!file_) throw Error{.what = std::string("cannot write: ") + std::strerror(errno), .where = path, .right = {}};
  const std::string line = header(rank, ranks, clock, instructions) + "\n";
  put(file_, line.data(), line.size());
  flush();
}

TraceWriter::~TraceWriter() { std::fclose(file_); }

void TraceWriter::write(const Span& span) {
  fmt::memory_buffer line;
  fmt::format_to(fmt::appender(line), "[{},{},{},{:.9f},{:.9f},{},{},{}]\n", span.step, span.instruction, span.iteration, span.start, span.end, span.bytesIn,
                 span.bytesOut, span.flops);
  put(file_, line.data(), line.size());
}

void TraceWriter::write(const MemoryCount& memory) {
  const std::string line = fmt::format("{{\"memory\":[{}],\"runtime\":{},\"step\":{}}}\n", fmt::join(memory.bytes, ","), memory.runtime, memory.step);
  put(file_, line.data(), line.size());
}

void TraceWriter::flush() {
  if (std::fflush(file_) != 0) throw Error{.what = std::string("cannot write: ") + std::strerror(errno), .where = "trace", .right = {}};
}

}  // namespace core
