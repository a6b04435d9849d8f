__global__ void k(float* a, int n) {
  if (n > 3) {
    a[0] = 1;
}
int main() { float *d; k<<<1,1>>>(d, 2); }
