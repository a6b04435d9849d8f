// Lab 01, predict: fixed snippets about threads and what they ask of memory. Read them, answer in predict.toml, then write
// your own kernel.
#include "predict/device_array.h"
#include "predict/question.h"

using namespace simtlab::predict;

namespace {

constexpr int threads = 256;

// One thread doubles one element.
__global__ void double_elements(const float* values, float* doubled, int n) {
  const int mine = threadIdx.x + blockDim.x * blockIdx.x;
  if (mine >= n) return;
  doubled[mine] = 2.0f * values[mine];
}

void double_all(int n) {
  device_array<float> values("values", n), doubled("doubled", n);
  const int blocks = n / threads + (n % threads == 0 ? 0 : 1);
  double_elements<<<blocks, threads>>>(values.data(), doubled.data(), n);
}

// One warp reads 32 neighbours that begin `offset` elements after an aligned address.
__global__ void read_shifted(const float* values, float* out, int offset) {
  out[threadIdx.x] = values[threadIdx.x + offset];
}

}  // namespace

std::vector<question> define_questions() {
  return {
      {.name = "blocks",
       .text = "double_elements works on {n} elements with blocks of 256 threads. How many blocks does it need?",
       .numbers = {{"n", {1000, 512, 700, 1025, 1300, 2000, 3000}}},
       .run = [](const drawn& n) { double_all(n["n"]); },
       .measurement = [](const auto& report) { return double(report.launches.at(0).grid.x); }},
      {.name = "requests",
       .text =
           "A warp of which at least one thread has an element makes one request for `values`. How many requests for "
           "`values` does double_elements make with {n} elements?",
       .numbers = {{"n", {1000, 100, 250, 300, 500, 700, 900, 1100}}},
       .run = [](const drawn& n) { double_all(n["n"]); },
       .measurement = [](const auto& report) { return double(reads_of(report, "values").requests); }},
      {.name = "partial",
       .text = "How many of the 32 lanes take part in the last of these requests, with {n} elements?",
       .numbers = {{"n", {1000, 100, 250, 300, 500, 700, 900, 1100}}},
       .run = [](const drawn& n) { double_all(n["n"]); },
       .measurement =
           [](const auto& report) {
             const auto reads = reads_of(report, "values");
             return double(reads.lanes - 32 * (reads.requests - 1));
           }},
      {.name = "shifted",
       .text =
           "Memory comes in sectors of 32 bytes, 8 floats. A warp reads values[threadIdx.x + {offset}], and `values` "
           "begins at the start of a sector (read_shifted). How many sectors does this one request touch?",
       .numbers = {{"offset", {1, 3, 4, 7, 8, 16, 12, 24}}},
       .run =
           [](const drawn& n) {
             device_array<float> values("values", 64), out("out", 32);
             read_shifted<<<1, 32>>>(values.data(), out.data(), n["offset"]);
           },
       .measurement = sectors_per_read("values")},
  };
}
