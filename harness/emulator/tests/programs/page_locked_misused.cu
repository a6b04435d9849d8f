// What goes wrong with page-locked memory: host code that does not wait, ends that are passed, and what a kernel does not reach any more.
#include <cstdio>
#include <cstdlib>

__global__ void fill(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

int main() {
  const int n = 1024;
  const size_t bytes = n * sizeof(int);
  int *locked, *device;
  cudaMallocHost(&locked, bytes);
  cudaMalloc(&device, bytes);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  fill<<<4, 256, 0, stream>>>(device, n);
  cudaMemcpyAsync(locked, device, bytes, cudaMemcpyDeviceToHost, stream);
  std::printf("%d\n", locked[7]);  // the copy may not have come so far
  cudaStreamSynchronize(stream);
  std::printf("%d\n", locked[7]);
  cudaMemcpyAsync(device, locked, bytes, cudaMemcpyHostToDevice, stream);
  locked[8] = 0;  // the copy may not have read it
  cudaStreamSynchronize(stream);
  fill<<<4, 256, 0, stream>>>(locked, n);
  locked[9] += 1;  // nor may the kernel have stored it
  cudaStreamSynchronize(stream);
  int* other;
  cudaMallocAsync(&other, bytes, stream);
  fill<<<4, 256, 0, stream>>>(other, n);
  cudaMemcpyAsync(locked, other, bytes, cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(other, stream);  // waits for nothing
  std::printf("%d\n", locked[10]);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);

  locked[n] = 0;
  fill<<<5, 256>>>(locked, n + 1);
  cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(cudaFree(locked)));
  std::free(locked);
  cudaFreeHost(locked);
  locked[0] = 1;
  std::printf("%s\n", cudaGetErrorString(cudaFreeHost(locked)));
  std::printf("%s\n", cudaGetErrorString(cudaFreeHost(device)));

  int* const registered = new int[n];
  int* of_device = nullptr;
  const auto error_of = [](cudaError_t e) { return cudaGetErrorName(e); };
  std::printf("%s\n", error_of(cudaHostRegister(registered, bytes / 2, cudaHostRegisterMapped)));
  std::printf("%s\n", error_of(cudaHostRegister(registered, bytes / 2, cudaHostRegisterMapped)));
  std::printf("%s\n", error_of(cudaHostRegister(registered + n / 4, bytes / 2, cudaHostRegisterMapped)));
  std::printf("%s\n", error_of(cudaHostRegister(registered + n / 2, 64, 0x10)));
  std::printf("%s\n", error_of(cudaHostGetDevicePointer(&of_device, registered, 0)));
  std::printf("%s\n", error_of(cudaHostGetDevicePointer(&of_device, registered + n / 2, 0)));
  std::printf("%s\n", error_of(cudaHostGetDevicePointer(&of_device, device, 0)));
  cudaFree(device);
  fill<<<2, 256>>>(registered, n / 2);
  std::printf("%d\n", registered[11]);  // the kernel may not have stored it
  cudaDeviceSynchronize();
  fill<<<3, 256>>>(registered, n / 2 + 1);
  cudaDeviceSynchronize();
  std::printf("%s\n", error_of(cudaFree(registered)));
  std::printf("%s\n", error_of(cudaHostUnregister(registered + 1)));
  std::printf("%s\n", error_of(cudaHostUnregister(registered)));
  std::printf("%s\n", error_of(cudaHostUnregister(registered)));
  int* const freed = new int[n];
  cudaHostRegister(freed, bytes, cudaHostRegisterDefault);
  delete[] freed;
  std::printf("%s\n", error_of(cudaHostUnregister(freed)));
  fill<<<1, 32>>>(registered, 32);
  std::printf("%s\n", error_of(cudaDeviceSynchronize()));
  delete[] registered;
}
