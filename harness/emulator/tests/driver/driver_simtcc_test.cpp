// simtcc as a program: exit codes, files, what it leaves behind.
#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/driver/workplace.h"
#include "tests/judge/schema_check.h"
#include "translator/file_content.h"

using namespace simtlab::emulator;
namespace fs = std::filesystem;

namespace {

const std::string program =
    "__global__ void k(int* a) { *a = 3; }\n"
    "int main() { int *d, h = 0; cudaMalloc(&d, 4); k<<<1, 1>>>(d);\n"
    "  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); cudaFree(d); return h; }\n";

}  // namespace

TEST_CASE("a program is built, runs, and nothing is left over") {
  const workplace here;
  here.write("a.cu", program);
  const process_result built = here.simtcc({"a.cu", "-o", "a"});
  CHECK(built.exit_code == 0);
  CHECK(built.errors.empty());
  CHECK(run_process({"./a"}).exit_code == 3);
  CHECK(fs::is_empty("temporary"));
}

TEST_CASE("several files: CUDA, C++ and objects") {
  const workplace here;
  here.write("kernel.cu", "#include \"kernel.cuh\"\nvoid run(int* d) { k<<<1, OFFSET>>>(d); }\n");
  here.write("kernel.cuh", "#pragma once\n__global__ void k(int* a) { atomicAdd(a, 1); }\n");
  here.write("main.cpp",
             "#include <cuda_runtime.h>\nvoid run(int*);\nint main() { int *d, h; cudaMalloc(&d, 4); cudaMemset(d, 0, "
             "4); run(d);\n"
             "  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); cudaFree(d); return h; }\n");
  CHECK(here.simtcc({"-c", "-DOFFSET=5", "kernel.cu"}).exit_code == 0);
  CHECK(fs::exists("kernel.o"));
  const process_result built = here.simtcc({"main.cpp", "kernel.o"});
  CHECK_MESSAGE(built.exit_code == 0, built.errors);
  CHECK(run_process({"./a.out"}).exit_code == 5);
}

TEST_CASE("a .c file is C, and calls the runtime and cuBLAS by the headers that CUDA files include") {
  const workplace here;
  here.write("kernel.cu",
             "__global__ void k(float* a) { a[threadIdx.x] = threadIdx.x; }\n"
             "extern \"C\" void run(float* d) { k<<<1, 32>>>(d); }\n");
  here.write("main.c",
             "#include <cublas_v2.h>\n#include <cuda_runtime.h>\n#include <nvToolsExt.h>\n#include <stdlib.h>\n"
             "void run(float* d);\nint main(void) {\n  int class = 3;\n  float *h = malloc(128), *d;\n"
             "  float4 f = make_float4(1, 2, 3, 4);\n  struct cudaDeviceProp about;\n"
             "  cuComplex c = cuCmulf(make_cuComplex(0, 1), make_cuComplex(0, 1));\n"
             "  nvtxRangePushA(\"all\");\n  cudaGetDeviceProperties(&about, 0);\n  cudaMalloc((void**)&d, 128);\n"
             "  run(d);\n  cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost);\n  cudaFree(d);\n"
             "  class += (int)(h[31] + f.w + c.x);\n  free(h);\n  return class;\n}\n");
  const process_result built = here.simtcc({"main.c", "kernel.cu", "-o", "a"});
  CHECK_MESSAGE(built.exit_code == 0, built.errors);
  CHECK(run_process({"./a"}).exit_code == 37);
}

TEST_CASE("what C programs include is C") {
  const workplace here;
  for (const char* const header :
       {"cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "cuComplex.h", "cublas_v2.h", "vector_types.h",
        "vector_functions.h", "channel_descriptor.h", "device_launch_parameters.h", "nvToolsExt.h",
        "cuda_profiler_api.h", "math_constants.h"}) {
    here.write("a.c", "#include <" + std::string(header) + ">\nint main(void) { return 0; }\n");
    for (const char* const standard : {"-std=gnu99", "-std=c17"}) {
      const process_result read = run_process(
          {"gcc", standard, "-Wall", "-Werror", "-fsyntax-only", "-I", SIMTLAB_TEST_FOLDER "/../../include", "a.c"});
      CHECK_MESSAGE(read.exit_code == 0, header << " " << standard << ": " << read.errors);
    }
  }
}

TEST_CASE("host headers of a whole program may say what a submission may not") {
  const workplace here;
  here.write("timer.h",
             "#pragma once\n#define JOIN(a, b) a##b\n#define SAY(x) _Pragma(#x)\nSAY(GCC diagnostic push)\n"
             "inline int JOIN(count, er)() { asm volatile(\"nop\"); return 4; }\n");
  here.write("a.cu", "#include \"timer.h\"\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); return counter(); }\n");
  const process_result built = here.simtcc({"a.cu", "-o", "a"});
  CHECK_MESSAGE(built.exit_code == 0, built.errors);
  CHECK(run_process({"./a"}).exit_code == 4);
  CHECK(has(here.simtcc({"--submission", "-c", "a.cu"}).errors, "timer.h:5:32: error: not allowed: assembly"));

  here.write("asm.cu", "int main() { asm volatile(\"nop\"); }\n");
  CHECK(has(here.simtcc({"asm.cu"}).errors, "error: not allowed: assembly"));
}

