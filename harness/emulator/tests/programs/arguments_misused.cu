// Launches by arrays of arguments that lack one: the call says which, at its own line.
#include <cstdio>

__global__ void fill(int* a, int n) {
  if (static_cast<int>(threadIdx.x) < n) a[threadIdx.x] = n;
}
__global__ void nothing() {}

static void say(const char* what, cudaError_t error) { std::printf("%s: %s\n", what, cudaGetErrorName(error)); }

int main() {
  int *d, n = 8;
  cudaMalloc(&d, 32 * sizeof(int));
  void* whole[] = {&d, &n};
  void* part[] = {&d, nullptr};
  void* address = (void*)fill;
  say("all arguments", cudaLaunchKernel(address, dim3(1), dim3(32), whole, 0, nullptr));
  say("no array", cudaLaunchKernel(address, dim3(1), dim3(32), nullptr, 0, nullptr));
  say("no second argument", cudaLaunchKernel(address, dim3(1), dim3(32), part, 0, nullptr));
  say("no array, by name", cudaLaunchKernel(fill, dim3(1), dim3(32), nullptr, 0, nullptr));
  say("no parameters", cudaLaunchKernel(nothing, dim3(1), dim3(32), nullptr, 0, nullptr));
  cudaGetLastError();
  say("afterwards", cudaDeviceSynchronize());
  cudaFree(d);
}
