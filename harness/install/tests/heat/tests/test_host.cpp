#include <cuda_runtime.h>
#include <heat/checksum.h>
#include <heat/grid.h>
#include <thread>
int main() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count < 1) return 1;
  unsigned sum = 0;
  std::thread([&] { sum = heat_checksum("abc", 3); }).join();
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 2;
  return sum == 440920331u && heat::hot_edge({2, 2}, 1)[0] == 1.0F && properties.warpSize == 32 ? 0 : 3;
}
