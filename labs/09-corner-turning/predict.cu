// Lab 09, predict: fixed snippets about columns in memory and in a tile. Read them, answer in predict.toml, then write your
// own kernel.
#include "predict/device_array.h"
#include "predict/question.h"

using namespace simtlab::predict;

namespace {

constexpr int side = 64;  // rows and columns of the matrices here, which are stored column after column

// Each thread reads the element in row threadIdx.y and column threadIdx.x.
__global__ void read_own_column(const float* matrix, float* out) {
  out[threadIdx.y * side + threadIdx.x] = matrix[threadIdx.x * side + threadIdx.y];
}

// Each thread reads the element in row threadIdx.x and column threadIdx.y.
__global__ void read_along_columns(const float* matrix, float* out) {
  out[threadIdx.y * side + threadIdx.x] = matrix[threadIdx.y * side + threadIdx.x];
}

// A block 16 wide and 16 high stores down the columns of a tile whose rows are `row` words long.
__global__ void store_down(float* out, int row) {
  extern __shared__ float tile[];
  tile[threadIdx.x * row + threadIdx.y] = 1.0f;
  __syncthreads();
  out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.y * row + threadIdx.x];
}

}  // namespace

std::vector<question> define_questions() {
  constexpr std::size_t elements = std::size_t{side} * side;
  return {
      {.name = "own",
       .text =
           "A matrix is stored column after column, 64 floats each. A block {width} wide and 32 high reads it, each "
           "thread the element in row threadIdx.y and column threadIdx.x (read_own_column). How many sectors does "
           "one warp's request touch?",
       .numbers = {{"width", {16, 4, 8, 32}}},
       .run =
           [](const drawn& n) {
             device_array<float> matrix("matrix", elements), out("out", elements);
             read_own_column<<<1, dim3(n["width"], 32)>>>(matrix.data(), out.data());
           },
       .measurement = sectors_per_read("matrix")},
      {.name = "along",
       .text =
           "A block {width} wide and 32 high, with row and column exchanged: each thread reads the element "
           "in row threadIdx.x and column threadIdx.y (read_along_columns). How many sectors do all requests of the "
           "block touch together?",
       .numbers = {{"width", {16, 8, 24, 32}}},
       .run =
           [](const drawn& n) {
             device_array<float> matrix("matrix", elements), out("out", elements);
             read_along_columns<<<1, dim3(n["width"], 32)>>>(matrix.data(), out.data());
           },
       .measurement =
           [](const simtlab::emulator::report& r) { return static_cast<double>(reads_of(r, "matrix").sectors); }},
      {.name = "down",
       .text = "A block of 16 × 16 threads stores into tile[threadIdx.x * {row} + threadIdx.y] in shared memory "
               "(store_down). How many wavefronts does one warp's request take?",
       .numbers = {{"row", {16, 17, 18, 20, 24}}},
       .run =
           [](const drawn& n) {
             device_array<float> out("out", 256);
             store_down<<<1, dim3(16, 16), 16 * n["row"] * sizeof(float)>>>(out.data(), n["row"]);
           },
       .measurement = wavefronts_per_write("tile")},
  };
}
