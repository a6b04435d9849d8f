// Lab 06, predict: fixed snippets about constant memory and filters. Read them, answer in predict.toml, then write your own
// kernel.
#include "predict/device_array.h"
#include "predict/question.h"

using namespace simtlab::predict;

namespace {

constexpr int lanes = 32;
constexpr int largest_width = 9;

__constant__ float weights[lanes];

// One warp; the lanes ask for `distinct` different weights.
__global__ void read_weights(float* out, int distinct) { out[threadIdx.x] = weights[threadIdx.x % distinct]; }

// One block of 32 threads, which is one warp; each of its rows asks for a weight of its own.
__global__ void read_weight_of_row(float* out) { out[threadIdx.y * blockDim.x + threadIdx.x] = weights[threadIdx.y]; }

// One warp; the filter is left in global memory, and every lane reads all of it.
__global__ void read_filter(const float* filter, float* out, int width) {
  float sum = 0;
  for (int i = width * width - 1; i >= 0; --i) sum += filter[i];
  out[threadIdx.x] = sum;
}

// One thread for each element of a row; what lies outside of the row is not read.
__global__ void add_neighbours(const float* input, float* output, int radius) {
  const int count = blockDim.x, col = threadIdx.x;
  float sum = 0;
  for (int at = col - radius; at <= col + radius; ++at)
    if (at >= 0 && at < count) sum += input[at];
  output[col] = sum;
}

void copy_weights() {
  const float zeros[lanes] = {};
  cudaMemcpyToSymbol(weights, zeros, sizeof(zeros));
}

/// Constant memory hands out one word at a time.
double passes_of_weights(const simtlab::emulator::report& of) {
  const auto reads = reads_of(of, "weights");
  return static_cast<double>(reads.distinct_words) / static_cast<double>(reads.requests);
}

}  // namespace

std::vector<question> define_questions() {
  return {
      {.name = "words",
       .text = "`weights` lies in constant memory. A warp reads weights[threadIdx.x % {distinct}] (read_weights). In "
               "constant memory a request takes a pass for each different word: how many passes are that?",
       .numbers = {{"distinct", {5, 1, 2, 3, 4, 7, 9, 16, 25}}},
       .run =
           [](const drawn& n) {
             copy_weights();
             read_weights<<<1, lanes>>>(device_array<float>("out", lanes).data(), n["distinct"]);
           },
       .measurement = passes_of_weights},
      {.name = "rows",
       .text =
           "A block is {width} threads wide and 32 / {width} high: one warp. Each thread reads weights[threadIdx.y] "
           "from constant memory (read_weight_of_row). How many passes does this one request take?",
       .numbers = {{"width", {16, 1, 2, 4, 8, 32}}},
       .run =
           [](const drawn& n) {
             copy_weights();
             read_weight_of_row<<<1, dim3(n["width"], lanes / n["width"])>>>(device_array<float>("out", lanes).data());
           },
       .measurement = passes_of_weights},
      {.name = "requests",
       .text =
           "A filter of radius {radius} has 2 · {radius} + 1 weights in each direction and stays in global memory. A "
           "warp goes through all of it in step (read_filter). How many requests for `filter` does it make?",
       .numbers = {{"radius", {2, 1, 3, 4}}},
       .run =
           [](const drawn& n) {
             device_array<float> filter("filter", largest_width * largest_width), out("out", lanes);
             read_filter<<<1, lanes>>>(filter.data(), out.data(), 2 * n["radius"] + 1);
           },
       .measurement =
           [](const simtlab::emulator::report& r) { return static_cast<double>(reads_of(r, "filter").requests); }},
      {.name = "border",
       .text = "A row has {count} elements, and each of {count} threads adds up those from {radius} to its left to "
               "{radius} to its right; what lies outside of the row is not read (add_neighbours). How many elements of "
               "`input` do all threads read together?",
       .numbers = {{"count", {20, 10, 12, 16, 24, 30, 32}}, {"radius", {2, 1, 3, 4}}},
       .run =
           [](const drawn& n) {
             device_array<float> input("input", lanes), output("output", lanes);
             add_neighbours<<<1, n["count"]>>>(input.data(), output.data(), n["radius"]);
           },
       .measurement =
           [](const simtlab::emulator::report& r) { return static_cast<double>(reads_of(r, "input").lanes); }},
  };
}
