// Lab 01, predict: fixed snippets about threads and what they ask of memory. Read them, answer in predict.toml, then write
// your own kernel.
#include "predict/device_array.h"
#include "predict/question.h"

using namespace simtlab::predict;

namespace {

constexpr int threads = 256;

// Does nothing: only the grid counts.
__global__ void idle() {}

// A single block of 256 threads works through all elements, 256 at a time.
__global__ void __launch_bounds__(threads) read_all(int count, const float* values, float* last) {
  for (int at = threadIdx.x; at < count; at += threads) last[threadIdx.x] = values[at];
}

void read_with_one_block(int count) {
  device_array<float> values("values", count), last("last", threads);
  read_all<<<1, threads>>>(count, values.data(), last.data());
}

// Arrays too long for one launch: 1024 elements at a time, 8 blocks each time, whatever is left.
void launch_in_parts(int count, int block) {
  for (int first = 0; first < count; first += 1024) idle<<<8, block>>>();
}

// One warp reads 32 neighbours that begin `offset` elements after an aligned address.
__global__ void read_shifted(const float* values, float* out, int offset) {
  out[threadIdx.x] = values[threadIdx.x + offset];
}

}  // namespace

std::vector<question> define_questions() {
  return {
      {.name = "blocks",
       .text = "{n} elements, one thread for each, in blocks of 256 threads. How many blocks does the grid need?",
       .numbers = {{"n", {1000, 512, 700, 1025, 1300, 2000, 3000}}},
       .run =
           [](const drawn& n) {
             int blocks = 0;
             while (blocks * threads < n["n"]) ++blocks;
             idle<<<blocks, threads>>>();
           },
       .measurement = [](const auto& report) { return double(report.launches.at(0).grid.x); }},
      {.name = "requests",
       .text =
           "Each time a warp of which at least one lane has an element reads `values`, that is one request. How many "
           "requests for `values` does read_all make with {n} elements?",
       .numbers = {{"n", {1000, 100, 250, 300, 500, 700, 900, 1100}}},
       .run = [](const drawn& n) { read_with_one_block(n["n"]); },
       .measurement = [](const auto& report) { return double(reads_of(report, "values").requests); }},
      {.name = "partial",
       .text = "How many of the 32 lanes take part in the one request of read_all that is not full, with {n} elements?",
       .numbers = {{"n", {1000, 100, 250, 300, 500, 700, 900, 1100}}},
       .run = [](const drawn& n) { read_with_one_block(n["n"]); },
       .measurement =
           [](const auto& report) {
             const auto reads = reads_of(report, "values");
             return double(reads.lanes - 32 * (reads.requests - 1));
           }},
      {.name = "shifted",
       .text =
           "Memory comes in sectors of 32 bytes, 8 floats. A warp reads values[threadIdx.x + {offset}], and `values` "
           "begins at the start of a sector (read_shifted). How many sectors does this one request touch?",
       .numbers = {{"offset", {1, 8, 3, 16, 5, 24}}},
       .run =
           [](const drawn& n) {
             device_array<float> values("values", 64), out("out", 32);
             read_shifted<<<1, 32>>>(values.data(), out.data(), n["offset"]);
           },
       .measurement = sectors_per_read("values")},
      {.name = "launched",
       .text = "{n} elements go through launches of 1024 elements each, one launch after the other, and every launch "
               "has 8 blocks of {block} threads (launch_in_parts). How many threads run in all launches together?",
       .numbers = {{"n", {3000, 1024, 2000, 4097, 5000, 9000}}, {"block", {128, 64, 256}}},
       .run = [](const drawn& n) { launch_in_parts(n["n"], n["block"]); },
       .measurement =
           [](const auto& report) {
             double all = 0;
             for (const auto& launch : report.launches) all += double(launch.grid.count() * launch.block.count());
             return all;
           }},
  };
}
