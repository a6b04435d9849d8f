// Every way in which course code writes a launch; strings and comments that look like one: a<<<1, 2>>>(b).
#include <stdio.h>
#include <cuda_runtime.h>

#define CHECK(call)                                                                            \
  do {                                                                                         \
    cudaError_t err_ = (call);                                                                 \
    if (err_ != cudaSuccess) {                                                                 \
      fprintf(stderr, "%s failed at %s:%d: %s\n", #call, __FILE__, __LINE__, cudaGetErrorString(err_)); \
      exit(EXIT_FAILURE);                                                                      \
    }                                                                                          \
  } while (0)
#define RUN(kernel, blocks, ...) kernel<<<blocks, 32>>>(__VA_ARGS__)
#define RUN_OF(type, blocks) type##_kernel<<<blocks, 32>>>
#define DEFINE(type, by)                                              \
  __global__ void type##_kernel(type* a) { atomicAdd(a, by); }        \
  void run_##type(type* a, int blocks) { type##_kernel<<<blocks, 32>>>(a); }
#define THREADS 32

DEFINE(int, 1)
__global__ void forward(int*, int, const int* = NULL);
void __global__ qualifierBehind(int* a) { atomicAdd(a, 1); }
static __global__ void isStatic(int* a) { atomicAdd(a, 1); }
extern "C" __global__ void withCName(int* a) { atomicAdd(a, 1); }
__global__ void __launch_bounds__(256, 2) bounded(int* a) { atomicAdd(a, 1); }
template <typename T>
__global__ void scale(T* a, T by) {
  a[0] = a[0] * by;
}
template <int W, typename T>
__global__ void add(T* a) {
  if (threadIdx.x == 0) *a += W;
}
namespace course {
namespace lab {
__global__ void inNamespace(int* a) { atomicAdd(a, 1); }
}  // namespace lab
}  // namespace course
struct Pair {
  int a;
  float b;
};
__global__ void byValue(int* out, Pair p, double half) {
  if (threadIdx.x == 0) *out += p.a + (int)(p.b * half);
}
__global__ void optional(const int* maybe, int* out, unsigned n, float f = 2.5f, bool twice = true) {
  if (maybe == nullptr && threadIdx.x < n) atomicAdd(out, twice ? (int)(f * 2) : 1);
}
typedef void (*Kernel)(int*);

int main(void) {
  int *d, h = 0;
  const char* text = "a<<<1, 2>>>(b); /* not one */";
  CHECK(cudaMalloc((void**)&d, sizeof(int)));
  CHECK(cudaMemset(d, 0, sizeof(int)));
  forward<<<1, 1>>>(d, 1);
  forward<<<1, 1>>>(d, 2, 0);
  forward << <1, 1 >> > (d, 3, NULL);
  forward <<< dim3(1, 1, 1), dim3(1) >>> (d, 4, nullptr);
  qualifierBehind<<<2, THREADS>>>(d);
  isStatic<<<(THREADS + 31) / 32, THREADS, 0>>>(d);
  withCName<<<1, THREADS, 16 * sizeof(float), 0>>>(d);
  bounded<<<1,
            THREADS,
            0,
            NULL>>>(
      d);
  scale<<<1, 1>>>(d, 2);
  scale<int><<<1, 1>>>(d, 1u);
  add<5, int><<<1, 32>>>(d);
  add<(1 > 0) ? 7 : 8><<<1, 32>>>(d);
  course::lab::inNamespace<<<1, 8>>>(d);
  Pair p = {10, 4.0f};
  byValue<<<1, 4>>>(d, p, 0.5);
  byValue<<<1, 4>>>(d, {1, 1}, 1);
  optional<<<1, 32>>>(NULL, d, 2);
  optional<<<1, 32>>>(0, d, 2, 1);
  optional<<<1, 32>>>(nullptr, d, 2.9, 1, false);
  Kernel kernels[] = {qualifierBehind, isStatic};
  for (int i = 0; i < 2; i++) kernels[i]<<<1, 1>>>(d);
  RUN(isStatic, 2, d);
  run_int(d, 2);
  RUN_OF(int, 1)(d);
  if (h == 0) isStatic<<<1, 1>>>(d);
  else
    isStatic<<<9, 9>>>(d);
  auto launch = [&](int n) { isStatic<<<1, n>>>(d); };
  launch(3);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost));
  printf("%d %s\n", h, text);
  CHECK(cudaFree(d));
  return 0;
}
__global__ void forward(int* a, int n, const int* b) {
  if (b == NULL) *a += n;
}
