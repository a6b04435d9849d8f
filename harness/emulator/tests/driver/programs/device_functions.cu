__global__ void k(float* a) {
  a[0] = __shfl_down(a[0], 3);
  a[1] = __ldg(a[0]);
  atomicAdd(a, 1, 2);
  double d = atomicAdd(&a[0], 1);
  long x; atomicAdd(&x, 1);
}
int main() { float *d; k<<<1,1>>>(d); }
