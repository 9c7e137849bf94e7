#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace app {

// What a verb takes; a thin layer over the parser, which only arguments.cpp knows. Each call binds a value that must
// outlive the parse.
class Arguments {
 public:
  explicit Arguments(CLI::App& parser) : parser_(parser) {}
  void positional(const std::string& name, std::string& value, const std::string& help);             // required
  void optionalPositional(const std::string& name, std::string& value, const std::string& help);
  void required(const std::string& name, std::string& value, const std::string& type, const std::string& help);
  void text(const std::string& name, std::optional<std::string>& value, const std::string& type, const std::string& help);
  void texts(const std::string& name, std::vector<std::string>& values, const std::string& type, const std::string& help);  // may stand several times
  void oneOf(const std::string& name, std::string& value, const std::vector<std::string>& among, const std::string& help, bool isRequired = false);
  void number(const std::string& name, std::int64_t& value, std::int64_t low, std::int64_t high, const std::string& help);
  void real(const std::string& name, double& value, const std::string& help);  // 0 or more
  void flag(const std::string& name, bool& value, const std::string& help);

 private:
  CLI::App& parser_;
};

// Exit codes, the same for every verb.
enum ExitCode : int {
  done = 0,
  differs = 1,    // `check` found errors, or an expected tensor differs
  refused = 2,    // bad input, bad use, an illegal plan
  runFailed = 3,
};

// `declare` states what the verb takes and returns what it does, which returns an exit code or throws core::Error.
struct Verb {
  std::string_view name;
  std::string_view summary;
  std::function<std::function<int()>(Arguments&)> declare;
};

// Parses, runs the verb, and turns errors into messages on standard error and an exit code.
int runVerbs(const std::vector<Verb>& verbs, int argc, char** argv);

}  // namespace app
