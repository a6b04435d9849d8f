// Lab 04, predict: fixed snippets about threads and elements in two dimensions. Read them, answer in predict.toml, then
// write your own kernel.
#include "predict/device_array.h"
#include "predict/question.h"

using namespace simtlab::predict;

namespace {

constexpr int side = 64;  // rows and columns of the square matrices here
int owner = 0;            // of the element that the last snippet asked for

// A thread for each element of a matrix with `width` columns; blocks of 16 × 16 cover it.
__global__ void fill(float* matrix, int width, int height) {
  const int x = blockIdx.x * 16 + threadIdx.x;
  const int y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) matrix[y * width + x] = 1.0f;
}

// The same grid: each thread leaves its number in its block, 0 to 255, in the element that it owns.
__global__ void sign(int* matrix, int width, int height) {
  const int x = blockIdx.x * 16 + threadIdx.x;
  const int y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) matrix[y * width + x] = threadIdx.y * 16 + threadIdx.x;
}

// One step of a product, x along the columns: each thread reads its row's element of `left` and its column's of `right`.
__global__ void step_along_columns(const float* left, const float* right, float* out, int step) {
  const int x = threadIdx.x, y = threadIdx.y;
  out[y * side + x] = left[y * side + step] + right[step * side + x];
}

// The same step with x along the rows.
__global__ void step_along_rows(const float* left, const float* right, float* out, int step) {
  const int x = threadIdx.x, y = threadIdx.y;
  out[x * side + y] = left[x * side + step] + right[step * side + y];
}

// Blocks of 16 × 16 threads. Each thread walks `steps` elements of two arrays, as a product without tiles does.
__global__ void walk(const float* left, const float* right, float* out, int steps) {
  int s = steps;
  float largest = 0;
  while (--s >= 0) largest = fmaxf(largest, left[threadIdx.y * side + s] - right[s * side + threadIdx.x]);
  out[(blockIdx.x * 16 + threadIdx.y) * 16 + threadIdx.x] = largest;
}

int blocks_for(int elements) { return (elements + 15) / 16; }

}  // namespace

std::vector<question> define_questions() {
  constexpr std::size_t elements = std::size_t{side} * side;
  return {
      {.name = "idle",
       .text = "A matrix has {height} rows and {width} columns, and blocks of 16 × 16 threads cover it, a thread for "
               "each element (fill). How many threads of the grid have no element?",
       .numbers = {{"height", {30, 20, 33, 40, 47}}, {"width", {50, 17, 35, 60, 70}}},
       .run =
           [](const drawn& n) {
             device_array<float> matrix("matrix", static_cast<std::size_t>(n["height"]) * n["width"]);
             fill<<<dim3(blocks_for(n["width"]), blocks_for(n["height"])), dim3(16, 16)>>>(matrix.data(), n["width"],
                                                                                           n["height"]);
           },
       .measurement =
           [](const simtlab::emulator::report& r) {
             const auto& grid = r.launches.at(0).grid;
             return 256.0 * grid.x * grid.y - static_cast<double>(writes_of(r, "matrix").lanes);
           }},
      {.name = "owner",
       .text =
           "The same blocks cover a matrix of 60 rows and {width} columns; threads of a block are numbered "
           "threadIdx.y * 16 + threadIdx.x (sign). What is the number of the thread that owns the element in row {row} "
           "and column {col}?",
       .numbers = {{"width", {50, 40, 61}}, {"row", {37, 18, 25, 30, 59}}, {"col", {20, 16, 19, 33, 39}}},
       .run =
           [](const drawn& n) {
             const int width = n["width"], height = 60;
             device_array<int> matrix("matrix", static_cast<std::size_t>(height) * width);
             sign<<<dim3(blocks_for(width), blocks_for(height)), dim3(16, 16)>>>(matrix.data(), width, height);
             cudaMemcpy(&owner, matrix.data() + n["row"] * width + n["col"], sizeof owner, cudaMemcpyDeviceToHost);
           },
       .measurement = [](const simtlab::emulator::report&) { return static_cast<double>(owner); }},
      {.name = "step",
       .text =
           "In one step of a product the threads of a block {width} wide and 32 high read left[y * 64 + step] and "
           "right[step * 64 + x] (step_along_columns). How many sectors of 32 bytes do the two requests of one warp "
           "touch together?",
       .numbers = {{"width", {16, 2, 4, 32}}},
       .run =
           [](const drawn& n) {
             device_array<float> left("left", elements), right("right", elements), out("out", elements);
             step_along_columns<<<1, dim3(n["width"], 32)>>>(left.data(), right.data(), out.data(), 5);
           },
       .measurement =
           [](const simtlab::emulator::report& r) {
             const auto left = reads_of(r, "left"), right = reads_of(r, "right");
             return static_cast<double>(left.sectors + right.sectors) / static_cast<double>(left.requests);
           }},
      {.name = "exchanged",
       .text =
           "The same with the indices exchanged: left[x * 64 + step] and right[step * 64 + y] (step_along_rows), in "
           "a block {width} wide and 32 high. How many sectors do the two requests of one warp touch together?",
       .numbers = {{"width", {16, 4, 8, 32}}},
       .run =
           [](const drawn& n) {
             device_array<float> left("left", elements), right("right", elements), out("out", elements);
             step_along_rows<<<1, dim3(n["width"], 32)>>>(left.data(), right.data(), out.data(), 5);
           },
       .measurement =
           [](const simtlab::emulator::report& r) {
             const auto left = reads_of(r, "left"), right = reads_of(r, "right");
             return static_cast<double>(left.sectors + right.sectors) / static_cast<double>(left.requests);
           }},
      {.name = "asked",
       .text =
           "{blocks} blocks of 16 × 16 threads; each thread makes {steps} steps and reads one float of each operand "
           "in a step, as a product without tiles does (walk). How many bytes do all threads ask for together?",
       .numbers = {{"blocks", {4, 2, 3, 5, 6}}, {"steps", {20, 10, 30, 40, 50}}},
       .run =
           [](const drawn& n) {
             device_array<float> left("left", elements), right("right", elements),
                 out("out", static_cast<std::size_t>(n["blocks"]) * 256);
             walk<<<n["blocks"], dim3(16, 16)>>>(left.data(), right.data(), out.data(), n["steps"]);
           },
       .measurement =
           [](const simtlab::emulator::report& r) {
             return static_cast<double>(reads_of(r, "left").bytes + reads_of(r, "right").bytes);
           }},
  };
}
