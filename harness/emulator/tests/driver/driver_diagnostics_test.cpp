// What a student reads when a program does not compile: golden files, one per program in programs/.
// SIMTLAB_UPDATE_GOLDEN=1 writes them anew.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "driver/diagnostics.h"
#include "driver/process.h"
#include "translator/file_content.h"

using namespace simtlab::emulator;
namespace fs = std::filesystem;

namespace {

/// The places of errors: all that another version of g++ has to agree in.
std::vector<std::string> places(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream in(text);
  std::string line;
  while (std::getline(in, line)) {
    const std::size_t error = line.find(": error: ");
    const std::size_t first = line.find(':');
    if (error != std::string::npos) result.push_back(line.substr(0, line.find(':', first + 1)));
  }
  return result;
}

}  // namespace

TEST_CASE("messages name the student's own lines, without the emulator's inside, and hint at the usual cause") {
  const fs::path folder = fs::path(SIMTLAB_TEST_FOLDER) / "programs";
  const fs::path golden = fs::path(SIMTLAB_TEST_FOLDER) / ".." / "golden" / "driver";
  fs::current_path(folder);
  int programs = 0;
  std::vector<fs::path> sources;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".cu") sources.push_back(entry.path().filename());
  std::sort(sources.begin(), sources.end());
  for (const fs::path& source : sources) {
    CAPTURE(source.string());
    const process_result result = run_process({SIMTLAB_SIMTCC, source.string(), "-o", "/dev/null"});
    CHECK(result.exit_code == 1);
    CHECK(result.errors.find("simtlab") == std::string::npos);
    fs::path expected = golden / source;
    expected.replace_extension(".txt");
    if (std::getenv("SIMTLAB_UPDATE_GOLDEN") != nullptr) std::ofstream(expected, std::ios::binary) << result.errors;
    if (__GNUC__ == 12)
      CHECK(result.errors == content_of(expected));
    else
      CHECK(places(result.errors) == places(content_of(expected)));
    ++programs;
  }
  CHECK(programs >= 13);
}

TEST_CASE("an error inside the emulator's headers is moved to the line that used them") {
  const std::string text =
      "/e/include/device_functions.h: In instantiation of 'T __shfl(T, int, int) [with T = int]':\n"
      "a.cu:7:9:   required from here\n"
      "/e/include/device_functions.h:99:5: error: static assertion failed: __shfl was removed\n"
      "   99 |   static_assert(...)\n";
  CHECK(readable_diagnostics(text, {"/e/include", "/tmp/x", {"a.cu"}}) ==
        "a.cu:7:9: error: static assertion failed: __shfl was removed\n");
}

TEST_CASE("the same error is told once, its notes with it") {
  const std::string once = "a.cu:3:4: error: 'x' was not declared in this scope\n    3 | x\n      | ^\n";
  CHECK(readable_diagnostics(once + once + "a.cu:3:4: note: again\n", {"/e", "/t", {"a.cu"}}) == once);
}

TEST_CASE("linker errors stand at the line of the call") {
  CHECK(readable_diagnostics(
            "/usr/bin/ld: /tmp/x/1-a.o: in function `k(float*)':\n"
            "/home/me/lab/a.cu:3: undefined reference to `f(float)'\ncollect2: error: ld returned 1 exit status\n",
            {"/e", "/tmp/x", {"a.cu"}})
            .starts_with("a.cu:3: error: undefined reference to `f(float)'\na.cu:3: hint: "));
}

TEST_CASE("a library's header that is there, but not all that it includes, is refused at the user's own line") {
  CHECK(readable_diagnostics("In file included from /usr/local/include/cufft.h:55,\n"
                             "                 from a.cu:1:\n"
                             "/usr/local/include/cufft_globals.h:167:12: fatal error: "
                             "cuda/std/type_traits: No such file or directory\n",
                             {"/e", "/t", {"a.cu"}})
            .starts_with("a.cu:1: error: the header cufft.h. The emulator has no cuFFT"));
  CHECK(readable_diagnostics("In file included from mine.h:5,\n                 from a.cu:1:\n"
                             "mine.h:2:10: fatal error: other.h: No such file or directory\n",
                             {"/e", "/t", {"a.cu"}})
            .starts_with("In file included from mine.h:5"));
}

TEST_CASE("what is no diagnostic is passed on") {
  CHECK(readable_diagnostics("something else\n", {"/e", "/t", {}}) == "something else\n");
}
