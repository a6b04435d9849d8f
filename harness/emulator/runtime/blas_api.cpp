// cuBLAS: the functions of cublas_v2.h, each one operation of the handle's stream.

#include "include/cublas_v2.h"
#include "runtime/api_call.h"
#include "runtime/blas_arithmetic.h"
#include "runtime/blas_call.h"
#include "runtime/device_copy.h"
#include "runtime/graph.h"

using namespace simtlab::emulator;

namespace {

constexpr cublasStatus_t fine = CUBLAS_STATUS_SUCCESS, invalid = CUBLAS_STATUS_INVALID_VALUE;

struct named_status {
  const char *name, *text;
};
named_status described(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return {"CUBLAS_STATUS_SUCCESS", "success"};
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return {"CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"};
    case CUBLAS_STATUS_ALLOC_FAILED:
      return {"CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"};
    case CUBLAS_STATUS_INVALID_VALUE:
      return {"CUBLAS_STATUS_INVALID_VALUE", "an unsupported value or parameter was passed to the function"};
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return {"CUBLAS_STATUS_ARCH_MISMATCH", "the function requires a feature absent from the device architecture"};
    case CUBLAS_STATUS_MAPPING_ERROR:
      return {"CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"};
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return {"CUBLAS_STATUS_EXECUTION_FAILED", "the GPU program failed to execute"};
    case CUBLAS_STATUS_INTERNAL_ERROR:
      return {"CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"};
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return {"CUBLAS_STATUS_NOT_SUPPORTED", "the functionality requested is not supported"};
    case CUBLAS_STATUS_LICENSE_ERROR:
      return {"CUBLAS_STATUS_LICENSE_ERROR", "the functionality requested requires some license"};
  }
  return {"unknown status", "unknown status"};
}

