// Vectors: addition with copies and with managed memory, a value handed round a warp, the exercise on memory accesses.
#include "lecture.h"

__global__ void add_vectors(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

bool vector_addition() {
  const int n = 1000;
  float a[n], b[n], c[n];
  for (int i = 0; i < n; ++i) a[i] = i, b[i] = 2 * i;
  float *d_a = on_device(a, n), *d_b = on_device(b, n), *d_c = on_device(nullptr, n);
  add_vectors<<<blocks_for(n, 256), 256>>>(d_a, d_b, d_c, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(c, d_c, sizeof c, cudaMemcpyDeviceToHost));
  for (float* p : {d_a, d_b, d_c}) CHECK(cudaFree(p));
  for (int i = 0; i < n; ++i)
    if (c[i] != 3 * i) return false;
  return true;
}

bool managed_memory() {
  const int n = 777;
  float* v[3];
  for (float*& p : v) CHECK(cudaMallocManaged(&p, n * sizeof(float)));
  for (int i = 0; i < n; ++i) v[0][i] = i, v[1][i] = 1;
  add_vectors<<<blocks_for(n, 128), 128>>>(v[0], v[1], v[2], n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  bool right = true;
  for (int i = 0; i < n; ++i) right = right && v[2][i] == i + 1;
  for (float* p : v) CHECK(cudaFree(p));
  return right;
}

// Every lane gets what lane 0 of its warp has read.
__global__ void first_of_warp(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = threadIdx.x % warpSize == 0 ? in[i] : 0;
  value = __shfl_sync(0xffffffff, value, 0);
  out[i] = value;
}

bool shuffle_broadcast() {
  const int n = 128;
  float in[n], out[n];
  for (int i = 0; i < n; ++i) in[i] = i;
  float *d_in = on_device(in, n), *d_out = on_device(nullptr, n);
  first_of_warp<<<2, 64>>>(d_in, d_out);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  for (int i = 0; i < n; ++i)
    if (out[i] != i / 32 * 32) return false;
  return true;
}

// The exercise: judge every access by eye. In global memory aligned, apart by the grid, strided by four, shifted and strided by
// eight; in shared memory by rows of 256 words, and by every fourth word.
__global__ void many_accesses(const float* a, const float* b, const float* c, float* d, float* e) {
  __shared__ float a_s[256];
  __shared__ float bc_s[4 * 256];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  a_s[threadIdx.x] = a[i];
  for (unsigned j = 0; j < 4; ++j) bc_s[j * 256 + threadIdx.x] = b[j * blockDim.x * gridDim.x + i] + c[i * 4 + j];
  __syncthreads();
  d[i + 8] = a_s[threadIdx.x];
  e[i * 8] = bc_s[threadIdx.x * 4];
}

bool access_exercise() {
  const int n = 512;
  static float a[n], b[4 * n], c[4 * n], d[n + 8], e[8 * n];
  for (int i = 0; i < n; ++i) a[i] = i;
  for (int i = 0; i < 4 * n; ++i) b[i] = 2 * i, c[i] = 3 * i;
  float *d_a = on_device(a, n), *d_b = on_device(b, 4 * n), *d_c = on_device(c, 4 * n), *d_d = on_device(d, n + 8);
  float* d_e = on_device(e, 8 * n);
  many_accesses<<<n / 256, 256>>>(d_a, d_b, d_c, d_d, d_e);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(d, d_d, sizeof d, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(e, d_e, sizeof e, cudaMemcpyDeviceToHost));
  for (float* p : {d_a, d_b, d_c, d_d, d_e}) CHECK(cudaFree(p));
  for (int i = 0; i < n; ++i) {
    const int word = 4 * (i % 256), j = word / 256, from = i / 256 * 256 + word % 256;
    if (d[i + 8] != a[i] || e[8 * i] != b[j * n + from] + c[4 * from + j]) return false;
  }
  return true;
}

int main(int argc, char** argv) {
  const part parts[] = {{"vector_addition", vector_addition},
                        {"managed_memory", managed_memory},
                        {"shuffle_broadcast", shuffle_broadcast},
                        {"access_exercise", access_exercise}};
  return run_parts(parts, 4, argc, argv);
}