TEST_CASE("a program's own wb.h comes before the one that simtcc has") {
  const workplace here;
  fs::create_directory("own");
  here.write("own/wb.h", "inline int own() { return 5; }\n");
  here.write("b.cu", "#include <wb.h>\nint main() { return own(); }\n");
  CHECK(here.simtcc({"-I", "own", "b.cu", "-o", "b"}).exit_code == 0);
  CHECK(run_process({"./b"}).exit_code == 5);
}

TEST_CASE("a shared library of host code and the program that it belongs to both use wb.h") {
  const workplace here;
  here.write("helper.cpp",
             "#include <wb.h>\nint helper(int count, char** words) {\n  wbLog(INFO, \"in the library\");\n"
             "  return wbArg_getInputCount(wbArg_read(count, words));\n}\n");
  here.write(
      "a.cu",
      "#include <wb.h>\nint helper(int, char**);\n__global__ void k() {}\n"
      "int main(int count, char** words) { wbLog(INFO, \"in main\"); k<<<1, 1>>>(); return helper(count, words); }\n");
  CHECK(here.simtcc({"-shared", "-Xcompiler", "-fPIC", "helper.cpp", "-o", "libhelper.so"}).exit_code == 0);
  const process_result built = here.simtcc({"a.cu", "-L.", "-lhelper", "-Xlinker", "-rpath=.", "-o", "a"});
  CHECK_MESSAGE(built.exit_code == 0, built.errors);
  const process_result run = run_process({"sh", "-c", "./a -i x,y >&2"});
  CHECK(run.exit_code == 2);
  CHECK(has(run.errors, "[INFO] main:4 in main"));
  CHECK(has(run.errors, "[INFO] helper:3 in the library"));
}

TEST_CASE("wb.h is whole for compilers that simtcc's library is not for: C++11 alone, and old or checked strings") {
  const workplace here;
  here.write("a.cu",
             "#include <wb.h>\nint main(int count, char** words) {\n  wbArg_t args = wbArg_read(count, words);\n"
             "  wbLog(INFO, wbString(\"files: \", wbArg_getInputCount(args)));\n"
             "  wbImage_delete(wbImage_new(2, 2));\n  return 0;\n}\n");
  const std::string headers = SIMTLAB_TEST_FOLDER "/../../include/course";
  const std::vector<std::string> plain{"g++", "-std=c++11", "-Wall", "-Werror", "-I", headers, "-x", "c++", "a.cu"};
  std::vector<std::string> words = plain;
  words.insert(words.end(), {"-o", "plain"});
  const process_result alone = run_process(words);
  CHECK_MESSAGE(alone.exit_code == 0, alone.errors);
  CHECK(has(run_process({"sh", "-c", "./plain -i x >&2"}).errors, "[INFO] main:4 files: 1"));
  for (const char* const strings : {"-D_GLIBCXX_USE_CXX11_ABI=0", "-D_GLIBCXX_DEBUG"}) {
    const process_result built = here.simtcc({strings, "a.cu", "-o", "a"});
    CHECK_MESSAGE(built.exit_code == 0, built.errors);
    CHECK(has(run_process({"sh", "-c", "./a -i x >&2"}).errors, "[INFO] main:4 files: 1"));
  }
}

TEST_CASE("wb.h says what is wrong with a file of values, and ends") {
  const workplace here;
  here.write(
      "a.cu",
      "#include <wb.h>\nint main(int argc, char** argv) {\n  int rows, columns;\n"
      "  if (wbString(argv[1]) == \"image\") wbImage_delete(wbImport(argv[2]));\n"
      "  else free(wbImport(argv[2], &rows, &columns, argv[1]));\n"
      "  int begin[] = {0, 1, 1, 4}, column[] = {2, 0, 1, 2}, *permutation, *length, *start, *place; float *found;\n"
      "  float value[] = {7, 4, 5, 6};\n"
      "  CSRToJDS(3, begin, column, value, &permutation, &length, &start, &place, &found);\n"
      "  wbAssert(permutation[0] == 2 && permutation[1] == 0 && permutation[2] == 1);\n"
      "  wbAssert(length[0] == 3 && length[1] == 1 && length[2] == 0);\n"
      "  wbAssert(start[0] == 0 && start[1] == 2 && start[2] == 3);\n"
      "  wbAssert(found[0] == 4 && found[1] == 7 && found[2] == 5 && found[3] == 6 && place[1] == 2);\n"
      "  free(permutation), free(length), free(start), free(place), free(found);\n"
      "  return 0;\n}\n");
  const process_result built = here.simtcc({"a.cu", "-o", "a"});
  CHECK_MESSAGE(built.exit_code == 0, built.errors);
  const auto says = [&](const std::string& type, const std::string& file, const std::string& bytes) {
    here.write(file, bytes);
    const process_result run = run_process({"./a", type, file});
    return std::to_string(run.exit_code) + run.errors;
  };
  CHECK(says("Real", "a.raw", "2\n1.5\n-3e2\n") == "0");
  CHECK(says("Integer", "a.raw", "2 2\n1 2\n3 4.0\n") == "0");
  CHECK(says("Real", "a.csv", "1,2,3\n4,5,6\n") == "0");
  CHECK(says("Text", "a.txt", std::string("any\0thing", 9)) == "0");
  CHECK(says("image", "a.ppm", "P5\n1 1\n255\nx") == "0");
  CHECK(has(says("Real", "a.raw", "3\n1\n2\n"), "1wb.h: a.raw: the first line promises 3 values, but the file has 2"));
  CHECK(has(says("Real", "a.raw", "99999 99999\n1\n"), "promises 9999800001 values"));
  CHECK(has(says("Real", "a.raw", "1\n\nfour\n"), "1wb.h: a.raw: line 3 holds something that is no number"));
  CHECK(has(says("Real", "a.raw", ""), "the first line must say how many values follow"));
  CHECK(has(says("Real", "a.csv", "1,2\n3\n"), "the rows are not all of one length"));
  CHECK(has(says("Real", "a.bin", "1\n2\n"), "the ending of a file of values is"));
  CHECK(has(says("image", "a.ppm", "P3\n1 1\n255\n"), "this is no image of format P6"));
  CHECK(has(says("image", "a.ppm", "P6\n999999 999999\n255\nabc"), "the image ends before its last row"));
  CHECK(has(says("image", "a.ppm", "P6\n9999999999999999999 1\n255\n"), "larger than a million"));
  CHECK(has(run_process({"./a", "Real", "missing.raw"}).errors, "there is no such file"));
}