/// A copy that a function of cuBLAS makes: CUDA's rules and findings, cuBLAS's errors.
cublasStatus_t copied(const api_caller& caller, cudaStream_t stream, bool is_asynchronous, const copy_shape& shape,
                      const void* from, void* to, cudaMemcpyKind kind) {
  const error_code e = api_call(caller, [&](device& d) -> error_code {
    if (!caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
    const kept_copy asked{to, from, shape, kind};
    if (is_asynchronous) {
      if (const auto taken = captured(stream, caller, asked); taken) return *taken;
      const in_stream here(d, stream);
      return copy(d, caller, to, from, shape, kind);
    }
    if (const auto refused = refused_in_capture(nullptr); refused) return *refused;
    return copy(d, caller, to, from, shape, kind);
  });
  return e == 0 ? fine : CUBLAS_STATUS_MAPPING_ERROR;
}

struct vector_copy {
  int n, bytes;
  const void* from;
  int from_step;
  void* to;
  int to_step;
};
cublasStatus_t copy_vector(const api_caller& caller, const vector_copy& c, cudaMemcpyKind kind,
                           cudaStream_t stream = nullptr, bool is_asynchronous = false) {
  if (c.n < 0 || c.bytes <= 0 || c.from_step <= 0 || c.to_step <= 0) return invalid;
  const auto n = static_cast<std::size_t>(c.n), bytes = static_cast<std::size_t>(c.bytes);
  const copy_shape shape = c.from_step == 1 && c.to_step == 1
                               ? copy_shape{n * bytes}
                               : copy_shape{bytes, n, static_cast<std::size_t>(c.to_step) * bytes,
                                            static_cast<std::size_t>(c.from_step) * bytes};
  return copied(caller, stream, is_asynchronous, shape, c.from, c.to, kind);
}

struct matrix_copy {
  int rows, columns, bytes;
  const void* from;
  int from_leading;
  void* to;
  int to_leading;
};
cublasStatus_t copy_matrix(const api_caller& caller, const matrix_copy& c, cudaMemcpyKind kind,
                           cudaStream_t stream = nullptr, bool is_asynchronous = false) {
  if (c.rows < 0 || c.columns < 0 || c.bytes <= 0 || c.from_leading <= 0 || c.to_leading <= 0 ||
      c.from_leading < c.rows || c.to_leading < c.rows)
    return invalid;
  const auto rows = static_cast<std::size_t>(c.rows), bytes = static_cast<std::size_t>(c.bytes);
  const copy_shape shape{rows * bytes, static_cast<std::size_t>(c.columns),
                         static_cast<std::size_t>(c.to_leading) * bytes,
                         static_cast<std::size_t>(c.from_leading) * bytes};
  return copied(caller, stream, is_asynchronous, shape, c.from, c.to, kind);
}

bool is_transposed(cublasOperation_t operation) { return operation != CUBLAS_OP_N; }

template <class T>
blas::operand_matrix<T> operand(const T* first, int leading, cublasOperation_t operation) {
  return {{first, leading}, is_transposed(operation)};
}

// Level 1. Nothing is done for no elements.

template <class T>
cublasStatus_t axpy(const api_caller& caller, cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y,
                    int incy) {
  return in_blas_call(caller, handle, [&](blas_call& call) {
    T factor{};
    if (!call.load("alpha", alpha, factor)) return call.status();
    if (n <= 0 || factor == T{0}) return fine;
    call.reads("x", x, operand_layout::vector(sizeof(T), n, incx));
    call.updates("y", y, operand_layout::vector(sizeof(T), n, incy));
    return call.run([&] {
      const blas::strided_vector<const T> from(x, n, incx);
      const blas::strided_vector<T> to(y, n, incy);
      for (int i = 0; i < n; ++i) to[i] += factor * from[i];
    });
  });
}

template <class T>
cublasStatus_t dot(const api_caller& caller, cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy,
                   T* result) {
  return in_blas_call(caller, handle, [&](blas_call& call) {
    call.reads("x", x, operand_layout::vector(sizeof(T), n, incx));
    call.reads("y", y, operand_layout::vector(sizeof(T), n, incy));
    if (!call.is_valid()) return CUBLAS_STATUS_EXECUTION_FAILED;
    return call.store("result", result, n <= 0 ? T{0} : blas::dot<T>(n, {x, n, incx}, {y, n, incy}));
  });
}

/// A result of one vector: 0 where it has no elements, or no step forward.
template <class T, class Result, class Reduce>
cublasStatus_t reduced(const api_caller& caller, cublasHandle_t handle, int n, const T* x, int incx, Result* result,
                       Reduce reduce) {
  return in_blas_call(caller, handle, [&](blas_call& call) {
    if (n <= 0 || incx <= 0) return call.store("result", result, Result{0});
    call.reads("x", x, operand_layout::vector(sizeof(T), n, incx));
    if (!call.is_valid()) return CUBLAS_STATUS_EXECUTION_FAILED;
    return call.store("result", result, reduce(blas::strided_vector<const T>(x, n, incx)));
  });
}
template <class T>
cublasStatus_t nrm2(const api_caller& caller, cublasHandle_t handle, int n, const T* x, int incx, T* result) {
  return reduced(caller, handle, n, x, incx, result, [&](const auto& v) { return blas::nrm2<T>(n, v); });
}
template <class T>
cublasStatus_t asum(const api_caller& caller, cublasHandle_t handle, int n, const T* x, int incx, T* result) {
  return reduced(caller, handle, n, x, incx, result, [&](const auto& v) { return blas::asum<T>(n, v); });
}
template <class T>
cublasStatus_t extreme(const api_caller& caller, bool is_largest, cublasHandle_t handle, int n, const T* x, int incx,
                       int* result) {
  return reduced(caller, handle, n, x, incx, result, [&](const auto& v) { return blas::extreme<T>(is_largest, n, v); });
}

template <class T>
cublasStatus_t scal(const api_caller& caller, cublasHandle_t handle, int n, const T* alpha, T* x, int incx) {
  return in_blas_call(caller, handle, [&](blas_call& call) {
    T factor{};
    if (!call.load("alpha", alpha, factor)) return call.status();
    if (n <= 0 || incx <= 0) return fine;
    call.updates("x", x, operand_layout::vector(sizeof(T), n, incx));
    return call.run([&] {
      const blas::strided_vector<T> v(x, n, incx);
      for (int i = 0; i < n; ++i) v[i] *= factor;
    });
  });
}

template <class T>
cublasStatus_t copy_elements(const api_caller& caller, cublasHandle_t handle, int n, const T* x, int incx, T* y,
                             int incy) {
  return in_blas_call(caller, handle, [&](blas_call& call) {
    if (n <= 0) return fine;
    call.reads("x", x, operand_layout::vector(sizeof(T), n, incx));
    call.writes("y", y, operand_layout::vector(sizeof(T), n, incy));
    return call.run([&] {
      const blas::strided_vector<const T> from(x, n, incx);
      const blas::strided_vector<T> to(y, n, incy);
      for (int i = 0; i < n; ++i) to[i] = from[i];
    });
  });
}

template <class T>
cublasStatus_t swap_elements(const api_caller& caller, cublasHandle_t handle, int n, T* x, int incx, T* y, int incy) {
  return in_blas_call(caller, handle, [&](blas_call& call) {
    if (n <= 0) return fine;
    call.updates("x", x, operand_layout::vector(sizeof(T), n, incx));
    call.updates("y", y, operand_layout::vector(sizeof(T), n, incy));
    return call.run([&] {
      const blas::strided_vector<T> one(x, n, incx), other(y, n, incy);
      for (int i = 0; i < n; ++i) std::swap(one[i], other[i]);
    });
  });
}

// Level 2

template <class T>
cublasStatus_t gemv(const api_caller& caller, cublasHandle_t handle, cublasOperation_t trans, int rows, int columns,
                    const T* alpha, const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy) {
  return in_blas_call(caller, handle, [&](blas_call& call) {
    if (!call.takes_operation("trans", trans) || !call.takes_count("m", rows) || !call.takes_count("n", columns) ||
        !call.takes_leading("lda", lda, rows) || !call.takes_step("incx", incx) || !call.takes_step("incy", incy))
      return invalid;
    T of_product{}, of_y{};
    if (!call.load("alpha", alpha, of_product) || !call.load("beta", beta, of_y)) return call.status();
    if (rows == 0 || columns == 0) return fine;
    const int height = is_transposed(trans) ? columns : rows, width = is_transposed(trans) ? rows : columns;
    call.reads("A", a, operand_layout::matrix(sizeof(T), rows, columns, lda));
    call.reads("x", x, operand_layout::vector(sizeof(T), width, incx));
    const operand_layout result = operand_layout::vector(sizeof(T), height, incy);
    if (of_y != T{0}) call.reads("y", y, result);
    call.writes("y", y, result);
    return call.run([&] {
      blas::gemv<T>(height, width, of_product, operand(a, lda, trans), {x, width, incx}, of_y, {y, height, incy});
    });
  });
}

template <class T>
cublasStatus_t ger(const api_caller& caller, cublasHandle_t handle, int rows, int columns, const T* alpha, const T* x,
                   int incx, const T* y, int incy, T* a, int lda) {
  return in_blas_call(caller, handle, [&](blas_call& call) {
    if (!call.takes_count("m", rows) || !call.takes_count("n", columns) || !call.takes_step("incx", incx) ||
        !call.takes_step("incy", incy) || !call.takes_leading("lda", lda, rows))
      return invalid;
    T factor{};
    if (!call.load("alpha", alpha, factor)) return call.status();
    if (rows == 0 || columns == 0) return fine;
    call.reads("x", x, operand_layout::vector(sizeof(T), rows, incx));
    call.reads("y", y, operand_layout::vector(sizeof(T), columns, incy));
    call.updates("A", a, operand_layout::matrix(sizeof(T), rows, columns, lda));
    return call.run([&] {
      const blas::strided_vector<const T> left(x, rows, incx), right(y, columns, incy);
      const blas::column_matrix<T> to{a, lda};
      for (int column = 0; column < columns; ++column)
        for (int row = 0; row < rows; ++row) to(row, column) += factor * left[row] * right[column];
    });
  });
}

// Level 3

/// The shapes of a product, and the leading dimensions.
struct product_shape {
  cublasOperation_t of_a, of_b;
  int rows, columns, inner, lda, ldb, ldc;
  [[nodiscard]] int rows_of_a() const { return is_transposed(of_a) ? inner : rows; }
  [[nodiscard]] int columns_of_a() const { return is_transposed(of_a) ? rows : inner; }
  [[nodiscard]] int rows_of_b() const { return is_transposed(of_b) ? columns : inner; }
  [[nodiscard]] int columns_of_b() const { return is_transposed(of_b) ? inner : columns; }
};

bool takes_product(const blas_call& call, const product_shape& s) {
  return call.takes_operation("transa", s.of_a) && call.takes_operation("transb", s.of_b) &&
         call.takes_count("m", s.rows) && call.takes_count("n", s.columns) && call.takes_count("k", s.inner) &&
         call.takes_leading("lda", s.lda, s.rows_of_a()) && call.takes_leading("ldb", s.ldb, s.rows_of_b()) &&
         call.takes_leading("ldc", s.ldc, s.rows);
}

template <class In, class Out>
struct product_places {
  const In *a, *b;
  Out* c;
};

/// What a product touches; A and B are not read for nothing.
template <class In, class Out, class Sum>
void touch_product(blas_call& call, const product_shape& s, const product_places<In, Out>& at, Sum alpha, Sum beta) {
  if (alpha != Sum{0} && s.inner > 0) {
    call.reads("A", at.a, operand_layout::matrix(sizeof(In), s.rows_of_a(), s.columns_of_a(), s.lda));
    call.reads("B", at.b, operand_layout::matrix(sizeof(In), s.rows_of_b(), s.columns_of_b(), s.ldb));
  }
  const operand_layout result = operand_layout::matrix(sizeof(Out), s.rows, s.columns, s.ldc);
  if (beta != Sum{0}) call.reads("C", at.c, result);
  call.writes("C", at.c, result);
}
template <class In, class Out, class Sum>
void multiply(const product_shape& s, const product_places<In, Out>& at, Sum alpha, Sum beta) {
  blas::gemm<In, Out, Sum>(s.rows, s.columns, alpha == Sum{0} ? 0 : s.inner, alpha, operand(at.a, s.lda, s.of_a),
                           operand(at.b, s.ldb, s.of_b), beta, {at.c, s.ldc});
}

/// `places(batch)` for each product; all are looked at before one is made. `Factor`: of alpha and beta, as they lie in memory.
template <class In, class Out, class Sum, class Factor, class Places>
cublasStatus_t products(blas_call& call, const product_shape& s, const Factor* alpha, const Factor* beta, int batches,
                        Places places) {
  if (!takes_product(call, s) || !call.takes_count("batchCount", batches)) return invalid;
  Factor given_alpha{}, given_beta{};
  if (!call.load("alpha", alpha, given_alpha) || !call.load("beta", beta, given_beta)) return call.status();
  const auto of_product = static_cast<Sum>(blas::number(given_alpha)),
             of_c = static_cast<Sum>(blas::number(given_beta));
  if (s.rows == 0 || s.columns == 0 || batches == 0) return fine;
  for (int batch = 0; batch < batches && call.is_valid(); ++batch)
    touch_product(call, s, places(batch), of_product, of_c);
  return call.run([&] {
    for (int batch = 0; batch < batches; ++batch) multiply<In, Out, Sum>(s, places(batch), of_product, of_c);
  });
}

template <class T>
cublasStatus_t gemm(const api_caller& caller, cublasHandle_t handle, const product_shape& s, const T* alpha, const T* a,
                    const T* b, const T* beta, T* c) {
  return in_blas_call(caller, handle, [&](blas_call& call) {
    return products<T, T, T>(call, s, alpha, beta, 1, [&](int) { return product_places<T, T>{a, b, c}; });
  });
}

struct batch_strides {
  long long a, b, c;
};
template <class T>
cublasStatus_t gemm_strided(const api_caller& caller, cublasHandle_t handle, const product_shape& s, const T* alpha,
                            const T* a, const T* b, const T* beta, T* c, const batch_strides& strides, int batches) {
  return in_blas_call(caller, handle, [&](blas_call& call) {
    return products<T, T, T>(call, s, alpha, beta, batches, [&](int batch) {
      return product_places<T, T>{a + batch * strides.a, b + batch * strides.b, c + batch * strides.c};
    });
  });
}

/// The arrays of pointers lie in device memory, too.
template <class T>
cublasStatus_t gemm_batched(const api_caller& caller, cublasHandle_t handle, const product_shape& s, const T* alpha,
                            const T* const* a, const T* const* b, const T* beta, T* const* c, int batches) {
  return in_blas_call(caller, handle, [&](blas_call& call) {
    if (!call.takes_count("batchCount", batches)) return invalid;
    const operand_layout pointers = operand_layout::vector(sizeof(T*), batches, 1);
    call.reads("Aarray", a, pointers);
    call.reads("Barray", b, pointers);
    call.reads("Carray", c, pointers);
    if (!call.is_valid()) return CUBLAS_STATUS_EXECUTION_FAILED;
    return products<T, T, T>(call, s, alpha, beta, batches, [&](int batch) {
      return product_places<T, T>{a[batch], b[batch], c[batch]};
    });
  });
}

template <class T>
cublasStatus_t syrk(const api_caller& caller, cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,
                    int n, int inner, const T* alpha, const T* a, int lda, const T* beta, T* c, int ldc) {
  return in_blas_call(caller, handle, [&](blas_call& call) {
    const bool is_lower = uplo == CUBLAS_FILL_MODE_LOWER, turned = is_transposed(trans);
    if (!call.takes(is_lower || uplo == CUBLAS_FILL_MODE_UPPER, "uplo", uplo,
                    "CUBLAS_FILL_MODE_LOWER or CUBLAS_FILL_MODE_UPPER") ||
        !call.takes_operation("trans", trans) || !call.takes_count("n", n) || !call.takes_count("k", inner) ||
        !call.takes_leading("lda", lda, turned ? inner : n) || !call.takes_leading("ldc", ldc, n))
      return invalid;
    T of_product{}, of_c{};
    if (!call.load("alpha", alpha, of_product) || !call.load("beta", beta, of_c)) return call.status();
    if (n == 0) return fine;
    if (of_product != T{0})
      call.reads("A", a, operand_layout::matrix(sizeof(T), turned ? inner : n, turned ? n : inner, lda));
    const operand_layout result =
        operand_layout::matrix(sizeof(T), n, n, ldc, is_lower ? matrix_part::lower : matrix_part::upper);
    if (of_c != T{0}) call.reads("C", c, result);
    call.writes("C", c, result);
    return call.run([&] {
      blas::syrk<T>(is_lower, n, of_product == T{0} ? 0 : inner, of_product, operand(a, lda, trans), of_c, {c, ldc});
    });
  });
}

template <class T>
cublasStatus_t trsm(const api_caller& caller, cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                    cublasOperation_t trans, cublasDiagType_t diag, int rows, int columns, const T* alpha, const T* a,
                    int lda, T* b, int ldb) {
  return in_blas_call(caller, handle, [&](blas_call& call) {
    const bool is_left = side == CUBLAS_SIDE_LEFT, is_lower = uplo == CUBLAS_FILL_MODE_LOWER;
    const bool has_unit_diagonal = diag == CUBLAS_DIAG_UNIT;
    const int order = is_left ? rows : columns;
    if (!call.takes(is_left || side == CUBLAS_SIDE_RIGHT, "side", side, "CUBLAS_SIDE_LEFT or CUBLAS_SIDE_RIGHT") ||
        !call.takes(is_lower || uplo == CUBLAS_FILL_MODE_UPPER, "uplo", uplo,
                    "CUBLAS_FILL_MODE_LOWER or CUBLAS_FILL_MODE_UPPER") ||
        !call.takes_operation("trans", trans) ||
        !call.takes(has_unit_diagonal || diag == CUBLAS_DIAG_NON_UNIT, "diag", diag,
                    "CUBLAS_DIAG_NON_UNIT or CUBLAS_DIAG_UNIT") ||
        !call.takes_count("m", rows) || !call.takes_count("n", columns) || !call.takes_leading("lda", lda, order) ||
        !call.takes_leading("ldb", ldb, rows))
      return invalid;
    T factor{};
    if (!call.load("alpha", alpha, factor)) return call.status();
    if (rows == 0 || columns == 0) return fine;
    const matrix_part part = is_lower ? (has_unit_diagonal ? matrix_part::strictly_lower : matrix_part::lower)
                                      : (has_unit_diagonal ? matrix_part::strictly_upper : matrix_part::upper);
    call.reads("A", a, operand_layout::matrix(sizeof(T), order, order, lda, part));
    call.updates("B", b, operand_layout::matrix(sizeof(T), rows, columns, ldb));
    return call.run([&] {
      blas::trsm<T>(is_left, is_lower != is_transposed(trans), has_unit_diagonal, rows, columns, factor,
                    operand(a, lda, trans), {b, ldb});
    });
  });
}

template <class T>
cublasStatus_t geam(const api_caller& caller, cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                    int rows, int columns, const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb,
                    T* c, int ldc) {
  return in_blas_call(caller, handle, [&](blas_call& call) {
    const int rows_of_a = is_transposed(transa) ? columns : rows, rows_of_b = is_transposed(transb) ? columns : rows;
    constexpr const char* in_place = "where C is that matrix, CUBLAS_OP_N and the leading dimension of C";
    if (!call.takes_operation("transa", transa) || !call.takes_operation("transb", transb) ||
        !call.takes_count("m", rows) || !call.takes_count("n", columns) || !call.takes_leading("lda", lda, rows_of_a) ||
        !call.takes_leading("ldb", ldb, rows_of_b) || !call.takes_leading("ldc", ldc, rows) ||
        !call.takes(c != a || (!is_transposed(transa) && lda == ldc), "transa", transa, in_place) ||
        !call.takes(c != b || (!is_transposed(transb) && ldb == ldc), "transb", transb, in_place))
      return invalid;
    T of_a{}, of_b{};
    if (!call.load("alpha", alpha, of_a) || !call.load("beta", beta, of_b)) return call.status();
    if (rows == 0 || columns == 0) return fine;
    if (of_a != T{0})
      call.reads("A", a, operand_layout::matrix(sizeof(T), rows_of_a, is_transposed(transa) ? rows : columns, lda));
    if (of_b != T{0})
      call.reads("B", b, operand_layout::matrix(sizeof(T), rows_of_b, is_transposed(transb) ? rows : columns, ldb));
    call.writes("C", c, operand_layout::matrix(sizeof(T), rows, columns, ldc));
    return call.run([&] {
      blas::geam<T>(rows, columns, of_a, operand(a, lda, transa), of_b, operand(b, ldb, transb), {c, ldc});
    });
  });
}

/// Elements of other types than their sums.
struct mixed_product {
  product_shape shape;
  const void *alpha, *a, *b, *beta;
  void* c;
};
template <class In, class Out, class Sum>
cublasStatus_t mixed(blas_call& call, const mixed_product& p) {
  return products<In, Out,
                  Sum>(call, p.shape, static_cast<const Sum*>(p.alpha), static_cast<const Sum*>(p.beta), 1, [&](int) {
    return product_places<In, Out>{static_cast<const In*>(p.a), static_cast<const In*>(p.b), static_cast<Out*>(p.c)};
  });
}

bool sums_floats(cublasComputeType_t compute) {
  return compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
         compute == CUBLAS_COMPUTE_32F_FAST_16F || compute == CUBLAS_COMPUTE_32F_FAST_16BF ||
         compute == CUBLAS_COMPUTE_32F_FAST_TF32;
}

struct element_types {
  cudaDataType a, b, c;
  cublasComputeType_t sums;
};
cublasStatus_t mixed_of(blas_call& call, const element_types& types, const mixed_product& p) {
  const bool floats = sums_floats(types.sums);
  const auto are = [&](cudaDataType in, cudaDataType out) { return types.a == in && types.b == in && types.c == out; };
  if (floats && are(CUDA_R_32F, CUDA_R_32F)) return mixed<float, float, float>(call, p);
  if (floats && are(CUDA_R_16F, CUDA_R_16F)) return mixed<blas::half_bits, blas::half_bits, float>(call, p);
  if (floats && are(CUDA_R_16F, CUDA_R_32F)) return mixed<blas::half_bits, float, float>(call, p);
  if (floats && are(CUDA_R_16BF, CUDA_R_16BF)) return mixed<blas::bfloat_bits, blas::bfloat_bits, float>(call, p);
  if (floats && are(CUDA_R_16BF, CUDA_R_32F)) return mixed<blas::bfloat_bits, float, float>(call, p);
  const bool doubles = types.sums == CUBLAS_COMPUTE_64F || types.sums == CUBLAS_COMPUTE_64F_PEDANTIC;
  if (doubles && are(CUDA_R_64F, CUDA_R_64F)) return mixed<double, double, double>(call, p);
  const bool integers = types.sums == CUBLAS_COMPUTE_32I || types.sums == CUBLAS_COMPUTE_32I_PEDANTIC;
  if (integers && are(CUDA_R_8I, CUDA_R_32I)) return mixed<signed char, int, int>(call, p);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

/// A member of the handle, told or set.
template <class T>
cublasStatus_t tell(const api_caller& caller, cublasHandle_t handle, T* to, T cublasContext::*member) {
  const emulator_call inside;
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  const cublasContext* const context = blas_context(d, caller, handle);
  if (context == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!caller.may_set(d, to)) return invalid;
  *to = context->*member;
  return fine;
}
template <class T>
cublasStatus_t keep(const api_caller& caller, cublasHandle_t handle, T cublasContext::*member, T value) {
  const emulator_call inside;
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  cublasContext* const context = blas_context(d, caller, handle);
  if (context == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  context->*member = value;
  return fine;
}

}  // namespace

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  const api_caller caller = SIMTLAB_API_CALLER;
  const error_code e = fallible_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, handle)) return cudaErrorInvalidValue;
    *handle = blas_handles().make();
    return cudaSuccess;
  });
  return e == cudaSuccess ? fine : e == cudaErrorInvalidValue ? invalid : CUBLAS_STATUS_ALLOC_FAILED;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  const api_caller caller = SIMTLAB_API_CALLER;
  const emulator_call inside;
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  if (blas_context(d, caller, handle) == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  d.streams.wait_for_all();  // as cudaDeviceSynchronize does (cuBLAS documentation, "cublasDestroy()")
  blas_handles().destroy(handle);
  return fine;
}
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return in_blas_call(caller, handle, [&](blas_call&) {
    if (!caller.may_set(device::instance(), version)) return invalid;
    *version = CUBLAS_VERSION;
    return fine;
  });
}
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  const api_caller caller = SIMTLAB_API_CALLER;
  {
    const emulator_call inside;
    device& d = device::instance();
    const std::lock_guard guard(d.lock);
    if (!caller.is_stream(d, stream)) return invalid;
  }
  return keep(caller, handle, &cublasContext::stream, stream);
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
  return tell(SIMTLAB_API_CALLER, handle, stream, &cublasContext::stream);
}
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  if (mode != CUBLAS_POINTER_MODE_HOST && mode != CUBLAS_POINTER_MODE_DEVICE) return invalid;
  return keep(SIMTLAB_API_CALLER, handle, &cublasContext::pointer_mode, mode);
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return tell(SIMTLAB_API_CALLER, handle, mode, &cublasContext::pointer_mode);
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return keep(SIMTLAB_API_CALLER, handle, &cublasContext::math_mode, mode);
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return tell(SIMTLAB_API_CALLER, handle, mode, &cublasContext::math_mode);
}
const char* cublasGetStatusName(cublasStatus_t status) { return described(status).name; }
const char* cublasGetStatusString(cublasStatus_t status) { return described(status).text; }

