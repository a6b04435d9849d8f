// The emulated device's memory: one large reservation of address space, handed out front to back and never twice, so that
// a stale pointer can never land in somebody else's allocation.
//
// Every allocation has accessible slack on both sides, then a wide inaccessible gap: an index that runs off by a little
// is noticed by the checks and harms nobody, one that runs off by far faults. While host code runs the whole arena is
// inaccessible, so that host code that dereferences a device pointer faults as it would with a GPU. Managed memory, kept
// in the upper half, stays open until somebody wants to see who reads what kernels left there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/private_memory.h"
#include "core/types.h"
#include "trace/request_emitter.h"

namespace simtlab::emulator {

class arena {
 public:
  static constexpr std::size_t reserved = std::size_t{1} << (39 - scarce_address_bits);  ///< address space, not memory
  static constexpr std::size_t capacity = std::size_t{16} << 30;  ///< what the device admits to have
  static constexpr std::size_t alignment = 512;    ///< of an allocation: cudaMalloc promises 256, textures want 512
  static constexpr std::size_t slack = 64 * 1024;  ///< accessible bytes before and after
  static constexpr std::size_t poisoned = std::size_t{16} << 20;  ///< bytes of an allocation filled with 0xff

  arena();
  ~arena();
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;

  [[nodiscard]] address_range range() const { return {begin_, begin_ + reserved}; }
  [[nodiscard]] bool is_managed(address a) const { return a >= begin_ + reserved / 2 && a < begin_ + reserved; }

  /// Null when the device's memory is used up. `managed`: host code may access it at any time.
  void* allocate(std::size_t bytes, bool managed);
  /// `bytes` of device memory that are never released and count for nobody; untouched pages take no room.
  void* open_stretch(std::size_t bytes);
  /// `where` came from `allocate` with the same size. The contents are lost, the address is not used again.
  void release(void* where, std::size_t bytes);
  [[nodiscard]] std::size_t allocated() const { return allocated_; }

  /// From the next end of all `access` on, host code faults where it touches managed memory that there is by now, and `shared`,
  /// which is whole pages.
  void close_to_host(address_range shared);
  /// Takes that back.
  void open_to_host();
  [[nodiscard]] bool is_closed_to_host(address) const;
  static constexpr std::size_t page = 4096;
  /// For a page that is closed to host code.
  void open_page(address) const;
  void close_page(address) const;

  /// While at least one exists, the arena is open to this process.
  class access {
   public:
    explicit access(arena&);
    ~access();
    access(const access&) = delete;  // it counts
    access& operator=(const access&) = delete;

   private:
    arena& of_;
  };

 private:
  struct chunk {
    char* begin;
    std::size_t bytes;
  };
  static void protect(const chunk&, bool open);

  address begin_ = 0;
  address next_[2] = {0, 0};    // device, managed
  std::vector<chunk> chunks_;   // device memory, slack included
  std::vector<chunk> managed_;  // the same of managed memory
  std::vector<chunk> closed_;   // to host code
  std::size_t allocated_ = 0;
  unsigned open_ = 0;
};

}  // namespace simtlab::emulator
