// Lab 02, predict: fixed snippets about sectors. Read them, answer in predict.toml, then write your own kernels.
#include "predict/device_array.h"
#include "predict/question.h"

using namespace simtlab::predict;

namespace {

constexpr int lanes = 32;
constexpr int columns = 64;

// One warp reads the first column of a row-major matrix, a row per lane.
__global__ void read_column(const float* matrix, float* out, int cols) {
  out[threadIdx.x] = matrix[threadIdx.x * cols];
}

// One block of 32 threads, which is one warp, reads as many rows of a row-major matrix as it is high.
__global__ void read_rectangle(const float* matrix, float* out) {
  out[threadIdx.y * blockDim.x + threadIdx.x] = matrix[threadIdx.y * columns + threadIdx.x];
}

// A square block reads a tile as large as itself, whose first column is `left`.
__global__ void read_tile(const float* matrix, float* out, int left) {
  const int x = threadIdx.x, y = threadIdx.y;
  out[blockDim.x * y + x] = matrix[columns * y + left + x];
}

// One warp reads the first 32 elements of one row of a row-major matrix.
__global__ void read_row(const float* matrix, float* out, int row, int cols) {
  out[threadIdx.x] = matrix[row * cols + threadIdx.x];
}

// One warp; each thread reads `each` neighbouring elements, one after the other.
__global__ void read_pieces(const float* values, float* out, int each) {
  float sum = 0;
  for (int i = 0; i < each; ++i) sum += values[threadIdx.x * each + i];
  out[threadIdx.x] = sum;
}

}  // namespace

std::vector<question> define_questions() {
  return {
      {.name = "column",
       .text =
           "A row-major matrix of floats has {cols} columns and begins at the start of a sector (32 bytes). Lane t of "
           "a warp reads the first element of row t (read_column). How many sectors does this one request touch?",
       .numbers = {{"cols", {4, 2, 3, 5, 6, 7, 8, 12}}},
       .run =
           [](const drawn& n) {
             device_array<float> matrix("matrix", lanes * 12), out("out", lanes);
             read_column<<<1, lanes>>>(matrix.data(), out.data(), n["cols"]);
           },
       .measurement = sectors_per_read("matrix")},
      {.name = "rectangle",
       .text =
           "A block is {width} threads wide and 32 / {width} high: one warp. Thread (x, y) reads element (y, x) of a "
           "row-major matrix of floats with 64 columns (read_rectangle). How many sectors does this one request touch?",
       .numbers = {{"width", {4, 1, 2, 8, 16, 32}}},
       .run =
           [](const drawn& n) {
             device_array<float> matrix("matrix", lanes * columns), out("out", lanes);
             read_rectangle<<<1, dim3(n["width"], lanes / n["width"])>>>(matrix.data(), out.data());
           },
       .measurement = sectors_per_read("matrix")},
      {.name = "row",
       .text = "A row-major matrix has {cols} columns of floats. A warp reads the first 32 elements of row {row}, a "
               "neighbour per lane (read_row). How many sectors does this one request touch?",
       .numbers = {{"cols", {61, 64, 68, 71}}, {"row", {2, 1, 3, 4, 8}}},
       .run =
           [](const drawn& n) {
             device_array<float> matrix("matrix", 9 * 71), out("out", lanes);
             read_row<<<1, lanes>>>(matrix.data(), out.data(), n["row"], n["cols"]);
           },
       .measurement = sectors_per_read("matrix")},
      {.name = "pieces",
       .text = "Each of the 32 threads of a warp reads {each} neighbouring floats, one after the other: that is {each} "
               "requests (read_pieces). How many sectors do they touch, all requests added up?",
       .numbers = {{"each", {4, 2, 8, 16}}},
       .run =
           [](const drawn& n) {
             device_array<float> values("values", lanes * 16), out("out", lanes);
             read_pieces<<<1, lanes>>>(values.data(), out.data(), n["each"]);
           },
       .measurement =
           [](const simtlab::emulator::report& r) { return static_cast<double>(reads_of(r, "values").sectors); }},
      {.name = "bursts",
       .text =
           "Older GPUs fetch memory in bursts of 128 bytes, and a row of this matrix of 64 floats is two of them. A "
           "block of {width} × {width} threads reads a tile of as many floats, whose first column is {left} "
           "(read_tile). How many bursts do its requests take together?",
       .numbers = {{"width", {32, 16, 8}}, {"left", {0, 16, 24, 32}}},
       .run =
           [](const drawn& n) {
             device_array<float> matrix("matrix", lanes * columns), out("out", lanes * lanes);
             read_tile<<<1, dim3(n["width"], n["width"])>>>(matrix.data(), out.data(), n["left"]);
           },
       .measurement =
           [](const simtlab::emulator::report& r) { return static_cast<double>(reads_of(r, "matrix").lines); }},
  };
}
