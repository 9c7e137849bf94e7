#include "core/io/xla/hlo_sharding.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "core/base/error.h"

namespace core::xla {
namespace {

constexpr std::int64_t mostDevices = std::int64_t{1} << 24;

std::vector<std::int64_t> bracketed(Scanner& scan, const char* open, const char* close) {
  std::vector<std::int64_t> values;
  scan.need(open);
  while (!scan.take(close)) {
    values.push_back(scan.integer());
    if (values.back() < 0 || values.back() > mostDevices) scan.fail("there are no as many devices", fmt::format("at most {}", mostDevices));
    scan.take(",");
  }
  return values;
}

std::int64_t productOf(Scanner& scan, const std::vector<std::int64_t>& sizes) {
  std::int64_t product = 1;
  for (std::int64_t size : sizes)
    if (size < 1 || (product *= size) > mostDevices) scan.fail("a grid of devices has sizes from 1", fmt::format("at most {} devices", mostDevices));
  return product;
}

// The digits of an iota that was reshaped and transposed, cut where tiles end.
std::vector<std::vector<Digit>> cut(Scanner& scan, std::vector<Digit> digits, const std::vector<std::int64_t>& tiles) {
  std::vector<std::vector<Digit>> found;
  std::size_t next = 0;
  for (std::int64_t tile : tiles) {
    std::vector<Digit> mine;
    for (std::int64_t left = tile; left > 1;) {
      while (next < digits.size() && digits[next].size == 1) ++next;
      if (next == digits.size()) scan.fail("the grid has other devices than its tiles");
      Digit& digit = digits[next];
      const std::int64_t part = std::gcd(left, digit.size);
      if (part != std::min(left, digit.size)) scan.fail(fmt::format("tiles of {} cut the devices' {} unevenly", tile, digit.size), "tiles that are products of the grid's sizes");
      mine.push_back({digit.stride * (digit.size / part), part});
      digit.size /= part;
      left /= part;
    }
    found.push_back(std::move(mine));
  }
  return found;
}

// Devices one by one: along each axis of the grid their numbers must go on evenly.
std::vector<std::vector<Digit>> listed(Scanner& scan, const std::vector<std::int64_t>& tiles, const std::vector<std::int64_t>& devices) {
  std::vector<std::vector<Digit>> found;
  std::vector<std::int64_t> strides(tiles.size());
  std::int64_t step = 1;
  for (std::size_t i = tiles.size(); i-- > 0; step *= tiles[i]) strides[i] = tiles[i] > 1 ? devices[static_cast<std::size_t>(step)] - devices[0] : 1;
  bool even = devices[0] == 0 && std::all_of(strides.begin(), strides.end(), [](std::int64_t stride) { return stride > 0; });
  for (std::size_t n = 0; even && n < devices.size(); ++n) {
    std::int64_t rest = static_cast<std::int64_t>(n), number = 0;
    for (std::size_t i = tiles.size(); i-- > 0; rest /= tiles[i]) number += rest % tiles[i] * strides[i];
    even = number == devices[n];
  }
  if (!even) scan.fail("the devices stand in an order that no mesh has", "devices that count on evenly along each axis, <=[...]");
  for (std::size_t i = 0; i < tiles.size(); ++i) found.push_back(tiles[i] > 1 ? std::vector<Digit>{{strides[i], tiles[i]}} : std::vector<Digit>());
  return found;
}

std::vector<std::vector<Digit>> grid(Scanner& scan, const std::vector<std::int64_t>& tiles) {
  const std::int64_t count = productOf(scan, tiles);
  if (!scan.take("<=")) {
    std::vector<std::int64_t> devices;
    do devices.push_back(scan.integer());
    while (scan.take(","));
    if (static_cast<std::int64_t>(devices.size()) != count) scan.fail(fmt::format("{} tiles, {} devices", count, devices.size()), "a device for each tile");
    return listed(scan, tiles, devices);
  }
  std::vector<std::int64_t> sizes = bracketed(scan, "[", "]");
  if (productOf(scan, sizes) != count) scan.fail(fmt::format("{} tiles, {} devices", count, productOf(scan, sizes)), "a device for each tile");
  std::vector<Digit> digits(sizes.size());
  std::int64_t stride = 1;
  for (std::size_t i = sizes.size(); i-- > 0; stride *= sizes[i]) digits[i] = {stride, sizes[i]};
  if (scan.take("T")) {
    std::vector<std::int64_t> order = bracketed(scan, "(", ")");
    std::vector<std::int64_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i)
      if (sorted.size() != digits.size() || sorted[i] != static_cast<std::int64_t>(i)) scan.fail("T(...) is no order of the grid's axes");
    std::vector<Digit> turned;
    for (std::int64_t axis : order) turned.push_back(digits[static_cast<std::size_t>(axis)]);
    digits = std::move(turned);
  }
  return cut(scan, std::move(digits), tiles);
}

// "={replicated, manual}": how many there are.
std::size_t words(Scanner& scan) {
  std::size_t count = 0;
  for (scan.need("={"); !scan.take("}"); scan.take(",")) scan.word(), ++count;
  return count;
}

Tiling readOne(Scanner& scan) {
  Tiling tiling;
  std::size_t behind = 0;  // axes of the grid that are none of the tensor's
  while (!scan.take("}")) {
    if (scan.take("devices=")) {
      const std::vector<std::int64_t> tiles = bracketed(scan, "[", "]");
      tiling.axes = grid(scan, tiles);
      continue;
    }
    const std::string word = scan.word();
    if (word == "last_tile_dim_replicate") behind = 1;
    else if (word == "last_tile_dims") behind = words(scan);
    else if (word == "replicated" || word == "manual" || word == "unreduced" || word == "maximal" || word == "unknown") continue;  // whole on each device
    else if (word == "device" || word == "metadata") scan.need("="), scan.balanced();
    else scan.fail(fmt::format("\"{}\" is no sharding", word), "{replicated} or {devices=[...]<=[...]}");
    if (scan.peek() == ',') scan.need(",");
  }
  tiling.axes.resize(tiling.axes.size() - std::min(behind, tiling.axes.size()));
  return tiling;
}

}  // namespace

