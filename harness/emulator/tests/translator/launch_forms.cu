/* clang-format off */  // Every form of launch, and every place where device memory can be declared: each must run and give the right number.
// The program is plain CUDA: built with nvcc it says the same on a GPU.
#include <cstdio>
#include <string>
#include "launch_forms.cuh"
using namespace std;
#define BLOCKS 2
#define THREADS 32
#define LAUNCH(k, ...) k<<<BLOCKS, THREADS>>>(__VA_ARGS__)
#define CHECK(call) do { call; cudaError_t e_ = cudaGetLastError(); if (e_ != cudaSuccess) { printf("%s: %s\n", #call, cudaGetErrorString(e_)); } } while (0)
#define CONFIG dim3(BLOCKS), dim3(THREADS)
namespace inner { __global__ void ns(int* o) { atomicAdd(o, 1); } namespace deep { template <class T, int N> __global__ void both(T* o) { atomicAdd(o, N); } } }
__global__ void one(int* o) { atomicAdd(o, 1); }
__global__ void none() { }
template <int N> __global__ void tmpl(int* o) { atomicAdd(o, N); }
template <class T> __global__ void deduced(T* o, T v) { atomicAdd(o, v); }
__global__ void over(int* o) { atomicAdd(o, 1); }
__global__ void over(int* o, int v) { atomicAdd(o, v); }
__global__ void ptrs(int* o, const float* a, void* p, double d, float f, unsigned u, size_t s) {
  if (a == nullptr && p == nullptr && d == 3.0 && f == 2.0f && u == 7u && s == 5) atomicAdd(o, 1); }
