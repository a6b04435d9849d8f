// A call of a cuBLAS function: the handle, the arguments that are wrong by themselves, the memory that the function reads and
// writes, and the stream it goes into. cuBLAS documents the errors; an operand that is not where the device has memory is also
// reported as a finding, which names the argument and its bytes.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

#include "include/cublas_v2.h"
#include "runtime/api_caller.h"
#include "runtime/device.h"
#include "runtime/emulator_call.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
};

namespace simtlab::emulator {

/// What of a matrix a function looks at.
enum class matrix_part : unsigned char { full, lower, upper, strictly_lower, strictly_upper };

/// Where an operand's elements lie: `columns` columns, `pitch` bytes from one to the next.
struct operand_layout {
  std::size_t element = 0, rows = 0, columns = 0, pitch = 0;
  matrix_part part = matrix_part::full;

  [[nodiscard]] static operand_layout vector(std::size_t element, int count, int increment);
  [[nodiscard]] static operand_layout matrix(std::size_t element, int rows, int columns, int leading,
                                             matrix_part = matrix_part::full);
  /// From the first byte to the end of the last.
  [[nodiscard]] std::size_t extent() const;
  /// In words, for a finding: "4 x 3 elements of 4 bytes, 16 bytes from column to column".
  [[nodiscard]] std::string text() const;
};

class blas_call {
 public:
  blas_call(device& d, const api_caller& caller, cublasContext& context) : device_(d), caller_(caller), of_(context) {}

  /// Whether an argument is what cuBLAS takes; if not says so on stderr, for the program may never ask for the status.
  [[nodiscard]] bool takes(bool is_right, const char* argument, long long value, const char* expected) const;
  [[nodiscard]] bool takes_count(const char* argument, int value) const {
    return takes(value >= 0, argument, value, "0 or more");
  }
  [[nodiscard]] bool takes_step(const char* argument, int value) const {
    return takes(value != 0, argument, value, "another number than 0");
  }
  [[nodiscard]] bool takes_operation(const char* argument, cublasOperation_t value) const {
    return takes(value >= CUBLAS_OP_N && value <= CUBLAS_OP_C, argument, value,
                 "CUBLAS_OP_N, CUBLAS_OP_T or CUBLAS_OP_C");
  }
  /// `rows`: of the matrix as it lies in memory.
  [[nodiscard]] bool takes_leading(const char* argument, int value, int rows) const;

  /// A factor, by the handle's pointer mode. False after a report.
  template <class T>
  [[nodiscard]] bool load(const char* argument, const T* from, T& value) {
    if (from == nullptr) return takes(false, argument, 0, "the address of a number");
    if (of_.pointer_mode == CUBLAS_POINTER_MODE_HOST) {
      if (!caller_.may_load(device_, from)) return fails();
    } else {
      reads(argument, from, operand_layout::vector(sizeof(T), 1, 1));
      if (!is_valid_) return false;
    }
    value = *from;
    return true;
  }
  /// A result: the caller waits for one that goes to host memory.
  template <class T>
  [[nodiscard]] cublasStatus_t store(const char* argument, T* to, T value) {
    if (!takes(to != nullptr, argument, 0, "the address of a variable")) return CUBLAS_STATUS_INVALID_VALUE;
    const bool is_host = of_.pointer_mode == CUBLAS_POINTER_MODE_HOST;
    if (is_host ? !caller_.may_set(device_, to) : false) return CUBLAS_STATUS_EXECUTION_FAILED;
    if (!is_host) writes(argument, to, operand_layout::vector(sizeof(T), 1, 1));
    if (!is_valid_) return CUBLAS_STATUS_EXECUTION_FAILED;
    *to = value;
    const cublasStatus_t ended = end();
    if (is_host) device_.streams.wait_for(of_.stream);
    return ended;
  }

  /// Before anything is computed. What is wrong is reported, and `is_valid` is false from then on.
  void reads(const char* argument, const void* where, const operand_layout& layout) {
    touches(argument, where, layout, access::read);
  }
  void writes(const char* argument, const void* where, const operand_layout& layout) {
    touches(argument, where, layout, access::write);
  }
  void updates(const char* argument, const void* where, const operand_layout& layout) {
    reads(argument, where, layout);
    writes(argument, where, layout);
  }
  [[nodiscard]] bool is_valid() const { return is_valid_; }
  /// Why the call ends when a factor could not be loaded.
  [[nodiscard]] cublasStatus_t status() const {
    return is_valid_ ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_EXECUTION_FAILED;
  }
  /// The work is done: one operation of the stream.
  [[nodiscard]] cublasStatus_t end();
  /// `compute()`, if all operands are there.
  template <class Compute>
  [[nodiscard]] cublasStatus_t run(Compute&& compute) {
    if (!is_valid_) return CUBLAS_STATUS_EXECUTION_FAILED;
    compute();
    return end();
  }

 private:
  bool fails() { return is_valid_ = false; }
  void touches(const char* argument, const void* where, const operand_layout&, access);
  void report_place(const char* argument, const void* where, const operand_layout&, access) const;

  device& device_;
  const api_caller& caller_;
  cublasContext& of_;
  bool is_valid_ = true;
  stream_order::operation done_;
  std::vector<address_range> written_;
};

/// Runs `body(blas_call&)` in the handle's stream.
template <class Body>
cublasStatus_t in_blas_call(const api_caller& caller, cublasHandle_t handle, Body&& body);

/// The handles that cublasCreate gave out.
handle_table<cublasContext>& blas_handles();
/// The living handle's; null after a report.
cublasContext* blas_context(device&, const api_caller&, cublasHandle_t);
/// Whether the stream takes the call now; reports it if not.
bool takes_blas(device&, const api_caller&, cudaStream_t);

template <class Body>
cublasStatus_t in_blas_call(const api_caller& caller, cublasHandle_t handle, Body&& body) {
  const emulator_call inside;
  caller.refuse_in_kernel();
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  ++d.host.api_calls;
  if (d.sticky_error != 0) return CUBLAS_STATUS_EXECUTION_FAILED;
  cublasContext* const context = blas_context(d, caller, handle);
  if (context == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!takes_blas(d, caller, context->stream)) return CUBLAS_STATUS_NOT_SUPPORTED;
  const in_stream here(d, context->stream);
  const arena::access open(d.memory);
  blas_call call(d, caller, *context);
  return body(call);
}

}  // namespace simtlab::emulator
