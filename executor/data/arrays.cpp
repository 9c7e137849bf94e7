#include "executor/data/arrays.h"

#include <filesystem>
#include <map>

#include "core/tdl/element.h"
#include "executor/data/batches.h"

namespace executor {
namespace {

class Arrays final : public Batches {
 public:
  Arrays(const core::Program& program, const std::string& folder) {
    for (core::BufferId id : program.inputs) {
      const core::Buffer& buffer = program.buffers[id.index()];
      const std::string path = (std::filesystem::path(folder) / (buffer.name + ".npy")).string();
      const NpyFile& file = files_.emplace(id, path).first->second;
      if (!fits(file.sizes(), buffer.sizes))
        throw core::Error{.what = "has sizes " + text(file.sizes()), .where = path, .right = text(buffer.sizes) + ", or more of the first"};
    }
  }

  double number(const Input& input, const core::Buffer& buffer, std::int64_t step, std::span<const std::int64_t> index) const override {
    const NpyFile& file = files_.at(input.buffer);
    std::int64_t at = 0;
    for (std::size_t d = 0; d < index.size(); ++d) {
      const std::int64_t size = file.sizes()[d];
      const std::int64_t row = d == 0 ? ((step - 1) * buffer.sizes[0] + index[0]) % size : index[d];
      at = at * size + row;
    }
    return file.number(at);
  }

 private:
  static bool fits(const std::vector<std::int64_t>& file, const std::vector<std::int64_t>& wanted) {
    if (file.size() != wanted.size()) return false;
    for (std::size_t d = 0; d < file.size(); ++d)
      if (d == 0 ? file[d] < wanted[d] : file[d] != wanted[d]) return false;
    return true;
  }

  static std::string text(const std::vector<std::int64_t>& sizes) {
    std::string all;
    for (std::int64_t size : sizes) all += (all.empty() ? "" : ",") + std::to_string(size);
    return "[" + all + "]";
  }

  std::map<core::BufferId, NpyFile> files_;
};

}  // namespace

std::unique_ptr<Batches> makeArrays(const core::Program& program, const std::string& folder) { return std::make_unique<Arrays>(program, folder); }

}  // namespace executor
