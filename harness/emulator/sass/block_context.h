// What all warps of a running block share: its launch, its memory, and whom to tell.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "core/memory_map.h"
#include "sass/block_runner.h"
#include "sass/launch.h"
#include "sass/request_stream.h"
#include "sass/surroundings.h"
#include "sass/warp.h"

namespace simtlab::emulator::sass {

/// The upper 32 bits of a generic address that lies in the block's shared window, or in a thread's local memory: of no process address.
inline constexpr std::uint32_t shared_window = 0x80000000U, local_window = 0xc0000000U;

class block_context {
 public:
  block_context(const launch& l, surroundings& s, std::span<observer* const> observers)
      : of(l), around(s), requests(observers, s, l.code().code().size()) {}

  const launch& of;
  surroundings& around;
  request_stream requests;
  coordinates where;
  std::uint64_t index = 0;
  std::vector<std::byte> shared;
  std::unique_ptr<std::byte[], decltype(&std::free)> local{nullptr,
                                                           &std::free};  ///< zero, and memory only where it is touched
  lane_stacks stacks;
  address_range reachable;                          ///< that was asked for last
  std::array<std::uint32_t, 16> barrier_results{};  ///< of BAR.RED
  std::uint64_t clock = 0;                          ///< warp instructions so far
  std::uint64_t end_of_turn = 0;       ///< from when on the running group gives way at a basic block's begin
  bool looks_in_vain = false;          ///< and the warp gives way to others
  bool only_looked = false;            ///< all warps that could run did
  order_follower* follower = nullptr;  ///< null: nobody
  std::vector<std::array<lane_mask, 16>> arrived;        ///< by warp: lanes that BAR.ARV counts without waiting
  std::vector<std::array<lane_mask, 16>> barrier_votes;  ///< by warp: what lanes brought along
  std::vector<lane_row> thread_coordinates;              ///< three rows for each warp

  /// 32 bits of a bank; zero behind its end. Behind that of c[0x2]: where the function is that the program has at this address.
  [[nodiscard]] std::uint32_t constant(unsigned bank, std::uint32_t offset) const {
    const std::vector<std::byte>& bytes = of.bank(bank);
    std::uint32_t value = 0;
    if (offset < bytes.size())
      std::memcpy(&value, bytes.data() + offset, std::min<std::size_t>(4, bytes.size() - offset));
    else if (bank == 2)
      value = around.place_of_function(offset);
    return value;
  }
  /// Where byte `offset` of a thread's local memory lies: all threads' at the same place of a line (lane_stacks::as_of_first).
  [[nodiscard]] address local_address(std::uint32_t thread, std::uint32_t offset) const {
    return stacks.of(thread) + lane_stacks::unused_at_top(31) - lane_stacks::unused_at_top(thread) + offset;
  }
  /// As observers know it: dynamic shared memory begins at dynamic_shared_window.
  [[nodiscard]] address shared_address(std::uint32_t offset) const {
    const std::uint32_t end = of.dynamic_begin();
    return offset < end ? offset : dynamic_shared_window + (offset - end);
  }

  /// The lanes that a warp has: the last one may have fewer than 32.
  [[nodiscard]] lane_mask lanes_of(std::uint32_t warp_number) const {
    const std::uint32_t left = of.threads() - warp_number * warp_size;
    return left >= warp_size ? full_warp : (lane_mask{1} << left) - 1;
  }
  /// The lanes that are on count at the barrier and go on.
  void arrive(const warp& w, unsigned barrier, std::uint32_t /*threads*/) { arrived[w.number][barrier] |= w.on; }
  /// Throws a machine_fault where a lane's bytes are not reachable.
  void check_process(const warp&, const instruction&, lane_mask lanes, const address* addresses, std::uint32_t width);
  [[noreturn]] void fail_address(const warp&, const instruction&, unsigned lane, address, std::string_view what) const;
  /// Of an offset in local memory.
  [[noreturn]] void fail_local(const warp&, const instruction&, unsigned lane, address) const;
  [[noreturn]] void fail_alignment(const warp&, const instruction&, unsigned lane, address, std::uint32_t width) const;
  [[nodiscard]] std::string instruction_text(const instruction&) const;
};

}  // namespace simtlab::emulator::sass
