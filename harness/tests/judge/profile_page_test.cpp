// `make profile HTML=1`: one file with the source, its costs, findings and pictures.
#include "judge/render/profile_page.h"

#include <doctest/doctest.h>

#include <fstream>

#include "tests/protocol/example.h"

using namespace simtlab;

namespace {

std::string page_of(const case_outcome& run) {
  const example::temporary_folder folder;
  std::ofstream(folder.path / "kernel.cu")
      << "__global__ void k(int* a) {\n  if (a < a + 1) a[threadIdx.x * 32] = 1;\n}\n";
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
  CHECK(count(page, "class=\"costly\"") == 1);
  CHECK(page.find("if (a &lt; a + 1)") != std::string::npos);
  CHECK(page.find("<summary>write a: one of its requests</summary>") != std::string::npos);
  CHECK(count(page, "<rect class=\"a\"") == 32);
  CHECK(page.find("32 sectors, where 4 would do.") != std::string::npos);
  CHECK(page.size() < 30'000);
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
  CHECK(page.find("class=\"costly found\"") != std::string::npos);
  CHECK(page.find("global-race: Threads &lt;0&gt; and &lt;1&gt; write.") > page.find("id=\"L2\""));
  CHECK(page.find("leak: Nobody frees a.") < page.find("<table>"));
}

TEST_CASE("a wrong answer is said, and a kernel without accesses has a page, too") {
  case_outcome run;
  run.judged = verdict::wrong_answer;
  run.message = "C: 65 of 2145 elements are wrong.";
  const std::string page = page_of(run);
  CHECK(page.find("65 of 2145") != std::string::npos);
  CHECK(count(page, "<tr id=\"L") == 3);
}
