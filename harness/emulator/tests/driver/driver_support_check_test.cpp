// simtcc --check-support DIR: what of a project's CUDA files the emulator runs, and what it lacks for the rest.
#include "driver/support_check.h"

#include <doctest/doctest.h>

#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/driver/workplace.h"
#include "translator/unsupported_names.h"

using namespace simtlab::emulator;

namespace {

/// "line name" of each.
std::vector<std::string> named(const std::string& text) {
  std::vector<std::string> all;
  for (const unsupported_use& u : unsupported_uses(text)) all.push_back(std::to_string(u.line) + " " + u.name);
  return all;
}

/// What a program prints, and its exit code.
std::pair<std::string, int> printed(const std::string& command) {
  std::string text;
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) text += static_cast<char>(c);
  const int status = pclose(pipe);
  return {text, WEXITSTATUS(status)};
}

}  // namespace

TEST_CASE("what a file uses of CUDA that the emulator lacks, in the order of the lines, each name once") {
  CHECK(named("#include <curand.h>\n"
              "#  include \"cutlass/cutlass.h\"\n"
              "#include <cuda_fp16.h>\n"
              "#define KEEP cudaUserObjectCreate(object, pointer)\n"
              "void f() { cudaGraphInstantiateWithParams(g, 0); cudaGraphInstantiateWithParams(h, 0); }\n"
              "using namespace cutlass;\n"
              "namespace tensors = cutlass::gemm;\n") ==
        std::vector<std::string>{"1 #include <curand.h>", "2 #include <cutlass/cutlass.h>", "4 cudaUserObjectCreate",
                                 "5 cudaGraphInstantiateWithParams", "6 cutlass"});
}

TEST_CASE("comments, texts, and variables that bear a library's name are none") {
  CHECK(named("// cudaUserObjectCreate\nconst char* s = \"cufftExecC2C\"; int cutlass[3]; float thrust = cutlass[0];\n")
            .empty());
}

TEST_CASE("a reason says what to use instead") {
  for (const char* name : {"cudaGraphAddMemAllocNode", "cudaIpcGetMemHandle", "cudaBindSurfaceToArray", "tex2DGrad",
                           "cuLaunchKernel", "__pipeline_arrive_on", "cudaMemPoolExportPointer", "cublasCgemm",
                           "cublasSrot", "curandStateMRG32k3a", "curandCreateGenerator", "curand_poisson"}) {
    CAPTURE(name);
    const std::string why(why_unsupported_name(name));
    CHECK(has(why, "emulator"));
    CHECK(why.size() > 60);
  }
  for (const char* name :
       {"cudaMalloc", "cudaMallocAsync", "tex2D", "cutlass_sum", "__shfl_sync", "custom", "", "cublasCreate",
        "curandState", "curand_init", "curand_uniform4", "curandStatePhilox4_32_10_t", "cublasSgemm", "cublasDtrsm",
        "cublasIsamax", "cublasHandle_t"})
    CHECK(why_unsupported_name(name).empty());
}

TEST_CASE("a file has a line, what it lacks has one each; without a name there is the compiler's first error") {
  const std::string table = support_table({{"a.cu", "", {}},
                                           {"old/b.cuh", "b.cuh:3:1: error: x", {{7, "cutlass", "Why"}}},
                                           {"c.cu", "c.cu:2:5: error: y", {}}});
  CHECK(
      table.starts_with("a.cu       compiles\n"
                        "old/b.cuh  does not compile\n"
                        "    line 7: cutlass. Why.\n"
                        "c.cu       does not compile\n"
                        "    c.cu:2:5: error: y\n"
                        "1 of 3 CUDA files compile with simtcc "));
}

TEST_CASE("--check-support tells of a whole project, folder by folder, and makes nothing") {
  const workplace here;
  std::filesystem::create_directories("project/part");
  here.write("project/good.cu", "#include \"part/add.cuh\"\n__global__ void k(int* a) { *a = add(*a, 1); }\n");
  here.write("project/part/add.cuh", "__device__ inline int add(int a, int b) { return a + b; }\n");
  here.write("project/part/graph.cu", "void f() {\n  cudaMipmappedArray_t g;\n  cudaMallocMipmappedArray(&g, 0);\n}\n");
  here.write("project/part/where.cu", "#include <where.h>\n");
  here.write("project/notes.txt", "no source\n");
  const auto [text, code] = printed(std::string(SIMTLAB_SIMTCC) + " --check-support project");
  CAPTURE(text);
  CHECK(code == 1);
  CHECK(
      text.starts_with("good.cu        compiles\npart/add.cuh   compiles\npart/graph.cu  does not compile\n"
                       "    line 2: cudaMipmappedArray_t. Of textures the emulator has"));
  CHECK(has(text, "    line 3: cudaMallocMipmappedArray. "));
  CHECK(has(text,
            "    project/part/where.cu:1: hint: is the name right, and is the folder of the header given with -I?\n"));
  CHECK(has(text, "2 of 4 CUDA files compile"));
  CHECK(!has(text, "notes.txt"));
  CHECK(printed(std::string(SIMTLAB_SIMTCC) + " --check-support nowhere").second == 1);
}

TEST_CASE("a name that the emulator lacks is explained where it does not compile, too") {
  const workplace here;
  here.write("a.cu", "void f() {\n  cudaMallocMipmappedArray(0);\n}\n");
  const process_result result = here.simtcc({"-c", "a.cu"});
  CHECK(result.exit_code == 1);
  CHECK(has(result.errors, "of textures the emulator has"));
}
