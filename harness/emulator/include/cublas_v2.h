// The functions of cuBLAS that courses use, for vectors and matrices of float and double in device memory: columns lie one behind
// the other, column j begins j * ld elements behind the first (cuBLAS documentation, "Data layout"). Sizes and values of
// enumerations are cuBLAS's. What a call reads and writes is checked as a copy's memory is.
#pragma once
#pragma GCC system_header
#define CUBLAS_V2_H_  // the toolkit's guards, for headers that look for them
#define CUBLAS_API_H_

#include <stddef.h>

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"
#ifdef __cplusplus
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif

#define CUBLASWINAPI
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VERSION 120000

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef struct cublasContext* cublasHandle_t;

#ifdef __cplusplus
extern "C" {
#endif

// The handle. Every call with it goes into its stream.
cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
/// Where `alpha`, `beta` and results lie.
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
/// Kept, and changes nothing: products of floats are sums of floats.
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);

// Copies of n elements of `bytes` each, `incx` and `incy` apart; of matrices, by columns.
cublasStatus_t cublasSetVector(int n, int bytes, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasGetVector(int n, int bytes, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasSetVectorAsync(int n, int bytes, const void* x, int incx, void* y, int incy, cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int bytes, const void* x, int incx, void* y, int incy, cudaStream_t stream);
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb,
                                    cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb,
                                    cudaStream_t stream);

#define SIMTLAB_BLAS_OF(letter, small, type)                                                                           \
  cublasStatus_t cublas##letter##axpy(cublasHandle_t handle, int n, const type* alpha, const type* x, int incx,        \
                                      type* y, int incy);                                                              \
  cublasStatus_t cublas##letter##dot(cublasHandle_t handle, int n, const type* x, int incx, const type* y, int incy,   \
                                     type* result);                                                                    \
  cublasStatus_t cublas##letter##nrm2(cublasHandle_t handle, int n, const type* x, int incx, type* result);            \
  cublasStatus_t cublas##letter##asum(cublasHandle_t handle, int n, const type* x, int incx, type* result);            \
  cublasStatus_t cublas##letter##scal(cublasHandle_t handle, int n, const type* alpha, type* x, int incx);             \
  cublasStatus_t cublas##letter##copy(cublasHandle_t handle, int n, const type* x, int incx, type* y, int incy);       \
  cublasStatus_t cublas##letter##swap(cublasHandle_t handle, int n, type* x, int incx, type* y, int incy);             \
  cublasStatus_t cublas##letter##gemv(cublasHandle_t handle, cublasOperation_t trans, int rows, int columns,           \
                                      const type* alpha, const type* a, int lda, const type* x, int incx,              \
                                      const type* beta, type* y, int incy);                                            \
  cublasStatus_t cublas##letter##ger(cublasHandle_t handle, int rows, int columns, const type* alpha, const type* x,   \
                                     int incx, const type* y, int incy, type* a, int lda);                             \
  cublasStatus_t cublas##letter##gemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,       \
                                      int rows, int columns, int inner, const type* alpha, const type* a, int lda,     \
                                      const type* b, int ldb, const type* beta, type* c, int ldc);                     \
  cublasStatus_t cublas##letter##gemmStridedBatched(                                                                   \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int rows, int columns, int inner,     \
      const type* alpha, const type* a, int lda, long long stride_a, const type* b, int ldb, long long stride_b,       \
      const type* beta, type* c, int ldc, long long stride_c, int batches);                                            \
  cublasStatus_t cublas##letter##gemmBatched(cublasHandle_t handle, cublasOperation_t transa,                          \
                                             cublasOperation_t transb, int rows, int columns, int inner,               \
                                             const type* alpha, const type* const* a, int lda, const type* const* b,   \
                                             int ldb, const type* beta, type* const* c, int ldc, int batches);         \
  cublasStatus_t cublas##letter##syrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,    \
                                      int inner, const type* alpha, const type* a, int lda, const type* beta, type* c, \
                                      int ldc);                                                                        \
  cublasStatus_t cublas##letter##trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,             \
                                      cublasOperation_t trans, cublasDiagType_t diag, int rows, int columns,           \
                                      const type* alpha, const type* a, int lda, type* b, int ldb);                    \
  cublasStatus_t cublas##letter##geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,       \
                                      int rows, int columns, const type* alpha, const type* a, int lda,                \
                                      const type* beta, const type* b, int ldb, type* c, int ldc);                     \
  cublasStatus_t cublasI##small##amax(cublasHandle_t handle, int n, const type* x, int incx, int* result);             \
  cublasStatus_t cublasI##small##amin(cublasHandle_t handle, int n, const type* x, int incx, int* result);
SIMTLAB_BLAS_OF(S, s, float)
SIMTLAB_BLAS_OF(D, d, double)
#undef SIMTLAB_BLAS_OF

#ifdef __cplusplus
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int rows,
                           int columns, int inner, const __half* alpha, const __half* a, int lda, const __half* b,
                           int ldb, const __half* beta, __half* c, int ldc);
#endif
/// Elements of half, bfloat16 or float with sums of floats (`alpha` and `beta` are floats); of double; of signed bytes with sums
/// of int. A and B have one type.
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int rows,
                            int columns, int inner, const void* alpha, const void* a, cudaDataType type_of_a, int lda,
                            const void* b, cudaDataType type_of_b, int ldb, const void* beta, void* c,
                            cudaDataType type_of_c, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t algorithm);

#ifdef __cplusplus
}
#endif
