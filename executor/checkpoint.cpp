#include "executor/checkpoint.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/io/file.h"
#include "core/spmd/redistribute.h"
#include "core/tdl/element.h"
#include "executor/file_shard.h"
#include "executor/kernels/copy.h"
#include "executor/safetensors.h"
#include "executor/sync.h"

namespace executor {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using core::Buffer;
using core::Range;

constexpr const char* format = "meshwright.checkpoint/1";

std::string fileOf(std::int64_t rank) { return "rank." + std::to_string(rank) + ".safetensors"; }

// Of the ranks that hold the same block the first writes it; of an empty one nobody.
bool writes(const Buffer& buffer, const core::Mesh& mesh, const core::Coordinate& at, const Held& held) {
  const core::AxisSet split = buffer.placement.sharding.used();
  for (core::AxisId axis = 0; axis < mesh.axes.size(); ++axis)
    if (!split.contains(axis) && at[axis] != 0) return false;
  return !isEmpty(held.ranges);
}

// A box without padding, as it lies in a file.
Held boxOf(const Buffer& buffer, const std::vector<Range>& ranges) {
  Held box{.dtype = buffer.dtype, .sizes = buffer.sizes, .ranges = ranges};
  for (const Range& range : ranges) box.shape.push_back(range.size);
  box.strides = rowMajorStrides(box.shape);
  return box;
}

SafeTensor partOf(const Buffer& buffer, const Held& held, const std::byte* block) {
  const Held box = boxOf(buffer, held.ranges);
  SafeTensor part{buffer.dtype, box.shape, std::vector<std::byte>(static_cast<std::size_t>(box.bytes()))};
  run(copyOf(held.ranges, held, box), block, part.bytes.data(), core::byteSize(buffer.dtype));
  return part;
}

std::string indexOf(const core::Program& program, std::int64_t step) {
  Json states = Json::object();
  for (core::BufferId id : program.states) {
    const Buffer& buffer = program.buffers[id.index()];
    Json parts = Json::array();
    for (std::int64_t rank = 0; rank < program.mesh.devices(); ++rank) {
      const core::Coordinate at = program.mesh.coordinate(rank);
      const Held held = heldOf(buffer, program.mesh, at);
      if (!writes(buffer, program.mesh, at, held)) continue;
      std::vector<std::int64_t> start;
      for (const Range& range : held.ranges) start.push_back(range.start);
      parts.push_back({{"file", fileOf(rank)}, {"start", start}, {"shape", boxOf(buffer, held.ranges).shape}});
    }
    states[buffer.name] = {{"dtype", core::toString(buffer.dtype)}, {"shape", buffer.sizes}, {"parts", parts}};
  }
  return Json{{"format", format}, {"step", step}, {"mesh", core::print(program.mesh)}, {"states", states}}.dump(1) + "\n";
}

void barrier(Communicator& communicator) {
  core::AxisList everybody;
  for (core::AxisId axis = 0; axis < communicator.mesh().axes.size(); ++axis) everybody.push_back(axis);
  std::vector<float> words(communicator.ranks().size());
  std::vector<std::vector<Call>> calls;
  for (float& word : words) {
    std::byte* bytes = reinterpret_cast<std::byte*>(&word);
    calls.push_back({Call{.kind = Call::Kind::allReduce, .axes = everybody, .send = bytes, .receive = bytes, .count = 1}});
  }
  communicator.wait(communicator.start(calls, true));
}

struct Part {
  std::string file;
  std::vector<Range> ranges;
};

std::vector<Part> partsOf(const Json& state, const Buffer& buffer, const std::string& where) {
  if (state.at("shape").get<std::vector<std::int64_t>>() != buffer.sizes || state.at("dtype").get<std::string>() != core::toString(buffer.dtype))
    throw core::Error{.what = "state \"" + buffer.name + "\" is " + state.at("dtype").get<std::string>() + " " + state.at("shape").dump() + " there", .where = where,
                      .right = std::string(core::toString(buffer.dtype)) + " " + Json(buffer.sizes).dump()};
  std::vector<Part> parts;
  for (const Json& one : state.at("parts")) {
    const auto start = one.at("start").get<std::vector<std::int64_t>>(), shape = one.at("shape").get<std::vector<std::int64_t>>();
    Part part{one.at("file").get<std::string>(), {}};
    if (start.size() != buffer.sizes.size() || shape.size() != buffer.sizes.size() || fs::path(part.file).has_parent_path())
      throw core::Error{.what = "a part of \"" + buffer.name + "\" is malformed", .where = where, .right = "a file of this folder, a start and a shape"};
    for (std::size_t d = 0; d < start.size(); ++d) part.ranges.push_back({start[d], shape[d]});
    parts.push_back(std::move(part));
  }
  return parts;
}

// What a rank holds of a part, from its file into the rank's block. Gives how many elements these were.
std::int64_t loadPart(const Part& part, const SafeTensorEntry& entry, const Buffer& buffer, const Held& held, std::byte* block) {
  const std::vector<Range> common = intersect(part.ranges, held.ranges);
  if (isEmpty(common)) return 0;
  const Held box = boxOf(buffer, part.ranges);
  std::vector<Range> inPart;
  std::int64_t elements = 1;
  for (std::size_t d = 0; d < common.size(); ++d) {
    inPart.push_back({common[d].start - part.ranges[d].start, common[d].size});
    elements *= common[d].size;
  }
  const std::int64_t bytes = core::byteSize(buffer.dtype);
  const FileShard file(entry.source, box.elements(), buffer.name, "");
  const std::int64_t row = box.shape.empty() ? 1 : box.shape.back();  // runs of the part are cut into rows: those lie in one piece in the block, too
  file.read(core::linearRuns(inPart, box.shape), [&](std::int64_t linear, const std::byte* data, std::int64_t count) {
    while (count > 0) {
      const std::int64_t some = std::min(count, row - linear % row);
      std::int64_t local = 0, rest = linear;
      for (std::size_t d = box.shape.size(); d-- > 0;) {
        local += (rest % box.shape[d] + part.ranges[d].start - held.ranges[d].start) * held.strides[d];
        rest /= box.shape[d];
      }
      std::memcpy(block + local * bytes, data, static_cast<std::size_t>(some * bytes));
      linear += some;
      data += some * bytes;
      count -= some;
    }
  });
  return elements;
}

using Headers = std::map<std::string, std::map<std::string, SafeTensorEntry>>;

const SafeTensorEntry& entryOf(Headers& headers, const std::string& checkpoint, const Part& part, const Buffer& buffer) {
  const std::string path = checkpoint + "/" + part.file;
  if (!headers.count(part.file)) headers[part.file] = readSafetensorsHeader(path);
  const auto found = headers[part.file].find(buffer.name);
  if (found == headers[part.file].end() || found->second.source.stored != buffer.dtype)
    throw core::Error{.what = "lacks state \"" + buffer.name + "\"", .where = path, .right = "the file that was written with the index"};
  return found->second;
}

Json readIndex(const std::string& checkpoint) {
  const std::string path = checkpoint + "/index.json";
  try {
    Json index = Json::parse(core::readText(path));
    if (index.at("format") != format) throw core::Error{.what = "has format " + index.at("format").dump(), .where = path, .right = format};
    return index;
  } catch (const Json::exception& error) {
    throw core::Error{.what = std::string("is malformed: ") + error.what(), .where = path, .right = "the index of a checkpoint"};
  }
}

std::optional<std::int64_t> stepOf(const fs::path& folder) {
  const std::string name = folder.filename().string();
  if (name.rfind("step-", 0) != 0 || name.size() < 6 || !std::all_of(name.begin() + 5, name.end(), [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
  return fs::exists(folder / "index.json") ? std::optional<std::int64_t>(std::stoll(name.substr(5))) : std::nullopt;
}

}  // namespace

std::string writeCheckpoint(Interpreter& interpreter, const core::Program& program, Communicator& communicator, const std::string& checkpoints, std::int64_t step) {
  const std::string name = "step-" + std::to_string(step), temporary = checkpoints + "/." + name + ".partial";
  fs::create_directories(temporary);
  barrier(communicator);
  for (std::size_t local = 0; local < interpreter.localRanks(); ++local) {
    const core::Coordinate at = program.mesh.coordinate(interpreter.rank(local));
    std::map<std::string, SafeTensor> parts;
    for (core::BufferId id : program.states) {
      const Buffer& buffer = program.buffers[id.index()];
      if (writes(buffer, program.mesh, at, interpreter.held(local, id))) parts[buffer.name] = partOf(buffer, interpreter.held(local, id), interpreter.data(local, id));
    }
    writeSafetensors(temporary + "/" + fileOf(interpreter.rank(local)), parts);
  }
  barrier(communicator);
  if (interpreter.rank(0) == 0) {
    core::writeTextAtomically(temporary + "/index.json", indexOf(program, step));
    publishFolder(temporary, checkpoints + "/" + name);
  }
  barrier(communicator);
  return name;
}

std::string findCheckpoint(const std::string& from) {
  if (fs::exists(from + "/index.json")) return from;
  std::optional<std::int64_t> newest;
  std::error_code missing;
  for (const fs::directory_entry& one : fs::directory_iterator(from + "/checkpoints", missing))
    if (const auto step = stepOf(one.path()); step && (!newest || *step > *newest)) newest = step;
  if (!newest) throw core::Error{.what = "has no checkpoint", .where = from, .right = "the folder of a run with a checkpoint, or of a checkpoint"};
  return from + "/checkpoints/step-" + std::to_string(*newest);
}

std::int64_t loadCheckpoint(Interpreter& interpreter, const core::Program& program, const std::string& checkpoint) {
  const Json index = readIndex(checkpoint);
  const std::string where = checkpoint + "/index.json";
  Headers headers;
  try {
    for (core::BufferId id : program.states) {
      const Buffer& buffer = program.buffers[id.index()];
      const auto state = index.at("states").find(buffer.name);
      if (state == index.at("states").end()) throw core::Error{.what = "has no state \"" + buffer.name + "\"", .where = where, .right = "a checkpoint of the same model and step"};
      const std::vector<Part> parts = partsOf(*state, buffer, where);
      for (std::size_t local = 0; local < interpreter.localRanks(); ++local) {
        const Held& held = interpreter.held(local, id);
        std::int64_t found = 0;
        for (const Part& part : parts)
          if (!isEmpty(intersect(part.ranges, held.ranges)))
            found += loadPart(part, entryOf(headers, checkpoint, part, buffer), buffer, held, interpreter.data(local, id));
        if (found < held.valid()) throw core::Error{.what = "parts of state \"" + buffer.name + "\" are missing", .where = where, .right = "a whole checkpoint"};
      }
    }
    return index.at("step").get<std::int64_t>();
  } catch (const Json::exception& error) {
    throw core::Error{.what = std::string("is malformed: ") + error.what(), .where = where, .right = "the index of a checkpoint"};
  }
}

}  // namespace executor
