// Copies and kernels in several streams, pinned memory, events.
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <chrono>
#include <cuda_runtime.h>

static inline void checkLast(const char* what) {
  cudaError_t e = cudaGetLastError();
  if (cudaSuccess != e) printf("%s: %s\n", what, cudaGetErrorString(e));
}
struct GpuTimer {
  cudaEvent_t start, stop;
  GpuTimer() { cudaEventCreate(&start); cudaEventCreate(&stop); }
  ~GpuTimer() { cudaEventDestroy(start); cudaEventDestroy(stop); }
  void Start() { cudaEventRecord(start, 0); }
  void Stop() { cudaEventRecord(stop, 0); }
  float Elapsed() { float ms; cudaEventSynchronize(stop); cudaEventElapsedTime(&ms, start, stop); return ms; }
};
double seconds() { struct timeval tp; gettimeofday(&tp, NULL); return tp.tv_sec + tp.tv_usec * 1e-6; }

__global__ void saxpy(const float* __restrict__ x, float* __restrict__ y, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}

int main(int argc, char* argv[]) {
  const int n = 1 << 12, nStreams = 4, chunk = n / nStreams;
  float *hx, *hy, *dx[nStreams], *dy[nStreams];
  cudaMallocHost(&hx, n * sizeof(float));
  cudaHostAlloc((void**)&hy, n * sizeof(float), cudaHostAllocDefault);
  for (int i = 0; i < n; ++i) hx[i] = i, hy[i] = 1.0;
  cudaStream_t streams[nStreams], other;
  for (int i = 0; i < nStreams; ++i) {
    cudaStreamCreate(&streams[i]);
    cudaMalloc((void**)&dx[i], chunk * sizeof(float));
    cudaMalloc((void**)&dy[i], chunk * sizeof(float));
  }
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  GpuTimer timer;
  timer.Start();
  double t0 = seconds();
  auto begin = std::chrono::high_resolution_clock::now();
  for (int i = 0; i < nStreams; ++i) {
    int off = i * chunk;
    cudaMemcpyAsync(dx[i], hx + off, chunk * sizeof(float), cudaMemcpyHostToDevice, streams[i]);
    cudaMemcpyAsync(dy[i], &hy[off], chunk * sizeof(float), cudaMemcpyHostToDevice, streams[i]);
    saxpy<<<8, 64, 0, streams[i]>>>(dx[i], dy[i], 2.0f, chunk);
    cudaMemcpyAsync(hy + off, dy[i], chunk * sizeof(float), cudaMemcpyDeviceToHost, streams[i]);
  }
  cudaEvent_t done;
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  cudaEventRecord(done, streams[0]);
  cudaStreamWaitEvent(other, done, 0);
  for (int i = 0; i < nStreams; ++i) cudaStreamSynchronize(streams[i]);
  cudaDeviceSynchronize();
  timer.Stop();
  checkLast("pipeline");
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += hy[i] != 2.0f * i + 1.0f;
  auto took = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::high_resolution_clock::now() - begin);
  printf("%d wrong, %s, %s\n", wrong, timer.Elapsed() > 0 && seconds() > t0 && took.count() > 0 ? "timed" : "no time",
         cudaEventQuery(done) == cudaSuccess && cudaStreamQuery(other) == cudaSuccess ? "done" : "busy");
  int low, high;
  cudaDeviceGetStreamPriorityRange(&low, &high);
  cudaStream_t urgent;
  cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, high);
  cudaMemsetAsync(dx[0], 0, chunk * sizeof(float), urgent);
  saxpy<<<1, 32, 0, cudaStreamPerThread>>>(dx[1], dy[1], 1, 10);
  cudaStreamSynchronize(0);
  cudaStreamDestroy(urgent);
  for (int i = 0; i < nStreams; ++i) {
    cudaStreamDestroy(streams[i]);
    cudaFree(dx[i]);
    cudaFree(dy[i]);
  }
  cudaStreamDestroy(other);
  cudaEventDestroy(done);
  cudaFreeHost(hx);
  cudaFreeHost(hy);
  return 0;
}
