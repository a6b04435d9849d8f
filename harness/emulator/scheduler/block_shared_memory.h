// The shared memory of the block that runs on a host thread: the program's `__shared__` variables, which are the thread's
// thread-local storage, and dynamic shared memory, which is a buffer. Both are poisoned when a block begins, so that no block sees
// what another left there.
#pragma once

#include <cstddef>
#include <vector>

#include "core/memory_map.h"
#include "trace/request_emitter.h"

namespace simtlab::emulator {

class block_shared_memory {
 public:
  using variables = std::vector<const memory_region*>;  ///< `__shared__` ones of the program, at offsets in the window

  block_shared_memory();
  ~block_shared_memory();
  block_shared_memory(const block_shared_memory&) = delete;
  block_shared_memory& operator=(const block_shared_memory&) = delete;

  /// Says where both parts lie for the thread that calls this.
  void lay_out(address_layout&) const;
  [[nodiscard]] void* dynamic() const { return dynamic_ + slack; }
  void forget_static(const variables&) const;
  void forget_dynamic(std::size_t bytes) const;
  /// Takes the content of the variables along, so that another block may run on the thread, and brings it back.
  void park(const variables&);
  void unpark(const variables&) const;

 private:
  static constexpr std::size_t largest_dynamic = 228 * 1024;
  static constexpr std::size_t slack = 4096;  // accessible bytes on both sides of dynamic shared memory

  char* dynamic_;
  std::vector<char> parked_;
};

}  // namespace simtlab::emulator
