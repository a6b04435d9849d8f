// simtcc --engine sass from source to report, with the real nvcc and nvdisasm; where one is missing the test says so and is skipped.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "gpu_tools.h"
#include "tests/driver/workplace.h"

using namespace simtlab::emulator;

namespace {

/// Compiles `source` with --engine sass; what the program says on stderr, its findings and counters.
std::string report_of(const std::string& source, const std::vector<std::string>& environment = {},
                      int* exit_code = nullptr, const std::vector<std::string>& options = {}) {
  const workplace here;
  workplace::write("prog.cu", source);
  std::vector<std::string> made_by{"-w", "--engine", "sass", "prog.cu", "-o", "prog"};
  append(made_by, options);
  const process_result made = workplace::simtcc(made_by);
  REQUIRE_MESSAGE(made.exit_code == 0, made.errors);
  std::vector<std::string> words{"env", "SIMTLAB_PROFILE=1"};
  append(words, environment);
  words.emplace_back("./prog");
  const process_result ran = run_process(words);
  if (exit_code != nullptr) *exit_code = ran.exit_code;
  return ran.errors;
}

/// A program that hands `kernel`, called `k`, an array of 64 numbers i, and ends with the last of them.
std::string program(const std::string& kernel, const std::string& launch = "k<<<1, 64>>>(numbers);") {
  return kernel +
         "\n#include <cstdlib>\nint main() { int h[64], *numbers; for (int i = 0; i < 64; ++i) h[i] = i;\n"
         "  cudaMalloc(&numbers, sizeof h); cudaMemcpy(numbers, h, sizeof h, cudaMemcpyHostToDevice);\n  " +
         launch + "\n  cudaMemcpy(h, numbers, sizeof h, cudaMemcpyDeviceToHost); cudaFree(numbers); return h[63]; }\n";
}

}  // namespace

TEST_CASE("a kernel computes what it computes as g++ compiles it, and its accesses have line and name") {
  int exit_code = 0;
  const std::string said = report_of(program("__global__ void k(int* p) {\n  p[threadIdx.x] += 4;\n}"), {}, &exit_code);
  CHECK(exit_code == 67);
  CHECK_MESSAGE(has(said, "prog.cu:2  global read p: 2 requests, 32.0 lanes and 4.00 sectors each"), said);
  CHECK_MESSAGE(has(said, "prog.cu:2  global write p: 2 requests"), said);
}

TEST_CASE("four loads of shared memory are one, as nvcc makes them, and SIMTLAB_ENGINE=g++ shows what is written") {
  const std::string source = program(
      "__global__ void k(int* p) { __shared__ int tile[64]; tile[threadIdx.x] = p[threadIdx.x]; __syncthreads();\n"
      "  int sum = 0;\n#pragma unroll\n  for (int i = 0; i < 64; ++i)\n    sum += tile[i];\n  p[threadIdx.x] = sum % "
      "100; }");
  const std::string compiled = report_of(source), written = report_of(source, {"SIMTLAB_ENGINE=g++"});
  CHECK_MESSAGE(has(compiled, "prog.cu:5  shared read tile: 32 requests"), compiled);
  CHECK_MESSAGE(has(written, "prog.cu:5  shared read tile: 128 requests"), written);
}

TEST_CASE(
    "what nvcc makes a loop of is one atomic operation to the checks: sums of floats and doubles in shared memory") {
  int exit_code = 0;
  const std::string said = report_of(
      program("__global__ void k(int* p) {\n  __shared__ float f; __shared__ double d;\n"
              "  if (threadIdx.x == 0) f = 0, d = 0;\n  __syncthreads();\n"
              "  atomicAdd(&f, 0.5f);\n  atomicAdd(&d, 2.0);\n  __syncthreads();\n  p[threadIdx.x] = f + d;\n}"),
      {}, &exit_code);
  CHECK(exit_code == 160);
  CHECK_MESSAGE(!has(said, "race"), said);
}

TEST_CASE("an index out of bounds names the array, the line and the thread") {
  int exit_code = 0;
  const std::string said =
      report_of(program("__global__ void k(int* p) {\n  p[threadIdx.x + 1] = 0;\n}"), {}, &exit_code);
  CHECK(exit_code == 86);
  CHECK_MESSAGE(has(said, "prog.cu:2: error: out-of-bounds of p in kernel k"), said);
  CHECK_MESSAGE(has(said, "thread (63,0,0) of block (0,0,0) writes"), said);
}

