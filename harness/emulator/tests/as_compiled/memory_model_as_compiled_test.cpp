// What orders threads, as nvcc compiled them: the tests of the memory model (tests/runtime) have the same verdicts by the engine sass.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "driver/process.h"
#include "gpu_tools.h"

using namespace simtlab::emulator;

namespace {

/// What the test program tests/runtime/SUBJECT.cu says, compiled with --engine sass and these options, where it fails; else nothing.
std::string failures_of(const std::string& subject, const std::vector<std::string>& options) {
  const std::string tests = SIMTLAB_EMULATOR_TESTS;
  std::string folder = (std::filesystem::temp_directory_path() / "simtlab-model-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return "no folder " + folder;
  std::vector<std::string> words{SIMTLAB_SIMTCC,
                                 "--engine",
                                 "sass",
                                 "-w",
                                 "-std=c++20",
                                 "--extended-lambda",
                                 "-DDOCTEST_CONFIG_IMPLEMENT_WITH_MAIN",
                                 "-I",
                                 tests,
                                 "-I",
                                 tests + "/.."};
  words.insert(words.end(), options.begin(), options.end());
  for (const std::string& file : {"/runtime/" + subject + ".cu", std::string("/claims/marked_line.cpp")})
    words.push_back(tests + file);
  words.insert(words.end(), {"-o", folder + "/program"});
  process_result result = run_process(words);
  if (result.exit_code == 0) result = run_process({folder + "/program"});
  std::filesystem::remove_all(folder);
  return result.exit_code == 0 ? "" : subject + ": " + result.errors;
}

using options = std::vector<std::string>;

}  // namespace

TEST_CASE(
    "fences, volatile accesses and locks order as nvcc compiled them what they order as written, and nothing more") {
  REQUIRE(has_tools);
  CHECK(failures_of("memory_model", {}) == "");
}

TEST_CASE("so they do without optimisation, on other architectures, and with cuda::atomic's orders and scopes") {
  if (std::getenv("MEMORY_MODEL") == nullptr) return;
  for (const options& o : {options{"-Xptxas", "-O1"}, options{"-arch=sm_80"}, options{"-arch=sm_75"}})
    CHECK(failures_of("memory_model", o) == "");
  for (const options& o : {options{}, options{"-Xptxas", "-O1"}, options{"-arch=sm_80"}})
    CHECK(failures_of("scoped_atomics", o) == "");
  CHECK(failures_of("order_of_atomics", {}) == "");
}
