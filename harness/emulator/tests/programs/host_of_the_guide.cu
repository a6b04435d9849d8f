// Managed memory as CUDA's programming guide shows it: host code that has waited in one of the guide's ways, or looks for itself.
// Nothing is found.
#include <cstdio>
#include <thread>
#include <vector>

__global__ void a_plus_b(int* ret, int a, int b) { ret[threadIdx.x] = a + b + threadIdx.x; }
__global__ void ten(int* x) { *x = 10; }
__global__ void add_to_all(int* x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) ++x[i];
}
__global__ void add_with_the_host(int* sum) { atomicAdd_system(sum, 10); }
__global__ void raise(int* values, int* flag) {
  values[threadIdx.x] = threadIdx.x;
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch_system(flag, 1);
}
__global__ void raise_volatile(int* values, volatile int* flag) {
  *values = 7;
  __threadfence_system();
  *flag = 1;
}

__device__ __managed__ int ret[1000];
__device__ __managed__ int x, y = 2;

int main() {
  // A variable and an allocation, read after the whole device is done.
  a_plus_b<<<1, 1000>>>(ret, 10, 100);
  cudaDeviceSynchronize();
  std::printf("%d %d\n", ret[0], ret[999]);
  int* own;
  cudaMallocManaged(&own, 1000 * sizeof(int));
  a_plus_b<<<1, 1000>>>(own, 10, 100);
  int copy[1000];
  cudaMemcpy(copy, own, sizeof copy, cudaMemcpyDefault);  // waits for the default stream, and for the copy
  std::printf("%d %d\n", copy[999], own[999]);

  // y is no concern of the kernel's; concurrentManagedAccess lets the host touch it meanwhile.
  ten<<<1, 1>>>(&x);
  y = 20;
  cudaDeviceSynchronize();
  std::printf("%d\n", x + y);

  // Attached to a stream: the host waits for that stream alone.
  cudaStream_t one, two;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  cudaStreamAttachMemAsync(one, &x);
  cudaStreamAttachMemAsync(two, &y, 0, cudaMemAttachHost);
  cudaDeviceSynchronize();
  ten<<<1, 1, 0, one>>>(&x);
  y = 30;
  cudaStreamSynchronize(one);
  std::printf("%d\n", x + y);

  // A thread of the host for each stream, with memory of its own.
  std::vector<std::thread> threads;
  int sums[2] = {};
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&sums, t] {
      cudaStream_t stream;
      cudaStreamCreate(&stream);
      int* data;
      cudaMallocManaged(&data, 100 * sizeof(int), cudaMemAttachHost);
      cudaStreamAttachMemAsync(stream, data, 0, cudaMemAttachSingle);
      cudaStreamSynchronize(stream);
      for (int i = 0; i < 100; ++i) data[i] = i;
      add_to_all<<<1, 32, 0, stream>>>(data, 100);
      cudaStreamSynchronize(stream);
      for (int i = 0; i < 100; ++i) sums[t] += data[i];
      cudaFree(data);
      cudaStreamDestroy(stream);
    });
  for (std::thread& t : threads) t.join();
  std::printf("%d %d\n", sums[0], sums[1]);

  // Prefetched there and back in one stream, with advice.
  cudaMemAdvise(own, 1000 * sizeof(int), cudaMemAdviseSetReadMostly, 0);
  cudaMemPrefetchAsync(own, 1000 * sizeof(int), 0, one);
  add_to_all<<<1, 32, 0, one>>>(own, 1000);
  cudaMemPrefetchAsync(own, 1000 * sizeof(int), cudaCpuDeviceId, one);
  cudaStreamSynchronize(one);
  std::printf("%d\n", own[999]);

  // A stream waits for another one's event; the host waits for the second alone.
  cudaEvent_t event;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  add_to_all<<<1, 32, 0, one>>>(own, 1000);
  cudaEventRecord(event, one);
  cudaStreamWaitEvent(two, event, 0);
  ten<<<1, 1, 0, two>>>(&x);
  cudaStreamSynchronize(two);
  std::printf("%d %d\n", own[0], x);

  // The legacy default stream waits for the others, and a copy in it makes the host wait.
  add_to_all<<<1, 32, 0, one>>>(own, 1000);
  ten<<<1, 1>>>(&x);
  int result = 0;
  cudaMemcpy(&result, &x, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", own[0], result);

  // Each thread's default stream orders with the legacy one.
  add_to_all<<<1, 32, 0, cudaStreamPerThread>>>(own, 1000);
  add_to_all<<<1, 32>>>(own, 1000);
  add_to_all<<<1, 32, 0, cudaStreamPerThread>>>(own, 1000);
  cudaStreamSynchronize(cudaStreamPerThread);
  std::printf("%d\n", own[0]);

  // Both sides add atomically, and neither waits.
  int* sum;
  cudaMallocManaged(&sum, sizeof(int));
  *sum = 0;
  add_with_the_host<<<1, 64>>>(sum);
  __sync_fetch_and_add(sum, 10);
  cudaDeviceSynchronize();
  std::printf("%d\n", *sum);

  // Host code that waits for a flag knows what came before it.
  *sum = 0;
  raise<<<1, 32>>>(own, sum);
  while (__atomic_load_n(sum, __ATOMIC_ACQUIRE) == 0) {
  }
  std::printf("%d\n", own[31]);
  *sum = 0;
  raise_volatile<<<1, 1>>>(own, sum);
  while (*static_cast<volatile int*>(sum) == 0) {
  }
  std::printf("%d\n", own[0]);
  *sum = 0;
  raise<<<1, 32, 0, two>>>(own, sum);
  while (__sync_fetch_and_add(sum, 0) == 0) {
  }
  std::printf("%d\n", own[31]);

  cudaEventDestroy(event);
  cudaStreamDestroy(one);
  cudaStreamDestroy(two);
  cudaFree(sum);
  cudaFree(own);
}
