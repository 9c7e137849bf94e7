#include "core/run/events.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/io/json_print.h"
#include "core/io/json_reader.h"
#include "core/run/lines.h"

namespace core {
namespace {

constexpr std::pair<std::string_view, RunState> states[] = {
    {"running", RunState::running}, {"done", RunState::done}, {"stopped", RunState::stopped}, {"failed", RunState::failed}};

struct ToJson {
  Json operator()(const StartedEvent& event) const {
    return {{"event", "started"}, {"ranks", event.ranks}, {"mesh", event.mesh}, {"firstStep", event.firstStep}, {"steps", event.steps}, {"time", event.time}};
  }
  Json operator()(const StepEvent& event) const {
    Json json = {{"event", "step"}, {"step", event.step}};
    if (event.loss) json["loss"] = numberJson(*event.loss);
    json["seconds"] = event.seconds;
    return json;
  }
  Json operator()(const SpansEvent& event) const {
    Json kinds = Json::array();
    for (const KindDigest& one : event.kinds)
      kinds.push_back({{"kind", one.kind}, {"calls", one.calls}, {"seconds", one.seconds}, {"bytesIn", one.bytesIn}, {"bytesOut", one.bytesOut}, {"flops", one.flops}});
    return {{"event", "spans"}, {"step", event.step}, {"kinds", std::move(kinds)}};
  }
  Json operator()(const CheckpointEvent& event) const { return {{"event", "checkpoint"}, {"step", event.step}, {"path", event.path}}; }
  Json operator()(const FinishedEvent& event) const {
    Json json = {{"event", "finished"}, {"state", toString(event.state)}};
    if (event.rank) json["rank"] = *event.rank;
    if (event.step) json["step"] = *event.step;
    if (!event.instruction.empty()) json["instruction"] = event.instruction;
    if (!event.message.empty()) json["message"] = event.message;
    return json;
  }
};

Event readStarted(const JsonReader& reader) {
  const JsonObject object(reader, {"event", "ranks", "mesh", "firstStep", "steps", "time"});
  return StartedEvent{.ranks = object.at("ranks").size(),
                      .mesh = object.at("mesh").string(),
                      .firstStep = object.at("firstStep").size(),
                      .steps = object.at("steps").count(),
                      .time = object.at("time").finite()};
}

Event readStep(const JsonReader& reader) {
  const JsonObject object(reader, {"event", "step", "loss", "seconds"});
  StepEvent event{.step = object.at("step").size(), .seconds = object.at("seconds").finite()};
  if (auto loss = object.find("loss")) event.loss = loss->number();
  return event;
}

KindDigest readDigest(const JsonReader& reader) {
  const JsonObject object(reader, {"kind", "calls", "seconds", "bytesIn", "bytesOut", "flops"});
  return {.kind = object.at("kind").name(),
          .calls = object.at("calls").count(),
          .seconds = object.at("seconds").finite(),
          .bytesIn = object.at("bytesIn").count(),
          .bytesOut = object.at("bytesOut").count(),
          .flops = object.at("flops").count()};
}

Event readSpans(const JsonReader& reader) {
  const JsonObject object(reader, {"event", "step", "kinds"});
  return SpansEvent{object.at("step").size(), object.at("kinds").list(readDigest)};
}

Event readCheckpoint(const JsonReader& reader) {
  const JsonObject object(reader, {"event", "step", "path"});
  return CheckpointEvent{object.at("step").count(), object.at("path").name()};
}

Event readFinished(const JsonReader& reader) {
  const JsonObject object(reader, {"event", "state", "rank", "step", "instruction", "message"});
  FinishedEvent event{.state = object.at("state").oneOf<RunState>(states)};
  if (auto rank = object.find("rank")) event.rank = rank->count();
  if (auto step = object.find("step")) event.step = step->count();
  if (auto instruction = object.find("instruction")) event.instruction = instruction->string();
  if (auto message = object.find("message")) event.message = message->string();
  return event;
}

using ReadEvent = Event (*)(const JsonReader&);
constexpr std::pair<std::string_view, ReadEvent> readers[] = {
    {"started", readStarted}, {"step", readStep}, {"spans", readSpans}, {"checkpoint", readCheckpoint}, {"finished", readFinished}};

}  // namespace

std::string_view toString(RunState state) { return nameOf<RunState>(state, states); }

std::string toLine(const Event& event) { return printJsonLine(std::visit(ToJson{}, event)); }

Event parseEvent(std::string_view line, const std::string& where) {
  const Json json = parseJson(line, where);
  const JsonReader reader(json, where);
  const auto kind = json.is_object() ? json.find("event") : json.end();
  if (!json.is_object() || kind == json.end()) reader.refuse("no event", "an object with \"event\"");
  return JsonReader(*kind, reader, "event").oneOf<ReadEvent>(readers)(reader);
}

std::vector<Event> EventReader::poll() {
  std::vector<Event> events;
  for (const std::string& line : newLines(path_, offset_)) {
    ++line_;
    events.push_back(parseEvent(line, path_ + ", line " + std::to_string(line_)));
  }
  return events;
}

EventWriter::EventWriter(const std::string& path) : path_(path) {
  dropCutLine(path);
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) throw Error{.what = std::string("cannot write: ") + std::strerror(errno), .where = path, .right = {}};
}

EventWriter::~EventWriter() { ::close(file_); }

void EventWriter::write(const Event& event) {
  const std::string line = toLine(event) + "\n";
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t done = ::write(file_, rest.data(), rest.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) throw Error{.what = std::string("cannot write: ") + std::strerror(errno), .where = path_, .right = {}};
    rest.remove_prefix(static_cast<std::size_t>(done));
  }
}

}  // namespace core
