__constant__ float filter[9];
__global__ void k(float* a) { a[0] = filter[10]; }
int main() {
  float* d;
  cudaMemcpyToSymbol(filter, &d);
  k<<<1, 1>>>(d, );
}
