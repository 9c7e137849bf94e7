#include "core/io/xla/scope.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <vector>

namespace core::xla {
namespace {

// The roots under which JAX programs keep what they learn.
bool isLearnedRoot(const std::string& root) {
  static const std::set<std::string> roots{"params", "variables", "state", "train_state", "opt_state", "model", "weights", "param", "model_state", "batch_stats", "ema_params"};
  return roots.count(root) > 0;
}

// "params['decoder'][0].w" -> params, decoder, 0, w
std::vector<std::string> pathOf(const std::string& name) {
  std::vector<std::string> parts{""};
  for (char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-') parts.back().push_back(c == '-' ? '_' : c);
    else if (!parts.back().empty()) parts.emplace_back();
  }
  if (parts.back().empty()) parts.pop_back();
  return parts;
}

std::string joined(const std::vector<std::string>& parts, std::size_t from, char between) {
  std::string text;
  for (std::size_t i = from; i < parts.size(); ++i) text += (i > from ? std::string(1, between) : std::string()) + parts[i];
  return text;
}

}  // namespace

std::string scopeOfOperation(const std::string& name) {
  static const std::set<std::string> dropped{"while", "body", "cond", "closed_call", "checkpoint", "rematted_computation", "remat", "pjit", "jit", "core_call", "custom_jvp_call", "custom_vjp_call"};
  static const std::set<std::string> wrappers{"jvp", "transpose", "vmap", "remat"};
  std::string found;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= name.size(); ++i) {
    if (i < name.size() && name[i] == '(') ++depth;
    if (i < name.size() && name[i] == ')') --depth;
    if (i < name.size() && (name[i] != '/' || depth > 0)) continue;
    std::string part = name.substr(begin, i - begin);
    begin = i + 1;
    for (std::size_t open = part.find('('); open != std::string::npos && part.back() == ')'; open = part.find('('))
      part = wrappers.count(part.substr(0, open)) > 0 ? part.substr(open + 1, part.size() - open - 2) : std::string();
    if (part.empty() || dropped.count(part) > 0) continue;
    found += (found.empty() ? "" : "/") + part;
  }
  return found;
}

Argument argumentOf(const std::string& name) {
  std::vector<std::string> parts = pathOf(name);
  if (parts.empty()) return {.name = "argument"};
  if (parts[0].starts_with("Arg_")) {
    parts[0][0] = 'a';
    return {.name = parts[0]};
  }
  const bool learned = parts.size() > 1 && isLearnedRoot(parts[0]);
  std::size_t from = 0;
  while (learned && from + 2 < parts.size() && (parts[from] == "params" || parts[from] == "variables")) ++from;
  Argument found{.name = joined(parts, from, learned ? '.' : '_'), .isLearned = learned};
  if (!learned) return found;
  static const std::map<std::string, double> begins{{"scale", 1}, {"var", 1}, {"bias", 0}, {"mean", 0}};
  if (auto known = begins.find(parts.back()); known != begins.end()) found.untrained = known->second;
  found.isStatistic = std::find(parts.begin(), parts.end(), "batch_stats") != parts.end();
  return found;
}

}  // namespace core::xla
