// What keeps simtcc from its work on this machine, and is no fault of the program's or of simtcc's: a full disk, a folder that may
// not be written, a compiler that is not installed.
#pragma once

#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace simtlab::emulator {

/// Exit code 3. `what()` names the object, the reason and the next step, without a full stop.
class machine_fault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws machine_fault where what `words`, a command of g++'s, wrote to stderr says that its output could not be written.
void check_written(const std::vector<std::string>& words, const std::string& errors);

/// Of what the system refused to simtcc itself; empty: nothing that its user could mend.
[[nodiscard]] std::string sentence_of(const std::system_error&);

}  // namespace simtlab::emulator
