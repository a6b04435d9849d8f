// A given main that includes the student's .cu file, with a support header and a second, plain file.
#include "course_library.h"
#include "course_kernels.cu"
int main(int argc, char** argv) {
  int n;
  float* h = read(argv[1], &n);
  courseLog(INFO, "The input length is ", n);
  courseTime_start(GPU, "Allocating");
  float* d;
  CheckCuda(cudaMalloc((void**)&d, n * sizeof(float)));
  CheckCuda(cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice));
  negate<<<divideUp(n, 32), 32, 32 * sizeof(float)>>>(d, n);
  CheckCuda(cudaGetLastError());
  CheckCuda(cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost));
  report(h, n);
  CheckCuda(cudaFree(d));
  free(h);
  return 0;
}
