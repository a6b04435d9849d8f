// Lab 11, predict: fixed snippets about atomics. Read them, answer in predict.toml, then write your own kernels.
#include "predict/device_array.h"
#include "predict/question.h"

using namespace simtlab::predict;

namespace {

constexpr int lanes = 32;

// One warp; lane t increments counter t modulo `distinct`.
__global__ void increment(unsigned int* counters, int distinct) { atomicAdd(&counters[threadIdx.x % distinct], 1u); }

// Every block adds its `own` counters to the result, one a thread.
__global__ void merge(unsigned int* result) { atomicAdd(&result[threadIdx.x], 1u); }

// One warp reads bytes that are `apart` bytes apart.
__global__ void read_bytes(const unsigned char* bytes, unsigned char* out, int apart) {
  out[threadIdx.x] = bytes[threadIdx.x * apart];
}

double atomics_on(const simtlab::emulator::report& of, const char* variable) {
  std::uint64_t sum = 0;
  for (const auto& launch : of.launches)
    for (const auto& place : launch.accesses)
      if (place.kind == simtlab::emulator::access::atomic && place.variable == variable) sum += place.counters.lanes;
  return static_cast<double>(sum);
}

double contended_lanes(const simtlab::emulator::report& of) {
  for (const auto& launch : of.launches)
    for (const auto& place : launch.accesses)
      if (place.variable == "counters") return static_cast<double>(place.counters.same_address_lanes);
  return 0;
}

}  // namespace

std::vector<question> define_questions() {
  return {
      {.name = "contention",
       .text = "A warp increments counters[threadIdx.x % {distinct}] by atomicAdd (increment). How many lanes meet at "
               "the busiest counter?",
       .numbers = {{"distinct", {4, 1, 2, 8, 16, 32}}},
       .run =
           [](const drawn& n) {
             increment<<<1, lanes>>>(device_array<unsigned int>("counters", lanes).data(), n["distinct"]);
           },
       .measurement = contended_lanes},
      {.name = "merging",
       .text = "{blocks} blocks have counted 65536 bytes in private. Each adds its 256 counters to the result (merge). "
               "How many global atomics are that?",
       .numbers = {{"blocks", {16, 4, 8, 32, 64, 128, 256}}},
       .run = [](const drawn& n) { merge<<<n["blocks"], 256>>>(device_array<unsigned int>("result", 256).data()); },
       .measurement = [](const simtlab::emulator::report& r) { return atomics_on(r, "result"); }},
      {.name = "reading",
       .text = "A warp reads bytes[threadIdx.x * {apart}], single bytes, from an aligned address on (read_bytes). How "
               "many sectors of 32 bytes does this one request touch?",
       .numbers = {{"apart", {4, 1, 2, 8, 16, 32, 64}}},
       .run =
           [](const drawn& n) {
             device_array<unsigned char> bytes("bytes", lanes * 64), out("out", lanes);
             read_bytes<<<1, lanes>>>(bytes.data(), out.data(), n["apart"]);
           },
       .measurement = sectors_per_read("bytes")}};
}
