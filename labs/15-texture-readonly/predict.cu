// Lab 15, predict: fixed snippets about what a texture unit answers. Read them, answer in predict.toml, then write your own
// kernel.
#include "predict/device_array.h"
#include "predict/question.h"

using namespace simtlab::predict;

namespace {

constexpr int texels = 8;
float fetched = 0;  // by the last snippet

__global__ void fetch_row(cudaTextureObject_t row, float x, float* out) { *out = tex2D<float>(row, x, 0.5f); }

// One row of 8 texels, of which texel i holds step * i, fetched at x.
void fetch(float step, float x, cudaTextureAddressMode mode, cudaTextureFilterMode filter, bool normalised) {
  float values[texels];
  for (int i = 0; i < texels; ++i) values[i] = step * i;
  device_array<float> image("image", texels), out("out", 1);
  cudaMemcpy(image.data(), values, sizeof(values), cudaMemcpyHostToDevice);
  cudaResourceDesc rows = {};
  rows.resType = cudaResourceTypePitch2D;
  rows.res.pitch2D = {image.data(), cudaCreateChannelDesc<float>(), texels, 1, sizeof(values)};
  cudaTextureDesc reading = {};
  reading.addressMode[0] = reading.addressMode[1] = mode;
  reading.filterMode = filter;
  reading.normalizedCoords = normalised;
  cudaTextureObject_t row = 0;
  cudaCreateTextureObject(&row, &rows, &reading, nullptr);
  fetch_row<<<1, 1>>>(row, x, out.data());
  cudaMemcpy(&fetched, out.data(), sizeof(fetched), cudaMemcpyDeviceToHost);
  cudaDestroyTextureObject(row);
}

double value_fetched(const simtlab::emulator::report&) { return fetched; }

}  // namespace

std::vector<question> define_questions() {
  return {
      {.name = "between",
       .text =
           "A row of 8 texels, texel i holds 100 · i. The filter is linear, the address mode clamp, coordinates count "
           "texels. Which value does a fetch at x = {quarters} / 4 give (fetch_row)?",
       .numbers = {{"quarters", {9, 1, 5, 7, 11, 13, 15, 31, 34}}},
       .run =
           [](const drawn& n) { fetch(100, n["quarters"] / 4.0f, cudaAddressModeClamp, cudaFilterModeLinear, false); },
       .measurement = value_fetched},
      {.name = "wrapped",
       .text =
           "The same row with the point filter, normalised coordinates and the address mode wrap. Which value does a "
           "fetch at x = {sixteenths} / 16 give (fetch_row)?",
       .numbers = {{"sixteenths", {19, -3, -7, 23, 27, 37, -13}}},
       .run =
           [](const drawn& n) { fetch(100, n["sixteenths"] / 16.0f, cudaAddressModeWrap, cudaFilterModePoint, true); },
       .measurement = value_fetched},
      {.name = "mirrored",
       .text =
           "The same with the address mode mirror. Which value does a fetch at x = {sixteenths} / 16 give (fetch_row)?",
       .numbers = {{"sixteenths", {19, -3, -7, 23, 27, 37, -13}}},
       .run =
           [](const drawn& n) {
             fetch(100, n["sixteenths"] / 16.0f, cudaAddressModeMirror, cudaFilterModePoint, true);
           },
       .measurement = value_fetched},
      {.name = "weight",
       .text = "Texel i of the row holds 25600 · i, the filter is linear, coordinates count texels. The weight of a "
               "texel has "
               "8 bits of fraction. Which value does a fetch at x = 0.5 + {n} / 1024 give (fetch_row)?",
       .numbers = {{"n", {5, 7, 9, 11, 13, 15, 17, 19}}},
       .run =
           [](const drawn& n) {
             fetch(25600, 0.5f + n["n"] / 1024.0f, cudaAddressModeClamp, cudaFilterModeLinear, false);
           },
       .measurement = value_fetched},
  };
}
