// A function's address in host code is that of its version for the host.
//
// nvcc compiles a function of both spaces twice, and host code that takes the address of a `__device__` function gets one that
// has no code on the device. Here there is one version; so host code gets the address of a jump to it, which stands in the
// table of functions for host code alone (indirect_calls.h): a kernel that calls it is told, host code gets where it wants.
// An object with virtual functions that host code makes points to a copy of its class's table, whose functions are the host's in the
// same way. Addresses in tables that are filled before `main` stay. Assembly by g++ for x86-64 alone.
#pragma once

#include <string>
#include <vector>

namespace simtlab::emulator {

/// `hosts` and `devices`: symbols of the program's functions that have no version for the device, and of those that have one.
[[nodiscard]] std::string with_host_addresses(std::string assembly, const std::vector<std::string>& hosts,
                                              const std::vector<std::string>& devices);

}  // namespace simtlab::emulator
