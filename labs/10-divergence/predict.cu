// Lab 10, predict: fixed snippets. FILL IN: ask of what this lab teaches; these three ask of sectors.
#include "predict/device_array.h"
#include "predict/question.h"

using namespace simtlab::predict;

namespace {

// One warp reads floats that are `stride` apart, and writes them shifted by `offset`.
__global__ void move_strided(const float* from, float* to, int stride, int offset) {
  to[offset + threadIdx.x] = from[stride * threadIdx.x];
}

void move(int stride, int offset) {
  device_array<float> from("from", 1024), to("to", 64);
  move_strided<<<1, 32>>>(from.data(), to.data(), stride, offset);
}

}  // namespace

std::vector<question> define_questions() {
  return {
      {.name = "strided",
       .text = "A warp reads from[{stride} * threadIdx.x], floats (move_strided). How many sectors does this request touch?",
       .numbers = {{"stride", {2, 3, 4, 5, 6}}},
       .run = [](const drawn& n) { move(n["stride"], 0); },
       .measurement = sectors_per_read("from")},
      {.name = "written",
       .text = "A warp writes to[{offset} + threadIdx.x], floats (move_strided). How many sectors does this request touch?",
       .numbers = {{"offset", {1, 8, 3, 16, 5, 24}}},
       .run = [](const drawn& n) { move(1, n["offset"]); },
       .measurement = sectors_per_write("to")},
      {.name = "lines",
       .text = "A warp reads from[{stride} * threadIdx.x], floats (move_strided). How many lines of 128 bytes does this "
               "request touch?",
       .numbers = {{"stride", {4, 8, 16, 2, 32}}},
       .run = [](const drawn& n) { move(n["stride"], 0); },
       .measurement = lines_per_read("from")},
  };
}