cublasStatus_t cublasSetVector(int n, int bytes, const void* x, int incx, void* y, int incy) {
  return copy_vector(SIMTLAB_API_CALLER, {n, bytes, x, incx, y, incy}, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetVector(int n, int bytes, const void* x, int incx, void* y, int incy) {
  return copy_vector(SIMTLAB_API_CALLER, {n, bytes, x, incx, y, incy}, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSetVectorAsync(int n, int bytes, const void* x, int incx, void* y, int incy, cudaStream_t stream) {
  return copy_vector(SIMTLAB_API_CALLER, {n, bytes, x, incx, y, incy}, cudaMemcpyHostToDevice, stream, true);
}
cublasStatus_t cublasGetVectorAsync(int n, int bytes, const void* x, int incx, void* y, int incy, cudaStream_t stream) {
  return copy_vector(SIMTLAB_API_CALLER, {n, bytes, x, incx, y, incy}, cudaMemcpyDeviceToHost, stream, true);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb) {
  return copy_matrix(SIMTLAB_API_CALLER, {rows, columns, bytes, a, lda, b, ldb}, cudaMemcpyHostToDevice);
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb) {
  return copy_matrix(SIMTLAB_API_CALLER, {rows, columns, bytes, a, lda, b, ldb}, cudaMemcpyDeviceToHost);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb,
                                    cudaStream_t stream) {
  return copy_matrix(SIMTLAB_API_CALLER, {rows, columns, bytes, a, lda, b, ldb}, cudaMemcpyHostToDevice, stream, true);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb,
                                    cudaStream_t stream) {
  return copy_matrix(SIMTLAB_API_CALLER, {rows, columns, bytes, a, lda, b, ldb}, cudaMemcpyDeviceToHost, stream, true);
}

#define SIMTLAB_BLAS_OF(letter, small, type)                                                                           \
  cublasStatus_t cublas##letter##axpy(cublasHandle_t handle, int n, const type* alpha, const type* x, int incx,        \
                                      type* y, int incy) {                                                             \
    return axpy(SIMTLAB_API_CALLER, handle, n, alpha, x, incx, y, incy);                                               \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##dot(cublasHandle_t handle, int n, const type* x, int incx, const type* y, int incy,   \
                                     type* result) {                                                                   \
    return dot(SIMTLAB_API_CALLER, handle, n, x, incx, y, incy, result);                                               \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##nrm2(cublasHandle_t handle, int n, const type* x, int incx, type* result) {           \
    return nrm2(SIMTLAB_API_CALLER, handle, n, x, incx, result);                                                       \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##asum(cublasHandle_t handle, int n, const type* x, int incx, type* result) {           \
    return asum(SIMTLAB_API_CALLER, handle, n, x, incx, result);                                                       \
  }                                                                                                                    \
  cublasStatus_t cublasI##small##amax(cublasHandle_t handle, int n, const type* x, int incx, int* result) {            \
    return extreme(SIMTLAB_API_CALLER, true, handle, n, x, incx, result);                                              \
  }                                                                                                                    \
  cublasStatus_t cublasI##small##amin(cublasHandle_t handle, int n, const type* x, int incx, int* result) {            \
    return extreme(SIMTLAB_API_CALLER, false, handle, n, x, incx, result);                                             \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##scal(cublasHandle_t handle, int n, const type* alpha, type* x, int incx) {            \
    return scal(SIMTLAB_API_CALLER, handle, n, alpha, x, incx);                                                        \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##copy(cublasHandle_t handle, int n, const type* x, int incx, type* y, int incy) {      \
    return copy_elements(SIMTLAB_API_CALLER, handle, n, x, incx, y, incy);                                             \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##swap(cublasHandle_t handle, int n, type* x, int incx, type* y, int incy) {            \
    return swap_elements(SIMTLAB_API_CALLER, handle, n, x, incx, y, incy);                                             \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##gemv(cublasHandle_t handle, cublasOperation_t trans, int rows, int columns,           \
                                      const type* alpha, const type* a, int lda, const type* x, int incx,              \
                                      const type* beta, type* y, int incy) {                                           \
    return gemv(SIMTLAB_API_CALLER, handle, trans, rows, columns, alpha, a, lda, x, incx, beta, y, incy);              \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##ger(cublasHandle_t handle, int rows, int columns, const type* alpha, const type* x,   \
                                     int incx, const type* y, int incy, type* a, int lda) {                            \
    return ger(SIMTLAB_API_CALLER, handle, rows, columns, alpha, x, incx, y, incy, a, lda);                            \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##gemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,       \
                                      int rows, int columns, int inner, const type* alpha, const type* a, int lda,     \
                                      const type* b, int ldb, const type* beta, type* c, int ldc) {                    \
    return gemm(SIMTLAB_API_CALLER, handle, {transa, transb, rows, columns, inner, lda, ldb, ldc}, alpha, a, b, beta,  \
                c);                                                                                                    \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##gemmStridedBatched(                                                                   \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int rows, int columns, int inner,     \
      const type* alpha, const type* a, int lda, long long stride_a, const type* b, int ldb, long long stride_b,       \
      const type* beta, type* c, int ldc, long long stride_c, int batches) {                                           \
    return gemm_strided(SIMTLAB_API_CALLER, handle, {transa, transb, rows, columns, inner, lda, ldb, ldc}, alpha, a,   \
                        b, beta, c, {stride_a, stride_b, stride_c}, batches);                                          \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##gemmBatched(cublasHandle_t handle, cublasOperation_t transa,                          \
                                             cublasOperation_t transb, int rows, int columns, int inner,               \
                                             const type* alpha, const type* const* a, int lda, const type* const* b,   \
                                             int ldb, const type* beta, type* const* c, int ldc, int batches) {        \
    return gemm_batched<type>(SIMTLAB_API_CALLER, handle, {transa, transb, rows, columns, inner, lda, ldb, ldc},       \
                              alpha, a, b, beta, c, batches);                                                          \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##syrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,    \
                                      int inner, const type* alpha, const type* a, int lda, const type* beta, type* c, \
                                      int ldc) {                                                                       \
    return syrk(SIMTLAB_API_CALLER, handle, uplo, trans, n, inner, alpha, a, lda, beta, c, ldc);                       \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,             \
                                      cublasOperation_t trans, cublasDiagType_t diag, int rows, int columns,           \
                                      const type* alpha, const type* a, int lda, type* b, int ldb) {                   \
    return trsm(SIMTLAB_API_CALLER, handle, side, uplo, trans, diag, rows, columns, alpha, a, lda, b, ldb);            \
  }                                                                                                                    \
  cublasStatus_t cublas##letter##geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,       \
                                      int rows, int columns, const type* alpha, const type* a, int lda,                \
                                      const type* beta, const type* b, int ldb, type* c, int ldc) {                    \
    return geam(SIMTLAB_API_CALLER, handle, transa, transb, rows, columns, alpha, a, lda, beta, b, ldb, c, ldc);       \
  }
