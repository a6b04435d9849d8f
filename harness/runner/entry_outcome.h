// What follows from a call of the entry, in either kind of entry: its error, its exception, memory it must not touch.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "protocol/result.h"
#include "runner/backend.h"
#include "spec/runner_lab_spec.h"

namespace simtlab {

/// Calls the entry; its returned error or exception becomes `how` and `detail` of the result.
void call_entry(backend&, const lab&, void* const* slots, case_result&);

/// Records a CUDA error found after the call unless one is known already.
void record_error(case_result&, cudaError_t, bool returned_by_entry);

/// Waits for the device, and records the errors of launches first, then those of the kernels themselves.
void join_device(case_result&);

/// Findings of the harness itself, for memory around and inside arguments.
[[nodiscard]] finding input_changed(const std::string& argument, std::size_t first_byte, std::size_t element_bytes);
/// Where a kernel stored to an input: "" and 0 for a copy inside the device.
struct input_store {
  std::string file;
  int line = 0;
};
/// An input that holds what it did, though it was stored to: memory of the caller's is no scratch memory.
[[nodiscard]] finding input_stored_to(const std::string& argument, const input_store& where);
[[nodiscard]] finding guard_band_damaged(const std::string& argument, std::size_t bytes_before,
                                         std::size_t bytes_after);

/// A device entry may copy a flag or a counter to the host, and no more than this; beside it an input as small as a table, a filter on its
/// way to constant memory.
inline constexpr std::uint64_t most_read_back = 64, largest_table = 512;
/// `allowed` bytes may come back.
[[nodiscard]] finding read_by_host(const host_share&, std::uint64_t allowed);
[[nodiscard]] finding stored_by_host(const std::string& argument, const host_share&);

/// Index of the first byte that differs, or the size.
[[nodiscard]] std::size_t first_difference(const std::vector<std::byte>&, const std::vector<std::byte>&);

}  // namespace simtlab
