#include "runner/entry_outcome.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <memory>
#include <typeinfo>

namespace simtlab {
namespace {

std::string type_of_current_exception() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type == nullptr) return "an exception";
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(type->name(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 ? name.get() : type->name();
}

}  // namespace

void record_error(case_result& result, cudaError_t e, bool returned_by_entry) {
  if (e == cudaSuccess || result.how != ending::returned) return;
  result.how = ending::error;
  result.detail = {static_cast<int>(e), cudaGetErrorName(e), cudaGetErrorString(e), returned_by_entry};
}

void join_device(case_result& result) {
  record_error(result, cudaGetLastError(), false);
  record_error(result, cudaDeviceSynchronize(), false);
}

void call_entry(backend& on, const lab& of, void* const* slots, case_result& result) {
  try {
    const int returned = on.run_submission([&] { return of.call(of.entry, slots); });
    record_error(result, static_cast<cudaError_t>(returned), true);
  } catch (const std::exception& e) {
    result.how = ending::exception;
    result.detail = {0, type_of_current_exception(), e.what(), false};
  } catch (...) {
    result.how = ending::exception;
    result.detail = {0, type_of_current_exception(), "", false};
  }
}

finding input_changed(const std::string& argument, std::size_t first_byte, std::size_t element_bytes) {
  finding f;
  f.rule = input_changed_rule;
  f.variable = argument;
  f.message = "The input " + argument + " was changed: element " + std::to_string(first_byte / element_bytes) +
              " no longer holds what the caller passed. Write to outputs only.";
  return f;
}

finding input_stored_to(const std::string& argument, const input_store& where) {
  finding f;
  f.rule = input_changed_rule;
  f.variable = argument;
  f.first = {where.file, where.line, {}, {}, "stores"};
  f.message =
      "The input " + argument +
      " was stored to, and holds again what the caller passed. Write to outputs only; scratch memory comes from "
      "cudaMalloc.";
  return f;
}

finding guard_band_damaged(const std::string& argument, std::size_t bytes_before, std::size_t bytes_after) {
  finding f;
  f.rule = "guard-band";
  f.variable = argument;
  f.message = "Memory outside of " + argument +
              " was written: " + (bytes_before > 0 ? std::to_string(bytes_before) + " bytes before its begin" : "") +
              (bytes_before > 0 && bytes_after > 0 ? " and " : "") +
              (bytes_after > 0 ? std::to_string(bytes_after) + " bytes after its end" : "") +
              ". Compare every index with the size before it is used.";
  return f;
}

finding read_by_host(const host_share& share, std::uint64_t allowed) {
  finding f;
  f.rule = host_computation_rule;
  f.first = {share.file, share.line, {}, {}, "reads"};
  f.message =
      "Host code read " + std::to_string(share.bytes) +
      " bytes of device memory. The entry of this lab gets device pointers, so that kernels do the work: at most " +
      std::to_string(allowed) +
      " bytes, a flag, a counter or a small table, may come back to the host. Move the computation into a kernel.";
  return f;
}

finding stored_by_host(const std::string& argument, const host_share& share) {
  finding f;
  f.rule = host_computation_rule;
  f.variable = argument;
  f.first = {share.file, share.line, {}, {}, "stores"};
  f.message = std::to_string(share.bytes) + " bytes of " + argument +
              " are host code's work: it put them there, or kernels read as much of what it made. Let kernels compute "
              "every element of " +
              argument + " from the arguments alone; cudaMemset with 0 before it is fine.";
  return f;
}

std::size_t first_difference(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

}  // namespace simtlab
