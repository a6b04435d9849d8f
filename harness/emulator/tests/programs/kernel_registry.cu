// Kernels by name: their addresses lose their types in a template, a constructor, or a macro, far from the launch.
#include <cstdio>
#include <map>
#include <string>

std::map<std::string, const void*> registry;

template <class F>
void add(const char* name, F* kernel) {
  registry[name] = reinterpret_cast<const void*>(kernel);
}
struct entry {
  template <class... P>
  entry(const char* name, void (*kernel)(P...)) {
    add(name, kernel);
  }
};
#define REGISTER(kernel) const entry entry_of_##kernel(#kernel, kernel)

__global__ void scale(float* x, float by) { x[threadIdx.x] *= by; }
__global__ void shift(float* x, int by) { x[threadIdx.x] += by; }
REGISTER(shift);
extern "C" {
__global__ void fill(float* x, double with) { x[threadIdx.x] = with; }
}
namespace course {
static __global__ void halve(float* x) { x[threadIdx.x] /= 2; }
constexpr auto constant = &halve;
template <void (*kernel)(float*)>
void run(float* x) {
  kernel<<<1, 32>>>(x);
}
}  // namespace course

// An overload has more than one type: its address keeps it, or needs a cast.
__global__ void twice(float* x) { x[threadIdx.x] *= 2; }
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }
void launch(void (*kernel)(float*), float* x) { kernel<<<1, 32>>>(x); }

void run(const char* name, void** arguments) {
  const cudaError_t error = cudaLaunchKernel(registry[name], dim3(1), dim3(32), arguments, 0, 0);
  if (error != cudaSuccess) std::printf("%s: %s\n", name, cudaGetErrorName(error));
}

int main() {
  add("scale", scale);
  add("fill", &fill);
  add("halve", course::halve);
  float *x, by = 3, first;
  int more = 4;
  double with = 2;
  cudaMalloc(&x, 32 * sizeof(float));
  void* filled[] = {&x, &with};
  void* scaled[] = {&x, &by};
  void* shifted[] = {&x, &more};
  run("fill", filled);
  run("scale", scaled);
  run("shift", shifted);
  run("halve", scaled);
  launch(twice, x);
  course::run<course::halve>(x);
  course::constant<<<1, 32>>>(x);
  run("nobody", scaled);  // a null pointer: the call's value is the program's to look at
  cudaGetLastError();
  cudaMemcpy(&first, x, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%g\n", first);  // (2 * 3 + 4) / 2 * 2 / 2 / 2
  cudaFree(x);
}