TEST_CASE(
    "variables side by side may be read and written by one instruction, each is in order, and one past them is not") {
  const std::string kernel =
      "__global__ void k(int* p) {\n  __shared__ int a[3], b[3];\n  __shared__ int first, second;\n"
      "  const int t = threadIdx.x;\n  if (t % 32 == 0) { a[t / 32] = p[t]; b[t / 32] = t; }\n"
      "  if (t == 40) { a[2] = 1; b[2] = 2; }\n  __syncthreads();\n"
      "  if (t == 0) { first = a[0] + a[1] + a[2]; second = b[0] + b[1] + b[2]; }\n  __syncthreads();\n"
      "  p[t] = first + second + b[LAST];\n}";
  int exit_code = 0;
  const std::string right = report_of("#define LAST 2\n" + program(kernel), {}, &exit_code);
  CHECK(exit_code == 69);
  CHECK_MESSAGE(!has(right, "error:"), right);
  const std::string past = report_of("#define LAST t % 32 + 5\n" + program(kernel), {}, &exit_code);
  CHECK_MESSAGE(has(past, "error: out-of-bounds of "), past);
}

TEST_CASE("a race on a shared array names both lines and the array") {
  const std::string said =
      report_of(program("__global__ void k(int* p) { __shared__ int tile[64];\n  tile[threadIdx.x] = p[threadIdx.x];\n"
                        "  p[threadIdx.x] = tile[63 - threadIdx.x];\n}"));
  CHECK_MESSAGE(has(said, "shared-race of tile in kernel k"), said);
}

TEST_CASE("constants, device variables, dynamic shared memory, templates and printf meet the program's own") {
  const std::string said = report_of(program(
      "#include <cstdio>\n__constant__ int scale[2]; __device__ int calls; namespace { __device__ int hidden = 5; }\n"
      "template <class T> __global__ void k(T* p) { extern __shared__ T dyn[]; dyn[threadIdx.x] = p[threadIdx.x];\n"
      "  __syncthreads();\n  if (threadIdx.x == 0) printf(\"%s %d %.1f\\n\", \"hello\", hidden, 1.5);\n"
      "  atomicAdd(&calls, 1);\n  p[threadIdx.x] = dyn[63 - threadIdx.x] + scale[1]; }",
      "int s[2] = {0, 7}, n; cudaMemcpyToSymbol(scale, s, sizeof s); k<<<1, 64, 256>>>(numbers);"
      "cudaMemcpyFromSymbol(&n, calls, 4); if (n != 64) return 1;"));
  CHECK_MESSAGE(has(said, "shared write dyn"), said);
  CHECK_MESSAGE(has(said, "prog.cu:6  global atomic calls: 2 requests"), said);
}

TEST_CASE("an asynchronous copy is a store to shared memory that is counted apart, and instructions are counted") {
  const std::string said = report_of(
      "#include <cuda_pipeline.h>\n" +
          program("__global__ void k(int* p) {\n  __shared__ int tile[64];\n"
                  "  __pipeline_memcpy_async(tile + threadIdx.x, p + threadIdx.x, 4);\n  __pipeline_commit();\n"
                  "  __pipeline_wait_prior(0);\n  __syncthreads();\n  p[threadIdx.x] = tile[63 - threadIdx.x];\n"
                  "  __syncthreads();\n  tile[threadIdx.x] = 0;\n  p[0] = tile[0];\n}"),
      {"SIMTLAB_REPORT=/dev/stderr"});
  CHECK_MESSAGE(has(said, "\"copied_requests\": 2, \"copied_wavefronts\": 2"), said);
  CHECK_MESSAGE(!has(said, "\"lane_instructions\": 0"), said);
}

// An H200 gave 32 to kernels with printf, malloc and assert for which ptxas said 24, 24, and 25 to 30.
TEST_CASE("the driver adds its own code to a kernel that calls printf, and that takes 32 registers") {
  const auto registers_of = [](const std::string& kernel) {
    const std::string said = report_of("#include <cstdio>\n" + program(kernel), {"SIMTLAB_REPORT=/dev/stderr"});
    const std::size_t at = said.find("\"registers\": ");
    return at == std::string::npos ? 0 : std::stoi(said.substr(at + 13));
  };
  CHECK(registers_of("__global__ void k(int* p) { printf(\"%d\\n\", *p); }") == 32);
  CHECK(registers_of("__global__ void k(int* p) { *p = 7; }") < 32);
}

