// --engine sass: what simtcc asks of nvcc and nvdisasm, where it finds them, and what it says when one of them does not do its work.
// The tools here are scripts; tests/as_compiled has the real ones.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "driver/command_line.h"
#include "driver/gpu_toolchain.h"
#include "driver/machine_fault.h"
#include "tests/driver/workplace.h"

using namespace simtlab::emulator;
namespace fs = std::filesystem;

namespace {

constexpr const char* one_store = "__global__ void k(int* a) { *a = 1; }\nint main() { return 0; }\n";

/// nvcc and nvdisasm of the folder that CUDA_HOME names, for one test.
struct tools {
  workplace here;
  explicit tools(const std::string& nvcc, const std::string& nvdisasm = "#!/bin/sh\necho '[]'\n") {
    fs::create_directories("cuda/bin");
    write("cuda/bin/nvcc", nvcc);
    write("cuda/bin/nvdisasm", nvdisasm);
    setenv("CUDA_HOME", (here.folder / "cuda").c_str(), 1);
    workplace::write("prog.cu", one_store);
  }
  ~tools() { unsetenv("CUDA_HOME"); }
  tools(const tools&) = delete;
  tools& operator=(const tools&) = delete;
  static void write(const std::string& file, const std::string& text) {
    workplace::write(file, text);
    fs::permissions(file, fs::perms::owner_all);
  }
  static process_result compile(std::vector<std::string> more = {}) {
    std::vector<std::string> words{"--engine", "sass", "prog.cu", "-o", "prog"};
    append(words, more);
    return workplace::simtcc(words);
  }
};

/// Writes what it was called with into `words`, and a cubin that nobody reads.
constexpr const char* obedient =
    "#!/bin/sh\necho \"$@\" >words\nfor last; do :; done\necho cubin >\"$last\"\n"
    "echo \"ptxas info    : Function properties for _Z1kPi\" >&2\n"
    "echo \"    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads\" >&2\n"
    "echo \"ptxas info    : Used 10 registers, used 0 barriers\" >&2\n";

}  // namespace

TEST_CASE("an engine is g++ or sass") {
  CHECK(!parse_command_line({"a.cu"}).gpu_code);
  CHECK(!parse_command_line({"--engine=g++", "a.cu"}).gpu_code);
  CHECK(parse_command_line({"--engine", "sass", "a.cu"}).gpu_code);
  CHECK_THROWS_WITH_AS(parse_command_line({"--engine=ptx", "a.cu"}), doctest::Contains("sass lets nvcc compile"),
                       usage_error);
}

TEST_CASE("what g++ makes nothing of goes to nvcc, and no note says otherwise") {
  const command_line c =
      parse_command_line({"--engine=sass", "-use_fast_math", "-maxrregcount=32", "-Xptxas", "-O1", "a.cu"});
  CHECK(c.gpu_code_options == std::vector<std::string>{"-use_fast_math", "-maxrregcount=32", "-Xptxas=-O1"});
  CHECK(c.without_effect.empty());
  CHECK(parse_command_line({"-use_fast_math", "a.cu"}).without_effect.size() == 1);
}

TEST_CASE("the architecture is sm_90, or the newest of -arch") {
  CHECK(parse_command_line({"--engine=sass", "a.cu"}).gpu_code_architecture == 90);
  CHECK(parse_command_line({"--engine=sass", "-arch=sm_80", "a.cu"}).gpu_code_architecture == 80);
}

TEST_CASE("device code of several files is refused with the next step") {
  CHECK_THROWS_WITH_AS(parse_command_line({"--engine=sass", "-rdc=true", "a.cu"}),
                       doctest::Contains("Put the device code into one file"), usage_error);
}

TEST_CASE("nvcc is asked for a cubin with lines, by the options of the program") {
  const tools here(obedient);
  const process_result made = tools::compile({"-DN=4", "-maxrregcount=32"});
  REQUIRE_MESSAGE(made.exit_code == 0, made.errors);
  const std::string words = workplace::read("words");
  for (const char* word : {"-DN=4", "-maxrregcount=32", "-lineinfo", "-cubin", "-arch=sm_90", "prog.cu"})
    CHECK_MESSAGE(has(words, word), words);
}

TEST_CASE("what ptxas says of a kernel is kept with its code") {
  const tools here(obedient);
  REQUIRE(tools::compile({"--keep", "kept"}).exit_code == 0);
  CHECK(workplace::read("kept/prog.resources") == "_Z1kPi 10 8 4 12\n");
}

