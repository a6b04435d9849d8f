// `make profile HTML=1`: one file with the source, its costs, findings and pictures.
#include "judge/render/profile_page.h"

#include <cstdlib>
#include <fstream>

#include "protocol/measurement_json.h"
#include "tests/judge/example_request.h"
#include "tests/judge/example_trace.h"
#include "tests/judge/real_judge.h"

using namespace simtlab;

namespace {

constexpr const char* three_lines = "__global__ void k(int* a) {\n  if (a < a + 1) a[threadIdx.x * 32] = 1;\n}\n";

std::string page_of(const case_outcome& run, const std::string& source = three_lines) {
  const example::temporary_folder folder;
  std::ofstream(folder.path / "kernel.cu") << source;
  return profile_page("00-example", run, source_text(folder.path / "kernel.cu"));
}

case_outcome strided_store() {
  case_outcome run;
  run.judged = verdict::pass;
  run.of = {{"n", 1024}};
  launch_counters l;
  access_counters a;
  a.file = "kernel.cu";
  a.line = 2;
  a.space = "global";
  a.access = "write";
  a.variable = "a";
  a.requests = 8;
  a.lanes = 256;
  a.sectors = 256;
  a.ideal_sectors = 32;
  l.accesses = {a};
  example_place p;
  p.file = "kernel.cu";
  p.line = 2;
  p.space = "global";
  p.access = "write";
  p.variable = "a";
  p.width = 4;
  p.patterns = 1;
  request_example e;
  e.reasons = {"most frequent", "worst"};
  e.times = 8;
  e.active = 0xffffffff;
  for (std::size_t lane = 0; lane < e.addresses.size(); ++lane) e.addresses.at(lane) = 128 * lane;
  e.cost.sectors = 32;
  e.cost.ideal_sectors = 4;
  p.examples = {e};
  l.examples = {p};
  run.measured.launches = {l};
  return run;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("each line of the source is there, with its costs and pictures") {
  const std::string page = page_of(strided_store());
  CHECK(count(page, "<tr id=\"L") == 3);
  CHECK(count(page, "class=\"costly\" data-excess=\"224\"") == 1);
  CHECK(page.find("(a &lt; a + ") != std::string::npos);
  CHECK(page.find("<summary>write a: one of its requests</summary>") != std::string::npos);
  CHECK(count(page, "<rect class=\"a\"") == 32);
  CHECK(page.find("32 sectors, where 4 would do.") != std::string::npos);
  CHECK(page.size() < 45'000);
}

TEST_CASE("nothing of the page comes from elsewhere") {
  const std::string page = page_of(strided_store());
  CHECK(page.find("http") == std::string::npos);
  CHECK(page.find("src=") == std::string::npos);
}

TEST_CASE("findings stand at their lines, those without a line above") {
  case_outcome run = strided_store();
  finding at_line, without;
  at_line.rule = "global-race";
  at_line.message = "Threads <0> and <1> write.";
  at_line.first = {"kernel.cu", 2, {}, {}, "writes"};
  without.rule = "leak";
  without.message = "Nobody frees a.";
  run.measured.findings = {at_line, without};
  const std::string page = page_of(run);
  CHECK(page.find("class=\"costly found\" data-excess=\"224\"") != std::string::npos);
  CHECK(page.find("global-race: Threads &lt;0&gt; and &lt;1&gt; write.") > page.find("id=\"L2\""));
  CHECK(page.find("leak: Nobody frees a.") < page.find("<table"));
}

TEST_CASE("a wrong answer is said, and a kernel without accesses has a page, too") {
  case_outcome run;
  run.judged = verdict::wrong_answer;
  run.message = "C: 65 of 2145 elements are wrong.";
  const std::string page = page_of(run);
  CHECK(page.find("65 of 2145") != std::string::npos);
  CHECK(count(page, "<tr id=\"L") == 3);
}

TEST_CASE("a finding stands at both of its places, and each leads to the other") {
  case_outcome run = strided_store();
  finding race;
  race.rule = "shared-race";
  race.first = {"kernel.cu", 1, {}, {}, "writes"};
  race.second = finding_place{"kernel.cu", 3, {}, {}, "reads"};
  run.measured.findings = {race};
  const std::string page = page_of(run);
  CHECK(count(page, " found\"") == 2);
  CHECK(page.find("See <a href=\"#L3\">line 3</a>, too.") < page.find("id=\"L2\""));
  CHECK(page.find("See <a href=\"#L1\">line 1</a>, too.") > page.find("id=\"L3\""));
}

TEST_CASE("a line that races with a hundred others tells some, and counts the rest with their lines") {
  case_outcome run = strided_store();
  for (int line = 2; line < 102; ++line) {
    finding race;
    race.rule = "shared-race";
    race.first = {"kernel.cu", 1, {}, {}, "writes"};
    race.second = finding_place{"kernel.cu", line, {}, {}, "reads"};
    run.measured.findings.push_back(race);
  }
  const std::string page = page_of(run);
  const std::string row = page.substr(page.find("id=\"L1\""), page.find("id=\"L2\"") - page.find("id=\"L1\""));
  CHECK(count(row, "<p class=\"finding\">shared-race") == 6);
  CHECK(row.find("And 94 findings more at this line, with <a href=\"#L8\">line 8</a>, ") != std::string::npos);
  CHECK(row.find("line 27</a> and others.") != std::string::npos);
}

TEST_CASE("the dearest lines come first, with links, and the dearest one's pictures are open") {
  const std::string page = page_of(strided_store());
  CHECK(page.find("<li><a href=\"#L2\">line 2</a>, write a: 32 sectors per request, 12 % of them needed</li>") <
        page.find("<table"));
  CHECK(count(page, "<details class=\"drawn\" open>") == 1);
}

TEST_CASE("each figure says whether it is exact, and leads to what that means") {
  const std::string page = page_of(strided_store());
  CHECK(page.find("<a href=\"#figure-sectors\">sectors<br>exact</a>") != std::string::npos);
  CHECK(page.find("<a href=\"#figure-wavefronts\">wavefronts<br>model</a>") != std::string::npos);
  for (const char* counter : {"requests", "sectors", "wavefronts", "lanes"})
    CHECK(count(page, "<tr id=\"figure-" + std::string(counter) + "\">") == 1);
  CHECK(page.find("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum") != std::string::npos);
  CHECK(page.find("not modelled</td><td></td><td><code>dram__bytes.sum") != std::string::npos);
}

TEST_CASE("a long source, one that is no UTF-8, and one without a request have a page that says what there is") {
  std::string longest;
  for (int i = 0; i < 2000; ++i) longest += "  a[i] = 1;  // the same line\n";
  const std::string page = page_of(strided_store(), longest);
  CHECK(count(page, "<tr id=\"L") == 2000);
  CHECK(page.size() < 600'000);
  const std::string odd = page_of(strided_store(), "// \xff\xfe\n\x01 a\n");
  CHECK(odd.find('\xff') == std::string::npos);
  CHECK(odd.find('\x01') == std::string::npos);
  case_outcome nothing;
  nothing.judged = verdict::pass;
  CHECK(page_of(nothing).find("There are no pictures: no line of this source") != std::string::npos);
}

// Looked at by a browser (grading/tests/test_profile_page.py).
TEST_CASE("a transpose's page is the one that the browser's tests open") {
  const std::string source =
      "#define TILE 32\n"
      "// The tile's columns lie in one bank.\n"
      "__global__ void transpose(const float* input, float* output, const int* order, int n) {\n"
      "  __shared__ float tile[TILE][TILE];\n"
      "  tile[threadIdx.y][threadIdx.x] = input[threadIdx.y * n + threadIdx.x];\n"
      "  output[threadIdx.y * n + threadIdx.x] = tile[threadIdx.x][threadIdx.y];\n"
      "  output[order[threadIdx.x]] += 1;  /* follows data */\n"
      "}\n";
  case_outcome run;
  run.judged = verdict::pass;
  run.of = {{"n", 32}};
  launch_counters l;
  const auto add = [&](int line, const char* variable, example::drawn d) {
    d.place.file = "kernel.cu";
    d.place.line = line;
    d.place.variable = variable;
    d.place.examples = {d.example};
    l.examples.push_back(d.place);
    access_counters a;
    static_cast<emulator::request_counters&>(a) = d.example.cost;
    a.file = "kernel.cu";
    a.line = line;
    a.space = d.place.space;
    a.access = d.place.access;
    a.variable = variable;
    l.accesses.push_back(a);
  };
  using example::request;
  add(5, "input", request("global", "read", 4, [](unsigned lane) { return 4 * lane; }));
  add(5, "tile", request("shared", "write", 4, [](unsigned lane) { return 4 * lane; }));
  add(6, "tile", request("shared", "read", 4, [](unsigned lane) { return 128 * lane; }));
  add(6, "output", request("global", "write", 4, [](unsigned lane) { return 4 * (lane + 1); }));
  add(7, "output", request("global", "write", 4, [](unsigned lane) { return 4 * (lane * lane % 31); }));
  add(7, "n", request("constant", "read", 4, [](unsigned) { return 0; }));
  finding race;
  race.rule = "shared-race";
  race.message =
      "Thread (0,1,0) of block (0,0,0) writes tile[1][0], and thread (1,0,0) reads it; no barrier stands between.";
  race.kernel = "transpose";
  race.variable = "tile";
  race.first = {"kernel.cu", 5, coordinates{0, 1, 0}, coordinates{0, 0, 0}, "writes tile[1][0]"};
  race.second = finding_place{"kernel.cu", 6, coordinates{1, 0, 0}, coordinates{0, 0, 0}, "reads tile[1][0]"};
  run.measured.findings = {race};
  finding between = race;
  between.rule = "global-race";
  between.variable = "output";
  between.message = "Two blocks touch the same element, and nothing orders blocks.";
  between.first = {"kernel.cu", 6, std::nullopt, std::nullopt, "of one block writes output[3]"};
  between.second = finding_place{"kernel.cu", 7, std::nullopt, std::nullopt, "of another block writes output[3]"};
  run.measured.findings.push_back(between);
  between.first = {"kernel.cu", 6, coordinates{3, 0, 0}, coordinates{1, 0, 0}, "writes output[3]"};
  between.second = finding_place{"kernel.cu", 7, coordinates{1, 2, 0}, coordinates{0, 0, 0}, "writes output[3]"};
  block_trace unordered = example::transpose_trace(), other = example::transpose_trace();
  unordered.block = other.block = {0, 0, 0};
  for (traced_warp& w : unordered.warps)
    for (traced_event& e : w.events) e.epoch = 0;
  l.block = {32, 4, 1};
  run.traced_races = {{race, l.block, unordered, unordered}, {between, l.block, example::transpose_trace(), other}};
  l.kernel = "transpose";
  l.grid = {2, 1, 1};
  l.trace = example::transpose_trace();
  run.measured.launches = {l};
  const std::string page = page_of(run, source);
  const std::string records = setting("TEST_FOLDER") + "/golden/block_trace.json";
  const std::string golden = setting("TEST_FOLDER") + "/golden/profile_page.html";
  const std::string trace = to_text(to_json(l)["trace"]);  // what the drawing is held against
  if (std::getenv("SIMTLAB_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(golden) << page;
    std::ofstream(records) << trace;
  }
  CHECK(contents(records) == trace);
  CHECK(contents(golden) == page);
}