TEST_CASE("-E leaves the tokens that are compiled, with the places they come from") {
  const workplace here;
  here.write("a.cu", "#include <vector>\n#define JOIN(a, b) a##b\nint JOIN(al, pha) = __LINE__;\n");
  CHECK(here.simtcc({"-E", "a.cu", "-o", "text"}).exit_code == 0);
  const std::string text = content_of("text");
  CHECK(has(text, "int alpha = 3;"));
  CHECK(has(text, "/vector\" 1 3"));
  CHECK(here.simtcc({"-E", "missing.cu", "-o", "text"}).exit_code == 1);
  const std::string simtcc = SIMTLAB_SIMTCC;
  CHECK(run_process({"sh", "-c", simtcc + " -E a.cu | cmp - text"}).exit_code == 0);  // as nvcc does
  CHECK(!fs::exists("a.ii"));
  CHECK(here.simtcc({"-E", "a.cu", "b.cu", "-o", "text"}).exit_code == 2);
}

namespace {

/// What a preprocessed text says in the lines of `a.cu` itself, and which files it includes; not which of a system's headers are
/// C (` 4`).
std::string own_lines(const std::string& text) {
  std::istringstream in(text);
  std::string found;
  bool own = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("# ")) {
      own = has(line, "\"a.cu\"");
      if (line.ends_with(" 4")) line.resize(line.size() - 2);
      if (own || has(line, "\" 1")) found += line + '\n';
    } else if (own && !line.empty()) {
      found += line + '\n';
    }
  }
  return found.substr(std::min(found.find("# 1 \"a.cu\""), found.size()));
}

}  // namespace

TEST_CASE("--expanded-text keeps what -E leaves of the source's own lines, with and without precompiled headers") {
  const workplace here;
  here.write("own.h", "#define JOIN(a, b) a##b\n");
  here.write("a.cu",
             "#include <cassert>\n#include <vector>\n#include \"own.h\"\n#ifdef __CUDA_ARCH__\n__device__ float "
             "JOIN(al, pha) = INFINITY;\n#endif\n__global__ void k() { __shared__ int a[4]; "
             "a[0] = __LINE__ /* no text */;\n#pragma unroll\n  for (int i = 0; i < 3; ++i) assert(a[i] != EOF); }\n"
             "// a \"# 1 \\\"b.cu\\\"\"\nconst char* raw = R\"(\n# 7 \"b.cu\"\n)\";\n");
  REQUIRE(here.simtcc({"-E", "a.cu", "-o", "alone"}).exit_code == 0);
  const std::string alone = own_lines(content_of("alone"));
  REQUIRE_MESSAGE(has(alone, "alpha"), alone);
  CHECK(here.simtcc({"-c", "--expanded-text=kept", "a.cu"}).exit_code == 0);
  CHECK(own_lines(content_of("kept")) == alone);
  CHECK(fs::file_size("kept") < fs::file_size("alone") / 2);
  CHECK(here.simtcc({"-c", "-DOTHER", "--expanded-text=parsed-anew", "a.cu"}).exit_code == 0);
  CHECK(own_lines(content_of("parsed-anew")) == alone);
}

TEST_CASE("--expanded-text is kept of a program that is refused, too, and is one file's") {
  const workplace here;
  here.write("a.cu", "#define CALL system\nint main() { return CALL(\"ls\") + }\n");
  CHECK(here.simtcc({"-c", "--expanded-text", "kept", "a.cu"}).exit_code == 1);
  CHECK(has(content_of("kept"), "return system(\"ls\") + }"));
  CHECK(here.simtcc({"-c", "--expanded-text", "kept", "a.cu", "b.cu"}).exit_code == 2);
  const process_result linked = here.simtcc({"--expanded-text", "kept", "a.cu"});
  CHECK(linked.exit_code == 2);
  CHECK_MESSAGE(has(linked.errors, "one file that -c compiles"), linked.errors);
}

