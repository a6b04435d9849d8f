__global__ void k(float* a, int n) {
  int i = threadIdx.x
  if (i < n) a[i] = 0;
}
int main() { k<<<1, 2>>>(nullptr, 3); }
