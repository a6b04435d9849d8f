// Lab 08, predict: fixed snippets about banks. Read them, answer in predict.toml, then write your own kernel.
#include "predict/device_array.h"
#include "predict/question.h"

using namespace simtlab::predict;

namespace {

constexpr int lanes = 32;

// One warp reads words that are `stride` apart.
__global__ void read_with_stride(float* out, int stride) {
  __shared__ float words[lanes * 64];
  for (int i = threadIdx.x; i < lanes * 64; i += lanes) words[i] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x * stride];
}

// One warp reads a column of a tile whose rows are `row` words long.
__global__ void read_column(float* out, int row) {
  extern __shared__ float tile[];
  for (int i = threadIdx.x; i < lanes * row; i += lanes) tile[i] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x * row + 3];
}

// One warp, in groups of `group` lanes: all lanes of a group read the same word, the groups read words 32 apart.
__global__ void read_in_groups(float* out, int group) {
  __shared__ float words[lanes * 32];
  for (int i = threadIdx.x; i < lanes * 32; i += lanes) words[i] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x / group * 32];
}

// One warp writes to global memory, neighbouring lanes `pitch` floats apart: the naive transpose.
__global__ void write_with_pitch(float* output, int pitch) { output[threadIdx.x * pitch] = 1.0f; }

}  // namespace

std::vector<question> define_questions() {
  return {
      {.name = "strided",
       .text =
           "A warp reads words[threadIdx.x * {stride}] from shared memory (read_with_stride). How many wavefronts does "
           "this one request take?",
       .numbers = {{"stride", {4, 2, 6, 8, 10, 12, 16, 20, 24, 28, 32, 40, 48}}},
       .run =
           [](const drawn& n) {
             read_with_stride<<<1, lanes>>>(device_array<float>("out", lanes).data(), n["stride"]);
           },
       .measurement = wavefronts_per_read("words")},
      {.name = "column",
       .text = "A tile in shared memory has rows of {row} floats. A warp reads one column of it, a row per lane "
               "(read_column). How many wavefronts does this one request take?",
       .numbers = {{"row", {36, 33, 34, 35, 38, 40, 44, 48, 37, 42}}},
       .run =
           [](const drawn& n) {
             device_array<float> out("out", lanes);
             read_column<<<1, lanes, lanes * n["row"] * sizeof(float)>>>(out.data(), n["row"]);
           },
       .measurement = wavefronts_per_read("tile")},
      {.name = "groups",
       .text = "A warp reads words[threadIdx.x / {group} * 32]: {group} lanes in a row ask for the same word, and the "
               "words "
               "are 32 apart (read_in_groups). How many wavefronts does this one request take?",
       .numbers = {{"group", {8, 2, 4, 16}}},
       .run =
           [](const drawn& n) { read_in_groups<<<1, lanes>>>(device_array<float>("out", lanes).data(), n["group"]); },
       .measurement = wavefronts_per_read("words")},
      {.name = "naive",
       .text =
           "The naive transpose: a warp writes output[threadIdx.x * {pitch}] to global memory, floats, from an aligned "
           "address on (write_with_pitch). How many sectors of 32 bytes does this one request touch?",
       .numbers = {{"pitch", {2, 3, 4, 5, 6, 7, 8, 12}}},
       .run =
           [](const drawn& n) {
             device_array<float> output("output", lanes * 16);
             write_with_pitch<<<1, lanes>>>(output.data(), n["pitch"]);
           },
       .measurement = sectors_per_write("output")},
  };
}
