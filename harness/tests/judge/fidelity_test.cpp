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

TEST_CASE("the line below a table says all three words") {
  const std::string text(fidelity_sentence());
  for (const char* word : {"lanes are exact", "sectors exact", "wavefronts a model", "not modelled"})
    CHECK(text.find(word) != std::string::npos);
}
