// Memory pools, copies between peers, and other calls that set nothing in motion on one GPU.
#include <cstdint>
#include <cstdio>
#include <cstring>

extern "C" __global__ void fill(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

void launch(const void* kernel, void** arguments) {
  cudaLaunchKernel(kernel, dim3(4), dim3(256), arguments, 0, nullptr);
}

int main() {
  const int n = 1000;
  const size_t bytes = n * sizeof(int);
  int supported = 0, last = 0;
  cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemPool_t pool, own;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  std::uint64_t threshold = UINT64_MAX, told = 0;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &told);
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 0;
  std::printf("pools: %d, %d, %s\n", supported, told == threshold,
              cudaGetErrorName(cudaMemPoolCreate(&own, &properties)));
  int *x, *y;
  cudaMallocAsync(&x, bytes, stream);
  cudaMallocFromPoolAsync(&y, bytes, own, stream);
  fill<<<4, 256, 0, stream>>>(x, n);
  cudaMemcpyPeerAsync(y, 0, x, 0, bytes, stream);
  cudaMemcpyAsync(&last, y + n - 1, sizeof last, cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(x, stream);
  cudaFreeAsync(y, stream);
  cudaStreamSynchronize(stream);
  cudaMemPoolTrimTo(own, 0);
  std::printf("%d, %s\n", last, cudaGetErrorName(cudaMemPoolDestroy(own)));

  // What a pool has in use, what it keeps, and the most of both; a whole number of pieces is reserved.
  const auto told_of = [](cudaMemPool_t of, const char* when) {
    std::uint64_t now = 0, most = 0, kept = 0, most_kept = 0;
    cudaMemPoolGetAttribute(of, cudaMemPoolAttrUsedMemCurrent, &now);
    cudaMemPoolGetAttribute(of, cudaMemPoolAttrUsedMemHigh, &most);
    cudaMemPoolGetAttribute(of, cudaMemPoolAttrReservedMemCurrent, &kept);
    cudaMemPoolGetAttribute(of, cudaMemPoolAttrReservedMemHigh, &most_kept);
    std::printf("%s: %d and at most %d bytes, %d and at most %d MiB kept\n", when, static_cast<int>(now),
                static_cast<int>(most), static_cast<int>(kept >> 20), static_cast<int>(most_kept >> 20));
  };
  cudaMemPoolCreate(&own, &properties);
  told_of(own, "new");
  cudaMallocFromPoolAsync(&x, bytes, own, stream);
  cudaMallocFromPoolAsync(&y, 40 << 20, own, stream);
  cudaFreeAsync(y, stream);
  told_of(own, "one is freed");
  cudaStreamSynchronize(stream);
  told_of(own, "waited for");
  std::uint64_t none = 0, one = 1;
  std::printf("%s, %s, ", cudaGetErrorName(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &one)),
              cudaGetErrorName(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &none)));
  std::printf("%s\n", cudaGetErrorName(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &none)));
  cudaMemPoolSetAttribute(own, cudaMemPoolAttrReservedMemHigh, &none);
  cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &threshold);
  cudaFreeAsync(x, stream);
  cudaStreamSynchronize(stream);
  told_of(own, "threshold");
  cudaMemPoolTrimTo(own, 0);
  told_of(own, "trimmed");
  cudaDeviceSetMemPool(0, own);
  cudaMallocAsync(&x, 100, stream);
  cudaMalloc(&y, 1000);
  told_of(own, "the device's");
  told_of(pool, "another");
  cudaDeviceSetMemPool(0, pool);
  cudaFreeAsync(x, stream);
  cudaFree(y);
  cudaMemPoolDestroy(own);

  cudaMalloc(&x, bytes);
  int count = n;
  void* arguments[] = {&x, &count};
  launch((const void*)fill, arguments);  // whose type is lost on the way
  cudaStreamSynchronize(0);
  cudaMemset2DAsync(x, 100 * sizeof(int), 0, 50 * sizeof(int), 10, stream);
  cudaDeviceSynchronize();
  int values[3];
  cudaMemcpy(&values[0], x + 49, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&values[1], x + 50, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&values[2], x + 999, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d, %d, %d\n", values[0], values[1], values[2]);
  unsigned flags = 0;
  int number = -1;
  cudaStreamGetFlags(stream, &flags);
  cudaSetDeviceFlags(cudaDeviceBlockingSync | cudaDeviceMapHost);
  char id[32];
  cudaDeviceGetPCIBusId(id, sizeof id, 0);
  cudaDeviceGetByPCIBusId(&number, id);
  std::printf("%d, %zu, %d, %s\n", flags == cudaStreamNonBlocking, std::strlen(id), number,
              cudaGetErrorName(cudaDeviceDisablePeerAccess(0)));
  cudaGetLastError();
  cudaStreamDestroy(stream);
  int least = 0, greatest = 0;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  std::printf("priorities from %d to %d:", least, greatest);
  for (const int asked : {-100, -3, 0, 7}) {
    int got = 77;
    cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, asked);
    cudaStreamGetPriority(stream, &got);
    std::printf(" %d is %d", asked, got);
    cudaStreamDestroy(stream);
  }
  cudaStreamGetPriority(0, &least);
  std::printf(", the default stream has %d\n", least);
  cudaFree(x);
}
