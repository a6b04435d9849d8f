// What Nsight Compute printed on an H200, read.
#include "judge/gpu/nsight_report.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "judge/gpu/nsight_names.h"
#include "judge/render/nsight_csv.h"
#include "protocol/bounded_json.h"
#include "tests/judge/real_judge.h"

using namespace simtlab;

namespace {

std::string recorded(const std::string& file) { return contents(setting("TEST_FOLDER") + "/recorded/" + file); }

const access_counters& access_of(const launch_counters& l, const std::string& space, const std::string& access) {
  const auto found = std::ranges::find_if(
      l.accesses, [&](const access_counters& a) { return a.space == space && a.access == access; });
  REQUIRE(found != l.accesses.end());
  return *found;
}

std::string without(std::string text, const std::string& part) {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.erase(at, part.size());
}

}  // namespace

TEST_CASE("a transpose's launch has its grid, its lines and the emulator's counters") {
  const auto launches = launches_of_nsight(recorded("transpose.raw.csv"), recorded("transpose.source.csv"));
  REQUIRE(launches.size() == 1);
  const launch_counters& l = launches.front();
  CHECK(l.kernel == "transpose_tile");
  CHECK(l.grid == coordinates{8, 16, 1});
  CHECK(l.block == coordinates{32, 8, 1});
  CHECK(l.times == 1);
  REQUIRE(l.accesses.size() == 4);
  const access_counters read = access_of(l, "global", "read");
  CHECK(read.file == "kernel.cu");
  CHECK(read.line == 27);
  CHECK(read.width == 4);
  CHECK(read.requests == 4096);
  CHECK(read.lanes == 131072);
  CHECK(read.bytes == 4 * 131072);
  CHECK(read.sectors == 16384);
  CHECK(read.ideal_sectors == 16384);
  const access_counters column = access_of(l, "shared", "read");
  CHECK(column.requests == 4096);
  CHECK(column.wavefronts == 4096);
  CHECK(column.ideal_wavefronts == 4096);
  CHECK(column.line > access_of(l, "shared", "write").line);
}

TEST_CASE("a line's requests are its share of the hardware's, which leaves out warps without an active lane") {
  std::string raw = recorded("transpose.raw.csv");
  const std::string requests = "\"4,096\"";
  REQUIRE(raw.find(requests) != std::string::npos);
  raw.replace(raw.find(requests), requests.size(), "\"3,000\"");  // of global reads: the first of its kind
  const auto launches = launches_of_nsight(raw, recorded("transpose.source.csv"));
  CHECK(access_of(launches.front(), "global", "read").requests == 3000);
  CHECK(access_of(launches.front(), "global", "read").lanes == 131072);
}

TEST_CASE("a page that shows a launch twice counts it once, and equal launches are added up") {
  const std::string source = recorded("transpose.source.csv"), raw = recorded("transpose.raw.csv");
  const auto once = launches_of_nsight(raw, source + source);
  CHECK(access_of(once.front(), "global", "read").requests == 4096);
  const std::string again = raw + raw.substr(raw.find("\n\"0\"") + 1);
  for (const int copies : {2, 4}) {
    std::string pages;
    for (int i = 0; i < copies; ++i) pages += source;
    const auto twice = launches_of_nsight(again, pages);
    REQUIRE(twice.size() == 1);
    CHECK(twice.front().times == 2);
    CHECK(access_of(twice.front(), "global", "read").requests == 2 * 4096);
  }
  CHECK_THROWS_AS(static_cast<void>(launches_of_nsight(again, source + source + source)), protocol_error);
}

TEST_CASE("an instruction for any space belongs to the one that it used") {
  std::string source = recorded("transpose.source.csv");
  const auto rename = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = source.find(from, at)) != std::string::npos; at += to.size())
      source.replace(at, from.size(), to);
  };
  rename("LDG.E ", "LD.E ");
  rename("LDS ", "LD.E ");
  rename("STS ", "ST.E ");
  const launch_counters l = launches_of_nsight(recorded("transpose.raw.csv"), source).front();
  CHECK(access_of(l, "global", "read").lanes == 131072);
  CHECK(access_of(l, "shared", "read").lanes == 131072);
  CHECK(access_of(l, "shared", "write").lanes == 131072);
}

TEST_CASE("a kernel is called by its own name, without types, namespace and arguments of its template") {
  const std::string name = "transpose_tile(const float *, float *, int, int)";
  std::string raw = recorded("transpose.raw.csv");
  raw.replace(raw.find(name), name.size(), "void <unnamed>::scale<(int)2, float>(const float *)");
  CHECK(launches_of_nsight(raw, "").front().kernel == "scale");
  std::string source = recorded("transpose.source.csv");
  source.replace(source.find(name), name.size(), "void scale<2, float>(const float *)");  // the pages differ
  CHECK(access_of(launches_of_nsight(raw, source).front(), "global", "read").requests == 4096);
}

