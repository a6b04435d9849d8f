// What host code did with the data that kernels are there to make.
//
// Device memory: a byte is marked when host code puts a value of its own there, by a copy of anything but 64 bytes or more of what
// the program was handed or had brought from the device, by cudaMemset with anything but 0, by a store of such to managed memory. A kernel's store takes the mark away, a copy
// inside the device carries it along. Where arguments are handed over in device memory, so does a launch that reads nothing but
// marked bytes: a kernel that works reads an argument, or what another kernel made of one. Host memory that the program was
// handed: a byte came from the device when it was copied there from unmarked device memory. Programs may also bring results to
// memory of their own first; so what comes from the device is remembered, and a changed piece of handed memory that is found in it
// came from there. Neither counts for a result of which the kernels of the call have read half as much from what host code made, or
// were given by value: they had only to move what host code computed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "checks/memory/host_made_reads.h"
#include "checks/memory/initialised_bytes.h"
#include "core/memory_map.h"
#include "core/types.h"
#include "trace/request_emitter.h"

namespace simtlab::emulator {

class host_work {
 public:
  /// `marks` is where the marks are, so that the workers' observers can take them away.
  explicit host_work(initialised_bytes& marks) : marks_(marks) {}

  struct share {
    std::uint64_t bytes = 0;
    site where = 0;  ///< the first call or access that counts
  };

  /// Memory that the program is given: what it holds now is nobody's doing.
  void hand_over_device(address, std::uint64_t bytes);
  void hand_over_host(const void*, std::uint64_t bytes);
  /// Forgets host memory that was handed over.
  void forget_handed();
  /// Starts to count reads anew, and to look for the first place.
  void restart();

  // Called after the bytes have arrived.
  void copied_to_device(address to, const void* from, std::uint64_t bytes, site caller);
  void copied_to_host(void* to, address from, std::uint64_t bytes, site caller);
  void copied_on_device(address to, address from, std::uint64_t bytes);
  void set(address to, int value, std::uint64_t bytes, site caller);
  /// A launch hands a kernel so much by value: all parameters but pointers into memory. What stays tells nothing, neither does what
  /// changes from one launch of the kernel to the next by the same step as before.
  void passed_by_value(const void* kernel, const std::vector<char>&, site caller);
  /// What a launch has stored that read nothing but marked bytes.
  void carried_by_kernel(const std::vector<address_range>&);
  /// Where a launch has to say what it reads of the host's making; null: nowhere.
  [[nodiscard]] host_made_reads* reads_of_kernels();
  /// Host code has read or written managed memory. What it wrote counts as a copy of these bytes to the device would.
  void accessed_managed(address, std::uint64_t bytes, bool is_write, site caller);
  /// Memory of the host's own that kernels reach from now on, until sharing it ends: what changes in it between launches host code
  /// has stored, and what changes while a kernel runs has come from the device.
  void begin_sharing(address, std::uint64_t bytes, site caller);
  void end_sharing(address begin);
  void kernel_begins();
  void kernel_ends();
  /// Before managed memory goes: its content may be an output by now.
  void remember(address from, std::uint64_t bytes);

  /// Whether the program gets its arguments in device memory, so that host code has no business with them.
  [[nodiscard]] bool was_handed_device_memory() const { return handed_device_memory_; }
  /// Whether a kernel's stores have marks to take away.
  [[nodiscard]] bool has_marks() const { return !marked_.empty(); }
  [[nodiscard]] share stored_on_device(address, std::uint64_t bytes) const;
  /// For memory that was handed over, or a part of it.
  [[nodiscard]] share stored_on_host(const void*, std::uint64_t bytes,
                                     const std::vector<address_range>& on_device) const;
  [[nodiscard]] share read() const { return read_; }

 private:
  struct handed_range {
    const char* begin = nullptr;
    std::vector<char> before;   ///< its content when it was handed over
    std::size_t copied_to = 0;  ///< where the last piece of it that was found in other memory ends
    std::vector<char> arrived;  ///< what came from the device last; where nothing has come, as before
  };
  [[nodiscard]] bool is_given(const char* from, std::uint64_t bytes);
  /// Whether so many bytes of what was handed over are no choice of host code's; counts the short pieces.
  [[nodiscard]] bool is_no_choice(std::uint64_t bytes);
  [[nodiscard]] bool came_from_device(const char* piece, std::uint64_t bytes,
                                      const std::vector<address_range>& on_device) const;
  void mark(address, std::uint64_t bytes, site caller);
  struct shared_range {
    address begin = 0;
    std::vector<char> before;  ///< its content when it was looked at last
    site caller = 0;
  };
  /// Calls `visit(address, bytes, caller)` with each stretch of shared memory that has changed since it was looked at last.
  template <class Visit>
  void look_at_shared(Visit visit);
  [[nodiscard]] bool is_unmarked(address, std::uint64_t bytes) const;
  /// Of what host code made, so that what they store tells no more: half of so many bytes, and more than any small table has.
  [[nodiscard]] bool kernels_read_as_much_as(std::uint64_t bytes) const;
  [[nodiscard]] std::uint64_t told_by_parameters() const;
  [[nodiscard]] site made_at() const { return marked_at_ != 0 ? marked_at_ : passed_at_; }

  initialised_bytes& marks_;
  bool wanted_ = false;  // nobody asks in a program that was handed nothing
  bool handed_device_memory_ = false;
  std::vector<address_range> marked_;  // every mark lies in one of these
  site marked_at_ = 0;
  std::uint64_t short_pieces_ = 0;  ///< bytes of this call's short copies of what was handed over
  /// What kernels carried, as long as it is no more than a few results: those the host may have put together from partial ones.
  std::vector<address_range> few_carried_;
  bool carried_many_ = false;
  share read_;
  /// A word of a kernel's parameters.
  struct passed_word {
    std::uint32_t value = 0, step = 0;  ///< at the last launch, and from the one before to it
  };
  std::map<const void*, std::vector<passed_word>> passed_;
  std::uint64_t passed_in_all_ = 0,
                passed_beyond_ = 0;  ///< bytes that told something: of all launches, of each beyond a few
  site passed_at_ = 0;
  std::unique_ptr<host_made_reads> made_;
  std::vector<handed_range> handed_;
  std::vector<shared_range> shared_;
  std::vector<std::vector<char>> brought_back_;
};

}  // namespace simtlab::emulator
