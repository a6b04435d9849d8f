// Runs blocks of a launch, one after the other, 32 lanes at a time, and tells observers what they did: a request for each warp
// instruction that accesses memory, steps, barriers, warp primitives. A worker has one, or several where blocks wait for one another.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/types.h"
#include "observers/observer.h"
#include "sass/launch.h"
#include "sass/surroundings.h"

namespace simtlab::emulator::sass {

/// Why a block could not run on. `what()` names the instruction, what was expected and what was found.
class machine_fault : public std::runtime_error {
 public:
  enum class reason : std::uint8_t {
    address,    ///< no memory of the program's: the request was told before
    alignment,  ///< an address that its width does not allow
    deadlock,   ///< threads wait for others that will not come
    warp,       ///< lanes do so at a warp primitive
    trap,       ///< the kernel stopped itself
    assertion,  ///< one of the kernel's does not hold
    call,       ///< a function that there is not
    free,       ///< of what malloc has not returned
    local,      ///< no memory of the thread's own
    stack       ///< a recursion took all of that
  };
  machine_fault(reason r, site s, const std::string& what, std::uint32_t by = 0, address a = 0)
      : runtime_error(what), why(r), where(s), thread(by), at(a) {}
  reason why;
  site where;
  std::uint32_t thread;  ///< linear index in the block
  address at;            ///< of the first two reasons
};

class block_runner {
 public:
  /// All must outlive the runner. The observers' launch_begins and launch_ends are the caller's, block_begins and block_ends are not.
  block_runner(const launch&, surroundings&, std::span<observer* const> observers, const launch_info&);
  ~block_runner();
  block_runner(const block_runner&) = delete;  // lanes' memory is addressed by observers
  block_runner& operator=(const block_runner&) = delete;

  /// From its begin to its end. Throws machine_fault; the runner may run further blocks then.
  void run(coordinates block, std::uint64_t index);

  /// The same in pieces: a block that waits for another one is left after so many warp instructions.
  void begin(coordinates block, std::uint64_t index);
  /// Whether the block has ended. It returns early where all that can run only looks again and again for what others do.
  bool advance(std::uint64_t warp_instructions);
  [[nodiscard]] bool only_looked() const;  ///< by the last turn

  /// An instruction that a warp of the block stands at, and the first of its threads there.
  [[nodiscard]] std::pair<site, std::uint32_t> standing() const;

  /// Warp instructions of all blocks so far.
  [[nodiscard]] std::uint64_t clock() const;

  /// After the last block: tells observers the sums that they have not been told yet.
  void settle();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace simtlab::emulator::sass