TEST_CASE("a page of another form is refused, and none ends the judge") {
  const std::string raw = recorded("transpose.raw.csv"), source = recorded("transpose.source.csv");
  CHECK_THROWS_AS(static_cast<void>(launches_of_nsight("", source)), protocol_error);
  CHECK_THROWS_AS(static_cast<void>(launches_of_nsight("==ERROR== no\n", source)), protocol_error);
  CHECK_THROWS_AS(static_cast<void>(launches_of_nsight(raw, without(source, "\"Address\","))), protocol_error);
  CHECK(launches_of_nsight(raw, "").front().accesses.front().line == 0);
  std::uint64_t state = 7;
  const auto next = [&state](std::size_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state >> 33) % below;
  };
  for (int round = 0; round < 300; ++round) {  // cut, doubled, or with another character somewhere
    std::string one = raw, other = source;
    for (std::string* page : {&one, &other}) {
      const std::size_t at = next(page->size());
      if (round % 3 == 0) page->resize(at);
      if (round % 3 == 1) page->insert(at, page->substr(next(page->size()), next(400)));
      if (round % 3 == 2) (*page)[at] = "\",\n0-x("[next(7)];
    }
    try {
      static_cast<void>(launches_of_nsight(one, other));
    } catch (const protocol_error&) {
    }
  }
}

TEST_CASE("why there is no profile is one sentence with the next step") {
  const std::string forbidden = refusal_of_nsight(
      "==PROF== Connected to process 17\n==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n");
  CHECK(forbidden.find("NVreg_RestrictProfilingToAdminUsers=0") != std::string::npos);
  CHECK(
      refusal_of_nsight("==ERROR== Profiling failed because a driver resource was unavailable. Ensure").find("DCGM") !=
      std::string::npos);
  CHECK(refusal_of_nsight("==ERROR== Failed to find metric x\n") ==
        "Nsight Compute made no profile: Failed to find metric x.");
  CHECK(refusal_of_nsight("") == "Nsight Compute made no profile and did not say why.");
  CHECK(refusal_of_nsight("==WARNING== No kernels were profiled.") == "No kernel was launched.");
}

TEST_CASE("a raw page alone gives each kind of access its total, at no line") {
  const auto launches = launches_of_nsight(recorded("transpose.raw.csv"), "");
  REQUIRE(launches.size() == 1);
  const access_counters read = access_of(launches.front(), "global", "read");
  CHECK(read.line == 0);
  CHECK(read.requests == 4096);
  CHECK(read.sectors == 16384);
}

TEST_CASE("what `make profile CSV=ncu` writes is read as a page of Nsight Compute is") {
  launch_counters l;
  l.kernel = "odd_name";
  l.grid = {8, 16, 1};
  l.block = {32, 8, 1};
  l.shared_bytes = 4224;
  const auto add = [&](const char* space, const char* access, std::uint64_t requests, std::uint64_t sectors,
                       std::uint64_t wavefronts) {
    access_counters a;
    a.space = space;
    a.access = access;
    a.line = static_cast<int>(l.accesses.size()) + 1;
    a.requests = requests;
    a.sectors = sectors;
    a.wavefronts = wavefronts;
    l.accesses.push_back(a);
  };
  add("global", "read", 4096, 16384, 0);
  add("global", "read", 4, 128, 0);
  add("global", "write", 1'234'567, 9'876'543, 0);
  add("global", "atomic", 7, 9, 0);
  l.accesses.back().generic_wavefronts = 3;  // which it calls shared memory's
  add("shared", "read", 64, 0, 2048);
  add("shared", "write", 67, 0, 70);
  l.accesses.back().copied_requests = 2;  // Nsight Compute does not call these stores
  l.accesses.back().copied_wavefronts = 4;
  add("shared", "atomic", 0, 0, 12);
  add("constant", "read", 5, 0, 0);
  launch_counters without_accesses;
  without_accesses.kernel = "nothing";
  const std::string page = nsight_csv({l, without_accesses});
  CHECK(page.starts_with("==SIMTLAB== exact: "));
  const std::string remarks = page.substr(0, page.find('"'));
  CHECK(std::ranges::count(remarks, '\n') == 2);
  CHECK(remarks.find("\n==SIMTLAB== model: ") != std::string::npos);
  for (const nsight_name& n : nsight_names) CHECK(remarks.find(n.name) != std::string::npos);
  const auto read = launches_of_nsight(page, "");
  REQUIRE(read.size() == 2);
  CHECK(read[0].kernel == l.kernel);
  CHECK(read[0].grid == l.grid);
  CHECK(read[0].block == l.block);
  CHECK(read[0].shared_bytes == l.shared_bytes);
  CHECK(access_of(read[0], "global", "read").requests == 4100);
  CHECK(access_of(read[0], "global", "read").sectors == 16512);
  CHECK(access_of(read[0], "global", "write").requests == 1'234'567);
  CHECK(access_of(read[0], "global", "write").sectors == 9'876'543);
  CHECK(access_of(read[0], "global", "atomic").requests == 7);
  CHECK(access_of(read[0], "global", "atomic").sectors == 9);
  CHECK(access_of(read[0], "shared", "read").requests == 64);
  CHECK(access_of(read[0], "shared", "read").wavefronts == 2048);
  CHECK(access_of(read[0], "shared", "write").wavefronts == 66);
  CHECK(access_of(read[0], "shared", "atomic").wavefronts == 15);
  CHECK(read[0].accesses.size() == 6);
  CHECK(read[1].accesses.empty());
}

TEST_CASE("what is written and what is not modelled have different names, all of Nsight Compute's form") {
  for (const nsight_absence& absent : nsight_not_modelled)
    CHECK(std::ranges::none_of(nsight_names, [&](const nsight_name& n) { return std::string(n.name) == absent.name; }));
  for (const nsight_name& n : nsight_names) CHECK(std::string(n.name).ends_with(".sum"));
}
