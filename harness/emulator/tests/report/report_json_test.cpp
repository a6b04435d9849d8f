#include "report/report_json.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "core/memory_names.h"
#include "report/annotated_source.h"

using namespace simtlab::emulator;
namespace fs = std::filesystem;

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

TEST_CASE("a report says once of each counter whether it is exact or a model") {
  const std::string text =
      report_json(with({access_in(memory_space::global, 1), access_in(memory_space::global, 2)}), true);
  const std::string fidelity = text.substr(text.find("\"fidelity\": {"));
  const auto check = [&](const auto& table) {
    for (const auto& c : table)
      CHECK_MESSAGE(has(fidelity, "\"" + std::string(c.name) + "\": \"" + fidelity_name(c.exact) + "\""), c.name);
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

namespace {

/// A folder with a source of two lines, removed at the end.
struct source_folder {
  fs::path path = fs::temp_directory_path() / ("simtlab-annotated-" + std::to_string(getpid()));
  explicit source_folder(const std::string& name) {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name) << "float y = table[i];\nfloat z = spilled[i];\n";
  }
  ~source_folder() { fs::remove_all(path); }
  source_folder(const source_folder&) = delete;
  source_folder& operator=(const source_folder&) = delete;
};

report counted() { return with({access_in(memory_space::constant, 1), access_in(memory_space::local, 2)}); }

}  // namespace

TEST_CASE("the annotated source leaves local memory out and shows the words of constant memory") {
  const source_folder folder("counted.cu");
  const std::string text = annotated_source(counted(), folder.path);
  CHECK(has(text, "      10           5    32     1| float y = table[i];"));
  CHECK(has(text, "                               2| float z = spilled[i];"));
}

TEST_CASE("the annotated source is read from where it was compiled") {
  const source_folder folder("src/counted.cu");
  report r = counted();
  r.source_files["counted.cu"] = {(folder.path / "src/counted.cu").string()};
  CHECK(has(annotated_source(r, "/"), "   1| float y = table[i];"));
  r.source_files["counted.cu"] = {"src/counted.cu"};  // of a prefix map, from the build's folder
  CHECK(has(annotated_source(r, folder.path / "build" / "tests"), "   1| float y = table[i];"));
}

TEST_CASE("a program without debug information has no source, and the annotation says so") {
  report r = counted();
  r.launches[0].accesses[0].where = {};
  CHECK(has(annotated_source(r, "/"), "no source is known of some accesses: the program has no debug information"));
}

TEST_CASE("a source that is nowhere is said to be, with the places, and its counters stay") {
  report r = counted();
  r.source_files["counted.cu"] = {"/no/where/counted.cu"};
  const std::string text = annotated_source(r, "/no/folder");
  CHECK(has(text, "\ncounted.cu not found from here: looked in /no/where/counted.cu, /no/folder/counted.cu\n"));
  CHECK(has(text, "      10           5    32     1| constant read x\n"));
  CHECK(!has(text, "   2|"));
  r.source_files["counted.cu"].insert("/other/counted.cu");
  CHECK(has(annotated_source(r, "/"),
            "counted.cu is the name of several files, whose lines are counted together: "
            "/no/where/counted.cu /other/counted.cu\n"));
}
