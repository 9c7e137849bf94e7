#include "core/run/run_folder.h"

#include <chrono>
#include <filesystem>

#include "core/base/error.h"
#include "core/io/file.h"
#include "core/io/json_print.h"
#include "core/io/value_json.h"

namespace core {
namespace {

namespace fs = std::filesystem;

constexpr double orphanedAfter = 10;  // seconds without a heartbeat

constexpr std::pair<std::string_view, RunState> states[] = {
    {"running", RunState::running}, {"done", RunState::done}, {"stopped", RunState::stopped}, {"failed", RunState::failed}};

// The first thing on the way to `path` that is there and is no folder.
void refuseFileOnTheWay(const fs::path& path) {
  fs::path at;
  for (const fs::path& part : path) {
    at /= part;
    std::error_code ignored;
    const fs::file_status status = fs::status(at, ignored);
    if (fs::exists(status) && !fs::is_directory(status))
      throw Error{.what = "cannot make a run folder: " + at.string() + " is a file, not a folder", .where = path.string(), .right = "a path through folders"};
  }
}

Json settingsJson(const RunSettings& settings) {
  Json json = {{"steps", settings.steps}, {"data", dataJson(settings.data)}, {"checkpointEvery", settings.checkpointEvery}};
  if (!settings.from.empty()) json["from"] = settings.from;
  json["seed"] = settings.seed;
  json["threads"] = settings.threads;
  json["inference"] = settings.inference;
  return json;
}

RunSettings readSettings(const JsonReader& reader) {
  const JsonObject object(reader, {"steps", "data", "checkpointEvery", "from", "seed", "threads", "inference"});
  RunSettings settings{.steps = object.at("steps").count(),
                       .data = readData(object.at("data")),
                       .checkpointEvery = object.at("checkpointEvery").count(),
                       .seed = object.at("seed").unsigned64(),
                       .threads = object.at("threads").size(),
                       .inference = object.at("inference").boolean()};
  if (auto from = object.find("from")) settings.from = from->name();
  return settings;
}

}  // namespace

RunFolder createRunFolder(const std::string& path) {
  const RunFolder folder{path};
  refuseFileOnTheWay(path);
  std::error_code error;
  if (fs::exists(folder.run(), error) || fs::exists(folder.events(), error))
    throw Error{.what = "there is a run in this folder already", .where = path, .right = "a new folder; to go on with a run, give --from " + path};
  for (const std::string& one : {folder.path, folder.trace(), folder.checkpoints()}) {
    fs::create_directories(one, error);
    if (error) throw Error{.what = "cannot make the folder: " + error.message(), .where = one, .right = {}};
  }
  return folder;
}

bool isRunFolder(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(RunFolder{path}.run(), ignored);
}

RunFolder openRunFolder(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) throw Error{.what = "there is no such folder", .where = path, .right = "a folder that `run --to` made"};
  if (!isRunFolder(path)) throw Error{.what = "not a run folder: it has no run.json", .where = path, .right = "a folder that `run --to` made"};
  return {path};
}

RunInfo readRunInfo(const RunFolder& folder) {
  const Json json = parseJson(readText(folder.run()), folder.run());
  const std::string file = folder.run();
  const JsonReader reader(json, file);
  expectFormat(reader, "meshwright.run", 1);
  const JsonObject object(reader, {"format", "pid", "host", "started", "heartbeat", "state", "ranks", "variant", "settings"});
  return {.pid = object.at("pid").count(),
          .host = object.at("host").string(),
          .started = object.at("started").finite(),
          .heartbeat = object.at("heartbeat").finite(),
          .state = object.at("state").oneOf<RunState>(states),
          .ranks = object.at("ranks").size(),
          .variant = object.at("variant").string(),
          .settings = readSettings(object.at("settings"))};
}

void writeRunInfo(const RunFolder& folder, const RunInfo& info) {
  writeTextAtomically(folder.run(), printJson({{"format", formatOf("meshwright.run", 1)},
                                               {"pid", info.pid},
                                               {"host", info.host},
                                               {"started", info.started},
                                               {"heartbeat", info.heartbeat},
                                               {"state", toString(info.state)},
                                               {"ranks", info.ranks},
                                               {"variant", info.variant},
                                               {"settings", settingsJson(info.settings)}}));
}

bool isOrphaned(const RunInfo& info, double now) { return info.state == RunState::running && now - info.heartbeat > orphanedAfter; }

double secondsNow() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

void writeRankError(const RunFolder& folder, std::int64_t rank, const std::string& text) { writeTextAtomically(folder.error(rank), text + "\n"); }

void requestStop(const RunFolder& folder) { writeTextAtomically(folder.stop(), "stop\n"); }

}  // namespace core
