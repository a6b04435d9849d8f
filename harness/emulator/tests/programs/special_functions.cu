// Functions of CUDA's mathematics that C has not: to twelve digits.
#include <cstdio>

__global__ void compute(double* out) {
  const double y[] = {-0.999999, -0.5, 0.0, 1e-9, 0.25, 0.9, 0.99999999};
  int n = 0;
  for (double v : y) out[n++] = erfinv(v);
  const double tails[] = {1e-200, 1e-20, 1e-3, 0.3, 0.5, 1.0, 1.7};
  for (double v : tails) out[n++] = erfcinv(v);
  const double p[] = {1e-30, 0.025, 0.5, 0.975};
  for (double v : p) out[n++] = normcdfinv(v);
  const double x[] = {-3.0, 0.0, 1.0, 20.0};
  for (double v : x) out[n++] = cyl_bessel_i0(v);
  for (double v : x) out[n++] = cyl_bessel_i1(v);
  const double vector[] = {1.0, 2.0, 2.0, 4.0};
  out[n++] = norm(4, vector);
  out[n++] = rnorm(4, vector);
  out[n++] = rnorm4d(1.0, 2.0, 2.0, 4.0);
  out[n++] = erfinv(1.0);
  out[n++] = erfcinv(0.0);
}
__global__ void compute(float* out) {
  out[0] = erfinvf(0.5f);
  out[1] = erfcinvf(0.001f);
  out[2] = normcdfinvf(0.975f);
  out[3] = cyl_bessel_i0f(1.0f);
  out[4] = cyl_bessel_i1f(1.0f);
}

int main() {
  const int n = 31, m = 5;
  double values[n], *d;
  float few[m], *f;
  cudaMalloc(&d, sizeof values);
  cudaMalloc(&f, sizeof few);
  compute<<<1, 1>>>(d);
  compute<<<1, 1>>>(f);
  cudaMemcpy(values, d, sizeof values, cudaMemcpyDeviceToHost);
  cudaMemcpy(few, f, sizeof few, cudaMemcpyDeviceToHost);
  for (double v : values) std::printf("%.12g\n", v);
  for (float v : few) std::printf("%.5g\n", v);
  cudaFree(d);
  cudaFree(f);
}
