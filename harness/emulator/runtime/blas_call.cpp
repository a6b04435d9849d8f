#include "runtime/blas_call.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "runtime/graph.h"

namespace simtlab::emulator {
namespace {

/// The rows of column `column` that a function looks at: from, to.
std::pair<std::size_t, std::size_t> rows_of(const operand_layout& layout, std::size_t column) {
  switch (layout.part) {
    case matrix_part::lower:
      return {std::min(column, layout.rows), layout.rows};
    case matrix_part::strictly_lower:
      return {std::min(column + 1, layout.rows), layout.rows};
    case matrix_part::upper:
      return {0, std::min(column + 1, layout.rows)};
    case matrix_part::strictly_upper:
      return {0, std::min(column, layout.rows)};
    default:
      return {0, layout.rows};
  }
}

template <class Visit>
void each_run(const operand_layout& layout, address begin, Visit&& visit) {
  for (std::size_t column = 0; column < layout.columns; ++column) {
    const auto [from, to] = rows_of(layout, column);
    if (from < to) visit(begin + column * layout.pitch + from * layout.element, (to - from) * layout.element);
  }
}

}  // namespace

operand_layout operand_layout::vector(std::size_t element, int count, int increment) {
  const auto n = static_cast<std::size_t>(std::max(count, 0));
  if (increment == 1 || increment == -1) return {element, n, n > 0 ? 1U : 0U, n * element};
  return {element, 1, n, static_cast<std::size_t>(std::abs(static_cast<long>(increment))) * element};
}

operand_layout operand_layout::matrix(std::size_t element, int rows, int columns, int leading, matrix_part part) {
  return {element, static_cast<std::size_t>(rows), static_cast<std::size_t>(columns),
          static_cast<std::size_t>(leading) * element, part};
}

std::size_t operand_layout::extent() const {
  if (rows == 0 || columns == 0) return 0;
  return (columns - 1) * pitch + rows * element;
}

std::string operand_layout::text() const {
  const std::string size = std::to_string(rows) + " x " + std::to_string(columns);
  const std::string elements =
      columns <= 1 ? std::to_string(rows) + " elements of " + bytes_text(element)
      : rows == 1  ? std::to_string(columns) + " elements of " + bytes_text(element) + ", " + bytes_text(pitch) +
                        " from one to the next"
                  : size + " elements of " + bytes_text(element) + ", " + bytes_text(pitch) + " from column to column";
  return elements;
}

bool blas_call::takes(bool is_right, const char* argument, long long value, const char* expected) const {
  if (!is_right)
    std::fprintf(stderr, "%s: %s is %lld, and cuBLAS takes %s: nothing is computed (CUBLAS_STATUS_INVALID_VALUE).\n",
                 caller_.function, argument, value, expected);
  return is_right;
}

bool blas_call::takes_leading(const char* argument, int value, int rows) const {
  const int least = std::max(1, rows);
  return takes(value >= least, argument, value,
               ("at least " + std::to_string(least) + ", the rows of that matrix as it lies in memory").c_str());
}

void blas_call::report_place(const char* argument, const void* where, const operand_layout& layout, access kind) const {
  const auto a = reinterpret_cast<address>(where);
  const memory_region* const r = device_.map.find(a);
  const std::string call = std::string(caller_.function) + (kind == access::read ? " reads " : " writes ") +
                           bytes_text(layout.extent()) + " at the argument " + argument + " (" + layout.text() + ")";
  if (where == nullptr) {
    device_.report_host(rule::invalid_address, caller_.where, "",
                        call + ", which is a null pointer. Did cudaMalloc succeed?");
  } else if (r != nullptr && !r->live) {
    device_.report_host(rule::use_after_free, caller_.where, r->name, call + ", which was already freed.");
  } else if (r != nullptr) {
    device_.report_host(rule::out_of_bounds, caller_.where, r->name,
                        call + ", whose memory has " + bytes_text(r->begin + r->bytes - a) +
                            " from this pointer on. Are rows and columns, the leading dimension and the transposition "
                            "what the matrix was made with, and was the memory allocated in bytes?",
                        device_.allocation_site(*r));
  } else if (device_.is_device_address(where)) {
    device_.report_host(rule::out_of_bounds, caller_.where, "",
                        call + ", which is no address that cudaMalloc returned.");
  } else {
    device_.report_host(rule::invalid_address, caller_.where, "",
                        call +
                            ", which is a host pointer: cuBLAS computes on device memory. Copy the operand with "
                            "cudaMemcpy or cublasSetVector, and pass that pointer; alpha, beta and results lie where "
                            "the pointer mode says (cublasSetPointerMode).");
  }
}

void blas_call::touches(const char* argument, const void* where, const operand_layout& layout, access kind) {
  const std::size_t extent = layout.extent();
  if (extent == 0) return;
  if (device_.live_region(where, extent) == nullptr) {
    report_place(argument, where, layout, kind);
    is_valid_ = false;
    return;
  }
  const auto begin = reinterpret_cast<address>(where);
  const bool is_managed = device_.is_managed(begin);
  bool is_set = true;
  each_run(layout, begin, [&](address at, std::size_t bytes) {
    done_.bytes += bytes;
    if (is_managed) device_.pages.touched(page_place::device, at, bytes);
    if (device_.compares_streams()) done_.touched.add(caller_.where, kind, at, bytes);
    if (kind == access::read)
      is_set = device_.shadow.initialised().mark_and_tell(at, bytes) && is_set;
    else
      written_.push_back({at, at + bytes});
  });
  if (is_set || !device_.settings.checks) return;
  const memory_region* const r = device_.map.find(begin);
  device_.report_host(rule::uninitialised_global, caller_.where, r == nullptr ? "" : r->name,
                      std::string(caller_.function) + " reads the argument " + argument + " (" + layout.text() +
                          "), of which nobody has set every element. Copy to it, or let a kernel write it, before.",
                      r == nullptr ? 0 : device_.allocation_site(*r));
}

cublasStatus_t blas_call::end() {
  for (const address_range& r : written_) device_.shadow.initialised().mark(r.begin, r.end - r.begin);
  device_.host_reads.close();
  done_.what = caller_.function;
  done_.takes = timeline::launch_ns + timeline::on_the_device(done_.bytes);
  device_.operate(std::move(done_));
  return CUBLAS_STATUS_SUCCESS;
}

handle_table<cublasContext>& blas_handles() {
  static handle_table<cublasContext> table;
  return table;
}

cublasContext* blas_context(device& d, const api_caller& caller, cublasHandle_t handle) {
  cublasContext* const living = blas_handles().find(handle);
  if (living == nullptr)
    d.report_host(blas_handles().knew(handle) ? rule::use_after_free : rule::invalid_address, caller.where, "",
                  std::string(caller.function) +
                      (blas_handles().knew(handle)
                           ? ": the handle was already destroyed. Destroy it after its last use."
                           : ": this is no handle that cublasCreate made. Is its variable set, and did cublasCreate "
                             "succeed?"));
  return living;
}

bool takes_blas(device& d, const api_caller& caller, cudaStream_t stream) {
  if (!caller.is_stream(d, stream)) return false;
  if (!refused_in_capture(stream)) return true;
  d.report_host(rule::unsupported, caller.where, "",
                std::string(caller.function) +
                    ": graphs of the emulator hold no calls of cuBLAS. Call it into a stream that is not captured.");
  return false;
}

}  // namespace simtlab::emulator
