// a * b + c: rounded twice, or with -fmad=true once; __fmul_rn and __fadd_rn stay apart in any case.
#include <cstdio>
__global__ void joined(float* o, float a, float b, float c) { *o = a * b + c; }
__global__ void of_doubles(double* o, double a, double b, double c) { *o = c - a * b; }
__global__ void product_apart(float* o, float a, float b, float c) { *o = __fmul_rn(a, b) + c; }
__global__ void sum_apart(float* o, float a, float b, float c) { *o = __fadd_rn(a * b, c); }
__global__ void asked_for(float* o, float a, float b, float c) { *o = fmaf(a, b, c); }
int main() {
  float* o; cudaMalloc(&o, 16); const float a = 1.0f + 1.0f / 4096, c = -1.0f - 2.0f / 4096; float h = 0;
  for (auto* k : {joined, product_apart, sum_apart, asked_for}) { k<<<1, 1>>>(o, a, a, c); cudaMemcpy(&h, o, 4, cudaMemcpyDeviceToHost); printf("%g ", h); }
  double d = 0, x = 1 + 1.0 / (1 << 27);
  of_doubles<<<1, 1>>>((double*)o, x, x, 1 + 2.0 / (1 << 27)); cudaMemcpy(&d, o, 8, cudaMemcpyDeviceToHost); printf("%g\n", d); cudaFree(o); }