TEST_CASE("without checks as many threads as processors run blocks, and what is printed and told is one thread's") {
  const workplace here;
  here.write("a.cu",
             "#include <cstdio>\n__global__ void k(int* a, int bad) {\n  int sum = 0;\n"
             "  for (int i = 0; i < 3000; ++i) sum += a[i % 32] * i;\n  if (threadIdx.x % 16 == 0)\n"
             "    printf(\"block %d thread %d sum %d\\n\", blockIdx.x, threadIdx.x, sum);\n"
             "  if (bad && blockIdx.x % 50 == 20) a[1 << 28] = sum;\n}\n"
             "int main(int count, char**) {\n  int* a;\n  cudaMalloc(&a, 128);\n  cudaMemset(a, 1, 128);\n"
             "  k<<<120, 32>>>(a, count > 1);\n  return cudaDeviceSynchronize() != cudaSuccess;\n}\n");
  REQUIRE(here.simtcc({"--checks", "off", "--counters", "off", "a.cu", "-o", "a"}).exit_code == 0);
  const auto run = [](const char* workers, const std::vector<std::string>& words, const char* output) {
    if (workers != nullptr) setenv("SIMTLAB_WORKERS", workers, 1);
    const process_result ran = run_process(words, output);
    unsetenv("SIMTLAB_WORKERS");
    return ran;
  };
  REQUIRE(run("1", {"./a"}, "one").exit_code == 0);
  const std::string printed = content_of("one");
  CHECK(has(printed, "block 119 thread 16"));
  const process_result one_bad = run("1", {"./a", "bad"}, "one-bad");
  REQUIRE_MESSAGE(has(one_bad.errors, "block (20,0,0)"), one_bad.errors);
  for (const char* workers : {static_cast<const char*>(nullptr), "2", "4", "4", "7"}) {
    CHECK(run(workers, {"./a"}, "several").exit_code == 0);
    CHECK(content_of("several") == printed);
    const process_result bad = run(workers, {"./a", "bad"}, "several-bad");
    CHECK(bad.exit_code == one_bad.exit_code);
    CHECK_MESSAGE(has(bad.errors, "block (20,0,0)"), bad.errors);
    CHECK(has(bad.errors, "1 error,"));
  }
}

TEST_CASE("the headers work in C++17 and C++20") {
  const workplace here;
  for (const char* standard : {"-std=c++17", "-std=c++20"}) {
    CAPTURE(standard);
    const process_result built =
        here.simtcc({standard, SIMTLAB_TEST_FOLDER "/../include/device_functions.cu", "-o", "a"});
    CHECK_MESSAGE(built.exit_code == 0, built.errors);
    CHECK(run_process({"./a"}).exit_code == 0);
  }
}

TEST_CASE("the headers leave to -D the names that nvcc's leave: all letters that are constants in courses") {
  const workplace here;
  here.write("a.cu",
             "#include <mma.h>\n#include <cub/block/block_radix_sort.cuh>\n#include <cub/block/block_load.cuh>\n"
             "__global__ void add(int* out) { *out = N; }\n"
             "int main() { int *d; cudaMalloc(&d, 4); add<<<1, 1>>>(d); return cudaFree(d); }\n");
  std::vector<std::string> words{"-c", "a.cu"};
  for (const char* name : {"A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q",
                           "R", "S", "U", "V", "W", "X", "Y", "Z", "i", "j", "k", "l", "m", "o", "q", "r", "u"})
    words.push_back(std::string("-D") + name + "=16");
  const process_result built = here.simtcc(words);
  CHECK_MESSAGE(built.exit_code == 0, built.errors);
}

TEST_CASE("what g++ says about a loop quotes the loop as it was written") {
  const workplace here;
  here.write("a.cu", "__global__ void k(int* a, int n) { int i = 0; while (i < n i) { ++i; } }\n");
  const process_result built = here.simtcc({"-c", "a.cu"});
  CHECK(built.exit_code == 1);
  CHECK_MESSAGE(has(built.errors, "error: expected ')' before 'i'"), built.errors);
}

/// The same emulator without precompiled headers, in the folder `root`; simtcc takes it while this lives.
struct bare_root {
  bare_root() {
    fs::create_directories("root/precompiled");
    fs::copy_file(fs::path(SIMTLAB_SIMTCC).parent_path() / "../emulator/simtcc.conf", "root/simtcc.conf",
                  fs::copy_options::skip_existing);
    setenv("SIMTLAB_EMULATOR_ROOT", "root", 1);
  }
  ~bare_root() { unsetenv("SIMTLAB_EMULATOR_ROOT"); }
  bare_root(const bare_root&) = delete;
  bare_root& operator=(const bare_root&) = delete;
};

TEST_CASE("precompiled headers change the time that a compilation takes, and nothing else") {
  const workplace here;
  here.write("a.cu", program);
  CHECK(here.simtcc({"--keep", "with", "-c", "a.cu"}).exit_code == 0);
  REQUIRE(fs::exists("with/a.shortened.ii"));
  CHECK(fs::file_size("with/a.shortened.ii") < 2000);
  CHECK(here.simtcc({"--keep", "other", "-std=gnu++20", "-c", "a.cu"}).exit_code == 0);
  CHECK(!fs::exists("other/a.shortened.ii"));

  {
    const bare_root root;
    CHECK(here.simtcc({"--keep", "without", "-c", "a.cu"}).exit_code == 0);
  }
  CHECK(!fs::exists("without/a.shortened.ii"));
  CHECK(content_of("with/a.rewritten.s") == content_of("without/a.rewritten.s"));
}

