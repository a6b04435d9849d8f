// The facts follow their JSON Schema, and two runs agree in everything but the time.
#include "tests/judge/real_judge.h"
#include "tests/judge/schema_check.h"

using namespace simtlab;

TEST_CASE("facts of every kind of submission follow the schema") {
  const json schema = json::parse(contents(setting("FACTS_SCHEMA")));
  for (const char* submission : {"right", "last_row_missing", "nan_inside", "untouched", "crash", "exits_before_main",
                                 "prints_scores", "changes_input", "forges_result", "throws"}) {
    CAPTURE(submission);
    CHECK(first_violation(schema, facts_about("scale", submission)) == "");
  }
  CHECK(first_violation(schema, facts_about("add", "careless")) == "");
  CHECK(first_violation(schema, facts_about("add", "careful", {"--backend", "cuda"})) == "");
}

TEST_CASE("the check of the schema notices what is wrong") {
  const json schema = json::parse(contents(setting("FACTS_SCHEMA")));
  const json facts = facts_about("scale", "last_row_missing");
  const auto broken = [&](auto change) {
    json copy = facts;
    change(copy);
    return first_violation(schema, copy);
  };
  CHECK(broken([](json& f) { f.erase("seed"); }) != "");
  CHECK(broken([](json& f) { f["extra"] = 1; }) != "");
  CHECK(broken([](json& f) { f["verdict"] = "great"; }) != "");
  CHECK(broken([](json& f) { f["fast"]["score"] = 101; }) != "");
  CHECK(broken([](json& f) { f["cases"][0]["mismatch"]["first"] = json::array(); }) != "");
  CHECK(broken([](json& f) { f["cases"][0]["mismatch"]["first"][0]["actual"] = "many"; }) != "");
  CHECK(broken([](json& f) { f["environment"]["emulator"]["workers"] = 0; }) != "");
}

TEST_CASE("two runs, and one with more workers, agree in everything but the timing") {
  const auto without_time = [](json facts) {
    facts.erase("timing");
    return facts;
  };
  for (const char* submission : {"right", "last_row_missing", "crash"}) {
    const json once = without_time(facts_about("scale", submission));
    CHECK(once == without_time(facts_about("scale", submission)));
    json more_workers = without_time(facts_about("scale", submission, {"--workers", "2"}));
    if (!more_workers["environment"]["emulator"].is_null()) more_workers["environment"]["emulator"]["workers"] = 1;
    CHECK(once == more_workers);
  }
}

TEST_CASE("facts name lab, submission, seed and environment") {
  const json facts = facts_about("scale", "right", {"--seed", "77", "--sandbox-layers", "uid,seccomp"});
  CHECK(facts["lab"] == "scale");
  CHECK(facts["submission"] == "someone");
  CHECK(facts["seed"] == 77);
  CHECK(facts["environment"]["compiler"] == "plain");
  CHECK(facts["environment"]["sandbox_layers"] == json{"uid", "seccomp"});
}

TEST_CASE("another seed gives other inputs") {
  const auto expected = [](const char* seed) {
    return facts_about("scale", "zeros", {"--seed", seed})["cases"][0]["mismatch"]["first"][0]["expected"];
  };
  CHECK(expected("1") == expected("1"));
  CHECK(expected("1") != expected("2"));
}
