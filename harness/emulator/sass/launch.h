// One launch of a kernel, prepared once and shared by all blocks and workers: its constants as instructions see them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/types.h"
#include "sass/machine_code.h"

namespace simtlab::emulator::sass {

struct launch_parameters {
  std::shared_ptr<const machine_code> code;
  const function* kernel = nullptr;
  extents grid, block;
  std::size_t dynamic_shared_bytes = 0;
  bool has_dynamic_shared = true;  ///< what lies behind static arrays belongs to one without a size, not to nobody
  std::span<const std::byte> parameters;  ///< their block, laid out by function::parameters
  /// Where each of `code->symbols()` lies in this process; 0 or beyond the end: at its own storage.
  std::span<const address> symbols;
  address grid_workspace = 0;  ///< eight bytes, zero, by which the blocks of a cooperative launch wait for one another
  site first_site = 0;         ///< an instruction's site is this plus its place's number
  std::uint32_t local_bytes = 4096;  ///< of a thread's stack, at least what the kernel's own needs
};

/// Copies what it is given. `__constant__` variables are read here: they do not change during a launch.
class launch {
 public:
  explicit launch(const launch_parameters&);

  [[nodiscard]] const machine_code& code() const { return *code_; }
  [[nodiscard]] const function& kernel() const { return *kernel_; }
  [[nodiscard]] const extents& block() const { return block_; }
  [[nodiscard]] std::uint32_t threads() const { return static_cast<std::uint32_t>(block_.count()); }
  [[nodiscard]] std::uint32_t warps() const { return (threads() + warp_size - 1) / warp_size; }
  [[nodiscard]] site site_of(std::size_t number) const { return first_site_ + static_cast<site>(number); }
  [[nodiscard]] std::uint32_t local_bytes() const { return local_bytes_; }
  /// Of the block's window: the system's, static and dynamic.
  [[nodiscard]] std::uint32_t shared_bytes() const { return shared_bytes_; }
  /// Where dynamic shared memory begins in it; nowhere: ~0.
  [[nodiscard]] std::uint32_t dynamic_begin() const { return dynamic_begin_; }
  /// c[bank]; reads behind its end give zero.
  [[nodiscard]] const std::vector<std::byte>& bank(unsigned number) const { return banks_[number]; }
  /// Where in this process lies what c[bank] has at `offset`: the program's variable, or the bank itself.
  [[nodiscard]] address constant_address(unsigned bank, std::uint32_t offset) const;

  static constexpr unsigned banks = 5;

 private:
  std::shared_ptr<const machine_code> code_;
  const function* kernel_;
  extents block_;
  site first_site_;
  std::uint32_t local_bytes_, shared_bytes_, dynamic_begin_;
  std::vector<std::byte> banks_[banks];
  std::vector<address> symbols_;
};

}  // namespace simtlab::emulator::sass