SIMTLAB_BLAS_OF(S, s, float)
SIMTLAB_BLAS_OF(D, d, double)
#undef SIMTLAB_BLAS_OF

cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int rows,
                           int columns, int inner, const __half* alpha, const __half* a, int lda, const __half* b,
                           int ldb, const __half* beta, __half* c, int ldc) {
  const api_caller caller = SIMTLAB_API_CALLER;
  using blas::half_bits;
  return in_blas_call(caller, handle, [&](blas_call& call) {
    return products<half_bits, half_bits, float>(
        call, {transa, transb, rows, columns, inner, lda, ldb, ldc}, reinterpret_cast<const half_bits*>(alpha),
        reinterpret_cast<const half_bits*>(beta), 1, [&](int) {
          return product_places<half_bits, half_bits>{reinterpret_cast<const half_bits*>(a),
                                                      reinterpret_cast<const half_bits*>(b),
                                                      reinterpret_cast<half_bits*>(c)};
        });
  });
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int rows,
                            int columns, int inner, const void* alpha, const void* a, cudaDataType type_of_a, int lda,
                            const void* b, cudaDataType type_of_b, int ldb, const void* beta, void* c,
                            cudaDataType type_of_c, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return in_blas_call(caller, handle, [&](blas_call& call) {
    return mixed_of(call, {type_of_a, type_of_b, type_of_c, compute},
                    {{transa, transb, rows, columns, inner, lda, ldb, ldc}, alpha, a, b, beta, c});
  });
}

}  // extern "C"
