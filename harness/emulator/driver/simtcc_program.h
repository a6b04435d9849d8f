#pragma once

#include <string>
#include <vector>

namespace simtlab::emulator {

/// What simtcc does when it is called, its messages included. Returns its exit code: 1 for a program that does not compile,
/// 2 for a command line that it does not understand, 3 for a fault of the machine or its own. Returns not at all where
/// this process becomes the program that it has built.
[[nodiscard]] int run_simtcc(const std::vector<std::string>& arguments);

}  // namespace simtlab::emulator
