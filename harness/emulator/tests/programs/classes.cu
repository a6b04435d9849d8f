// Classes, functors, templates, operators, function pointers and recursion in device code.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>
using namespace std;
#define HD __host__ __device__
struct vec3 {
  float x, y, z;
  HD vec3(float a = 0, float b = 0, float c = 0) : x(a), y(b), z(c) {}
  HD vec3 operator+(const vec3& o) const { return vec3(x + o.x, y + o.y, z + o.z); }
  HD friend float dot(const vec3& a, const vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
};
inline HD float3 operator*(float3 a, float b) { return make_float3(a.x * b, a.y * b, a.z * b); }
HD void operator+=(float3& a, float3 b) { a.x += b.x; a.y += b.y; a.z += b.z; }
template <typename T>
struct Plus {
  static constexpr int arity = 2;
  HD T operator()(T a, T b) const { return a + b; }
};
struct Square {
  __device__ float operator()(float a) { return a * a; }
};
enum class Mode : int { add, sub };
template <typename T, typename Op, int BLOCK = 64>
__global__ void reduce(const T* in, T* out, int n, Op op, T identity) {
  __shared__ T partial[BLOCK];
  unsigned t = threadIdx.x;
  partial[t] = t < n ? in[t] : identity;
  for (unsigned stride = BLOCK / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    if (t < stride) partial[t] = op(partial[t], partial[t + stride]);
  }
  if (t == 0) out[0] = partial[0];
}
template <typename F>
__global__ void map(float* a, F f) {
  a[threadIdx.x] = f(a[threadIdx.x]);
}
typedef float (*binary)(float, float);
__device__ float plusf(float a, float b) { return a + b; }
__device__ float minusf(float a, float b) { return a - b; }
__device__ binary table[2] = {plusf, minusf};
__global__ void applyTable(float* a, Mode m) {
  binary f = table[(int)m];
  a[threadIdx.x] = f(a[threadIdx.x], 1.0);
}
__global__ void geometry(const vec3* v, float* out) {
  vec3 sum;
  for (int i = 0; i < 3; ++i) sum = sum + v[i];
  float3 f = make_float3(1, 2, 3) * 2;
  f += make_float3(1.0f, 1.0f, 1.0f);
  const float4 q = {1, 2, 3, 4};
  *out = dot(sum, vec3(1, 1, 1)) + f.x + f.y + f.z + q.w;
}
template <typename T>
class DeviceArray {
  T* data_ = nullptr;
  size_t size_;
 public:
  explicit DeviceArray(const vector<T>& h) : size_(h.size()) {
    cudaMalloc(&data_, size_ * sizeof(T));
    cudaMemcpy(data_, h.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  operator T*() { return data_; }
  vector<T> host() const {
    vector<T> h(size_);
    cudaMemcpy(h.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
    return h;
  }
};
class Hidden {
  int value = 3;
  friend __global__ void reveal(Hidden, float*);
  template <typename T>
  friend __global__ void revealAs(Hidden, T*);
};
__global__ void reveal(Hidden h, float* out) { *out = h.value; }
template <typename T>
__global__ void revealAs(Hidden h, T* out) {
  *out += h.value;
}
int main() {
  vector<float> h(50);
  iota(h.begin(), h.end(), 1.0f);
  DeviceArray<float> a(h), out(vector<float>(1));
  reduce<float, Plus<float>><<<1, 64>>>(a, out, 50, Plus<float>(), 0);
  reduce<<<1, 64>>>((const float*)a, (float*)out, 50, Plus<float>(), 0.0f);
  cout << out.host()[0] << " " << accumulate(h.begin(), h.end(), 0.0f) << endl;
  map<<<1, 50>>>((float*)a, Square());
  applyTable<<<1, 50>>>(a, Mode::sub);
  auto result = a.host();
  cout << *max_element(result.begin(), result.end()) << endl;
  DeviceArray<vec3> v({vec3(1, 2, 3), vec3(1), vec3()});
  geometry<<<1, 1>>>(v, out);
  cout << out.host()[0] << endl;
  reveal<<<1, 1>>>(Hidden(), out);
  revealAs<<<1, 1>>>(Hidden(), (float*)out);
  cout << out.host()[0] << endl;
  unique_ptr<float, void (*)(float*)> owned([] { float* p; cudaMalloc(&p, 4); return p; }(), [](float* p) { cudaFree(p); });
  string s = to_string(sizeof(vec3));
  cout << s << " " << Plus<int>::arity << endl;
}