TEST_CASE("precompiled headers are loaded with macros of the command line that no header mentions") {
  const workplace here;
  here.write("a.cu", "static_assert(ELEMENTS == 8 && TWICE(ELEMENTS) == 16);\n#ifdef LOST\n#error defined\n#endif\n");
  CHECK(here.simtcc({"--keep", "b", "-DELEMENTS=8", "-DTWICE(n)=2*n", "-DLOST", "-ULOST", "-c", "a.cu"}).exit_code ==
        0);
  CHECK(fs::exists("b/a.shortened.ii"));
  here.write("a.cu", "#include <vector>\nint second(const std::vector<int>& v) { return v[1]; }\n");
  CHECK(here.simtcc({"--keep", "c", "-D_GLIBCXX_ASSERTIONS", "-c", "a.cu"}).exit_code == 0);
  CHECK(!fs::exists("c/a.shortened.ii"));
}

TEST_CASE("headers are precompiled for one dialect beside another, and those from before a change are removed") {
  const workplace here;
  here.write("a.cu", program);
  const bare_root root;
  here.write("root/precompiled/old.gch", "");
  fs::last_write_time("root/precompiled/old.gch", fs::last_write_time(SIMTLAB_SIMTCC) - std::chrono::hours(1));
  const std::vector<const char*> standards{"-std=c++17", "-std=gnu++20"};
  for (const char* standard : standards) CHECK(here.simtcc({"--precompile-headers", standard}).exit_code == 0);
  for (const char* standard : standards) {
    CHECK(here.simtcc({standard, "--keep", "kept", "-c", "a.cu"}).exit_code == 0);
    CHECK(fs::exists("kept/a.shortened.ii"));
    fs::remove_all("kept");
  }
  CHECK(!fs::exists("root/precompiled/old.gch"));
}

TEST_CASE("precompiled headers are loaded whatever warnings are asked for, and the warnings are those without them") {
  const workplace here;
  here.write("a.cu", "#include <vector>\n" + std::string(program) +
                         "template <class T> int lost(T) { int unused; return std::vector<T>(3).size() < -1; }\n"
                         "int unused_too(char c) { return lost(c) + lost(1L); }\n");
  std::string told;
  const auto with_and_without = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"-c", "a.cu", "--keep", "with"});
    const process_result with = here.simtcc(words);
    words.back() = "without";
    const bare_root root;
    const process_result without = here.simtcc(words);
    CHECK(with.exit_code == without.exit_code);
    CHECK(with.errors == without.errors);
    told = with.errors;
    const bool loaded = fs::exists("with/a.shortened.ii");
    for (const char* folder : {"with", "without"}) fs::remove_all(folder);
    return loaded;
  };
  CHECK(with_and_without({"-w"}));
  CHECK(told == "");
  CHECK(with_and_without({"-Wall", "-Wextra"}));
  CHECK_MESSAGE(has(told, "unused variable"), told);
  CHECK(with_and_without({"-Wall", "-Werror"}));
  CHECK(with_and_without({"-Wconversion", "-Wshadow", "-Wold-style-cast", "-Wno-unused"}));
  CHECK(!with_and_without({"-Wpedantic"}));
  CHECK(!with_and_without({"-Wsystem-headers"}));
}

