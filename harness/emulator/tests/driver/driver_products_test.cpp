// What simtcc makes beside programs: objects that use each other's device code, libraries, rules for make.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/driver/workplace.h"

using namespace simtlab::emulator;
namespace fs = std::filesystem;

namespace {

/// A main file that launches a kernel with device code of device.cu. Its exit code is 42.
void write_two_files() {
  workplace::write("device.cuh", "#pragma once\nextern __device__ int base;\n__device__ int twice(int);\n");
  workplace::write(
      "device.cu",
      "#include \"device.cuh\"\n__device__ int base = 2;\n__device__ int twice(int x) { return 2 * x; }\n");
  workplace::write("main.cu",
                   "#include \"device.cuh\"\n__global__ void k(int* a) { *a = twice(base + 19); }\n"
                   "int main() { int *d, h = 0; cudaMalloc(&d, 4); k<<<1, 1>>>(d);\n"
                   "  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); cudaFree(d); return h; }\n");
}

process_result ran(const std::string& program) { return run_process({"./" + program}); }

}  // namespace

TEST_CASE("device code of several files: -dc, -dlink and a link") {
  const workplace here;
  write_two_files();
  REQUIRE(here.simtcc({"-dc", "device.cu", "main.cu"}).exit_code == 0);
  const process_result linked = here.simtcc({"-arch=sm_80", "-dlink", "device.o", "main.o", "-o", "linked.o"});
  CHECK_MESSAGE(linked.exit_code == 0, linked.errors);
  CHECK(here.simtcc({"device.o", "main.o", "linked.o", "-lcudadevrt", "-lcudart", "-o", "program"}).exit_code == 0);
  CHECK(ran("program").exit_code == 42);
}

TEST_CASE("device code that another file's may not reach is an undefined reference, and the next step is told") {
  const workplace here;
  write_two_files();
  REQUIRE(here.simtcc({"-c", "device.cu"}).exit_code == 0);
  REQUIRE(here.simtcc({"-dc", "main.cu"}).exit_code == 0);
  const process_result linked = here.simtcc({"device.o", "main.o"});
  CHECK(linked.exit_code == 1);
  CHECK_MESSAGE(has(linked.errors, "undefined reference to `base'"), linked.errors);
  CHECK_MESSAGE(has(linked.errors, "hint: "), linked.errors);
  CHECK_MESSAGE(has(linked.errors, "-rdc=true"), linked.errors);
}

TEST_CASE("a device link names an object that is missing") {
  const workplace here;
  const process_result linked = here.simtcc({"-dlink", "missing.o", "-o", "linked.o"});
  CHECK(linked.exit_code == 1);
  CHECK(linked.errors == "missing.o: error: there is no such file. Check the name and the folder.\n");
  CHECK(!fs::exists("linked.o"));
}

TEST_CASE("a static library of simtcc's") {
  const workplace here;
  write_two_files();
  const process_result made = here.simtcc({"-rdc=true", "-lib", "device.cu", "-o", "libdevice.a"});
  CHECK_MESSAGE(made.exit_code == 0, made.errors);
  const process_result built = here.simtcc({"-rdc=true", "main.cu", "-L.", "-ldevice", "-o", "program"});
  CHECK_MESSAGE(built.exit_code == 0, built.errors);
  CHECK(ran("program").exit_code == 42);
}

TEST_CASE("a shared library becomes a part of the program, once") {
  const workplace here;
  write_two_files();
  const process_result made =
      here.simtcc({"-rdc=true", "-Xcompiler", "-fPIC", "-shared", "device.cu", "-o", "libdevice.so"});
  CHECK(made.exit_code == 0);
  CHECK_MESSAGE(has(made.errors, "note: libdevice.so becomes a part of each program"), made.errors);
  CHECK(here.simtcc({"-rdc=true", "main.cu", "libdevice.so", "-L.", "-ldevice", "-o", "program"}).exit_code == 0);
  fs::remove("libdevice.so");
  CHECK(ran("program").exit_code == 42);
}