TEST_CASE("a kernel whose parameters are of the toolkit's library is found, whatever that calls its version") {
  int exit_code = 0;
  const std::string said =
      report_of("#include <cuda/atomic>\nusing counter = cuda::atomic<int, cuda::thread_scope_device>;\n" +
                    program("__global__ void k(int* p, counter* c) { *c += 1; p[63] = *c; }",
                            "counter* c; cudaMalloc(&c, sizeof *c); cudaMemset(c, 0, sizeof *c); k<<<1, 1>>>(numbers, "
                            "c); cudaFree(c);"),
                {}, &exit_code);
  CHECK(exit_code == 1);
  CHECK_MESSAGE(!has(said, "not-as-compiled"), said);
}

TEST_CASE("the blocks of a cooperative launch wait for one another at the grid's barrier") {
  int exit_code = 0;
  const std::string said =
      report_of("#include <cooperative_groups.h>\n" +
                    program("__global__ void k(int* p) {\n  const int i = blockIdx.x * 8 + threadIdx.x;\n"
                            "  for (int round = 0; round < 10; ++round) {\n    const int from = 32 * (round % 2);\n"
                            "    if (threadIdx.x < 8)\n      p[32 - from + i] = p[from + (i + 8) % 32] + 1;\n"
                            "    cooperative_groups::this_grid().sync();\n  }\n}",
                            "void* a[] = {&numbers}; cudaLaunchCooperativeKernel((void*)k, 4, 64, a, 0, 0);"),
                {}, &exit_code);
  CHECK(exit_code == (31 + 9 * 8) % 32 + 9);
  CHECK_MESSAGE(!has(said, "not-as-compiled"), said);
  CHECK_MESSAGE(!has(said, "divergent-barrier"), said);
  CHECK_MESSAGE(has(said, "prog.cu:8  global atomic the heap of kernels: 40 requests"), said);
}

TEST_CASE("a block that returns while others wait at the grid's barrier is a deadlock at once") {
  const std::string said =
      report_of("#include <cooperative_groups.h>\n" +
                program("__global__ void k(int* p) {\n  if (blockIdx.x == 2) return;\n"
                        "  cooperative_groups::this_grid().sync();\n  *p = 1;\n}",
                        "void* a[] = {&numbers}; cudaLaunchCooperativeKernel((void*)k, 4, 64, a, 0, 0);"));
  CHECK_MESSAGE(has(said, "error: deadlock in kernel k"), said);
  CHECK_MESSAGE(has(said, "waits at the grid's barrier"), said);
  CHECK_MESSAGE(has(said, "192 threads wait"), said);
}

TEST_CASE(
    "a kernel whose instructions nobody knows runs as g++ compiled it, and the note names them with their lines") {
  int exit_code = 0;
  const std::string said = report_of(
      program(
          "#include <mma.h>\nusing namespace nvcuda::wmma;\n__global__ void k(int* p) {\n"
          "  __shared__ half a[256]; __shared__ float c[256];\n"
          "  for (int i = threadIdx.x; i < 256; i += 32) a[i] = __float2half(i % 17 == 0);\n  __syncwarp();\n"
          "  fragment<matrix_a, 16, 16, 16, half, row_major> fa; fragment<matrix_b, 16, 16, 16, half, row_major> fb;\n"
          "  fragment<accumulator, 16, 16, 16, float> fc;\n  fill_fragment(fc, 2.0f);\n"
          "  load_matrix_sync(fa, a, 16); load_matrix_sync(fb, a, 16);\n  mma_sync(fc, fa, fb, fc);\n"
          "  store_matrix_sync(c, fc, 16, mem_row_major);\n  __syncwarp();\n  if (threadIdx.x == 0) p[63] = c[0];\n}",
          "k<<<1, 32>>>(numbers);"),
      {}, &exit_code);
  CHECK_MESSAGE(has(said, "note: not-as-compiled"), said);
  CHECK_MESSAGE(has(said, "HMMA.16816.F32 at mma.hpp:"), said);
  CHECK_MESSAGE(has(said, "SIMTLAB_ENGINE=g++"), said);
  CHECK(exit_code == 3);
}

