// nvcc's options, as `nvcc --help` lists them, and what simtcc makes of each.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace simtlab::emulator {

/// What simtcc makes of an option of nvcc's.
enum class nvcc_treatment : std::uint8_t {
  served,     ///< it has nvcc's meaning
  satisfied,  ///< nothing to do: the emulator is as it asks
  noted,      ///< no meaning without a GPU: one note says so
  refused     ///< simtcc cannot do it, or the program's results would not be those that it asks for
};

struct nvcc_option {
  std::string_view name, long_name;  ///< the same option; `long_name` may be empty
  bool has_value;                    ///< behind `=` or in the next word
  nvcc_treatment treatment;
  std::string_view why;      ///< of `noted` and `refused`; what to do instead, where there is something
  std::string_view quiet{};  ///< values, between commas, with which the option is `satisfied`
};

[[nodiscard]] std::span<const nvcc_option> nvcc_options();

/// By either of its names, dashes included; nullptr: nvcc has none of this name.
[[nodiscard]] const nvcc_option* find_nvcc_option(std::string_view name);

/// Whether the option changes nothing with this value.
[[nodiscard]] bool is_satisfied(const nvcc_option&, std::string_view value);

}  // namespace simtlab::emulator
