// cuBLAS as courses use it: columns first, alpha and beta, transpositions, pointer modes, strides, streams, errors.
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                            \
  do {                                                                                         \
    const cublasStatus_t status = (call);                                                      \
    if (status != CUBLAS_STATUS_SUCCESS) {                                                     \
      std::printf("line %d: %s\n", __LINE__, cublasGetStatusString(status));                   \
      std::exit(1);                                                                            \
    }                                                                                          \
  } while (0)
#define IDX2C(i, j, ld) (((j) * (ld)) + (i))

template <class T>
T* on_device(const std::vector<T>& values) {
  T* d;
  cudaMalloc(&d, values.size() * sizeof(T));
  cudaMemcpy(d, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}
template <class T>
std::vector<T> on_host(const T* d, size_t n) {
  std::vector<T> values(n);
  cudaMemcpy(values.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
  return values;
}
template <class T>
void show(const char* name, const std::vector<T>& values) {
  std::printf("%s:", name);
  for (T v : values) std::printf(" %g", static_cast<double>(v));
  std::printf("\n");
}

void vectors(cublasHandle_t h) {
  float* x = on_device<float>({1, -2, 3, -4, 5, -6});
  float* y = on_device<float>({10, 20, 30, 40, 50, 60});
  const float two = 2;
  CHECK(cublasSaxpy(h, 6, &two, x, 1, y, 1));
  show("axpy", on_host(y, 6));
  CHECK(cublasSaxpy(h, 3, &two, x, -2, y, 2));  // the last of x to the first of y
  show("axpy backwards", on_host(y, 6));
  float dot, norm, sum;
  int largest, smallest;
  CHECK(cublasSdot(h, 6, x, 1, y, 1, &dot));
  CHECK(cublasSnrm2(h, 6, x, 1, &norm));
  CHECK(cublasSasum(h, 3, x, 2, &sum));
  CHECK(cublasIsamax(h, 6, x, 1, &largest));
  CHECK(cublasIsamin(h, 6, x, 1, &smallest));
  std::printf("dot %g, norm %.6f, sum %g, largest %d, smallest %d\n", dot, norm, sum, largest, smallest);
  CHECK(cublasSscal(h, 3, &two, x, 2));
  CHECK(cublasSswap(h, 2, x, 1, y, 3));
  CHECK(cublasScopy(h, 2, x, 1, x + 4, 1));
  show("x", on_host(x, 6));
  show("y", on_host(y, 6));
  float* result;
  cudaMalloc(&result, 2 * sizeof(float));
  CHECK(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
  CHECK(cublasSdot(h, 2, x, 1, x, 1, result));
  CHECK(cublasSaxpy(h, 1, result, x, 1, result, 1));
  CHECK(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
  show("in device memory", on_host(result, 1));
  const float tiny[2] = {3e-30f, 4e-30f};
  CHECK(cublasSetVector(2, sizeof(float), tiny, 1, x, 3));
  CHECK(cublasSnrm2(h, 2, x, 3, &norm));
  std::printf("norm %g\n", norm);
  cudaFree(x);
  cudaFree(y);
  cudaFree(result);
}

// A is 2 x 3, of a matrix with 4 rows.
void matrices(cublasHandle_t h) {
  const int lda = 4;
  std::vector<double> a(lda * 3, 99);
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 2; ++i) a[IDX2C(i, j, lda)] = 10 * (i + 1) + j + 1;
  double* da;
  cudaMalloc(&da, lda * 3 * sizeof(double));
  CHECK(cublasSetMatrix(2, 3, sizeof(double), a.data(), lda, da, lda));  // two rows of each column alone
  double* x = on_device<double>({1, 2, 3});
  double* y = on_device<double>({NAN, NAN, NAN});
  const double one = 1, zero = 0, half = 0.5;
  CHECK(cublasDgemv(h, CUBLAS_OP_N, 2, 3, &one, da, lda, x, 1, &zero, y, 1));
  show("A x", on_host(y, 2));
  CHECK(cublasDgemv(h, CUBLAS_OP_T, 2, 3, &half, da, lda, x + 1, 1, &zero, y, 1));
  show("A' x / 2", on_host(y, 3));
  CHECK(cublasDger(h, 2, 3, &one, x, 1, x, -1, da, lda));
  double back[6];
  CHECK(cublasGetMatrix(2, 3, sizeof(double), da, lda, back, 2));
  show("A + x x'", std::vector<double>(back, back + 6));

  double* b = on_device<double>({1, 0, 2, 1, 1, 3});  // 3 x 2
  double* c = on_device<double>({1, 1, 1, 1});
  CHECK(cublasDgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &one, da, lda, b, 3, &half, c, 2));
  show("A B + C / 2", on_host(c, 4));
  double* c9;
  cudaMalloc(&c9, 9 * sizeof(double));
  CHECK(cublasDgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, 3, 3, 2, &one, b, 3, b, 3, &zero, c9, 3));
  show("B B'", on_host(c9, 9));
  cudaMemset(c9, 0, 9 * sizeof(double));
  CHECK(cublasDsyrk(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 3, 2, &one, b, 3, &zero, c9, 3));
  show("its lower half", on_host(c9, 9));
  CHECK(cublasDgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, 2, 3, &one, b, 3, &zero, nullptr, 2, c9, 2));
  show("B'", on_host(c9, 6));

  double* l = on_device<double>({2, 1, 3, 0, 4, 1, 0, 0, 5});  // lower triangle
  double* r = on_device<double>({2, 9, 14, 4, 6, 21});
  CHECK(cublasDtrsm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 3, 2, &one, l, 3, r,
                    3));
  show("L^-1 R", on_host(r, 6));
  CHECK(cublasDtrsm(h, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, CUBLAS_DIAG_UNIT, 2, 3, &one, l, 3, r,
                    2));
  show("R L^-T with ones", on_host(r, 6));
  for (double* p : {da, x, y, b, c, c9, l, r}) cudaFree(p);
}

