// Runs a test lab's judge as its users do: as a program.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "judge/stage/process.h"
#include "protocol/bounded_json.h"
#include "tests/protocol/example.h"

namespace simtlab {

inline std::string setting(const char* variable) {
  const char* value = std::getenv(variable);
  REQUIRE_MESSAGE(value != nullptr, variable);
  return value;
}

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream from(path);
  std::stringstream text;
  text << from.rdbuf();
  REQUIRE_MESSAGE(from.good(), path.string());
  return text.str();
}

inline std::string program(const std::string& name) { return setting("TEST_PROGRAMS") + "/" + name; }

/// `judge LAB --runner LAB-SUBMISSION more…`
inline process_outcome run_judge(const std::string& lab, const std::string& submission, std::vector<std::string> more) {
  std::vector<std::string> words{program("test-judge-" + lab), "--runner", program(lab + "-" + submission)};
  words.insert(words.end(), more.begin(), more.end());
  process_limits limits;
  limits.wall = std::chrono::minutes(2);
  return run_process(words, "/", limits, [] { return true; });
}

inline json facts_about(const std::string& lab, const std::string& submission, std::vector<std::string> more = {}) {
  const example::temporary_folder folder;
  more.insert(more.end(), {"--facts", (folder.path / "facts.json").string(), "--submission", "someone"});
  const process_outcome outcome = run_judge(lab, submission, more);
  REQUIRE_MESSAGE(outcome.how == process_outcome::way::exited, outcome.printed);
  REQUIRE_MESSAGE(outcome.exit_code == 0, outcome.printed);
  return json::parse(contents(folder.path / "facts.json"));
}

}  // namespace simtlab
