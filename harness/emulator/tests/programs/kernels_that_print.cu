// printf, assert, malloc, new, memcpy, clock in kernels; recursion; the stack.
#include <assert.h>
#include <cstdio>
#include <cuda_runtime.h>
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
struct Particle {
  float x, y;
  __device__ Particle(float a) : x(a), y(-a) {}
  __device__ float sum() const { return x + 2 * y; }
};
__global__ void hello() {
  printf("Hello from block %d, thread %u of %d: %s %5.2f %c %%\n", blockIdx.x, threadIdx.x, (int)blockDim.x, "text",
         threadIdx.x * 1.5, 'x');
}
__global__ void allocates(int* out) {
  int* scratch = (int*)malloc(4 * sizeof(int));
  assert(scratch != NULL);
  memset(scratch, 0, 4 * sizeof(int));
  int local[4] = {1, 2, 3, (int)threadIdx.x};
  memcpy(scratch, local, sizeof(local));
  Particle* p = new Particle(3.0f);
  float* many = new float[8];
  for (int i = 0; i < 8; i++) many[i] = p->sum();
  out[threadIdx.x] = scratch[3] + (int)many[7] + fib(10);
  delete[] many;
  delete p;
  free(scratch);
}
__global__ void timed(clock_t* t, long long* u) {
  clock_t start = clock();
  long long start64 = clock64();
  *t = clock() - start;
  *u = clock64() - start64;
}
int main() {
  hello<<<2, 2>>>();
  cudaDeviceSynchronize();
  int *d, h[4];
  cudaMalloc(&d, sizeof h);
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 8 << 20);
  cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20);
  allocates<<<1, 4>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[3]);
  clock_t *t, ht;
  long long *u, hu;
  cudaMalloc(&t, sizeof ht);
  cudaMalloc(&u, sizeof hu);
  timed<<<1, 1>>>(t, u);
  cudaMemcpy(&ht, t, sizeof ht, cudaMemcpyDeviceToHost);
  cudaMemcpy(&hu, u, sizeof hu, cudaMemcpyDeviceToHost);
  printf("%d\n", ht >= 0 && hu >= 0);
  cudaFree(d), cudaFree(t), cudaFree(u);
  fflush(stdout);
  return 0;
}
