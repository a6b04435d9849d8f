// Lab 05, predict: fixed snippets about bytes and borders. Read them, answer in predict.toml, then write your own kernel.
#include "predict/device_array.h"
#include "predict/question.h"

using namespace simtlab::predict;

namespace {

constexpr int lanes = 32, tile = 32;

// One warp; neighbouring lanes read bytes that are `distance` apart. The array begins at a multiple of 128 bytes.
__global__ void read_bytes(const unsigned char* bytes, int* out, int distance) {
  out[threadIdx.x] = bytes[threadIdx.x * distance];
}

// One warp; each lane adds up `radius` RGB pixels to its left and to its right, a byte of each. Byte 128 is lane 0's own.
__global__ void add_a_row_of_the_window(const unsigned char* bytes, int* out, int radius) {
  int sum = 0;
  for (int pixel = radius; pixel >= -radius; --pixel) sum += bytes[128 + threadIdx.x + 3 * pixel];
  out[threadIdx.x] = sum;
}

// A grey image of one row, one thread for each pixel; what lies outside of the row is not read.
__global__ void add_what_is_there(const unsigned char* bytes, int* out, int radius) {
  const int count = blockDim.x, own = threadIdx.x;
  int sum = 0;
  for (int at = own - radius; at <= own + radius; ++at)
    if (at >= 0 && at < count) sum += bytes[at];
  out[own] = sum;
}

// A block of 32 × 32 threads. Only those that are at least `margin` away from every edge of the block store.
__global__ void store_the_middle(int* out, int margin) {
  const int x = threadIdx.x, y = threadIdx.y;
  if (min(x, y) < margin || max(x, y) >= tile - margin) return;
  out[y * tile + x] = 1;
}

}  // namespace

std::vector<question> define_questions() {
  return {
      {.name = "distance",
       .text =
           "A warp reads bytes[threadIdx.x * {distance}], single bytes, from a multiple of 128 bytes on (read_bytes). "
           "How many sectors of 32 bytes does this one request touch?",
       .numbers = {{"distance", {3, 1, 2, 4, 5, 6, 8, 12, 16}}},
       .run =
           [](const drawn& n) {
             device_array<unsigned char> bytes("bytes", lanes * 16);
             read_bytes<<<1, lanes>>>(bytes.data(), device_array<int>("out", lanes).data(), n["distance"]);
           },
       .measurement = sectors_per_read("bytes")},
      {.name = "window",
       .text =
           "In an RGB image a warp adds up one row of the window, for radius {radius}: a byte of each pixel from "
           "{radius} to the left to {radius} to the right (add_a_row_of_the_window). Lane 0's own byte is the first "
           "of a sector. How many sectors do these 2 · {radius} + 1 requests touch together?",
       .numbers = {{"radius", {2, 1, 3, 4, 5, 6}}},
       .run =
           [](const drawn& n) {
             device_array<unsigned char> bytes("bytes", 320);
             add_a_row_of_the_window<<<1, lanes>>>(bytes.data(), device_array<int>("out", lanes).data(), n["radius"]);
           },
       .measurement =
           [](const simtlab::emulator::report& r) { return static_cast<double>(reads_of(r, "bytes").sectors); }},
      {.name = "idle",
       .text =
           "A grey image is one row of {width} pixels, and each of {width} threads adds up those from {radius} to its "
           "left to {radius} to its right; what lies outside is not read (add_what_is_there). In all requests to "
           "`bytes` together, how many times has a lane nothing to read?",
       .numbers = {{"width", {64, 96, 128, 160}}, {"radius", {3, 1, 2, 4, 5, 6}}},
       .run =
           [](const drawn& n) {
             device_array<unsigned char> bytes("bytes", 160);
             device_array<int> out("out", 160);
             add_what_is_there<<<1, n["width"]>>>(bytes.data(), out.data(), n["radius"]);
           },
       .measurement =
           [](const simtlab::emulator::report& r) {
             const auto reads = reads_of(r, "bytes");
             return static_cast<double>(lanes * reads.requests - reads.lanes);
           }},
      {.name = "middle",
       .text = "Each of the 32 × 32 threads of a block has loaded a byte, and those compute one that are at least "
               "{margin} away from every edge of the block (store_the_middle). How many threads store?",
       .numbers = {{"margin", {2, 1, 3, 4, 5, 6, 7}}},
       .run =
           [](const drawn& n) {
             device_array<int> out("out", tile * tile);
             store_the_middle<<<1, dim3(tile, tile)>>>(out.data(), n["margin"]);
           },
       .measurement =
           [](const simtlab::emulator::report& r) { return static_cast<double>(writes_of(r, "out").lanes); }},
  };
}
