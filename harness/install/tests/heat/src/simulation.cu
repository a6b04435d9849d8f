#include <heat/simulation.h>
#include <utility>
#include "check.cuh"
#include "device.cuh"
namespace heat {
struct simulation::state {
  extent size{};
  float *now = nullptr, *next = nullptr;
  double* total = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
};
simulation::simulation(extent size, const std::vector<float>& start, float rate) : state_(new state) {
  state_->size = size;
  CHECK(cudaStreamCreateWithFlags(&state_->stream, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&state_->begin));
  CHECK(cudaEventCreate(&state_->end));
  CHECK(cudaMalloc(&state_->now, size.cells() * sizeof(float)));
  CHECK(cudaMalloc(&state_->next, size.cells() * sizeof(float)));
  CHECK(cudaMallocManaged(&state_->total, sizeof(double)));
  set_rate(rate);
  CHECK(
      cudaMemcpyAsync(state_->now, start.data(), size.cells() * sizeof(float), cudaMemcpyHostToDevice, state_->stream));
}
simulation::~simulation() {
  cudaFree(state_->now);
  cudaFree(state_->next);
  cudaFree(state_->total);
  cudaEventDestroy(state_->begin);
  cudaEventDestroy(state_->end);
  cudaStreamDestroy(state_->stream);
}
void simulation::run(int steps) {
  CHECK(cudaEventRecord(state_->begin, state_->stream));
  for (int step = 0; step < steps; ++step) {
    launch_stencil(state_->now, state_->next, state_->size, state_->stream);
    std::swap(state_->now, state_->next);
  }
  launch_sum(state_->now, state_->size, state_->total, state_->stream);
  CHECK(cudaEventRecord(state_->end, state_->stream));
  CHECK(cudaStreamSynchronize(state_->stream));
}
std::vector<float> simulation::values() const {
  std::vector<float> out(state_->size.cells());
  CHECK(cudaMemcpy(out.data(), state_->now, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
  return out;
}
double simulation::total() const { return *state_->total; }
float simulation::milliseconds() const {
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, state_->begin, state_->end));
  return ms;
}
}  // namespace heat
