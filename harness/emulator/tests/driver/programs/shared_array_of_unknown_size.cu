__global__ void k(float* a, int n) {
  __shared__ float s[n];
  s[0] = a[0];
}
int main() { float *d; k<<<1,1>>>(d, 2); }
