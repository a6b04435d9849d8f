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

// The reads of a product without tiles: a row of `left` and a column of `right`, 64 steps.
__global__ void read_each_step(const float* left, const float* right, float* out) {
  float most = 0.0f;
  for (int step = 0; step < pitch; ++step)
    most = fmaxf(most, left[pitch * threadIdx.y + step] - right[pitch * step + threadIdx.x]);
  out[pitch * threadIdx.y + threadIdx.x] = most;
}

// The reads of a product with tiles as wide as the block: in each phase a thread fetches one element of both.
__global__ void read_each_phase(const float* left, const float* right, float* out) {
  float most = 0.0f;
  for (int start = 0; start < pitch; start += blockDim.x)
    most = fmaxf(most,
                 left[pitch * threadIdx.y + threadIdx.x + start] - right[pitch * (threadIdx.y + start) + threadIdx.x]);
  out[pitch * threadIdx.y + threadIdx.x] = most;
}

double bytes_read(const simtlab::emulator::launch_report& by) {
  double bytes = 0;
  for (const auto& place : by.accesses)
    if (place.kind == simtlab::emulator::access::read) bytes += double(place.counters.bytes);
  return bytes;
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
      {.name = "saved",
       .text =
           "A block of {width} × {width} threads reads for 64 multiply-adds a thread: without tiles one element of "
           "each operand for every multiply-add (read_each_step), with tiles as wide as the block one of each in every "
           "phase (read_each_phase). To one part in how many do the bytes fall that its threads ask for?",
       .numbers = {{"width", {32, 4, 8, 16}}},
       .run =
           [](const drawn& n) {
             device_array<float> left("left", elements), right("right", 2 * elements), out("out", elements);
             const dim3 block(n["width"], n["width"]);
             read_each_step<<<1, block>>>(left.data(), right.data(), out.data());
             read_each_phase<<<1, block>>>(left.data(), right.data(), out.data());
           },
       .measurement =
           [](const auto& report) { return bytes_read(report.launches.at(0)) / bytes_read(report.launches.at(1)); }},
  };
}
