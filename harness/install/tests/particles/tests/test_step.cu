// Reads a variable and calls a function of other files' device code.
#include <cmath>

#include "check.cuh"
#include "device.cuh"

__global__ void ask(const particle* all, int count, float* answer) { *answer = force(all, count, 0); }

int main() {
  set_stiffness(3.0f);
  if (stiffness() != 3.0f) return 1;
  const particle on_host[3] = {{0, 0, 1}, {1, 0, 1}, {5, 0, 1}};
  particle* particles = nullptr;
  float *answer = nullptr, result = 0;
  CHECK(cudaMalloc(&particles, sizeof on_host));
  CHECK(cudaMalloc(&answer, sizeof(float)));
  CHECK(cudaMemcpy(particles, on_host, sizeof on_host, cudaMemcpyHostToDevice));
  ask<<<1, 1>>>(particles, 3, answer);
  CHECK(cudaMemcpy(&result, answer, sizeof result, cudaMemcpyDeviceToHost));
  unsigned int evaluations = 0;
  CHECK(cudaMemcpyFromSymbol(&evaluations, force_evaluations, sizeof evaluations));
  CHECK(cudaFree(particles));
  CHECK(cudaFree(answer));
  std::printf("force %g, evaluations %u\n", result, evaluations);
  return result == 18.0f && evaluations == 1 ? 0 : 1;
}
