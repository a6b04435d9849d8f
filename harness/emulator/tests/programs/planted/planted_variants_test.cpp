// One line of a whole program is another, and that bug is found: by its rule, at its lines, and nothing else. Each text
// in this folder is a variant. Its lines say of what kind the bug is, which line of which program it replaces, and what
// must be found.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/driver/workplace.h"
#include "translator/file_content.h"

using namespace simtlab::emulator;
namespace fs = std::filesystem;

namespace {

const fs::path programs = COURSE_PROGRAMS;

std::string without_indent(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(' ');
  return begin == std::string::npos ? "" : line.substr(begin);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// A finding as the program tells it: "error: shared-race of tile", and all lines that it names.
struct told {
  std::string what;
  std::set<int> at;
};

struct variant {
  std::string name, kind, program, was, now;
  int line = 0;
  told finds;
};

std::set<int> numbers_of(const std::string& text) {
  std::istringstream in(text);
  std::set<int> numbers;
  for (int number = 0; in >> number;) numbers.insert(number);
  return numbers;
}

variant read(const fs::path& file) {
  std::map<std::string, std::string> said;
  for (const std::string& line : lines_of(content_of(file))) {
    if (line.starts_with('#')) continue;
    const std::size_t colon = line.find(':');
    REQUIRE_MESSAGE(colon != std::string::npos, file, ": expected NAME: VALUE, found ", line);
    said[line.substr(0, colon)] = without_indent(line.substr(colon + 1));
  }
  for (const char* name : {"kind", "program", "line", "was", "now", "finds", "at"})
    REQUIRE_MESSAGE(said.contains(name), file, ": no line ", name);
  return {file.stem().string(), said["kind"], said["program"], said["was"], said["now"], std::stoi(said["line"]),
          {said["finds"], numbers_of(said["at"])}};
}

std::vector<variant> all_variants() {
  std::set<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(programs / "planted"))
    if (entry.path().extension() == ".txt") files.insert(entry.path());
  std::vector<variant> all;
  for (const fs::path& file : files) all.push_back(read(file));
  return all;
}

/// The program with its bug.
std::string planted(const variant& v) {
  std::vector<std::string> lines = lines_of(content_of(programs / v.program));
  const auto at = static_cast<std::size_t>(v.line) - 1;
  REQUIRE_MESSAGE(at < lines.size(), v.program, " has no line ", v.line);
  REQUIRE_MESSAGE(without_indent(lines[at]) == v.was, v.program, ":", v.line, " reads otherwise than planted/", v.name,
                  ".txt says: take its line, was and at from the program of today");
  lines[at] = v.now;
  std::string text;
  for (const std::string& line : lines) text.append(line).append("\n");
  return text;
}

/// What stands on stderr: "FILE:LINE: SEVERITY: RULE of VARIABLE in kernel K (N times)", and below it indented places.
std::vector<told> findings_in(const std::string& errors, const std::string& program) {
  std::vector<told> found;
  const auto line_number = [&](std::string_view text) {  // 0: names no line of the program
    return text.starts_with(program + ":") ? std::atoi(text.data() + program.size() + 1) : 0;
  };
  for (const std::string& line : lines_of(errors)) {
    std::size_t severity = std::string::npos;
    for (const char* word : {": error: ", ": warning: ", ": note: "})
      severity = std::min(severity, line.find(word));
    if (severity != std::string::npos && !line.starts_with(' ')) {
      std::string what = line.substr(severity + 2);
      for (const char* behind : {" in kernel ", " ("}) what = what.substr(0, what.find(behind));
      found.push_back({what, {line_number(line)}});
    } else if (!found.empty() && line.starts_with("  ") && line_number(line.substr(2)) != 0) {
      found.back().at.insert(line_number(line.substr(2)));
    }
  }
  return found;
}

}  // namespace

TEST_CASE("a bug planted in a whole program is found, and nothing else") {
  // All where PLANTED_VARIANTS is set, else the first of each kind: each is compiled.
  const bool takes_all = std::getenv("PLANTED_VARIANTS") != nullptr;
  const workplace here;
  std::set<std::string> kinds;
  for (const variant& v : all_variants()) {
    if (!kinds.insert(v.kind).second && !takes_all) continue;
    CAPTURE(v.name);
    workplace::write(v.program, planted(v));
    const process_result built = workplace::simtcc({"-w", v.program, "-o", "program"});
    REQUIRE_MESSAGE(built.exit_code == 0, built.errors);
    const process_result ran = run_process({"sh", "-c", "./program >output"});
    const std::vector<told> found = findings_in(ran.errors, v.program);
    CHECK_MESSAGE(ran.exit_code != 0, "an error finding changes the exit code");
    REQUIRE_MESSAGE(found.size() == 1, ran.errors);
    CHECK_MESSAGE(found[0].what == v.finds.what, ran.errors);
    CHECK_MESSAGE(found[0].at == v.finds.at, ran.errors);
  }
}

TEST_CASE("as many races, bounds, barriers and masks, each in a program of its own with 80 lines or more") {
  std::map<std::string, int> of_kind;
  std::set<std::string> used;
  for (const variant& v : all_variants()) {
    ++of_kind[v.kind];
    CHECK_MESSAGE(used.insert(v.program).second, v.program, " has two variants");
    const std::string text = planted(v);
    CHECK_MESSAGE(lines_of(text).size() >= 80, v.program);
    CHECK(v.now != v.was);
    const fs::path without = (programs / v.program).replace_extension(".txt");
    CHECK_MESSAGE(findings_in(content_of(without), v.program).empty(), v.program, " has findings without the bug, too");
  }
  CHECK(of_kind == std::map<std::string, int>{{"barrier", 5}, {"bound", 5}, {"mask", 5}, {"race", 5}});
}
