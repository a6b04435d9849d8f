// Every way of going where data say: for mutations of the checks in front of them.
#include <cuda_runtime.h>

#include <functional>

struct shape {
  virtual ~shape() = default;
  virtual float area(float) const = 0;
};
struct square : shape {
  float area(float a) const override { return a * a; }
};
struct disc : shape {
  float area(float a) const override { return 3.0F * a * a; }
};

__host__ __device__ __attribute__((noinline)) int chosen(int what, int a, int b) {
  switch (what) {
    case 0:
      return a + b;
    case 1:
      return a - b;
    case 2:
      return a * b;
    case 3:
      return a ^ b;
    case 4:
      return a & b;
    case 5:
      return a | b;
    case 6:
      return b - 2 * a;
    default:
      return 0;
  }
}

using operation = int (*)(int, int, int);
__device__ int with(operation f, int a) { return f(a, 2, 3) + 1; }

__global__ void compute(int* out, operation f) { out[threadIdx.x] = with(f, out[threadIdx.x]); }

__attribute__((noinline)) int last(operation f, int a) { return f(a, 1, 2); }
__attribute__((noinline)) float total(const shape& a, const shape& b) { return a.area(2) + b.area(3); }
__attribute__((noinline)) int by(const std::function<int(int)>& f) { return f(1) + f(2); }

int run(int n, int* out) {
  const operation all[] = {chosen, last == nullptr ? nullptr : chosen};
  compute<<<1, 32>>>(out, all[n & 1]);
  return last(all[n & 1], n) + by([n](int a) { return a + n; }) + static_cast<int>(total(square(), disc()));
}