TEST_CASE(
    "code for an architecture that the machine does not know runs as g++ compiled it, and a note names the option") {
  int exit_code = 0;
  const std::string said =
      report_of(program("__global__ void k(int* p) {\n  p[threadIdx.x] += 4;\n}"), {}, &exit_code, {"-arch=sm_100"});
  CHECK(exit_code == 67);
  CHECK_MESSAGE(has(said, "note: not-as-compiled"), said);
  CHECK_MESSAGE(has(said, "expected code for sm_75 to sm_90, found"), said);
}

TEST_CASE("code whose lines nobody knows runs as g++ compiled it, and the note says what is missing") {
  const gpu_toolchain real = gpu_toolchain::find(installation::read(SIMTLAB_SIMTCC_CONF));
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "simtlab-without-lines/bin";
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const std::string& text) {
    workplace::write(folder / name, "#!/bin/sh\n" + text + "\n");
    std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
  };
  write("nvcc", "exec " + real.nvcc.string() + " \"$@\"");
  write("nvdisasm",
        "[ \"$1\" = -gi ] && exit 1; " + real.nvdisasm.string() + " \"$@\" | sed 's/,\"source-line\":[0-9]*//g'");
  setenv("CUDA_HOME", folder.parent_path().c_str(), 1);
  int exit_code = 0;
  const std::string said = report_of(program("__global__ void k(int* p) {\n  p[threadIdx.x] += 4;\n}"), {}, &exit_code);
  unsetenv("CUDA_HOME");
  std::filesystem::remove_all(folder.parent_path());
  CHECK(exit_code == 67);
  CHECK_MESSAGE(has(said, "nothing says which lines its machine code was"), said);
}

TEST_CASE("an assertion that fails names the thread, the expression and the function") {
  const std::string said = report_of(
      program("#include <cassert>\n__global__ void k(int* p) {\n  p[threadIdx.x] += 4;\n  assert(threadIdx.x < 40);\n}",
              "k<<<1, 64>>>(numbers); if (cudaDeviceSynchronize() != cudaErrorAssert) return 1;"));
  CHECK_MESSAGE(has(said, "prog.cu:4: error: failed-assertion in kernel k"), said);
  CHECK_MESSAGE(has(said, "thread (40,0,0) of block (0,0,0) stopped"), said);
  CHECK_MESSAGE(has(said, "Assertion failed: threadIdx.x < 40 (in void k(int*))."), said);
}

TEST_CASE(
    "a device function's address travels through the host; switch statements and padded structures are in order") {
  int exit_code = 0;
  const std::string said = report_of(
      program(
          "struct record { double x; int n; };\ntypedef int (*operation)(int, int);\n"
          "static __device__ int sum(int a, int b) { return a + b; }\n__device__ operation of_device = sum;\n"
          "__device__ int chosen(int a, int b) { switch (a) { case 0: return b * 7; case 1: return b - a;\n"
          "  case 2: return b % 5; case 3: return b ^ 0x55; case 4: return b << 2; case 5: return -b;\n"
          "  case 6: return b / 3; default: return 1; } }\n"
          "__global__ void fill(record* r) { r[threadIdx.x].x = 0.5; r[threadIdx.x].n = threadIdx.x; }\n"
          "__global__ void k(int* p, operation f, const record* r) { const record mine = r[threadIdx.x];\n"
          "  p[threadIdx.x] = f(chosen(threadIdx.x % 8, mine.n), mine.x * 4); }",
          "operation f; cudaMemcpyFromSymbol(&f, of_device, sizeof f); record* r; cudaMalloc(&r, 64 * sizeof *r);"
          "fill<<<1, 64>>>(r); k<<<1, 64>>>(numbers, f, r); cudaMemcpy(h, numbers, sizeof h, cudaMemcpyDeviceToHost);"
          "cudaFree(r); const int first[8] = {394, 58, 5, 112, 242, -59, 22, 3};"
          "for (int i = 0; i < 8; ++i) if (h[56 + i] != first[i]) return 100 + i;"),
      {}, &exit_code);
  CHECK(exit_code == 3);
  CHECK_MESSAGE(!has(said, "error"), said);
  CHECK_MESSAGE(!has(said, "not-as-compiled"), said);
}

TEST_CASE("what nvcc refuses is no program") {
  REQUIRE(has_tools);
  const workplace here;
  workplace::write("prog.cu", "__global__ void k() { __shared__ int a[20000]; a[threadIdx.x] = 1; }\nint main() {}\n");
  const process_result made = workplace::simtcc({"--engine", "sass", "prog.cu", "-o", "prog"});
  CHECK(made.exit_code == 1);
}