TEST_CASE("a shared library of host code alone stays one: dlopen loads it, and it calls the CUDA of its program") {
  const workplace here;
  workplace::write("host.cpp",
                   "#include <cuda_runtime.h>\n"
                   "extern \"C\" int devices() { int n = 0; return cudaGetDeviceCount(&n) == cudaSuccess ? n : 0; }\n");
  workplace::write("main.cu",
                   "#include <dlfcn.h>\n"
                   "extern \"C\" int devices();\n"
                   "int main() { return devices() == 1 && dlopen(\"./libhost.so\", RTLD_NOW) ? 42 : 3; }\n");
  REQUIRE(here.simtcc({"-Xcompiler", "-fPIC", "-c", "host.cpp"}).exit_code == 0);
  const process_result made = here.simtcc({"-shared", "host.o", "-o", "libhost.so"});
  CHECK_MESSAGE(made.exit_code == 0, made.errors);
  CHECK(made.errors.empty());
  const process_result built = here.simtcc({"main.cu", "libhost.so", "-Wl,-rpath,.", "-o", "program"});
  CHECK_MESSAGE(built.exit_code == 0, built.errors);
  CHECK(ran("program").exit_code == 42);
}

TEST_CASE("host code in front of a shared library with device code is joined with it") {
  const workplace here;
  write_two_files();
  workplace::write("host.cpp", "int launch(); int main() { return launch(); }\n");
  workplace::write("middle.cpp", "int kernel(); int launch() { return kernel(); }\n");
  workplace::write("kernel.cu",
                   "__global__ void k(int* a) { *a = 42; }\n"
                   "int kernel() { int *d, h = 0; cudaMalloc(&d, 4); k<<<1, 1>>>(d);\n"
                   "  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); cudaFree(d); return h; }\n");
  REQUIRE(here.simtcc({"-shared", "kernel.cu", "-o", "libkernel.so"}).exit_code == 0);
  const process_result made = here.simtcc({"-shared", "middle.cpp", "-L.", "-lkernel", "-o", "libmiddle.so"});
  CHECK_MESSAGE(has(made.errors, "note: libmiddle.so becomes a part of each program"), made.errors);
  CHECK(here.simtcc({"host.cpp", "-L.", "-lmiddle", "-lkernel", "-o", "program"}).exit_code == 0);
  CHECK(ran("program").exit_code == 42);
}

TEST_CASE("rules for make: beside an object, or alone") {
  const workplace here;
  write_two_files();
  CHECK(here.simtcc({"-MMD", "-MP", "-rdc=true", "-c", "main.cu", "-o", "out.o"}).exit_code == 0);
  CHECK(here.read("out.d") == "out.o: main.cu device.cuh\ndevice.cuh:\n");
  CHECK(here.simtcc({"-MD", "-MT", "target", "-MF", "rule", "-dc", "main.cu"}).exit_code == 0);
  CHECK(here.read("rule").starts_with("target: main.cu "));
  CHECK(has(here.read("rule"), "/cuda_runtime.h"));
  CHECK(here.simtcc({"-MM", "main.cu", "-o", "alone"}).exit_code == 0);
  CHECK(here.read("alone") == "main.o: main.cu device.cuh\n");
  here.write("host.cpp", "#include \"host.h\"\n");
  here.write("host.h", "#pragma once\n");
  CHECK(here.simtcc({"-MMD", "-c", "host.cpp"}).exit_code == 0);
  CHECK(here.read("host.d") == "host.o: host.cpp host.h\n");
}

TEST_CASE("one note names options without effect, and -w leaves it out") {
  const workplace here;
  here.write("a.cu", "int main() {}\n");
  const std::string note = here.simtcc({"-G", "-use_fast_math", "-lineinfo", "-c", "a.cu"}).errors;
  CHECK(note ==
        "simtcc: note: without effect on the emulator: -G (simtcc --for-gdb builds for stepping through a kernel), "
        "-use_fast_math (arithmetic keeps IEEE precision; a GPU's last digits may differ).\n");
  CHECK(here.simtcc({"-G", "-w", "-c", "a.cu"}).errors.empty());
}

TEST_CASE("files go where -odir says") {
  const workplace here;
  fs::create_directory("objects");
  here.write("a.cu", "int main() {}\n");
  CHECK(here.simtcc({"-c", "-odir", "objects", "a.cu"}).exit_code == 0);
  CHECK(fs::exists("objects/a.o"));
}
