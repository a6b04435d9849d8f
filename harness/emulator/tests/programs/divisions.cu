// Integer divisions that trap on a processor and on no GPU: lanes beyond the edge divide by zero and throw the value away.
#include <climits>
#include <cstdio>

__global__ void divide(const int* a, const int* b, int* quotients, int* rests, int n) {
  const int i = threadIdx.x;
  const int quotient = a[i] / b[i];
  const int rest = a[i] % b[i];
  const long long wide = 1000000007LL * a[i] / b[i];
  const unsigned unsigned_quotient = (unsigned)a[i] / (unsigned)b[i];
  if (i < n) {
    quotients[i] = quotient;
    rests[i] = rest + (wide == 77) + (unsigned_quotient == 77);
  }
}

int main() {
  constexpr int threads = 32, n = 20, smallest = 3;
  int a[threads], b[threads], quotients[threads], rests[threads];
  for (int i = 0; i < threads; ++i) {
    a[i] = 7 * i - 40;
    b[i] = i < n ? i + 1 : 0;
  }
  a[smallest] = INT_MIN;
  b[smallest] = -1;
  int *device_a, *device_b, *device_quotients, *device_rests;
  cudaMalloc(&device_a, sizeof a);
  cudaMalloc(&device_b, sizeof b);
  cudaMalloc(&device_quotients, sizeof quotients);
  cudaMalloc(&device_rests, sizeof rests);
  cudaMemcpy(device_a, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, sizeof b, cudaMemcpyHostToDevice);
  divide<<<1, threads>>>(device_a, device_b, device_quotients, device_rests, n);
  cudaMemcpy(quotients, device_quotients, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(rests, device_rests, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    if (i != smallest && (quotients[i] != a[i] / b[i] || rests[i] != a[i] % b[i])) ++wrong;
  printf("%d of %d wrong\n", wrong, n);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_quotients);
  cudaFree(device_rests);
  return 0;
}