TEST_CASE("a program that begins with <wb.h> compiles to the same with that header parsed once") {
  const workplace here;
  const std::string source =
      "// MP 1\n\n#include <wb.h>\n#define ELEMENTS 8\n__global__ void k(float* a) { a[threadIdx.x] = __LINE__; }\n"
      "int main(int argc, char** argv) {\n  wbArg_t args = wbArg_read(argc, argv);\n  (void)args;\n"
      "  wbLog(TRACE, \"elements\", ELEMENTS);\n"
      "  float* a; cudaMalloc(&a, 4 * ELEMENTS); k<<<1, ELEMENTS>>>(a); cudaFree(a);\n}\n";
  here.write("a.cu", source);
  here.write("later.cu", "#include <cstdio>\n" + source);
  const bare_root root;
  const process_result without = here.simtcc({"--keep", "without", "-c", "a.cu"});
  CHECK_MESSAGE(without.exit_code == 0, without.errors);
  CHECK(!fs::exists("without/a.shortened.ii"));
  CHECK(here.simtcc({"--precompile-headers=course"}).exit_code == 0);
  CHECK(here.simtcc({"--keep", "with", "-c", "a.cu"}).exit_code == 0);
  CHECK(here.simtcc({"--keep", "later", "-c", "later.cu"}).exit_code == 0);
  REQUIRE(fs::exists("with/a.shortened.ii"));
  CHECK(fs::file_size("with/a.shortened.ii") < 2000);
  CHECK(content_of("with/a.rewritten.s") == content_of("without/a.rewritten.s"));
  CHECK(fs::file_size("later/later.shortened.ii") > 100'000);  // no other header may stand before it
}

TEST_CASE("built-in variables are read without a hook") {
  const workplace here;
  here.write("a.cu",
             "__global__ void k(int* a) { a[0] = threadIdx.x + blockIdx.y * blockDim.z + gridDim.x + warpSize; }\n"
             "int main() { return 0; }\n");
  REQUIRE(here.simtcc({"a.cu", "-o", "a", "--keep", "kept"}).exit_code == 0);
  const std::string text = content_of("kept/a.rewritten.s");
  const std::size_t begin = text.find("_Z1kPi:");
  const std::string kernel = text.substr(begin, text.find(".size\t_Z1kPi") - begin);
  CHECK(has(kernel, "simtlab_tsan_write4"));
  CHECK_FALSE(has(kernel, "simtlab_tsan_read"));
  CHECK(has(kernel, "simtlab_thread_index"));
}

TEST_CASE("a program with its own main says what was found, without being asked") {
  const workplace here;
  here.write("a.cu",
             "__global__ void k(int* a) {\n  a[threadIdx.x] = 1;\n}\n"
             "int main() { int* d; cudaMalloc(&d, 8); k<<<1, 3>>>(d); cudaDeviceSynchronize(); cudaFree(d); }\n");
  REQUIRE(here.simtcc({"a.cu", "-o", "a"}).exit_code == 0);
  const std::string said = run_process({"./a"}).errors;
  CHECK(has(said, "a.cu:2: error: out-of-bounds"));
  CHECK(has(said, "1 error"));
}

TEST_CASE("host code that leaves an array's row is told once, with its times") {
  const workplace here;
  here.write("a.cu",
             "int main() {\n  static int cells[4][8];\n  int sum = 0;\n  for (int i = 0; i < 4 * 8; ++i)\n"
             "    sum += cells[0][i];\n  return sum;\n}\n");
  REQUIRE(here.simtcc({"-w", "a.cu", "-o", "a"}).exit_code == 0);
  const std::string said = run_process({"./a"}).errors;
  CHECK_MESSAGE(has(said, "a.cu:5: error: out-of-bounds (24 times)"), said);
  CHECK_MESSAGE(has(said, "Index 8 lies outside"), said);
}

TEST_CASE("a crash of the host ends in a sentence at its line") {
  const workplace here;
  here.write("a.cu", "int main() {\n  int* volatile p = nullptr;\n  return *p;\n}\n");
  REQUIRE(here.simtcc({"a.cu", "-o", "a"}).exit_code == 0);
  const process_result ran = run_process({"./a"});
  CHECK(ran.exit_code == 70);
  CHECK(has(ran.errors, "a.cu:3: error: invalid-address"));
}

TEST_CASE("a program that is only started leaves nothing behind, and ends as it ended") {
  const workplace here;
  here.write("ends.cu", program);
  here.write("dies.cu", "#include <csignal>\nint main() { std::raise(SIGKILL); }\n");
  CHECK(here.simtcc({"--run", "ends.cu"}).exit_code == 3);
  CHECK(here.simtcc({"--run", "dies.cu"}).exit_code == 128 + 9);
  CHECK(fs::is_empty("temporary"));
  const auto files = std::distance(fs::directory_iterator("."), fs::directory_iterator());
  CHECK(files == 3);  // the two sources, and the folder for temporary files
  CHECK(here.simtcc({"--run", "ends.cu", "-o", "kept"}).exit_code == 3);
  CHECK(fs::exists("kept"));
}

TEST_CASE("counters by line on demand") {
  const workplace here;
  here.write("a.cu", program);
  REQUIRE(here.simtcc({"a.cu", "-o", "a"}).exit_code == 0);
  CHECK(run_process({"./a"}).errors.empty());
  setenv("SIMTLAB_PROFILE", "1", 1);
  const std::string said = run_process({"./a"}).errors;
  unsetenv("SIMTLAB_PROFILE");
  CHECK(has(said, "a.cu:1  global write a: 1 requests, 1.0 lanes and 1.00 sectors each"));
}

TEST_CASE(
    "a program's flags: the report as JSON fits its schema, the source is annotated, the environment comes first") {
  const workplace here;
  here.write("a.cu", program);
  const process_result ran =
      here.simtcc({"a.cu", "-o", "a", "--report", "r.json", "--annotate", "--gpu=lecture", "--run"});
  CHECK(ran.exit_code == 3);
  CHECK(has(ran.errors, "8 blocks fit on a multiprocessor of the lectures' GPU, 8 of 48 warps, limited by blocks"));
  CHECK(has(ran.errors, "       1     1           1     1| __global__ void k(int* a) { *a = 3; }"));
  const auto read = [](const fs::path& file) {
    std::ifstream in(file);
    return simtlab::json::parse(in);
  };
  const simtlab::json report = read("r.json"), schema = read(SIMTLAB_REPORT_SCHEMA);
  CHECK(simtlab::schema_check(schema).violation(schema, report, "report") == "");
  CHECK(report["gpu"] == "the lectures' GPU");
  CHECK(report["launches"][0]["accesses"][0]["sectors"] == 1);
  setenv("SIMTLAB_GPU", "a100", 1);
  setenv("SIMTLAB_REPORT", "other.json", 1);
  CHECK(run_process({"./a"}).exit_code == 3);
  CHECK(read("other.json")["gpu"] == "NVIDIA A100-SXM4-40GB");
  setenv("SIMTLAB_GPU", "abacus", 1);
  const process_result refused = run_process({"./a"});
  unsetenv("SIMTLAB_GPU");
  unsetenv("SIMTLAB_REPORT");
  CHECK(refused.exit_code == 2);
  CHECK(has(refused.errors, "SIMTLAB_GPU is \"abacus\"; expected one of simtlab, h200,"));
  for (const char* workers : {"x", "0", "-1", "2x", "100000"}) {
    setenv("SIMTLAB_WORKERS", workers, 1);
    const process_result none = run_process({"./a"});
    CHECK(none.exit_code == 2);
    CHECK(has(none.errors, "; expected a number from 1 to 1024."));
  }
  unsetenv("SIMTLAB_WORKERS");
}

TEST_CASE("managed variables are seen by host and kernels") {
  const workplace here;
  here.write("a.cu",
             "__managed__ int both = 2;\n__global__ void k() { both *= 5; }\n"
             "int main() { both += 1; k<<<1, 1>>>(); cudaDeviceSynchronize(); return both; }\n");
  REQUIRE(here.simtcc({"a.cu", "-o", "a"}).exit_code == 0);
  const process_result ran = run_process({"./a"});
  CHECK(ran.exit_code == 15);
  CHECK(ran.errors.empty());
}

TEST_CASE("host code may use the standard library's atomics") {
  const workplace here;
  here.write("a.cu",
             "#include <atomic>\n#include <memory>\n#include <thread>\n"
             "int main() { std::atomic<int> n{2}; auto p = std::make_shared<int>(3); auto q = p;\n"
             "  std::thread t([&] { n += *q; n.fetch_or(8); }); t.join(); int e = 13; n.compare_exchange_strong(e, "
             "14); return n; }\n");
  const process_result built = here.simtcc({"a.cu", "-o", "a"});
  CHECK_MESSAGE(built.exit_code == 0, built.errors);
  CHECK(run_process({"./a"}).exit_code == 14);
}

TEST_CASE("intermediate files are kept where one asks") {
  const workplace here;
  here.write("a.cu", program);
  CHECK(here.simtcc({"a.cu", "-o", "a", "--keep", "kept"}).exit_code == 0);
  CHECK(fs::exists("kept/a.translated.ii"));
  CHECK(fs::exists("kept/a.rewritten.s"));
}

TEST_CASE("exit code 1: the program is wrong") {
  const workplace here;
  here.write("a.cu", "int main() { return x; }\n");
  here.write("b.cu", "int f() { return y; }\n");
  const process_result result = here.simtcc({"a.cu", "b.cu"});
  CHECK(result.exit_code == 1);
  CHECK(has(result.errors, "a.cu:1:21: error: 'x' was not declared"));
  CHECK(has(result.errors, "b.cu:1:18: error: 'y' was not declared"));
  CHECK(fs::is_empty("temporary"));
}

TEST_CASE("C++20 in a C++17 compilation is called that, and no other mistake is") {
  const workplace here;
  here.write("a.cu",
             "#include <concepts>\ntemplate <std::integral T> __global__ void k(T* a) { *a = 1; }\n"
             "void entry(int* a) { k<<<1, 1>>>(a); }\n");
  const process_result refused = here.simtcc({"-c", "a.cu"});
  CHECK(refused.exit_code == 1);
  CHECK(refused.errors.starts_with("a.cu: note: this file is C++20, and is compiled as C++17, nvcc's default."));
  CHECK(has(refused.errors, "error: "));
  CHECK(here.simtcc({"-c", "-std=c++20", "a.cu"}).exit_code == 0);

  here.write("b.cu", "__global__ void k(int* a) { *a = b; }\n");
  CHECK(!has(here.simtcc({"-c", "b.cu"}).errors, "C++20"));
}

TEST_CASE("files that are no source are told apart") {
  const workplace here;
  here.write("zero.cu", std::string("int main() {\0}", 14));
  here.write("huge.cu", std::string(5 << 20, ' '));
  fs::create_directory("folder.cu");
  CHECK(has(here.simtcc({"zero.cu"}).errors, "zero.cu: error: byte 13 is zero, so this is not a text file"));
  CHECK(has(here.simtcc({"huge.cu"}).errors, "huge.cu: error: the file has 5242880 bytes"));
  CHECK(has(here.simtcc({"folder.cu"}).errors, "folder.cu: error: this is not a file"));
  CHECK(has(here.simtcc({"none.cu"}).errors, "none.cu: error: there is no such file"));
  CHECK(here.simtcc({"none.cu"}).exit_code == 1);
}

TEST_CASE("comments in another encoding do no harm") {
  const workplace here;
  here.write("a.cu", "// \xe9\xff\n" + program);
  CHECK(here.simtcc({"a.cu", "-o", "a"}).exit_code == 0);
}

TEST_CASE("exit code 2: the command line is wrong") {
  const workplace here;
  const process_result result = here.simtcc({"--frobnicate"});
  CHECK(result.exit_code == 2);
  CHECK(has(result.errors, "simtcc: the option --frobnicate is unknown"));
}

TEST_CASE("exit code 3: simtcc's own fault is called that") {
  const workplace here;
  here.write("a.cu", program);
  setenv("SIMTLAB_EMULATOR_ROOT", "/nowhere", 1);
  const process_result result = here.simtcc({"a.cu"});
  unsetenv("SIMTLAB_EMULATOR_ROOT");
  CHECK(result.exit_code == 3);
  CHECK(has(result.errors, "not the program's fault: the emulator's /nowhere/simtcc.conf is missing"));
}

TEST_CASE("a __shared__ variable with a constructor is refused") {
  const workplace here;
  here.write("a.cu",
             "struct point { float x; point() : x(1) {} };\n__global__ void k(float* a) { __shared__ point p[3]; a[0] "
             "= p[1].x; }\n"
             "int main() { k<<<1, 1>>>(nullptr); }\n");
  const process_result result = here.simtcc({"a.cu", "-o", "a"});
  CHECK(result.exit_code == 1);
  CHECK(has(result.errors, "a.cu: error: the variable 'p' of k(float*) is __shared__ and has a constructor"));
}

TEST_CASE("device variables of one name in two files are each file's own, unless device code is compiled separately") {
  const workplace here;
  here.write("a.cu",
             "__device__ int counter = 3;\n__constant__ int c = 1;\n"
             "__global__ void a(int* p) { *p = counter + c; }\nvoid b(int*);\n"
             "int main() { int *d, h = 0; cudaMalloc(&d, 4); a<<<1, 1>>>(d); b(d);\n"
             "  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); cudaFree(d); return h; }\n");
  here.write("b.cu",
             "__device__ int counter = 30;\n__constant__ int c = 10;\n"
             "__global__ void k(int* p) { *p += counter + c; }\nvoid b(int* p) { k<<<1, 1>>>(p); }\n");
  const process_result built = here.simtcc({"a.cu", "b.cu", "-o", "p"});
  CHECK_MESSAGE(built.exit_code == 0, built.errors);
  CHECK(run_process({"./p"}).exit_code == 44);
  CHECK(has(here.simtcc({"-rdc=true", "a.cu", "b.cu", "-o", "p"}).errors, "multiple definition of `counter'"));
}

TEST_CASE("device code calls what its file defines, unless device code is compiled separately") {
  const workplace here;
  here.write("a.cu", "__device__ int f(int);\n__global__ void k(int* p) { p[0] = f(1); }\n");
  const process_result alone = here.simtcc({"-c", "a.cu"});
  CHECK(alone.exit_code == 1);
  CHECK(has(alone.errors, "error: the kernel 'k' calls 'f', which this file declares and does not define"));
  CHECK(here.simtcc({"-c", "-rdc=true", "a.cu"}).exit_code == 0);
  here.write("b.cu", "extern \"C\" __device__ int __f(int);\n__global__ void k(int* p) { p[0] = __f(1); }\n");
  CHECK(here.simtcc({"-c", "b.cu"}).exit_code == 0);  // what a reserved name means is the audit's to judge
}

TEST_CASE("an annotated lambda needs the option that nvcc asks for") {
  const workplace here;
  here.write("a.cu", "__global__ void k(int* p) { auto f = [] __device__ (int x) { return x; }; p[0] = f(1); }\n");
  CHECK(has(here.simtcc({"-c", "a.cu"}).errors, "compile with --extended-lambda"));
  CHECK(here.simtcc({"-c", "--extended-lambda", "a.cu"}).exit_code == 0);
}

TEST_CASE("__CUDA_ARCH__ is the emulated GPU's, or that of -arch") {
  const workplace here;
  here.write("a.cu", "#if __CUDA_ARCH__ != EXPECTED\n#error another\n#endif\n__global__ void k() {}\n");
  CHECK(here.simtcc({"-c", "-DEXPECTED=900", "a.cu"}).exit_code == 0);
  CHECK(here.simtcc({"-c", "-DEXPECTED=750", "--gpu=t4", "a.cu"}).exit_code == 0);
  CHECK(here.simtcc({"-c", "-DEXPECTED=700", "-arch=sm_70", "--gpu=t4", "a.cu"}).exit_code == 0);
  CHECK(here.simtcc({"-c", "-DEXPECTED=800", "-gencode", "arch=compute_80,code=sm_80", "a.cu"}).exit_code == 0);
}

TEST_CASE(
    "what is almost always a mistake is told unasked: once, in the student's line, and at no one else's expense") {
  const workplace here;
  const std::string header = "inline int of_the_header(int x) { int unset; if (x > 5) unset = x; return unset; }\n";
  fs::create_directory("system");
  here.write("system/library.h", header);
  const struct {
    const char* text;
    const char* warning;
  } mistakes[] = {
      {"__global__ void k(float* p, int n) { float s; for (int i = 0; i < n; ++i) s += p[i]; p[0] = s; }\n",
       "'s' may be used uninitialized"},
      {"__device__ int sign(int x) { if (x > 0) return 1; }\n", "control reaches end of non-void function"},
      {"__global__ void k(float* p) { for (int i = 0; i < 8; i + 2) p[i] = 1; }\n", "has no effect"},
      {"__global__ void k(float* p) { if (threadIdx.x - 3 >= 0) p[0] = 1; }\n", "always true"},
      {"__global__ void k(int* p, int n) { if (n = 3) p[0] = 1; }\n", "suggest parentheses around assignment"},
      {"__global__ void k(int* p) { p[0] == 1; }\n", "has no effect"},
  };
  for (const auto& mistake : mistakes) {
    CAPTURE(std::string(mistake.text));
    here.write("a.cu", "#include <library.h>\n" + std::string(mistake.text));
    const process_result told = here.simtcc({"-c", "a.cu", "-isystem", "system", "-o", "a.o"});
    CAPTURE(told.errors);
    CHECK(told.exit_code == 0);
    const std::size_t at = told.errors.find(mistake.warning);
    REQUIRE(at != std::string::npos);
    CHECK(told.errors.find(mistake.warning, at + 1) == std::string::npos);
    CHECK(has(told.errors, "a.cu:"));
    CHECK(!has(told.errors, "library.h"));
    CHECK(here.simtcc({"-w", "-c", "a.cu", "-isystem", "system", "-o", "a.o"}).errors.empty());
  }
}

TEST_CASE("where a class has a << of its own, a file's shifts stay as they were written") {
  const workplace here;
  here.write("a.cu",
             "struct bits { int v; __device__ bits operator<<(int n) const { return {v << n}; } };\n"
             "__global__ void k(int* out, int n) { *out = (bits{1} << n).v; }\n");
  const process_result result = here.simtcc({"-c", "a.cu"});
  CAPTURE(result.errors);
  CHECK(result.exit_code == 0);
  CHECK(std::filesystem::exists("a.o"));
}
