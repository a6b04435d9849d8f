// Which thread loaded and stored what in which phase: the record of a launch as a table.
#pragma once

#include <stdexcept>
#include <string>

#include "phases/toy.h"
#include "report/report.h"

namespace simtlab::phases {

/// The launch is no toy: the sentence says what the student can do.
class not_a_toy : public std::runtime_error {
  using runtime_error::runtime_error;
};

/// A row for each thread of each block and phase: elements loaded from the toy's matrices, words stored to shared memory, elements
/// stored. A phase begins between two barriers where the block stores to shared memory, and at the launch's begin.
/// Throws not_a_toy when a block has more threads than a table has room for.
[[nodiscard]] std::string table_of(const toy&, const emulator::launch_report&);

}  // namespace simtlab::phases
