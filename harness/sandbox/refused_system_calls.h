// The system calls that a submission and its compiler have no use for, refused by the kernel.
#pragma once

#include "sandbox/descriptor.h"

namespace simtlab::sandbox {

/// A file in memory with the filter as the kernel takes it, read from its beginning. `shared_memory`: whether memory that
/// several processes share may be made; limits per process do not count it. Throws launch_error.
[[nodiscard]] descriptor make_filter_file(bool shared_memory);

/// Loads the same filter into this process, for good, with no_new_privs. Throws launch_error.
void load_filter(bool shared_memory);

}  // namespace simtlab::sandbox
