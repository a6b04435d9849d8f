// What a run changed against the run before, from facts.
#include "judge/render/difference.h"

#include <algorithm>

#include "tests/judge/real_judge.h"

using namespace simtlab;

namespace {

bool has(const std::vector<std::string>& lines, const std::string& line) {
  return std::ranges::find(lines, line) != lines.end();
}

json access(const char* space, int requests, int sectors, int wavefronts) {
  return {{"space", space}, {"requests", requests}, {"sectors", sectors}, {"wavefronts", wavefronts}};
}

}  // namespace

TEST_CASE("cases, findings and points that changed, each in one line, and nothing else") {
  const json wrong = facts_about("scale", "last_row_missing"), right = facts_about("scale", "right");
  const std::vector<std::string> mended = differences(wrong, right);
  REQUIRE_FALSE(mended.empty());
  CHECK(mended.front().find("more pass") != std::string::npos);
  CHECK(has(mended, "fast not measured -> 75 of 100"));
  const std::vector<std::string> broken = differences(right, wrong);
  CHECK(broken.front().find("no more: ") != std::string::npos);
  CHECK(has(broken, "fast 75 -> not measured"));
  CHECK(differences(right, right).empty());
}

TEST_CASE("a finding counts by rule and variable, for lines move while a student types") {
  const json unsafe = facts_about("scale", "one_past_the_end"), right = facts_about("scale", "right");
  CHECK(has(differences(unsafe, right), "1 finding gone: guard-band of output"));
  CHECK(has(differences(right, unsafe), "1 new finding: guard-band of output"));
  json moved = unsafe;
  moved["safe"]["findings"][0]["first"]["line"] = 77;
  CHECK(differences(unsafe, moved).empty());
}

TEST_CASE("counters per request of all global, and of all shared memory") {
  json before = facts_about("scale", "right");
  before["launches"] = json::array({{{"accesses", {access("global", 10, 170, 0), access("shared", 4, 0, 128)}}}});
  json now = before;
  now["launches"] = json::array({{{"accesses", {access("global", 5, 20, 0), access("global", 5, 20, 0)}}},
                                 {{"accesses", {access("shared", 4, 0, 4)}}}});
  const std::vector<std::string> lines = differences(before, now);
  CHECK(has(lines, "sectors per request 17 -> 4"));
  CHECK(has(lines, "wavefronts per request of shared memory 32 -> 1"));
  now["launches"] = json::array();
  CHECK(differences(before, now).empty());  // no requests, no ratio
}

TEST_CASE("what is no facts document of this lab is compared with nothing") {
  const json now = facts_about("scale", "right");
  json other = now;
  other["lab"] = "another";
  for (const json& before : {json(), json::parse("{\"format\": ", nullptr, false), json::object(), other}) {
    CHECK_FALSE(is_comparable(before, now));
    CHECK(differences(before, now).empty());
  }
  json cut = now;
  cut.erase("cases");
  CHECK(differences(cut, now).empty());
}

TEST_CASE("the headline of a run") {
  CHECK(headline_of(facts_about("scale", "untouched")).text == "FAIL  nothing was written yet");
  const headline right = headline_of(facts_about("scale", "right"));
  CHECK(right.passed);
  CHECK(right.text.starts_with("PASS  "));
  CHECK(right.text.ends_with("cases right, no findings, fast 75 of 100"));
  const headline unsafe = headline_of(facts_about("scale", "one_past_the_end"));
  CHECK_FALSE(unsafe.passed);
  CHECK(unsafe.text.find(", 1 finding") != std::string::npos);
}

TEST_CASE("the judge prints the verdict before all else, then the change, and keeps the facts for the next run") {
  const example::temporary_folder folder;
  const std::vector<std::string> words{"--facts", (folder.path / "facts.json").string(), "--changes"};
  const process_outcome first = run_judge("scale", "last_row_missing", words);
  CHECK(first.exit_code == 1);
  CHECK(first.printed.starts_with("FAIL  "));
  CHECK(first.printed.find("\n  the first run\n\n") != std::string::npos);
  const process_outcome again = run_judge("scale", "last_row_missing", words);
  CHECK(again.printed.find("\n  as in the last run\n") != std::string::npos);
  const process_outcome mended = run_judge("scale", "right", words);
  CHECK(mended.exit_code == 0);
  CHECK(mended.printed.starts_with("PASS  "));
  CHECK(mended.printed.find("more pass") != std::string::npos);
  CHECK(mended.printed.find("score 75 of 100 (") != std::string::npos);  // the counters, which are the lesson
  CHECK(run_judge("scale", "right", {"--changes"}).exit_code == 2);
}
