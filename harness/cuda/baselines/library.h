// What a submission's time is compared with: a vendor's library doing the same work on arrays of the same sizes.
#pragma once

#include <functional>
#include <stdexcept>
#include <vector>

#include "protocol/request.h"

namespace simtlab {

/// The entry's arguments have no shape that the library works on: the lab author's fault.
class unfit_arguments : public std::runtime_error {
  using runtime_error::runtime_error;
};

/// One array argument in device memory.
struct device_array {
  const request_argument* of = nullptr;
  void* data = nullptr;
  [[nodiscard]] const std::vector<std::size_t>& extents() const { return of->extents; }
  [[nodiscard]] std::size_t elements() const { return of->elements; }
};

struct library_problem {
  std::vector<device_array> inputs, outputs;  ///< in the order of the entry's parameters

  /// The n-th input or output with so many extents. Throws unfit_arguments.
  [[nodiscard]] const device_array& input(std::size_t n, std::size_t extents) const;
  [[nodiscard]] const device_array& output(std::size_t n, std::size_t extents) const;
  /// That all elements are of one of these types; throws unfit_arguments.
  void require(const char* baseline, std::initializer_list<scalar_type> of_inputs) const;
};

/// What is timed: enqueues the work in the default stream. Handles and temporary memory are made before.
using library_call = std::function<void()>;
using library_factory = library_call (*)(const library_problem&);

// One source file each: nvcc takes seconds for any of them.
[[nodiscard]] library_call cublas_sgemm(const library_problem&);  ///< c (j × l) = a (j × k) · b (k × l), pedantic fp32
[[nodiscard]] library_call cublas_geam(const library_problem&);    ///< output (cols × rows) = input (rows × cols)ᵀ
[[nodiscard]] library_call cub_reduce(const library_problem&);     ///< the sum of the first input
[[nodiscard]] library_call cub_scan(const library_problem&);       ///< its inclusive sums
[[nodiscard]] library_call cub_histogram(const library_problem&);  ///< as many bins as the output has elements
[[nodiscard]] library_call cub_transform(const library_problem&);  ///< output = input, or the sum of two inputs

}  // namespace simtlab
