// Lab 07, predict: fixed snippets about what a block of a product fetches. Read them, answer in predict.toml, then write
// your own kernel.
#include "predict/device_array.h"
#include "predict/question.h"

using namespace simtlab::predict;

namespace {

constexpr int pitch = 64;  // floats in a row of every matrix here

// A block 32 threads high, in step p of a product without tiles: each thread reads the element of A in its row.
__global__ void read_row_of_a(const float* a, float* out, int p) {
  out[threadIdx.y * pitch + threadIdx.x] = a[threadIdx.y * pitch + p];
}

// A square block fetches one element of a matrix with each thread, neighbours from neighbours.
__global__ void fetch_square(const float* matrix, float* out) {
  const int at = threadIdx.y * pitch + threadIdx.x;
  out[at] = matrix[at];
}

// The same with 16 × 16 threads, where only `left` columns are left of the matrix.
__global__ void fetch_rest(const float* matrix, float* out, int left) {
  const int at = threadIdx.y * pitch + threadIdx.x;
  if (static_cast<int>(threadIdx.x) < left) out[at] = matrix[at];
}

// A block of 16 × 16 threads: the threads of a row all read the same word of shared memory; rows are `row` words long.
__global__ void share_words(float* out, int row) {
  extern __shared__ float words[];
  for (int i = threadIdx.y * 16 + threadIdx.x; i < 16 * row; i += 256) words[i] = 1.0f;
  __syncthreads();
  out[threadIdx.y * pitch + threadIdx.x] = words[threadIdx.y * row + 5];
}

}  // namespace

std::vector<question> define_questions() {
  constexpr int elements = pitch * 32;
  return {
      {.name = "operand",
       .text =
           "A block is {width} threads wide and 32 high, without tiles: every thread reads a[threadIdx.y * 64 + p], "
           "the same p for all (read_row_of_a). How many sectors of 32 bytes does one warp's request touch?",
       .numbers = {{"width", {16, 2, 4, 8, 32}}},
       .run =
           [](const drawn& n) {
             device_array<float> a("a", elements), out("out", elements);
             read_row_of_a<<<1, dim3(n["width"], 32)>>>(a.data(), out.data(), 3);
           },
       .measurement = sectors_per_read("a")},
      {.name = "fetch",
       .text =
           "A block of {width} × {width} threads fetches a square of as many floats, a thread each, from a matrix with "
           "rows of 64 floats (fetch_square). How many sectors do all its requests for the matrix touch together?",
       .numbers = {{"width", {16, 4, 8, 24, 32}}},
       .run =
           [](const drawn& n) {
             device_array<float> matrix("matrix", elements), out("out", elements);
             fetch_square<<<1, dim3(n["width"], n["width"])>>>(matrix.data(), out.data());
           },
       .measurement = [](const auto& report) { return double(reads_of(report, "matrix").sectors); }},
      {.name = "rest",
       .text = "A block of 16 × 16 threads, {left} columns are left of the matrix, and only threads with threadIdx.x < "
               "{left} read (fetch_rest). How many of a warp's 32 lanes take part in its request?",
       .numbers = {{"left", {5, 2, 3, 6, 7, 9, 10, 11, 13}}},
       .run =
           [](const drawn& n) {
             device_array<float> matrix("matrix", elements), out("out", elements);
             fetch_rest<<<1, dim3(16, 16)>>>(matrix.data(), out.data(), n["left"]);
           },
       .measurement =
           [](const auto& report) {
             const auto reads = reads_of(report, "matrix");
             return double(reads.lanes) / double(reads.requests);
           }},
      {.name = "shared",
       .text = "A block of 16 × 16 threads reads words[threadIdx.y * {row} + 5] from shared memory (share_words). A "
               "warp is "
               "two rows of threads, so it asks for two words. How many wavefronts does its request take?",
       .numbers = {{"row", {32, 16, 17, 33, 48, 64}}},
       .run =
           [](const drawn& n) {
             device_array<float> out("out", elements);
             share_words<<<1, dim3(16, 16), 16 * n["row"] * sizeof(float)>>>(out.data(), n["row"]);
           },
       .measurement = wavefronts_per_read("words")},
  };
}
