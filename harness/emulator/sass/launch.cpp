#include "sass/launch.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/memory_map.h"
#include "sass/block_context.h"

namespace simtlab::emulator::sass {
namespace {

/// Where c[0x0] says what a launch is: dimensions at its begin, then where shared memory lies (read up to sm_80; later code asks
/// SR_SWINHI) and local memory; on every architecture so far.
constexpr std::size_t dimensions_at = 0, shared_window_at = 0x18, local_window_at = 0x20;

template <class T>
void put(std::vector<std::byte>& bank, std::size_t offset, const T& value) {
  if (bank.size() < offset + sizeof value) bank.resize(offset + sizeof value);
  std::memcpy(bank.data() + offset, &value, sizeof value);
}

}  // namespace

launch::launch(const launch_parameters& given)
    : code_(given.code),
      kernel_(given.kernel),
      block_(given.block),
      first_site_(given.first_site),
      local_bytes_(static_cast<std::uint32_t>(rounded_up(std::max(given.local_bytes, kernel_->local_bytes), 16))),
      shared_bytes_(kernel_->static_shared + static_cast<std::uint32_t>(given.dynamic_shared_bytes)),
      dynamic_begin_(given.has_dynamic_shared ? kernel_->static_shared : ~0U) {
  for (std::size_t i = 0; i < code_->symbols().size(); ++i) {
    const global_symbol& s = code_->symbols()[i];
    const address known = i < given.symbols.size() ? given.symbols[i] : 0;
    symbols_.push_back(known != 0 ? known : reinterpret_cast<address>(s.own_storage));
  }
  std::vector<std::byte>& of_launch = banks_[0];
  of_launch.resize(kernel_->parameter_base + std::max<std::size_t>(kernel_->parameter_bytes, given.parameters.size()));
  const std::uint32_t dimensions[] = {block_.x, block_.y, block_.z, given.grid.x, given.grid.y, given.grid.z};
  put(of_launch, dimensions_at, dimensions);
  put(of_launch, shared_window_at, std::uint64_t{shared_window} << 32);
  put(of_launch, local_window_at, std::uint64_t{local_window} << 32);  // the generic address of local memory
  put(of_launch, stack_end_at, local_bytes_);
  // Its upper half first: %envreg1 and %envreg2 (cooperative_groups/details/driver_abi.h), as nvcc makes it for sm_75, sm_80 and sm_90.
  put(of_launch, code_->architecture() < 90 ? 0x8c : 0x44, std::rotl(given.grid_workspace, 32));
  std::ranges::copy(given.parameters, of_launch.begin() + kernel_->parameter_base);

  banks_[2] = kernel_->own_constants;
  banks_[3] = code_->constants();
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    const global_symbol& s = code_->symbols()[i];
    if (s.space != memory_space::constant || symbols_[i] == 0) continue;
    if (s.bank_offset + s.bytes <= banks_[3].size())
      std::memcpy(banks_[3].data() + s.bank_offset, reinterpret_cast<const std::byte*>(symbols_[i]), s.bytes);
  }
  banks_[4] = code_->addresses();
  for (const relocation& r : code_->address_relocations()) {
    const address value = symbols_[r.symbol] + static_cast<address>(r.addend);
    if (r.offset + sizeof value <= banks_[4].size()) put(banks_[4], r.offset, value);
  }
}

address launch::constant_address(unsigned number, std::uint32_t offset) const {
  if (number == 3)
    for (std::size_t i = 0; i < symbols_.size(); ++i) {
      const global_symbol& s = code_->symbols()[i];
      if (s.space == memory_space::constant && symbols_[i] != 0 && offset - s.bank_offset < s.bytes)
        return symbols_[i] + (offset - s.bank_offset);
    }
  return reinterpret_cast<address>(banks_[number].data()) + offset;
}

}  // namespace simtlab::emulator::sass
