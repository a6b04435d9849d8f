#include "report/report.h"

#include <doctest/doctest.h>

#include <cstring>
#include <set>
#include <string>

using namespace simtlab::emulator;

TEST_CASE("every rule has a name of its own in kebab case") {
  std::set<std::string> names;
  for (int i = 0; i < rule_count; ++i) {
    const std::string name = rule_name(static_cast<rule>(i));
    CHECK(names.insert(name).second);
    CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string::npos);
    CHECK(name.front() != '-');
    CHECK(name.back() != '-');
  }
  CHECK(std::string(rule_name(rule::shared_race)) == "shared-race");
  CHECK(std::string(rule_name(rule::unsupported)) == "unsupported");
  CHECK(std::string(rule_name(rule::incomplete_check)) == "incomplete-check");
}

TEST_CASE("every rule is described by a sentence of its own") {
  std::set<std::string> sentences;
  for (int i = 0; i < rule_count; ++i) {
    const std::string sentence = rule_description(static_cast<rule>(i));
    CHECK(sentences.insert(sentence).second);
    CHECK(sentence.ends_with('.'));
  }
}

TEST_CASE("a rule is an error unless the program's answer does not hang on it") {
  CHECK(default_severity(rule::shared_race) == severity::error);
  CHECK(default_severity(rule::exited_before_barrier) == severity::error);
  CHECK(default_severity(rule::same_value_race) == severity::warning);
  CHECK(default_severity(rule::leak) == severity::warning);
  CHECK(default_severity(rule::incomplete_check) == severity::note);
}
