// Lab 12, predict: fixed snippets about lanes. Read them, answer in predict.toml, then write your own kernels.
#include "predict/device_array.h"
#include "predict/question.h"

using namespace simtlab::predict;

namespace {

constexpr int lanes = 32;
constexpr unsigned int everybody = 0xffffffff;

// Lane `start` gets the number of the lane `distance` above it. Lane 0 learns it and stores that many elements, to be counted.
__global__ void ask_above(float* out, int start, int distance) {
  const int got = __shfl_down_sync(everybody, static_cast<int>(threadIdx.x), distance);
  const int asked = __shfl_sync(everybody, got, start);
  if (threadIdx.x == 0)
    for (int i = 0; i < asked; ++i) out[i] = 1.0f;
}

// Exchanges values over twice the distance each time, from 1 up to `width` / 2.
__global__ void exchange(float* out, int width) {
  float x = 1.0f;
  int distance = 1;
  while (distance < width) {
    x += __shfl_xor_sync(everybody, x, distance);
    distance = distance + distance;
  }
  out[threadIdx.x] = x;
}

// The lanes for which the vote of the warp says yes, and only those, store.
__global__ void vote(float* out, int step) {
  const unsigned int yes = __ballot_sync(everybody, threadIdx.x % step == 0);
  if (yes >> threadIdx.x & 1) out[threadIdx.x] = 1.0f;
}

// A tree in shared memory over `blockDim.x` elements.
__global__ void add_by_tree(float* out) {
  __shared__ float part[512];
  const int t = threadIdx.x;
  part[t] = 1.0f;
  int half = blockDim.x;
  while (half > 1) {
    half = half / 2;
    __syncthreads();
    if (half > t) part[t] = part[t + half] + part[t];
  }
  if (t == 0) out[0] = part[0];
}

double exchanges_in(const simtlab::emulator::report& of) {
  std::uint64_t sum = 0;
  for (const auto& launch : of.launches) sum += launch.warp_value_primitives;
  return static_cast<double>(sum);
}

}  // namespace

std::vector<question> define_questions() {
  return {
      {.name = "from_above",
       .text = "Each lane of a warp brings its lane number, 0 to 31, as x and calls "
               "__shfl_down_sync(0xffffffff, x, {distance}). Which number does lane {lane} get (ask_above)?",
       .numbers = {{"distance", {4, 1, 2, 8, 16}}, {"lane", {29, 3, 10, 20, 30, 31}}},
       .run =
           [](const drawn& n) {
             ask_above<<<1, lanes>>>(device_array<float>("out", lanes).data(), n["lane"], n["distance"]);
           },
       .measurement =
           [](const simtlab::emulator::report& r) { return static_cast<double>(writes_of(r, "out").lanes); }},
      {.name = "steps",
       .text = "A warp adds up {width} neighbouring lanes by __shfl_xor_sync, over distances 1, 2, … {width} / 2 "
               "(exchange). "
               "How many shuffles does the warp execute?",
       .numbers = {{"width", {16, 2, 4, 8, 32}}},
       .run = [](const drawn& n) { exchange<<<1, lanes>>>(device_array<float>("out", lanes).data(), n["width"]); },
       .measurement = exchanges_in},
      {.name = "ballot",
       .text = "A warp calls __ballot_sync(0xffffffff, threadIdx.x % {step} == 0) (vote). How many bits of the result "
               "are set?",
       .numbers = {{"step", {3, 2, 4, 5, 6, 7, 9, 11}}},
       .run = [](const drawn& n) { vote<<<1, lanes>>>(device_array<float>("out", lanes).data(), n["step"]); },
       .measurement =
           [](const simtlab::emulator::report& r) { return static_cast<double>(writes_of(r, "out").lanes); }},
      {.name = "tree",
       .text = "A block of {threads} threads adds up by a tree in shared memory (add_by_tree). How many requests to "
               "`part` are writes, the first one of every warp included?",
       .numbers = {{"threads", {128, 32, 64, 256, 512}}},
       .run = [](const drawn& n) { add_by_tree<<<1, n["threads"]>>>(device_array<float>("out", 1).data()); },
       .measurement =
           [](const simtlab::emulator::report& r) { return static_cast<double>(writes_of(r, "part").requests); }}};
}
