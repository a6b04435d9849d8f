// Lab 13, predict: fixed snippets about coarse threads. Read them, answer in predict.toml, then write your own kernel. They
// move data as products do and multiply nothing.
#include "predict/device_array.h"
#include "predict/question.h"

using namespace simtlab::predict;

namespace {

constexpr int tile = 16;

// A block of 16 × 16 threads covers `factor` tiles of P side by side: each thread stores `factor` elements of one row.
__global__ void store_tiles(float* p, int rows, int cols, int factor) {
  const int row = blockIdx.y * tile + threadIdx.y;
  const int first = blockIdx.x * tile * factor + threadIdx.x;
  for (int c = 0; c < factor; ++c)
    if (row < rows && first + c * tile < cols) p[row * cols + first + c * tile] = 1.0f;
}

// In each phase every block loads one tile of M, which has 16 rows and k columns.
__global__ void load_m(const float* m, float* out, int k) {
  float sum = 0;
  for (int phase = 0; phase < k / tile; ++phase) sum += m[threadIdx.y * k + phase * tile + threadIdx.x];
  out[(blockIdx.x * tile + threadIdx.y) * tile + threadIdx.x] = sum;
}

// One block. In each phase `factor` tiles go through the same shared memory: load, wait, use, wait.
__global__ void take_turns(float* out, int phases, int factor) {
  __shared__ float shared[tile][tile];
  float sum = 0;
  for (int phase = 0; phase < phases; ++phase)
    for (int c = 0; c < factor; ++c) {
      shared[threadIdx.y][threadIdx.x] = 1.0f;
      __syncthreads();
      for (int i = 0; i < tile; ++i) sum += shared[i][threadIdx.x];
      __syncthreads();
    }
  out[threadIdx.y * tile + threadIdx.x] = sum;
}

// One warp, all in one row of N: thread t has the `factor` neighbouring columns from t · factor on, and loads the first.
__global__ void load_neighbours(const float* n, float* out, int factor) { out[threadIdx.x] = n[threadIdx.x * factor]; }

}  // namespace

std::vector<question> define_questions() {
  return {
      {.name = "blocks",
       .text = "P has {cols} columns. A block of 16 × 16 threads covers {factor} tiles of 16 columns side by side "
               "(store_tiles). How many blocks does the grid need in the direction of x?",
       .numbers = {{"cols", {100, 81, 200, 250, 300, 500}}, {"factor", {4, 2, 3, 8}}},
       .run =
           [](const drawn& n) {
             constexpr int rows = tile;
             device_array<float> p("p", static_cast<std::size_t>(rows) * n["cols"]);
             unsigned int blocks = 0;
             while (static_cast<int>(blocks) * tile * n["factor"] < n["cols"]) ++blocks;
             store_tiles<<<blocks, dim3(tile, tile)>>>(p.data(), rows, n["cols"], n["factor"]);
           },
       .measurement = [](const simtlab::emulator::report& r) { return static_cast<double>(r.launches.at(0).grid.x); }},
      {.name = "loads",
       .text =
           "P has 16 rows and 256 columns, M 16 rows and {k} columns. Each block covers {factor} tiles of P side by "
           "side, and its 256 threads load each tile of M once, an element per thread (load_m). How many elements of M "
           "do all blocks load together?",
       .numbers = {{"k", {32, 16, 48, 64}}, {"factor", {4, 1, 2, 8}}},
       .run =
           [](const drawn& n) {
             device_array<float> m("m", static_cast<std::size_t>(tile) * n["k"]), out("out", 256 * tile);
             load_m<<<256 / (tile * n["factor"]), dim3(tile, tile)>>>(m.data(), out.data(), n["k"]);
           },
       .measurement = [](const simtlab::emulator::report& r) { return static_cast<double>(reads_of(r, "m").lanes); }},
      {.name = "barriers",
       .text =
           "A product has {phases} phases. In each, {factor} tiles of N go through the same shared memory, one after "
           "the other: load, wait, multiply, wait (take_turns). How often does a thread wait at a barrier?",
       .numbers = {{"phases", {5, 3, 4, 6, 7, 8}}, {"factor", {4, 2, 3, 8}}},
       .run =
           [](const drawn& n) {
             take_turns<<<1, dim3(tile, tile)>>>(device_array<float>("out", tile * tile).data(), n["phases"],
                                                 n["factor"]);
           },
       .measurement =
           [](const simtlab::emulator::report& r) { return static_cast<double>(r.launches.at(0).barriers); }},
      {.name = "neighbours",
       .text = "Each of the 32 threads of a warp has {factor} columns of N that are neighbours, and loads the first of "
               "them "
               "(load_neighbours). How many sectors of 32 bytes does this one request touch?",
       .numbers = {{"factor", {4, 1, 2, 3, 6, 8}}},
       .run =
           [](const drawn& n) {
             device_array<float> row("n", static_cast<std::size_t>(32) * n["factor"]), out("out", 32);
             load_neighbours<<<1, 32>>>(row.data(), out.data(), n["factor"]);
           },
       .measurement = sectors_per_read("n")},
  };
}