TEST_CASE("nvcc's own errors stand at their line") {
  const tools here("#!/bin/sh\necho 'prog.cu(1): error: identifier \"x\" is undefined' >&2\nexit 2\n");
  const process_result made = tools::compile();
  CHECK(made.exit_code == 1);
  CHECK_MESSAGE(has(made.errors, "prog.cu:1: error: identifier \"x\" is undefined (nvcc refuses it)"), made.errors);
}

TEST_CASE("what ptxas refuses is nvcc's refusal, and a compiler that was killed is a fault of the machine's") {
  {
    const tools here(
        "#!/bin/sh\necho 'ptxas k.ptx, line 3; error   : Feature x requires .target sm_80' >&2\nexit 255\n");
    const process_result made = tools::compile();
    CHECK(made.exit_code == 1);
    CHECK_MESSAGE(has(made.errors, "requires .target sm_80"), made.errors);
  }
  const tools here("#!/bin/sh\necho \"nvcc error   : 'ptxas' died due to signal 9 (Kill signal)\" >&2\nexit 9\n");
  const process_result made = tools::compile();
  CHECK(made.exit_code == 3);
  CHECK_MESSAGE(has(made.errors, "nvcc was stopped (exit code 9): by too little memory or time?"), made.errors);
}

TEST_CASE("an nvdisasm that cannot read the cubin is a fault of the machine's, with the next step") {
  const tools here(obedient, "#!/bin/sh\necho 'nvdisasm fatal   : unknown architecture' >&2\nexit 1\n");
  const process_result made = tools::compile();
  CHECK(made.exit_code == 3);
  CHECK_MESSAGE(has(made.errors, "unknown architecture"), made.errors);
  CHECK_MESSAGE(has(made.errors, "make setup SASS=1"), made.errors);
}

TEST_CASE("a tool that is nowhere is named, with the next step and the other engine") {
  const workplace here;
  CHECK_THROWS_WITH_AS(gpu_toolchain::find_in({}, {}), doctest::Contains("needs nvcc of the CUDA Toolkit"),
                       machine_fault);
  CHECK_THROWS_WITH_AS(gpu_toolchain::find_in({}, {}), doctest::Contains("make setup SASS=1"), machine_fault);
  CHECK_THROWS_WITH_AS(gpu_toolchain::find_in({}, {}), doctest::Contains("the g++ engine needs none"), machine_fault);
}

TEST_CASE("of two tools the one that is missing is named, with the package that has it") {
  const workplace here;
  fs::create_directories("bin");
  tools::write("bin/nvcc", "#!/bin/sh\n");
  const std::vector<fs::path> folders{here.folder / "bin"};
  CHECK_THROWS_WITH_AS(gpu_toolchain::find_in(folders, {}), doctest::Contains("needs nvdisasm of the CUDA Toolkit"),
                       machine_fault);
  CHECK_THROWS_WITH_AS(gpu_toolchain::find_in(folders, {}), doctest::Contains("pip install nvidia-cuda-nvdisasm"),
                       machine_fault);
}

TEST_CASE("a tree without the engine names the command that builds it, before any tool is looked for") {
  const workplace here;
  workplace::write("simtcc.conf", "include .\ncompiler g++\nwithout sass\n");
  const installation where = installation::read("simtcc.conf");
  CHECK_THROWS_WITH_AS(gpu_toolchain::find_in({}, where), doctest::Contains("built without what executes it"),
                       machine_fault);
  CHECK_THROWS_WITH_AS(gpu_toolchain::find_in({}, where), doctest::Contains("make setup SASS=1"), machine_fault);
}

TEST_CASE("pip's packages are found in the environment that VIRTUAL_ENV names") {
  const workplace here;
  fs::create_directories("venv/lib/python3.11/site-packages/nvidia/cu13/bin");
  tools::write("venv/lib/python3.11/site-packages/nvidia/cu13/bin/nvcc", "#!/bin/sh\n");
  setenv("VIRTUAL_ENV", (here.folder / "venv").c_str(), 1);
  const auto folders = gpu_toolchain::folders({});
  unsetenv("VIRTUAL_ENV");
  CHECK(std::ranges::find(folders, here.folder / "venv/lib/python3.11/site-packages/nvidia/cu13/bin") != folders.end());
}
