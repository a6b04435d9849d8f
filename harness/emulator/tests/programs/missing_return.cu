// Device functions that end without the return statement that their type asks for.
#include <cstdio>
#include <cstring>

__device__ int grade(int points) {
  if (points >= 50) return 1;
  if (points < 0) return -1;
}

__device__ float last_of(const float* values, int n) {
  for (int i = n; i > 0; --i)
    if (values[i - 1] != 0) return values[i - 1];
}

__global__ void grades(const int* points, int* out) { out[threadIdx.x] = grade(points[threadIdx.x]); }
__global__ void last(const float* values, float* out) { out[threadIdx.x] = last_of(values, threadIdx.x); }

int host_grade(int points) {
  if (points >= 50) return 1;
}

int main(int count, char** arguments) {
  float *values, *last_values;
  int *points, *out;
  const int given[4] = {70, 60, -3, 49};
  cudaMalloc(&points, sizeof given);
  cudaMalloc(&out, sizeof given);
  cudaMemcpy(points, given, sizeof given, cudaMemcpyHostToDevice);
  grades<<<1, 3>>>(points, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  if (count > 1 && std::strcmp(arguments[1], "host") == 0) return host_grade(count);
  if (count > 1) {
    cudaMalloc(&values, 16);
    cudaMalloc(&last_values, 16);
    cudaMemset(values, 0, 16);
    last<<<1, 4>>>(values, last_values);
  } else {
    grades<<<1, 4>>>(points, out);
  }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
