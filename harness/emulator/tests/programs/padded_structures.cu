// Structures are copied whole, with the bytes between their members that nobody sets. A structure of which nothing was set
// is told.
#include <cstdio>

struct Best {
  int at;
  double value;
};
struct Mark {
  char kind;
  float4 where;
};
struct alignas(16) Point {
  float x, y, z;
};

__global__ void argmax(const double* values, Best* best) {
  __shared__ Best s[64];
  const int t = threadIdx.x;
  s[t].at = t;
  s[t].value = values[t];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (t < half && s[t + half].value > s[t].value) s[t] = s[t + half];
    __syncthreads();
  }
  if (t == 0) *best = s[0];
}
template <class T>
__global__ void reverse(const T* from, T* to) {
  to[threadIdx.x] = from[blockDim.x - 1 - threadIdx.x];
}
__global__ void make(Mark* m, Point* p) {
  const int t = threadIdx.x;
  m[t].kind = 'a';
  m[t].where = make_float4(t, 1, 2, 3);
  p[t].x = t;
  p[t].y = p[t].z = 0;
}

int main() {
  double values[64], *d;
  for (int i = 0; i < 64; ++i) values[i] = (i * 37) % 64;
  Best *best, found;
  Mark *marks, *turned, mark;
  Point *points, *moved, *unset, point;
  cudaMalloc(&d, sizeof values);
  cudaMalloc(&best, sizeof found);
  cudaMalloc(&marks, 32 * sizeof mark);
  cudaMalloc(&turned, 32 * sizeof mark);
  cudaMalloc(&points, 32 * sizeof point);
  cudaMalloc(&moved, 32 * sizeof point);
  cudaMalloc(&unset, 32 * sizeof point);
  cudaMemcpy(d, values, sizeof values, cudaMemcpyHostToDevice);
  argmax<<<1, 64>>>(d, best);
  cudaMemcpy(&found, best, sizeof found, cudaMemcpyDeviceToHost);
  make<<<1, 32>>>(marks, points);
  reverse<<<1, 32>>>(marks, turned);
  reverse<<<1, 32>>>(points, moved);
  cudaMemcpy(&mark, turned, sizeof mark, cudaMemcpyDeviceToHost);
  cudaMemcpy(&point, moved, sizeof point, cudaMemcpyDeviceToHost);
  std::printf("largest %g at %d; first mark %c %g; first point %g\n", found.value, found.at, mark.kind, mark.where.x,
              point.x);
  reverse<<<1, 32>>>(unset, moved);
  cudaDeviceSynchronize();
  for (void* p : {static_cast<void*>(d), static_cast<void*>(best), static_cast<void*>(marks), static_cast<void*>(turned),
                  static_cast<void*>(points), static_cast<void*>(moved), static_cast<void*>(unset)})
    cudaFree(p);
}
