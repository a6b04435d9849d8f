// How far a counter may be believed, in one word.
#include "judge/render/fidelity.h"

#include <doctest/doctest.h>

#include <set>
#include <stdexcept>
#include <string>

using namespace simtlab;

TEST_CASE("a rule of CUDA's is exact, a fitted rule is a model") {
  CHECK(fidelity_of("sectors") == "exact");
  CHECK(fidelity_of("wavefronts") == "model");
  CHECK_THROWS_AS(static_cast<void>(fidelity_of("cycles")), std::logic_error);
}

TEST_CASE("every counter of the record has one of two words") {
  std::set<std::string_view> words;
  for (const auto& c : emulator::request_counter_table) words.insert(fidelity_of(c.exact));
  for (const auto& c : emulator::launch_counter_table) words.insert(fidelity_of(c.exact));
  for (const auto& c : emulator::host_counter_table) words.insert(fidelity_of(c.exact));
  CHECK(words == std::set<std::string_view>{"exact", "model"});
}

TEST_CASE("every counter has a name of its own, so that a document says of each once what it is") {
  std::set<std::string> names;
  std::size_t count = 0;
  const auto add = [&](const auto& table) {
    for (const auto& c : table) names.insert(c.name);
    count += table.size();
  };
  add(emulator::request_counter_table);
  add(emulator::launch_counter_table);
  add(emulator::host_counter_table);
  CHECK(names.size() == count);
}

TEST_CASE("the line below a table says all three words") {
  const std::string text(fidelity_sentence());
  for (const char* word : {"lanes are exact", "sectors exact", "wavefronts a model", "not modelled"})
    CHECK(text.find(word) != std::string::npos);
}
