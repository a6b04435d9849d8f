// Special registers by nvdisasm's names.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace simtlab::emulator::sass {

enum class special_register : std::uint16_t {
  zero,
  thread_x,
  thread_y,
  thread_z,
  block_x,
  block_y,
  block_z,
  lane,
  warp,
  lanes_before,
  lanes_up_to,
  lane_itself,
  lanes_behind,
  lanes_from,
  shared_window_high,
  local_window_high,
  clock,
  clock_high
};

/// What a program may not depend on (which multiprocessor, which place in a cluster) is zero.
inline constexpr std::pair<std::string_view, special_register> special_registers[] = {
    {"SRZ", special_register::zero},
    {"SR_TID.X", special_register::thread_x},
    {"SR_TID.Y", special_register::thread_y},
    {"SR_TID.Z", special_register::thread_z},
    {"SR_CTAID.X", special_register::block_x},
    {"SR_CTAID.Y", special_register::block_y},
    {"SR_CTAID.Z", special_register::block_z},
    {"SR_LANEID", special_register::lane},
    {"SR_VIRTID", special_register::zero},
    {"SR_LTMASK", special_register::lanes_before},
    {"SR_LEMASK", special_register::lanes_up_to},
    {"SR_EQMASK", special_register::lane_itself},
    {"SR_GTMASK", special_register::lanes_behind},
    {"SR_GEMASK", special_register::lanes_from},
    {"SR_SWINHI", special_register::shared_window_high},
    {"SR_LWINHI", special_register::local_window_high},
    {"SR_VIRTUALSMID", special_register::zero},
    {"SR_CgaCtaId", special_register::zero},
    {"SR_CLOCKLO", special_register::clock},
    {"SR_CLOCKHI", special_register::clock_high},
    {"SR_GLOBALTIMERLO", special_register::clock},
    {"SR_GLOBALTIMERHI", special_register::clock_high},
};

constexpr std::optional<special_register> special_register_of(std::string_view name) {
  for (const auto& [text, which] : special_registers)
    if (text == name) return which;
  return std::nullopt;
}

}  // namespace simtlab::emulator::sass
