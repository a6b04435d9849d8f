__global__ void k(float* a, int n) {
  int i = threadIdx.x;
  if (i < n) a[j] = 0;
}
int main() { float* d; krnel<<<1, 2>>>(d, 3); }
