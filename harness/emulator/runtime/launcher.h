// Launches that outlive the call which made them: a graph runs them later, and again.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "include/cuda_runtime.h"
#include "include/simtlab/emulator_entry.h"
#include "runtime/api_caller.h"
#include "runtime/device.h"

namespace simtlab::emulator {

class kept_launch {
 public:
  /// Of a request whose configuration was found to be valid, made at `where`.
  kept_launch(const simtlab_launch_request&, site where);
  ~kept_launch() = default;
  kept_launch(const kept_launch&) = delete;  // the request points into it
  kept_launch& operator=(const kept_launch&) = delete;

  /// The kernel's address, or where its template arguments were deduced that of the function that calls it.
  [[nodiscard]] const void* kernel() const {
    return request_.function == nullptr ? reinterpret_cast<const void*>(request_.invoke) : request_.function;
  }
  /// What cudaGraphKernelNodeGetParams tells; the arguments are copies, in memory of the program's.
  [[nodiscard]] cudaKernelNodeParams parameters(std::shared_ptr<void>& arguments) const;
  /// Launches the kernel with others; false, and not launched, where they lie in no memory of the program's.
  [[nodiscard]] bool launch_with(device&, const api_caller&, const cudaKernelNodeParams&) const;
  /// Copies of the attributes that another launch was made with.
  [[nodiscard]] std::shared_ptr<const kept_launch> with_attributes_of(const kept_launch&) const;

  /// Runs the kernel to its end; gives the sticky error, 0 if all went well.
  error_code run(device&, stream_handle) const;

 private:
  struct pack_deleter {
    void operator()(std::byte*) const;
  };
  simtlab_launch_request request_;
  site where_;
  std::unique_ptr<std::byte[], pack_deleter> pack_;  // the arguments, as the program's code expects them
  std::vector<const void*> arguments_;
  std::vector<unsigned> argument_bytes_;
  std::vector<unsigned char> argument_is_pointer_;
  std::vector<cudaLaunchAttribute> attributes_;
};

/// How a kernel is launched by its address; null where its parameters are not known.
simtlab_launcher launcher_of(const void* kernel);

/// What simtlab_launch_known does, for a call of the API's.
void launch_known_at(const api_caller&, const void* kernel, const simtlab_launch_request&, void** arguments);

/// Whose code calls before a kernel runs: what the program has printed stands before what the kernel prints.
void let_program_print(const void* frame);

}  // namespace simtlab::emulator
