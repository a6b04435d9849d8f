// Which of several explanations is told: the one that explains most cases, whatever their order.
#include "judge/decide/explanation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "judge/decide/case_outcome.h"

using namespace simtlab;

namespace {

case_outcome failed(const std::string& name, std::vector<explanation> likely, bool has_elements = true) {
  case_outcome c;
  c.name = name;
  c.judged = verdict::wrong_answer;
  c.likely = std::move(likely);
  if (has_elements) c.wrong = mismatch();
  return c;
}

case_outcome right(const std::string& name) {
  case_outcome c;
  c.name = name;
  c.judged = verdict::pass;
  return c;
}

}  // namespace

TEST_CASE("what fits most cases is told, at the first of them") {
  const std::vector<case_outcome> cases{right("a"), failed("b", {{"rounded", "r"}, {"too few", "257"}}),
                                        failed("c", {{"too few", "1009"}}), failed("d", {{"too few", "5000"}})};
  const auto best = best_explanation(cases);
  REQUIRE(best);
  CHECK(best->what.cause == "too few");
  CHECK(best->what.says == "257");
  CHECK(best->of->name == "b");
}

TEST_CASE("among equals the more telling one; a symptom only where there is nothing else") {
  CHECK(best_explanation({failed("a", {{"rounded", ""}, {"too few", ""}})})->what.cause == "rounded");
  const explanation zero{"all zero", "", certainty::vague};
  const auto best = best_explanation({failed("a", {zero}), failed("b", {zero}), failed("c", {{"phases", ""}})});
  CHECK(best->what.cause == "phases");
  CHECK(best_explanation({failed("a", {zero})})->what.cause == "all zero");
  CHECK_FALSE(best_explanation({failed("a", {}), right("b")}));
}

TEST_CASE("the call before is named only where no first call fails") {
  const explanation before{call_before, "2nd call", certainty::vague};
  std::vector<case_outcome> cases{right("a"), failed("b", {before}), failed("c", {before})};
  for (case_outcome& c : cases) c.summary = "wrong", c.message = "wrong 2nd call";
  keep_shared_call_before(cases);
  CHECK(best_explanation(cases)->what.cause == call_before);
  CHECK(cases[1].message == "wrong 2nd call");
  cases.push_back(failed("d", {}));
  keep_shared_call_before(cases);
  CHECK_FALSE(best_explanation(cases));
  CHECK(cases[1].message == "wrong");
}

TEST_CASE("a case whose elements are known carries it better than a launch that failed") {
  const std::vector<case_outcome> cases{failed("a", {{"rounded", "no block"}}, false),
                                        failed("b", {{"rounded", "257"}})};
  const auto best = best_explanation(cases);
  CHECK(best->of->name == "b");
  CHECK(best->what.says == "257");
}

TEST_CASE("the order of the cases does not matter, on random ones") {
  std::mt19937 random(16);
  for (int round = 0; round < 200; ++round) {
    std::vector<case_outcome> cases;
    for (int n = 0; n < 7; ++n) cases.push_back(failed("common", {{"of all", ""}, {std::to_string(n), ""}}));
    for (std::size_t n = random() % 4; n > 0; --n) cases.push_back(failed("other", {{"another", ""}}));
    for (case_outcome& c : cases) std::ranges::shuffle(c.likely, random);
    std::ranges::shuffle(cases, random);
    CHECK(best_explanation(cases)->what.cause == "of all");
  }
}
