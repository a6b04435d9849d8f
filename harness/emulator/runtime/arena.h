// The emulated device's memory: one large reservation of address space, handed out front to back and never twice, so that
// a stale pointer can never land in somebody else's allocation.
//
// Every allocation has accessible slack on both sides, then a wide inaccessible gap: an index that runs off by a little
// is noticed by the checks and harms nobody, one that runs off by far faults. While host code runs the whole arena is
// inaccessible, so that host code that dereferences a device pointer faults as it would with a GPU. Memory that host code and
// kernels share, kept in the upper half (managed, then page-locked), and the pages of the program's device variables stay open
// until somebody wants to see what host code reads or stores there without a hook: see `host_view`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/private_memory.h"
#include "core/types.h"
#include "trace/request_emitter.h"

namespace simtlab::emulator {

/// What host code may do with memory that it shares with kernels.
enum class host_view : unsigned char {
  open,     ///< everything
  watched,  ///< read; what it stores is told afterwards, by what was there before
  closed,   ///< nothing, before somebody has looked at the access
};

/// By who made it: cudaMalloc, cudaMallocManaged, cudaMallocHost. Host code and kernels share the last two.
enum class memory_kind : unsigned char { device, managed, page_locked };

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
  /// Where memory of the kind is, all that there will ever be.
  [[nodiscard]] address_range range_of(memory_kind) const;
  /// Where host code may access memory at any time.
  [[nodiscard]] address_range shared_range() const { return {begin_ + reserved / 2, begin_ + reserved}; }

  /// Null when the device's memory is used up. Page-locked memory is the host's, and begins as zeros.
  void* allocate(std::size_t bytes, memory_kind);
  /// `bytes` of device memory that are never released and count for nobody; untouched pages take no room. Nobody may access them
  /// before they are used.
  void* reserve_stretch(std::size_t bytes);
  void use_stretch(void* where, std::size_t bytes);
  /// `where` came from `allocate` with the same size. The contents are lost, the address is not used again.
  void release(void* where, std::size_t bytes);
  /// Of the device's memory.
  [[nodiscard]] std::size_t allocated() const { return allocated_; }

  /// These whole pages are shared with host code, as managed memory is.
  void share(address_range pages);
  /// From now on, or from the end of all `access` on: for all shared memory that there is by now. What comes later is watched, unless
  /// the view is `open`.
  void set_view(host_view);
  /// What host code may do there, if it has touched nothing yet.
  [[nodiscard]] host_view view_at(address) const;
  static constexpr std::size_t page = 4096;
  /// For a page that is closed to host code, while that makes one step.
  void open_page(address) const;
  void close_page(address) const;
  /// Host code may access the memory around `a` until the next `access`; `where` it does so first. What is there now is kept.
  void open_part(address a, site where);
  /// Who is told, when an `access` begins, what has changed since parts were opened.
  using change_handler = void (*)(address begin, std::uint64_t bytes, site where);
  void tell_changes(change_handler h) { on_change_ = h; }

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
  struct shared_chunk {
    chunk memory;
    host_view view;
  };
  /// Open to host code by now, and what was there when it was opened.
  struct opened_part {
    chunk memory;
    site where;
    std::unique_ptr<char[]> before;
  };
  static void protect(const chunk&, bool open);
  static void protect(const shared_chunk&);
  [[nodiscard]] const shared_chunk* shared_at(address) const;
  void look_for_changes();

  address begin_ = 0;
  std::array<address, 3> next_{};     // by kind
  std::vector<chunk> chunks_;         // device memory, slack included
  std::vector<shared_chunk> shared_;  // memory shared with host code, slack included, and pages of variables
  std::vector<opened_part> opened_;
  host_view view_of_new_ = host_view::open;
  change_handler on_change_ = nullptr;
  std::size_t allocated_ = 0;
  unsigned open_ = 0;
};

}  // namespace simtlab::emulator
