#include <cuda_runtime.h>
cudaError_t add(const int* a, const int* b, int* sum, int n);
cudaError_t add(const int*, const int*, int*, int) { return cudaSuccess; }
