#include "report/report_json.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "core/memory_names.h"
#include "report/annotated_source.h"

using namespace simtlab::emulator;

namespace {

access_counters access_in(memory_space space, int line) {
  access_counters a;
  a.where = {"counted.cu", line};
  a.space = space;
  a.variable = "x";
  a.width = 4;
  a.counters.requests = 10;
  a.counters.lanes = 320;
  a.counters.distinct_words = 50;
  return a;
}

report with(std::vector<access_counters> accesses) {
  report r;
  r.launches.emplace_back().accesses = std::move(accesses);
  return r;
}

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("every counter of the definition stands in the report") {
  const std::string text = report_json(with({access_in(memory_space::global, 1)}), true);
  const auto check = [&](const auto& table) {
    for (const auto& c : table) CHECK_MESSAGE(has(text, "\"" + std::string(c.name) + "\": "), c.name);
  };
  check(request_counter_table);
  check(launch_counter_table);
  check(host_counter_table);
}

TEST_CASE("a memory space has one name in every document, and no two share one") {
  for (const memory_space space : {memory_space::host, memory_space::unmapped, memory_space::texture}) {
    const std::string name = space_name(space);
    CHECK(has(report_json(with({access_in(space, 1)}), true), "\"space\": \"" + name + "\""));
    CHECK(space_called(name) == space);
  }
  CHECK(std::string(space_name(memory_space::host)) == "host");
  CHECK(!space_called("other"));
}

TEST_CASE("the annotated source leaves local memory out and shows the words of constant memory") {
  {
    std::ofstream file("counted.cu");
    file << "float y = table[i];\nfloat z = spilled[i];\n";
  }
  const std::string text =
      annotated_source(with({access_in(memory_space::constant, 1), access_in(memory_space::local, 2)}));
  CHECK(has(text, "      10           5    32     1| float y = table[i];"));
  CHECK(has(text, "                               2| float z = spilled[i];"));
}
