// A typed specification becomes the judge's untyped lab. That this program links at all shows that `.entry` gives only
// its type away: nobody defines distinctive_entry.
#include <doctest/doctest.h>

#include <cstring>

#include "spec/lab.h"

using namespace simtlab;

namespace {

template <class T>
T scalar(const argument_value& v) {
  T value;
  REQUIRE(v.bytes.size() == sizeof value);
  std::memcpy(&value, v.bytes.data(), sizeof value);
  return value;
}

bool mentions(const std::vector<std::string>& sentences, const std::string& word) {
  for (const std::string& s : sentences)
    if (s.find(word) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("the type list describes the arguments") {
  const lab of = define_lab();
  REQUIRE(of.arguments.size() == 3);
  CHECK(of.arguments[0].name == "zebra_input");
  CHECK(of.arguments[0].role == argument_role::input);
  CHECK(of.arguments[1].role == argument_role::output);
  CHECK(of.arguments[2].role == argument_role::scalar);
  CHECK(of.arguments[1].scalar == scalar_type::f32);
  CHECK(of.arguments[2].scalar == scalar_type::i32);
  CHECK(of.kind == entry_kind::device);
  CHECK(!of.returns_error);
}

TEST_CASE("arguments are made from the case's sizes, and the reference fills the outputs") {
  const lab of = define_lab();
  random_source random(1, "giraffe case");
  auto values = of.make_arguments(of.cases[1], random);
  CHECK(values[0].bytes.size() == 2 * sizeof(float));
  CHECK(values[1].bytes.size() == 2 * sizeof(float));
  CHECK(scalar<int>(values[2]) == 2);
  of.run_reference(values);
  float first_in = 0, first_out = 0;
  std::memcpy(&first_in, values[0].bytes.data(), sizeof first_in);
  std::memcpy(&first_out, values[1].bytes.data(), sizeof first_out);
  CHECK(first_out == first_in * 0.8125F + 77777.0F);
}

TEST_CASE("the rest of the specification arrives as it was written") {
  const lab of = define_lab();
  CHECK(of.cases[0].name() == "giraffe case");
  CHECK(of.cases[0]["gnu size"] == 31337);
  CHECK(of.benchmark.gpu["gnu size"] == 65432);
  CHECK(of.criteria[1].share == 3);
  CHECK(of.criteria[1].metric.of == "axolotl tile");
  CHECK(of.limits.seconds == 3);
  CHECK(of.pass_at == 41);
  CHECK(of.severities[0].level == severity::note);
  CHECK(of.model(of.cases[1]).operations == 2 * 98765.0);
  CHECK(contradictions(of).empty());
}

TEST_CASE("a size that a case does not have is the lab author's fault, and the message names those it has") {
  const test_case c("a", {{"rows", 1}, {"cols", 2}});
  CHECK_THROWS_WITH_AS(static_cast<void>(c["depth"]), doctest::Contains("rows, cols"), specification_error);
}

TEST_CASE("a specification that contradicts itself is told") {
  lab of = define_lab();
  SUBCASE("two cases of one name") {
    of.cases.push_back(of.cases[0]);
    CHECK(mentions(contradictions(of), "giraffe case"));
  }
  SUBCASE("a criterion of something that is no argument") {
    of.criteria.emplace_back(metric::sector_efficiency("unicorn"), full_at(1), none_at(0), "hint");
    CHECK(mentions(contradictions(of), "no array among .parameters: \"zebra_input\""));
  }
  SUBCASE("a criterion in the wrong direction") {
    of.criteria.emplace_back(metric::sector_efficiency("zebra_input"), full_at(0), none_at(1), "hint");
    CHECK(mentions(contradictions(of), "higher values are better"));
  }
  SUBCASE("a planted fault in a device entry") {
    of.cases.emplace_back("planted", sizes{{"gnu size", 1}}, fail_api_call(1));
    CHECK(mentions(contradictions(of), "host_lab_spec"));
  }
  SUBCASE("anchors that are not the solution and mistakes below it") {
    using anchors = std::vector<anchor>;
    const auto said_of = [&](const measurable& m, const anchors& beside) {
      of.criteria.emplace_back(m, beside, "hint");
      return contradictions(of);
    };
    CHECK(mentions(said_of(metric::time_among_anchors, {}), "has no anchors"));
    CHECK(mentions(said_of(metric::active_lanes, {{"solution", 1}, {"naive", 0}}), "takes no anchors"));
    CHECK(mentions(said_of(metric::time_among_anchors, {{"solution", 1}}), "at least one mistake"));
    CHECK(mentions(said_of(metric::time_among_anchors, {{"solution", 0.9}, {"naive", 0}}), "an anchor of mark 1"));
    CHECK(mentions(said_of(metric::time_among_anchors, {{"solution", 1}, {"naive", 0.2}, {"unpadded", 0.4}}),
                   "the anchor unpadded has the mark 0.4"));
  }
  SUBCASE("nothing to compare") {
    of.arguments[1].role = argument_role::input;
    CHECK(mentions(contradictions(of), "nothing to compare"));
  }
  SUBCASE("no case at all") {
    of.cases.clear();
    CHECK(mentions(contradictions(of), ".cases is empty"));
  }
}
