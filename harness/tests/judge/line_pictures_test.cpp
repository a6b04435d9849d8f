// Which requests of a line are drawn, and the pictures of the lectures' patterns: the drawing here and the report's own
// (grading/simtlab/report/request_pictures.py) are held together by a golden file.
#include "judge/render/line_pictures.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "tests/judge/example_request.h"
#include "tests/judge/real_judge.h"

using namespace simtlab;
using example::drawn;
using example::request;

namespace {

access_counters counters_of(const drawn& d, int line) {
  access_counters a;
  static_cast<emulator::request_counters&>(a) = d.example.cost;
  a.file = "kernel.cu";
  a.line = line;
  a.space = d.place.space;
  a.access = d.place.access;
  a.variable = d.place.variable;
  return a;
}

struct placed {
  int line = 0;
  drawn of;
};

measurements run_of(std::vector<placed> accesses) {
  launch_counters l;
  for (placed& one : accesses) {
    l.accesses.push_back(counters_of(one.of, one.line));
    one.of.place.file = "kernel.cu";
    one.of.place.line = one.line;
    one.of.place.examples = {one.of.example};
    l.examples.push_back(one.of.place);
  }
  measurements m;
  m.launches = {l};
  return m;
}

drawn strided(unsigned words, const char* access = "read") {
  return request("global", access, 4, [words](unsigned l) { return 4 * words * l; });
}

std::vector<int> drawn_lines(const measurements& m) {
  std::vector<int> numbers;
  const std::vector<source_line_counters> lines = lines_of(line_counters(m));
  for (const source_line_counters& l : lines)
    if (is_drawn(l, lines)) numbers.push_back(l.line);
  return numbers;
}

}  // namespace

TEST_CASE("the four dearest lines are drawn, those without excess last") {
  CHECK(drawn_lines(run_of({{1, strided(2)}, {2, strided(8)}, {3, strided(4)}, {4, strided(16)}, {5, strided(3)}})) ==
        std::vector{2, 3, 4, 5});
  CHECK(drawn_lines(run_of({{1, strided(1)}, {2, strided(2)}})) == std::vector{1, 2});
  CHECK(drawn_lines({}).empty());
}

TEST_CASE("of a line the rows with excess are drawn, the dearest first; of a line without, all") {
  const measurements m = run_of({{7, strided(1, "write")}, {7, strided(4)}});
  const std::vector<drawn_request> one = drawn_requests(m, lines_of(line_counters(m)).front());
  REQUIRE(one.size() == 1);
  CHECK(one[0].access == "read a");
  CHECK(one[0].picture.rows.size() == 4);
  const measurements good = run_of({{7, strided(1, "write")}, {7, strided(1)}});
  CHECK(drawn_requests(good, lines_of(line_counters(good)).front()).size() == 2);
}

TEST_CASE("the most frequent request and the worst are shown, each once however many a result names") {
  measurements m = run_of({{3, strided(2)}});
  std::vector<request_example>& kept = m.launches[0].examples[0].examples;
  for (const char* reason : {"at random", "worst", "worst"}) {
    kept.push_back(strided(8).example);
    kept.back().reasons = {reason};
  }
  const std::vector<source_line_counters> lines = lines_of(line_counters(m));
  CHECK(shown_requests(m, lines[0].rows[0]).size() == 2);
}

TEST_CASE("the drawings of the lectures' patterns are those that reports draw") {
  const auto column = [](unsigned pitch) { return [pitch](unsigned l) { return std::uint64_t{4} * pitch * l; }; };
  const std::vector<std::pair<const char*, drawn>> patterns{
      {"aligned", request("global", "read", 4, [](unsigned l) { return 4 * l; })},
      {"shifted by one", request("global", "read", 4, [](unsigned l) { return 4 * (l + 1); })},
      {"stride 2", request("global", "read", 4, [](unsigned l) { return 8 * l; })},
      {"broadcast", request("global", "read", 4, [](unsigned) { return 0; })},
      {"column of a tile", request("shared", "read", 4, column(32))},
      {"column of a padded tile", request("shared", "read", 4, column(33))},
      {"two lanes a word", request("shared", "read", 4, [](unsigned l) { return 4 * (l / 2); })},
      {"bytes", request("global", "write", 1, [](unsigned l) { return l; })},
  };
  json all = json::array();
  for (const auto& [name, d] : patterns) {
    const drawn_request one{"read a", words_of_request(d.place, d.example), picture_of(d.place, d.example)};
    all.push_back({{"pattern", name}, {"request", to_json(one)}, {"svg", picture_svg(one.picture, one.words, 8)}});
  }
  const std::string text = all.dump(1) + "\n";
  const std::string golden = setting("TEST_FOLDER") + "/golden/request_pictures.json";
  if (std::getenv("SIMTLAB_UPDATE_GOLDEN") != nullptr) std::ofstream(golden) << text;
  CHECK(contents(golden) == text);
}
