// What launches of several shapes take. Prints the seconds of wall and of processor time per launch, the median of several batches
// behind a first one, each of which ends when its last kernel has.
//   launches SHAPE WORKERS [counters] [checks]
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "emulator.h"

namespace {

constexpr int batches = 7;

__global__ void empty() {}
__global__ void scale(float* values, float by, float plus) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = values[i] * by + plus;
}

struct shape {
  const char* name;
  int launches, blocks, threads;  ///< of a batch; of a launch
  std::size_t floats;             ///< of device memory, whose pages a launch opens and closes
  bool is_empty;
};
constexpr shape shapes[] = {{"empty", 500, 1, 1, 0, true},
                            {"empty-beside-memory", 500, 1, 1, 1 << 19, true},
                            {"few-threads", 500, 1, 32, 32, false},
                            {"many-blocks", 2, 4096, 128, 4096 * 128, false},
                            {"small", 500, 4, 64, 4 * 64, false}};

void run(const shape& s, float* values) {
  for (int i = 0; i < s.launches; ++i) {
    if (s.is_empty)
      empty<<<s.blocks, s.threads>>>();
    else
      scale<<<s.blocks, s.threads>>>(values, 0.5f, 1.0f);
  }
}

}  // namespace

int main(int words, char** word) {
  const std::string name = words < 3 ? "" : word[1];
  const auto found = std::find_if(std::begin(shapes), std::end(shapes), [&](const shape& s) { return s.name == name; });
  if (found == std::end(shapes)) {
    std::fprintf(stderr, "usage: launches SHAPE WORKERS [counters] [checks]; SHAPE is one of\n");
    for (const shape& s : shapes) std::fprintf(stderr, "  %s: %d x %d threads\n", s.name, s.blocks, s.threads);
    return 2;
  }
  simtlab::emulator::options options;
  options.workers = static_cast<unsigned>(std::atoi(word[2]));
  options.counters = options.checks = false;
  for (int i = 3; i < words; ++i) {
    options.counters |= std::strcmp(word[i], "counters") == 0;
    options.checks |= std::strcmp(word[i], "checks") == 0;
  }
  simtlab::emulator::configure(options);
  float* values = nullptr;
  if (found->floats != 0) {
    cudaMalloc(&values, found->floats * sizeof(float));
    cudaMemset(values, 0, found->floats * sizeof(float));
  }
  std::vector<double> wall, processor;
  for (int batch = 0; batch <= batches; ++batch) {
    const std::clock_t processor_begin = std::clock();
    const auto begin = std::chrono::steady_clock::now();
    run(*found, values);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    const double used = static_cast<double>(std::clock() - processor_begin) / CLOCKS_PER_SEC;
    if (batch == 0) continue;
    wall.push_back(took.count() / found->launches);
    processor.push_back(used / found->launches);
  }
  cudaFree(values);
  std::sort(wall.begin(), wall.end());
  std::sort(processor.begin(), processor.end());
  std::printf("%.9f %.9f\n", wall[batches / 2], processor[batches / 2]);
}