struct big { int v[20]; };
__global__ void by_value(int* o, big b, dim3 d) { atomicAdd(o, b.v[19] + (int)d.y); }
template <class F> __global__ void functor(int* o, F f) { atomicAdd(o, f(threadIdx.x)); }
struct twice { __device__ int operator()(int i) const { return 2 * i; } };
static __global__ void __launch_bounds__(64) stat(int* o) { atomicAdd(o, 1); }
extern "C" __global__ void cfun(int* o) { atomicAdd(o, 1); }
template <class T> void host_template(T* o) { deduced<T><<<1, 1>>>(o, 1); deduced<<<1, 1>>>(o, T(1)); tmpl<sizeof(T)><<<1, 1>>>(o); }
struct runner { int* o; int n = 1; void run() { one<<<n, n>>>(o); auto f = [this] { one<<<1, 1>>>(o); }; f(); } };
__global__ void dyn1(int* o) { extern __shared__ int s[]; s[threadIdx.x] = 1; __syncthreads(); if (threadIdx.x == 0) { int t = 0; for (unsigned i = 0; i < blockDim.x; ++i) t += s[i]; *o += t; } }
__global__ void dyn2(int* o) { extern __shared__ __align__(16) float2 s2[]; s2[threadIdx.x] = make_float2(1, 2); __syncthreads(); if (threadIdx.x == 0) atomicAdd(o, (int)(s2[1].x + s2[1].y)); }
extern __shared__ double everywhere[];
__global__ void dyn3(int* o) { everywhere[threadIdx.x] = threadIdx.x; __syncthreads(); if (!threadIdx.x) atomicAdd(o, (int)everywhere[5] + (int)*(everywhere + 2)); }
template <class T> __global__ void dyn4(T* o) { extern __shared__ char raw[]; T* s = reinterpret_cast<T*>(raw); s[threadIdx.x] = 1; __syncthreads(); if (!threadIdx.x) atomicAdd(o, s[3]); }
__global__ void dyn5(int* o) { volatile extern __shared__ int v[]; extern __shared__ int two[][4]; v[0] = 3; two[1][2] = 4; if (!threadIdx.x) atomicAdd(o, v[0] + two[1][2]); }
__constant__ float c1[4] = {1, 2, 3, 4}; __constant__ const int c2[] = {5, 6}; static __constant__ int c3; const __constant__ int c4 = 9; __constant__ float2 c5;
__device__ int d1, d2[3] = {1, 2, 3}; static __device__ float d3 = 2.5f; __device__ const int d4[2] = {7, 8}; __device__ int* dp; __device__ __constant__ int dc = 4; __device__ float (*fptr)(float);
__device__ __noinline__ int dev(int x) { return x + 1; }
__host__ __device__ __forceinline__ int both(int x) { return x * 2; }
__global__ void symbols(int* o) { if (threadIdx.x == 0) { d1 = 5; atomicAdd(o, (int)c1[1] + c2[1] + c3 + c4 + d1 + d2[2] + (int)d3 + d4[1] + dc + dev(1) + both(3)); dp = o; } }
__global__ void shared_forms(int* o) { static __shared__ int a[4]; volatile __shared__ int b; __shared__ float c[2][3], e; int __shared__ f; if (!threadIdx.x) { a[0] = 1; b = 2; c[1][2] = 3; e = 4; f = 5; atomicAdd(o, a[0] + b + (int)c[1][2] + (int)e + f); } }
int wrong = 0;
void value(int* d, const char* what, int want) {
  int found;
  cudaMemcpy(&found, d, 4, cudaMemcpyDeviceToHost);
  cudaMemset(d, 0, 4);
  if (found == want) return;
  printf("%s: %d instead of %d\n", what, found, want);
  ++wrong;
}
void (*pick(int i))(int*) { return i ? one : stat; }
int main() {
  int* d; cudaMalloc(&d, 4); cudaMemset(d, 0, 4);
  dim3 gridDim(2, 2), blockDim(4, 4); int threadIdx = 3; (void)threadIdx;
  one<<<1, 2>>>(d); value(d, "plain", 2);
  one<<<gridDim, blockDim>>>(d); value(d, "dim3", 64);
  one <<< 1 , 2 >>> (d); value(d, "spaces", 2);
  one<< <1, 2>> >(d); value(d, "split", 2);
  one<<<dim3(2, 1), dim3(2), 16, 0>>>(d); value(d, "four", 4);
  one<<<
      1,
      2
  >>>(
      d); value(d, "lines", 2);
  one
      <<<1, 2>>>(d); value(d, "own line", 2);
  LAUNCH(one, d); value(d, "macro", 64);
  CHECK((one<<<1, 2>>>(d))); value(d, "macro argument", 2);
  CHECK(one<<<1 COMMA 2>>>(d)); value(d, "macro argument 2", 2);
  one<<<CONFIG>>>(d); value(d, "macro configuration", 64);
  none<<<1, 1>>>();
  inner::ns<<<1, 3>>>(d); value(d, "namespace", 3);
  ::inner::deep::both<int, (3 > 2 ? 5 : 1)><<<1, 1>>>(d); value(d, "nested", 5);
  tmpl<16><<<1, 2>>>(d); value(d, "template", 32);
  tmpl<(1 << 3)> <<<1, 2>>>(d); value(d, "template shift", 16);
  deduced<<<1, 2>>>(d, 4); value(d, "deduced", 8);
  over<<<1, 2>>>(d); over<<<1, 2>>>(d, 3); value(d, "overloaded", 8);
  ptrs<<<1, 1>>>(d, NULL, 0, 3, 2, 7, 5); value(d, "conversions", 1);
  big b{}; b.v[19] = 4; by_value<<<1, 1>>>(d, b, dim3(1, 6)); value(d, "structures", 10);
  functor<<<1, 4>>>(d, twice{}); value(d, "functor", 12);
  stat<<<1, 4>>>(d); cfun<<<1, 4>>>(d); value(d, "static and C", 8);
  host_template(d); value(d, "host template", 6);
  runner{d}.run(); value(d, "member", 2);
  void (*pointer)(int*) = one; pointer<<<1, 5>>>(d); value(d, "pointer", 5);
  void (*table[2])(int*) = {one, stat}; table[1]<<<1, 5>>>(d); (*pointer)<<<1, 1>>>(d); pick(1)<<<1, 1>>>(d); value(d, "table", 7);
  int calls = 0; auto next = [&] { return ++calls; }; deduced<<<1, 1>>>(d, next()); over<<<1, 4>>>(d, next()); value(d, "once", 9);
  if (calls == 2) one<<<1, 1>>>(d); else one<<<1, 2>>>(d); value(d, "if", 1);
  for (int i = 0; i < 3; i++) one<<<1, 1>>>(d); value(d, "for", 3);
  int n = 1000; one<<<ceil(n / 256.0), 256>>>(d); value(d, "ceil", 1024);
  size_t big_n = 3; one<<<big_n, big_n + 1>>>(d); value(d, "size_t", 12);
  const char* text = "k<<<1, 2>>>(x)"; const char* raw = R"(k<<<1>>>(")"; /* k<<<1, 2>>>(x); */ // k<<<1, 2>>>(x);
  if (string(text) + raw != "k<<<1, 2>>>(x)k<<<1>>>(\"") ++wrong;
  dyn1<<<1, 8, 8 * sizeof(int)>>>(d); value(d, "dynamic", 8);
  dyn2<<<1, 8, 64>>>(d); value(d, "aligned", 3);
  dyn3<<<1, 8, 64>>>(d); value(d, "namespace dynamic", 7);
  dyn4<<<1, 8, 64>>>(d); value(d, "template dynamic", 1);
  dyn5<<<1, 1, 64>>>(d); value(d, "two dynamic", 7);
  int three = 3; cudaMemcpyToSymbol(c3, &three, sizeof three);
  symbols<<<1, 2>>>(d); value(d, "symbols", 2 + 6 + 3 + 9 + 5 + 3 + 2 + 8 + 4 + 2 + 6);
  shared_forms<<<1, 2>>>(d); value(d, "shared", 15);
  from_header<<<1, 2, 64>>>(d); launch_in_header(d); value(d, "header", 5);
  int x = 8 >> 2 >> 1, y = 1 << 2 << 1; if (x != 1 || y != 8) ++wrong;
  cudaStream_t s; cudaStreamCreate(&s); one<<<1, 1, 0, s>>>(d); cudaStreamSynchronize(s); cudaStreamDestroy(s); value(d, "stream", 1);
  cudaFree(d);
  printf("%d wrong\n", wrong);
  return wrong;
}
