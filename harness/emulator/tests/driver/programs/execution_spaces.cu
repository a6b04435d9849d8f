float square(float x) { return x * x; }
struct A { int v; A() : v(1) {} };
struct B { A a; };
int host_n = 3;
__device__ int counter;
__device__ float half_of(float x) { return x / 2; }
void tiled(float* p, int n) {
  p[threadIdx.x] = 1;
}
__global__ int wrong(float* p) { B b; p[0] = square(p[1]) + host_n + counter + b.a.v; return 1; }
template <class T> __global__ void templated(T* p) { p[0] = square(p[0]); }
int main() {
  float* d;
  cudaMalloc(&d, 4);
  tiled<<<1, 1>>>(d, 1);
  wrong<<<1, 1>>>(d);
  templated<<<1, 1>>>(d);
  templated<float><<<1, 1>>>(d);
  wrong(d);
  half_of(3);
  __syncthreads();
  return 0;
}