std::vector<Tiling> readTilings(Scanner& scan) {
  scan.need("{");
  std::vector<Tiling> all;
  if (scan.peek() != '{') return {readOne(scan)};
  while (!scan.take("}")) {
    scan.need("{");
    all.push_back(readOne(scan));
    if (scan.peek() != '}') scan.need(",");
  }
  return all;
}

std::vector<Axis> namedMesh(std::string_view attributes, std::int64_t partitions) {
  constexpr std::string_view opening = "#sdy.mesh<[";
  for (std::size_t at = attributes.find(opening); at != std::string_view::npos; at = attributes.find(opening, at + 1)) {
    Scanner scan(attributes.substr(at + opening.size()), "xla.sdy.meshes");
    std::vector<Axis> axes;
    std::int64_t devices = 1;
    while (!scan.take("]")) {
      scan.take("\\");  // HLO may write the quotes with backslashes
      Axis axis{.name = scan.quoted()};
      scan.need("=");
      axis.size = scan.integer();
      if (axis.size < 1 || axis.size > mostDevices) scan.fail("an axis of a mesh has a size from 1");
      devices = std::min(devices * axis.size, mostDevices);
      if (axis.size > 1) axes.push_back(axis);
      if (scan.peek() != ']') scan.need(",");
    }
    if (devices == partitions && !axes.empty()) return axes;
  }
  return {};
}

MeshOf::MeshOf(const std::vector<Tiling>& tilings, const std::vector<Axis>& named, std::int64_t partitions) {
  std::set<std::int64_t> bounds{1, partitions};
  for (const Tiling& tiling : tilings)
    for (const auto& digits : tiling.axes)
      for (const Digit& digit : digits) bounds.insert(digit.stride), bounds.insert(digit.stride * digit.size);
  struct Span {
    std::int64_t low, high;
    std::string name;
    int parts = 0;
  };
  std::vector<Span> spans;
  std::int64_t stride = 1;
  for (std::size_t i = named.size(); i-- > 0; stride *= named[i].size) {
    spans.push_back({stride, stride * named[i].size, named[i].name});
    bounds.insert(stride * named[i].size);
  }
  std::vector<std::int64_t> sorted(bounds.begin(), bounds.end());
  for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
    if (sorted[i + 1] % sorted[i] != 0) throw Error{.what = fmt::format("no mesh has all shardings of the file: axes that end at {} and at {} devices", sorted[i], sorted[i + 1]), .where = {}, .right = "shardings of one mesh"};
    auto whole = std::find_if(spans.begin(), spans.end(), [&](const Span& span) { return span.low <= sorted[i] && sorted[i + 1] <= span.high; });
    if (whole != spans.end()) ++whole->parts;
  }
  static constexpr std::string_view letters[] = {"x", "y", "z", "u", "v", "w"};
  std::map<std::string, int> used;
  for (std::size_t i = sorted.size() - 1; i-- > 0;) {  // major first
    const auto whole = std::find_if(spans.begin(), spans.end(), [&](const Span& span) { return span.low <= sorted[i] && sorted[i + 1] <= span.high; });
    std::string name = whole == spans.end() ? (axes_.size() < std::size(letters) ? std::string(letters[axes_.size()]) : fmt::format("axis_{}", axes_.size())) : whole->name;
    if (whole != spans.end() && whole->parts > 1) name = fmt::format("{}_{}", name, ++used[name]);
    axes_.push_back({name, sorted[i + 1] / sorted[i]});
    strides_.push_back(sorted[i]);
  }
}

Sharding MeshOf::sharding(const Tiling& tiling) const {
  Sharding sharding;
  for (const auto& digits : tiling.axes) {
    std::vector<std::string> axes;
    for (const Digit& digit : digits)
      for (std::size_t i = 0; i < axes_.size(); ++i)
        if (strides_[i] >= digit.stride && strides_[i] < digit.stride * digit.size) axes.push_back(axes_[i].name);
    sharding.axes.push_back(std::move(axes));
  }
  return sharding;
}

}  // namespace core::xla
