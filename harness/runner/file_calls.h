// The runner's reading and writing of files that it has opened before: system calls from one place in its code, the only one
// from which the filter lets them pass (runner/system_call_filter.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace simtlab {

/// Where they return to: what a filter sees as the instruction pointer.
[[nodiscard]] std::uintptr_t file_calls_return_to();

/// Both throw protocol_error, with `name` in its text.
void read_whole(int file, std::span<std::byte> to, const char* name);
void write_whole(int file, std::span<const std::byte> from, const char* name);

/// The result under the name by which the judge looks for it, and before.
extern const char result_name[], unfinished_result_name[];
/// Gives the file that was written its name: from then on there is a result.
void publish_result(int folder);

}  // namespace simtlab
