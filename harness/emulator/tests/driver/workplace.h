// A folder in which a test builds and runs programs with simtcc.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "driver/process.h"
#include "tests/has.h"

namespace simtlab::emulator {

/// The current folder for one test, removed at its end; simtcc's own intermediate files go to `temporary` inside of it.
struct workplace {
  std::filesystem::path folder;
  workplace() {
    std::string name = (std::filesystem::temp_directory_path() / "simtcc-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder = name;
    std::filesystem::create_directory(folder / "temporary");
    setenv("TMPDIR", (folder / "temporary").c_str(), 1);
    unsetenv("GITHUB_ACTIONS");  // set where a workflow runs the tests: programs say more there
    unsetenv("GITHUB_WORKSPACE");
    std::filesystem::current_path(folder);
  }
  ~workplace() {
    std::filesystem::current_path("/");
    unsetenv("TMPDIR");
    std::filesystem::remove_all(folder);
  }
  workplace(const workplace&) = delete;
  workplace& operator=(const workplace&) = delete;

  static void write(const std::string& name, const std::string& text) { std::ofstream(name, std::ios::binary) << text; }
  static std::string read(const std::string& name) {
    std::ifstream in(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static process_result simtcc(std::vector<std::string> words) {
    words.insert(words.begin(), SIMTLAB_SIMTCC);
    return run_process(words);
  }
};

}  // namespace simtlab::emulator
