// Bytes, vector types, structures by value and in arrays, double literals, host threads, a comparison with a tolerance.
#include <cuda_runtime.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>
typedef unsigned char uchar;
typedef struct {
  int width, height, stride;
  float* elements;
} Matrix;
struct __align__(8) Body {
  float mass;
  int id;
};
#define INDEX(m, r, c) ((m).elements[(r) * (m).stride + (c)])
#define MAX_ERR 1e-5

__global__ void gray(const uchar4* in, uchar* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  uchar4 p = in[y * w + x];
  out[y * w + x] = (uchar)(0.299 * p.x + 0.587 * p.y + 0.114 * p.z);
}
__global__ void scaled(Matrix a, Matrix b, double factor) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < a.height; ++r)
    if (c < a.width) INDEX(b, r, c) = INDEX(a, r, c) * factor + 0.5;
}
__global__ void vectors(float4* v, const int2* offsets, Body* bodies) {
  float4 a = v[threadIdx.x];
  a.x += offsets[threadIdx.x].x;
  a.w = fmaxf(sqrtf(fabsf(a.y)), __fdividef(a.z, 4.0f)) + rsqrtf(4.0f) + powf(2.0f, 3.0f) + exp(0.0);
  v[threadIdx.x] = a;
  bodies[threadIdx.x].mass *= 2;
  reinterpret_cast<float2*>(v)[2 * threadIdx.x].y = 1.f;
}
static Matrix allocate(int h, int w, bool device) {
  Matrix m = {w, h, w, NULL};
  if (device) cudaMalloc((void**)&m.elements, w * h * sizeof(float));
  else m.elements = (float*)malloc(w * h * sizeof(float));
  return m;
}
int main(int argc, char** argv) {
  int w = argc > 1 ? atoi(argv[1]) : 33, h = argc > 2 ? atoi(argv[2]) : 17;
  srand(time(NULL));
  std::vector<uchar4> image(w * h);
  std::generate(image.begin(), image.end(), [] { return make_uchar4(rand(), rand(), rand(), 255); });
  std::vector<uchar> result(w * h);
  uchar4* d_in;
  uchar* d_out;
  cudaMalloc(&d_in, image.size() * sizeof(uchar4));
  cudaMalloc(&d_out, w * h);
  cudaMemcpy(d_in, image.data(), image.size() * sizeof(uchar4), cudaMemcpyHostToDevice);
  dim3 block(16, 16), grid((w - 1) / block.x + 1, (h - 1) / block.y + 1);
  gray<<<grid, block>>>(d_in, d_out, w, h);
  cudaMemcpy(result.data(), d_out, w * h, cudaMemcpyDeviceToHost);
  int worst = 0;
  for (int i = 0; i < w * h; i++) {
    uchar want = (uchar)(0.299f * image[i].x + 0.587f * image[i].y + 0.114f * image[i].z);
    worst = std::max(worst, abs(want - result[i]));
  }
  Matrix a = allocate(h, w, false), da = allocate(h, w, true), db = allocate(h, w, true);
  for (int i = 0; i < w * h; i++) a.elements[i] = i;
  cudaMemcpy(da.elements, a.elements, w * h * sizeof(float), cudaMemcpyHostToDevice);
  scaled<<<(w + 31) / 32, 32>>>(da, db, 0.25);
  cudaMemcpy(a.elements, db.elements, w * h * sizeof(float), cudaMemcpyDeviceToHost);
  bool ok = true;
  for (int i = 0; i < w * h; i++) ok &= fabs(a.elements[i] - (i * 0.25 + 0.5)) < MAX_ERR * w * h;
  printf("%s %s\n", worst <= 1 ? "image ok" : "image wrong", ok ? "PASSED" : "FAILED");
  float4 v[4], *dv;
  int2 o[4], *d_o;
  Body b[4], *d_b;
  for (int i = 0; i < 4; i++) v[i] = make_float4(i, i * i, 4, 0), o[i] = make_int2(10, 20), b[i] = {1.5f, i};
  cudaMalloc(&dv, sizeof v), cudaMalloc(&d_o, sizeof o), cudaMalloc(&d_b, sizeof b);
  std::thread([&] { cudaMemcpy(dv, v, sizeof v, cudaMemcpyHostToDevice); }).join();
  cudaMemcpy(d_o, o, sizeof o, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice);
  vectors<<<1, 4>>>(dv, d_o, d_b);
  cudaMemcpy(v, dv, sizeof v, cudaMemcpyDeviceToHost);
  cudaMemcpy(b, d_b, sizeof b, cudaMemcpyDeviceToHost);
  printf("%g %g %g %g %g\n", v[3].x, v[3].y, v[3].z, v[3].w, b[3].mass);
  cudaFree(d_in), cudaFree(d_out), cudaFree(da.elements), cudaFree(db.elements), cudaFree(dv), cudaFree(d_o), cudaFree(d_b);
  free(a.elements);
  return 0;
}
