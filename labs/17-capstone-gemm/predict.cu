// Lab 17, predict: fixed snippets about large tiles and registers. Read them, answer in predict.toml, then write your own
// kernel. They move data as products do and multiply nothing.
#include "predict/device_array.h"
#include "predict/question.h"

using namespace simtlab::predict;

namespace {

// One block of 64 threads fetches a slice of A, `rows` × `depth`, and one of B, `depth` × `cols`.
__global__ void fetch_slices(const float* a, const float* b, float* out, int rows, int cols, int depth) {
  float sum = 0;
  for (int at = threadIdx.x; at < rows * depth; at += 64) sum += a[at];
  for (int at = threadIdx.x; at < depth * cols; at += 64) sum += b[at];
  out[threadIdx.x] = sum;
}

// One warp, one step along k. Each thread has rows × cols results, and reads what it needs for them, a float at a time.
__global__ void read_a_step(float* out, int rows, int cols) {
  __shared__ float slice[64];
  for (int i = threadIdx.x; i < 64; i += 32) slice[i] = 1.0f;
  __syncthreads();
  float sum = 0;
  for (int r = 0; r < rows; ++r) sum += slice[r];
  for (int c = 0; c < cols; ++c) sum += slice[32 + c];
  out[threadIdx.x] = sum;
}

// One warp. Each thread has `part` neighbouring columns of a row of B's slice, and reads its first.
__global__ void read_first_column(float* out, int part) {
  __shared__ float slice[512];
  for (int i = threadIdx.x; i < 512; i += 32) slice[i] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = slice[threadIdx.x * part];
}

// One block goes through its slices. With one buffer: fill, wait, use, wait. With two: the next is filled while this is used.
__global__ void go_through(float* out, int slices, int buffers) {
  __shared__ float slice[2][32];
  float sum = 0;
  slice[0][threadIdx.x] = 1.0f;
  __syncthreads();
  for (int s = 1; s < slices; ++s) {
    const int now = buffers == 2 ? (s - 1) % 2 : 0, next = buffers == 2 ? s % 2 : 0;
    sum += slice[now][31 - threadIdx.x];
    if (buffers == 1) __syncthreads();
    slice[next][threadIdx.x] = 1.0f;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

}  // namespace

std::vector<question> define_questions() {
  return {
      {.name = "fetched",
       .text =
           "A block makes {rows} rows and {cols} columns of C, and brings slices of A and B that are {depth} deep to "
           "shared memory (fetch_slices). How many floats does it fetch for one pair of slices?",
       .numbers = {{"rows", {128, 64, 32}}, {"cols", {64, 128, 256}}, {"depth", {8, 16}}},
       .run =
           [](const drawn& n) {
             device_array<float> a("a", static_cast<std::size_t>(n["rows"]) * n["depth"]);
             device_array<float> b("b", static_cast<std::size_t>(n["depth"]) * n["cols"]), out("out", 64);
             fetch_slices<<<1, 64>>>(a.data(), b.data(), out.data(), n["rows"], n["cols"], n["depth"]);
           },
       .measurement =
           [](const simtlab::emulator::report& r) {
             return static_cast<double>(reads_of(r, "a").lanes + reads_of(r, "b").lanes);
           }},
      {.name = "served",
       .text =
           "Each of the 32 threads of a warp has {rows} × {cols} results in registers (read_a_step). How many floats "
           "do all 32 together read from slice for one step along k?",
       .numbers = {{"rows", {8, 4, 2, 16}}, {"cols", {8, 16, 4, 1}}},
       .run =
           [](const drawn& n) { read_a_step<<<1, 32>>>(device_array<float>("out", 32).data(), n["rows"], n["cols"]); },
       .measurement =
           [](const simtlab::emulator::report& r) { return static_cast<double>(reads_of(r, "slice").lanes); }},
      {.name = "neighbours",
       .text =
           "Thread t of a warp has the {part} neighbouring columns from t · {part} on, and reads the first, a float "
           "(read_first_column). How many wavefronts does this request take?",
       .numbers = {{"part", {8, 2, 4, 1, 3, 16}}},
       .run = [](const drawn& n) { read_first_column<<<1, 32>>>(device_array<float>("out", 32).data(), n["part"]); },
       .measurement = wavefronts_per_read("slice")},
      {.name = "barriers",
       .text = "A block goes through {slices} slices with {buffers} buffer or buffers (go_through). How often does a "
               "thread wait at a barrier?",
       .numbers = {{"slices", {16, 5, 8, 9, 12}}, {"buffers", {2, 1}}},
       .run =
           [](const drawn& n) {
             go_through<<<1, 32>>>(device_array<float>("out", 32).data(), n["slices"], n["buffers"]);
           },
       .measurement =
           [](const simtlab::emulator::report& r) { return static_cast<double>(r.launches.at(0).barriers); }},
  };
}