void batches(cublasHandle_t h) {
  float* a = on_device<float>({1, 2, 3, 4, 5, 6, 7, 8});
  float* b = on_device<float>({1, 0, 0, 1});
  float* c;
  cudaMalloc(&c, 8 * sizeof(float));
  const float one = 1, zero = 0;
  CHECK(cublasSgemmStridedBatched(h, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, 4, b, 2, 0, &zero, c, 2, 4, 2));
  show("strided", on_host(c, 8));
  const float** as = on_device<const float*>({a + 4, a});
  const float** bs = on_device<const float*>({b, b});
  float** cs = on_device<float*>({c, c + 4});
  CHECK(cublasSgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, as, 2, bs, 2, &zero, cs, 2, 2));
  show("by pointers", on_host(c, 8));
  __half* ha = on_device<__half>({__float2half(1.5f), __float2half(2), __float2half(3), __float2half(4)});
  CHECK(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, ha, CUDA_R_16F, 2, ha, CUDA_R_16F, 2, &zero, c,
                     CUDA_R_32F, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  show("halves", on_host(c, 4));
  for (void* p : {(void*)a, (void*)b, (void*)c, (void*)as, (void*)bs, (void*)cs, (void*)ha}) cudaFree(p);
}

__global__ void add_one(float* x) { x[threadIdx.x] += 1; }

// A kernel and the library in one stream: in order.
void streams(cublasHandle_t h) {
  cudaStream_t stream, got;
  cudaStreamCreate(&stream);
  CHECK(cublasSetStream(h, stream));
  CHECK(cublasGetStream(h, &got));
  float* x = on_device<float>({1, 2, 3});
  add_one<<<1, 3, 0, stream>>>(x);
  const float two = 2;
  CHECK(cublasSscal(h, 3, &two, x, 1));
  add_one<<<1, 3, 0, stream>>>(x);
  float sum;
  CHECK(cublasSasum(h, 3, x, 1, &sum));
  std::printf("in a stream %g %d\n", sum, got == stream);
  CHECK(cublasSetStream(h, nullptr));
  cudaStreamDestroy(stream);
  cudaFree(x);
}

int main() {
  cublasHandle_t h;
  CHECK(cublasCreate(&h));
  CHECK(cublasSetMathMode(h, CUBLAS_TF32_TENSOR_OP_MATH));
  vectors(h);
  matrices(h);
  batches(h);
  streams(h);
  CHECK(cublasDestroy(h));
}
