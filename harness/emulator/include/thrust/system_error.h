// What algorithms throw when a call of CUDA's fails.
#pragma once
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include <new>
#include <stdexcept>
#include <string>

#include "detail/config.h"

namespace thrust {

class error_code {
 public:
  error_code() = default;
  explicit error_code(int value) : value_(value) {}
  int value() const { return value_; }
  std::string message() const { return cudaGetErrorString(static_cast<cudaError_t>(value_)); }

 private:
  int value_ = 0;
};

class system_error : public std::runtime_error {
 public:
  system_error(int error, const std::string& where)
      : std::runtime_error(where + ": " + cudaGetErrorName(static_cast<cudaError_t>(error)) + ": " +
                           cudaGetErrorString(static_cast<cudaError_t>(error))),
        code_(error) {}
  const error_code& code() const { return code_; }

 private:
  error_code code_;
};

namespace system {
using thrust::error_code;
using thrust::system_error;
namespace detail {
/// As thrust's own, it is a std::bad_alloc.
class bad_alloc : public std::bad_alloc {
 public:
  explicit bad_alloc(const std::string& what) : what_("std::bad_alloc: " + what) {}
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  std::string what_;
};
}  // namespace detail
}  // namespace system

namespace detail {

SIMTLAB_THRUST_HOST void check(cudaError_t error, const char* where) {
  if (error == cudaSuccess) return;
  if (error == cudaErrorMemoryAllocation) throw thrust::system::detail::bad_alloc(where);
  throw thrust::system_error(error, where);
}

}  // namespace detail
}  // namespace thrust
