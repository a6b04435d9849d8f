// Launches whose template arguments are partly written and partly deduced: what is written decides a parameter's type, to which
// the argument is converted in host code, as in any call; what is deduced takes the argument as it is.
#include <cstdio>
#include <cuda_fp16.h>

struct Buffer {
  float* data;
  Buffer() { cudaMalloc(&data, 32 * sizeof(float)); }
  Buffer(const Buffer& other) : data(other.data) { std::printf("copied\n"); }
  ~Buffer() { cudaFree(data); }
  operator float*() const { return data; }
};
struct Alone {  // no copies
  float* data;
  explicit Alone(float* d) : data(d) {}
  Alone(const Alone&) = delete;
  operator float*() { return data; }
};
struct Count {
  int n;
  operator int() const { return n; }
};
struct Constant {  // a functor that a number could be made of
  float value;
  __host__ __device__ float operator()() const { return value; }
  operator float() const { return -1; }
};
template <class T>
struct View {
  T* data;
  operator T*() const { return nullptr; }
};
struct Sizes {
  static const int n = 8;
};

template <class T, class F>
__global__ void fill(T* x, int n, F f) {
  if ((int)threadIdx.x < n) x[threadIdx.x] = f();
}
template <class T, class F>
__global__ void add(const T* from, T* to, F f) {
  to[threadIdx.x] += from[threadIdx.x] + f();
}
template <class T>
__global__ void double_all(View<T> v, T by) {
  v.data[threadIdx.x] *= by;
}
__global__ void overloaded(__half x, float* out) { *out = __half2float(x) + 10; }
__global__ void overloaded(float x, float* out) { *out = x + 20; }
template <class F>
__global__ void overloaded(float* out, F f) {
  *out = f() + 30;
}

int main() {
  Buffer a, b;
  Alone alone(b.data);
  float values[4];
  fill<float><<<1, 32>>>(a, Count{Sizes::n}, Constant{2});
  fill<float><<<1, 32>>>(alone, 32, Constant{1});
  add<float><<<1, Sizes::n>>>(a, alone, Constant{0.5f});
  fill<float><<<1, 32>>>(b, 3, Constant{7});
  fill<<<1, 32>>>(b.data, Sizes::n - 7, Constant{9});
  double_all<<<1, 4>>>(View<float>{b.data}, 2.0f);
  cudaMemcpy(values, b, sizeof values, cudaMemcpyDeviceToHost);
  std::printf("%g %g %g %g\n", values[0], values[1], values[2], values[3]);
  overloaded<<<1, 1>>>(__float2half(1), b.data);
  overloaded<<<1, 1>>>(1.0f, a.data);
  cudaMemcpy(values, b, sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(values + 1, a, sizeof(float), cudaMemcpyDeviceToHost);
  overloaded<<<1, 1>>>(a.data, Constant{1});
  cudaMemcpy(values + 2, a, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g %g %g\n", values[0], values[1], values[2]);
  return 0;
}
