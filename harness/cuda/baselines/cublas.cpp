// cuBLAS stores matrices by columns: a row-major matrix is to it the transposed one.
#include <cublas_v2.h>

#include "cuda/baselines/library.h"
#include "cuda/baselines/temporary_memory.h"

namespace simtlab {
namespace {

void check(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(call) + " failed with " + cublasGetStatusString(status));
}

using handle_pointer = std::shared_ptr<std::remove_pointer_t<cublasHandle_t>>;

handle_pointer make_handle() {
  cublasHandle_t made = nullptr;
  check(cublasCreate(&made), "cublasCreate");
  handle_pointer handle(made, [](cublasHandle_t h) { cublasDestroy(h); });
  check(cublasSetMathMode(made, CUBLAS_PEDANTIC_MATH), "cublasSetMathMode");  // fp32 throughout, no TF32
  return handle;
}

int extent(const device_array& a, std::size_t n) { return static_cast<int>(a.extents().at(n)); }

}  // namespace

library_call cublas_sgemm(const library_problem& p) {
  p.require("cublas_sgemm", {scalar_type::f32});
  const device_array &a = p.input(0, 2), &b = p.input(1, 2), &c = p.output(0, 2);
  const int j = extent(a, 0), k = extent(a, 1), l = extent(b, 1);
  if (extent(b, 0) != k || extent(c, 0) != j || extent(c, 1) != l)
    throw unfit_arguments("the arrays are no product: c (j x l) = a (j x k) * b (k x l)");
  return [handle = make_handle(), j, k, l, a = a.data, b = b.data, c = c.data] {
    const float one = 1, zero = 0;
    check(cublasSgemm(handle.get(), CUBLAS_OP_N, CUBLAS_OP_N, l, j, k, &one, static_cast<const float*>(b), l,
                      static_cast<const float*>(a), k, &zero, static_cast<float*>(c), l),
          "cublasSgemm");
  };
}

library_call cublas_geam(const library_problem& p) {
  p.require("cublas_geam", {scalar_type::f32});
  const device_array &from = p.input(0, 2), &to = p.output(0, 2);
  const int rows = extent(from, 0), columns = extent(from, 1);
  if (extent(to, 0) != columns || extent(to, 1) != rows)
    throw unfit_arguments("the arrays are no transpose: output (columns x rows) of input (rows x columns)");
  return [handle = make_handle(), rows, columns, from = from.data, to = to.data] {
    const float one = 1, zero = 0;
    check(cublasSgeam(handle.get(), CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one, static_cast<const float*>(from),
                      columns, &zero, static_cast<const float*>(to), rows, static_cast<float*>(to), rows),
          "cublasSgeam");
  };
}

}  // namespace simtlab
