#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/json_reader.h"
#include "core/tdl/expression.h"

// The keys of a config.json. A key that changes the graph is read here or refused; `unread` says what nobody asked for.
// null is as good as absent.
//
//   const std::int64_t model = keys.size("hidden_size");                   // has to be there
//   const double epsilon = keys.number("rms_norm_eps", 1e-6);
//   keys.onlyText("position_embedding_type", "absolute");                      // bert/config.json:
//   /position_embedding_type: ...

namespace core {

class ConfigKeys {
 public:
  explicit ConfigKeys(const JsonReader& reader);

  const JsonReader& reader() const { return reader_; }
  std::optional<JsonReader> find(std::string_view key) const;
  bool has(std::string_view key) const { return find(key).has_value(); }

  std::int64_t size(std::string_view key) const;
  std::int64_t size(std::string_view key, std::int64_t missing) const;
  std::int64_t count(std::string_view key, std::int64_t missing) const;  // 0 or more
  double number(std::string_view key, double missing) const;             // above 0
  double rate(std::string_view key, double missing) const;               // of a dropout
  bool flag(std::string_view key, bool missing) const;
  std::string text(std::string_view key, const std::string& missing) const;
  Function activation(std::string_view key, const std::string& missing) const;

  // Refuses every other value; absent is as good.
  void onlyFlag(std::string_view key, bool value) const;
  void onlySize(std::string_view key, std::int64_t value) const;
  void onlyText(std::string_view key, std::string_view value) const;

  // Error unless `parts` is absent or divides `whole`; both are keys.
  void requireDivides(std::string_view whole, std::int64_t wholeSize, std::string_view parts,
                      std::int64_t partsSize) const;

  // These are known and change nothing here.
  void pass(std::initializer_list<std::string_view> keys) const;
  // Keys that nobody asked for. Error where one is likely a slip for a key that is not there.
  std::vector<std::string> unread() const;

 private:
  [[noreturn]] void refuse(std::string_view key, const std::string& what, const std::string& right) const;

  JsonReader reader_;
  mutable std::set<std::string, std::less<>> asked_, passed_;
};

// The function that a name of activation stands for; Error listing those that are known.
Function readActivation(const JsonReader& reader, const std::string& name);

// Sizes that a config leaves open and the person gives: `--dim batch=8`.
class OpenSizes {
 public:
  struct Size {
    std::string name;
    std::int64_t size = 0;
    bool given = false;
  };
  OpenSizes(const std::map<std::string, std::int64_t>& given, std::string where)
      : given_(given), where_(std::move(where)) {}

  std::int64_t take(const std::string& name, std::int64_t otherwise, std::optional<std::int64_t> most = {});
  const std::vector<Size>& taken() const { return taken_; }
  void requireAllTaken() const;  // Error naming those that the model does not leave open

 private:
  const std::map<std::string, std::int64_t>& given_;
  std::string where_;
  std::vector<Size> taken_;
};

}  // namespace core
