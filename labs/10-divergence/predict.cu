// Lab 10, predict: fixed snippets about warps that part. Read them, answer in predict.toml, then write your own kernel.
#include "predict/device_array.h"
#include "predict/question.h"

using namespace simtlab::predict;

namespace {

constexpr int threads = 256;

// A warp of which some lanes store to `yes` and others to `no` makes two requests, any other warp one.
__global__ void in_stripes(int stripe, float* yes, float* no) {
  if (threadIdx.x / stripe % 2 == 0)
    yes[threadIdx.x] = 1.0f;
  else
    no[threadIdx.x] = 1.0f;
}

__global__ void left_columns(int columns, float* yes, float* no) {
  const int x = threadIdx.x, mine = threadIdx.y * blockDim.x + x;
  if (x < columns)
    yes[mine] = 1.0f;
  else
    no[mine] = 1.0f;
}

// One step of a tree: threads at multiples of twice the stride work.
__global__ void tree_step(int stride, float* yes, float* no) {
  if (threadIdx.x % (2 * stride) == 0)
    yes[threadIdx.x] = 1.0f;
  else
    no[threadIdx.x] = 1.0f;
}

// A block of 32 × 32 threads loads its tile of a matrix of rows × cols; (top, left) is the tile's first element.
__global__ void load_tile(int top, int left, int rows, int cols, float* yes, float* no) {
  const int x = threadIdx.x, y = threadIdx.y, mine = y * 32 + x;
  if (y + top < rows && x + left < cols)
    yes[mine] = 1.0f;  // here a product loads the element,
  else
    no[mine] = 1.0f;  // and here it puts a zero into the tile
}

// How many warps diverge: requests beyond one a warp.
double divergent_warps(const simtlab::emulator::report& of) {
  std::uint64_t requests = 0, warps = 0;
  for (const auto& launch : of.launches) {
    warps += launch.block.x * launch.block.y * launch.block.z / 32;
    for (const auto& place : launch.accesses) requests += place.counters.requests;
  }
  return static_cast<double>(requests) - static_cast<double>(warps);
}

void run_tile(int top, int left, int rows, int cols) {
  device_array<float> yes("yes", 1024), no("no", 1024);
  load_tile<<<1, dim3(32, 32)>>>(top, left, rows, cols, yes.data(), no.data());
}

}  // namespace

std::vector<question> define_questions() {
  return {
      {.name = "stripes",
       .text = "A block of 256 threads comes to `if (threadIdx.x / {stripe} % 2 == 0)` (in_stripes). How many of its 8 "
               "warps diverge?",
       .numbers = {{"stripe", {48, 16, 40, 64, 80, 100, 112}}},
       .run =
           [](const drawn& n) {
             device_array<float> yes("yes", threads), no("no", threads);
             in_stripes<<<1, threads>>>(n["stripe"], yes.data(), no.data());
           },
       .measurement = divergent_warps},
      {.name = "columns",
       .text =
           "A block of {width} × {height} threads (x × y) comes to `if (threadIdx.x < 20)` (left_columns). How many "
           "of its warps diverge?",
       .numbers = {{"width", {64, 32, 128}}, {"height", {2, 4, 6, 8}}},
       .run =
           [](const drawn& n) {
             device_array<float> yes("yes", 1024), no("no", 1024);
             left_columns<<<1, dim3(n["width"], n["height"])>>>(20, yes.data(), no.data());
           },
       .measurement = divergent_warps},
      {.name = "interleaved",
       .text = "A block of {block} threads is in the step of an interleaved tree in which a thread works if "
               "threadIdx.x % (2 * {stride}) == 0 (tree_step). How many of its warps diverge?",
       .numbers = {{"block", {256, 128, 512, 1024}}, {"stride", {2, 4, 8, 32, 64}}},
       .run =
           [](const drawn& n) {
             device_array<float> yes("yes", 1024), no("no", 1024);
             tree_step<<<1, n["block"]>>>(n["stride"], yes.data(), no.data());
           },
       .measurement = divergent_warps},
      {.name = "right_edge",
       .text = "A tiled product, tiles of 32 × 32. M has 1000 rows and {cols} columns; all rows of the block exist, "
               "and its "
               "last tile of M begins at column 992 (load_tile). How many of the block's 32 warps diverge when they "
               "load it?",
       .numbers = {{"cols", {1000, 1024, 1001, 1023}}},
       .run = [](const drawn& n) { run_tile(0, 992, 1000, n["cols"]); },
       .measurement = divergent_warps},
      {.name = "bottom_row",
       .text =
           "The same for a matrix M of {size} rows and 1000 columns, in the bottom row of blocks: the first row of the "
           "tile is the last multiple of 32 below {size}, and its first column is 992 (load_tile). How many of the "
           "32 warps diverge?",
       .numbers = {{"size", {1000, 500, 700, 900, 1013}}},
       .run = [](const drawn& n) { run_tile((n["size"] - 1) / 32 * 32, 992, n["size"], 1000); },
       .measurement = divergent_warps},
  };
}
