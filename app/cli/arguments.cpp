#include "app/cli/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>
#include <new>
#include <sstream>

#include "core/base/error.h"
#include "core/base/text.h"

namespace app {
namespace {

constexpr const char* version = "meshwright-cli 0.1.0";

int fail(const std::string& message) {
  std::fflush(stdout);
  fmt::print(stderr, "error: {}\n", message);
  return refused;
}

int call(const std::function<int()>& verb) {
  try {
    const int code = verb();
    // A full disk or a closed pipe shows only here; output that did not arrive is not done.
    if (std::fflush(stdout) != 0) return fail("standard output could not be written");
    return code;
  } catch (const core::Error& error) {
    return fail(error.text());
  } catch (const std::bad_alloc&) {
    return fail("out of memory");
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

// The parser would only say that a verb is required.
int refuseUnknownVerb(const std::vector<Verb>& verbs, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return done;
  std::vector<std::string> names;
  for (const Verb& verb : verbs) names.emplace_back(verb.name);
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return done;
  return fail(core::Error{.what = fmt::format("unknown verb \"{}\"", argv[1]), .where = {}, .right = core::didYouMean(argv[1], names)}.text());
}

}  // namespace

void Arguments::positional(const std::string& name, std::string& value, const std::string& help) { parser_.add_option(name, value, help)->required(); }

void Arguments::optionalPositional(const std::string& name, std::string& value, const std::string& help) { parser_.add_option(name, value, help); }

void Arguments::required(const std::string& name, std::string& value, const std::string& type, const std::string& help) {
  parser_.add_option(name, value, help)->required()->type_name(type);
}

void Arguments::text(const std::string& name, std::optional<std::string>& value, const std::string& type, const std::string& help) {
  parser_.add_option_function<std::string>(name, [&value](const std::string& given) { value = given; }, help)->type_name(type);
}

void Arguments::texts(const std::string& name, std::vector<std::string>& values, const std::string& type, const std::string& help) {
  parser_.add_option(name, values, help)->type_name(type)->take_all();
}

void Arguments::oneOf(const std::string& name, std::string& value, const std::vector<std::string>& among, const std::string& help, bool isRequired) {
  auto* option = parser_.add_option(name, value, help)->check(CLI::IsMember(among));
  option->type_name(fmt::format("{}", fmt::join(among, "|")));
  if (isRequired) option->required();
}

void Arguments::number(const std::string& name, std::int64_t& value, std::int64_t low, std::int64_t high, const std::string& help) {
  parser_.add_option(name, value, fmt::format("{} (default {})", help, value))->type_name("N")->check(CLI::Validator(
      [low, high](std::string& text) -> std::string {
        std::int64_t number = 0;
        if (CLI::detail::lexical_cast(text, number) && number >= low && number <= high) return {};
        return fmt::format("{} is not a whole number from {} to {}", text, low, high);
      },
      ""));
}

void Arguments::real(const std::string& name, double& value, const std::string& help) {
  parser_.add_option(name, value, fmt::format("{} (default {})", help, value))->type_name("X")->check(CLI::NonNegativeNumber);
}

void Arguments::flag(const std::string& name, bool& value, const std::string& help) { parser_.add_flag(name, value, help); }

int runVerbs(const std::vector<Verb>& verbs, int argc, char** argv) {
  if (const int code = refuseUnknownVerb(verbs, argc, argv); code != done) return code;
  CLI::App parser("Lays a tensor program out on a mesh of processors, says what that costs, and runs it.", "meshwright-cli");
  parser.set_version_flag("--version", version);
  parser.require_subcommand(1);
  std::map<const CLI::App*, std::function<int()>> actions;
  for (const Verb& verb : verbs) {
    CLI::App* sub = parser.add_subcommand(std::string(verb.name), std::string(verb.summary));
    Arguments arguments(*sub);
    actions[sub] = verb.declare(arguments);
  }
  try {
    parser.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, message;
    const int code = parser.exit(error, out, message);
    fmt::print("{}", out.str());
    fmt::print(stderr, "{}", message.str());
    return code == 0 ? done : refused;
  }
  return call(actions.at(parser.get_subcommands().front()));
}

}  // namespace app
