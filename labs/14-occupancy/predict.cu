// Lab 14, predict: fixed snippets about what fits on a multiprocessor. Read them, answer in predict.toml, then write your
// own kernel. What fits is worked out by CUDA's rules of occupancy from what was launched; registers limit nothing here.
#include "predict/device_array.h"
#include "predict/question.h"

using namespace simtlab::predict;
using simtlab::emulator::report;

namespace {

// A block of a tiled product: two tiles of floats, one value of each for each thread.
__global__ void load_two_tiles(float* out) {
  extern __shared__ float tiles[];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  tiles[t] = 1.0f;
  tiles[blockDim.x * blockDim.y + t] = 2.0f;
  out[t] = tiles[t] + tiles[blockDim.x * blockDim.y + t];
}

// Needs no shared memory.
__global__ void fill(float* out) { out[threadIdx.x] = 1.0f; }

// One thread of each block stores its block's number.
__global__ void number_blocks(int* out) {
  __shared__ int number;
  if (threadIdx.x == 0) number = blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 1) out[blockIdx.x] = number;
}

// Each lane adds to one of its own 16 counts, `steps` times, and neighbouring lanes to different ones.
__global__ void count_locally(int* out, int steps) {
  int mine[16] = {};
  for (int i = 0; i < steps; ++i) mine[(threadIdx.x + i * i) % 16] += i;
  int sum = 0;
  for (int k = 0; k < 16; ++k) sum += mine[k];
  out[threadIdx.x] = sum;
}

simtlab::emulator::occupancy on(const char* gpu, const report& r) {
  const auto& launch = r.launches.front();
  return simtlab::emulator::occupancy_of(
      *simtlab::emulator::find_gpu(gpu),
      {static_cast<unsigned>(launch.block.count()), launch.static_shared_bytes, launch.dynamic_shared_bytes});
}

}  // namespace

std::vector<question> define_questions() {
  return {
      {.name = "tiles",
       .text =
           "The lectures' multiprocessor holds 1,536 threads, 8 blocks and 16 KB of shared memory. A block has {width} "
           "x {width} threads and two tiles of {width} x {width} floats (load_two_tiles). How many blocks fit at once?",
       .numbers = {{"width", {16, 32, 8, 20, 24}}},
       .run =
           [](const drawn& n) {
             const int width = n["width"];
             device_array<float> out("out", width * width);
             load_two_tiles<<<1, dim3(width, width), 2 * width * width * sizeof(float)>>>(out.data());
           },
       .measurement = [](const report& r) { return double(on("lecture", r).blocks); }},
      {.name = "warps",
       .text =
           "A multiprocessor of an RTX 3090 holds 1,536 threads and 16 blocks. A block has {threads} threads and needs "
           "no shared memory (fill). How many warps are resident at once?",
       .numbers = {{"threads", {64, 32, 96, 200, 320, 448, 640, 1024}}},
       .run =
           [](const drawn& n) {
             device_array<float> out("out", n["threads"]);
             fill<<<1, n["threads"]>>>(out.data());
           },
       .measurement = [](const report& r) { return double(on("rtx3090", r).warps); }},
      {.name = "versions",
       .text = "A kernel declares one __shared__ variable and is launched with {blocks} blocks of 512 threads "
               "(number_blocks). How many versions of the variable come to be?",
       .numbers = {{"blocks", {1000, 200, 300, 500, 700}}},
       .run =
           [](const drawn& n) {
             device_array<int> out("out", n["blocks"]);
             number_blocks<<<n["blocks"], 512>>>(out.data());
           },
       .measurement = [](const report& r) { return double(writes_of(r, "number").lanes); }},
      {.name = "local",
       .text =
           "One warp adds to an array of 16 counts that each thread has for itself, {steps} times, at an index that "
           "differs between its lanes (count_locally). An addition reads 4 bytes and writes 4. How many bytes go to "
           "local memory and from there in these {steps} steps, all lanes together?",
       .numbers = {{"steps", {10, 20, 30, 40, 50}}},
       .run =
           [](const drawn& n) {
             device_array<int> out("out", 32);
             count_locally<<<1, 32>>>(out.data(), n["steps"]);
           },
       .measurement =
           [](const report& r) {
             double bytes = 0;
             for (const auto& a : r.launches.front().accesses) bytes += double(a.counters.indexed_bytes);
             return bytes;
           }},
  };
}
