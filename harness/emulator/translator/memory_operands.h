// The operands of an instruction in AT&T syntax for x86-64, and what the instruction does with one that lies in memory.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace simtlab::emulator {

/// What `find` of a std::string_view answers where the text is not.
inline constexpr auto nowhere = std::string_view::npos;

/// Bytes that an instruction accesses of its operand in memory, and whether it stores there.
struct memory_use {
  long bytes = 0;
  bool writes = false;
};

/// The operands as they are written, `rest` being all behind the instruction's name.
[[nodiscard]] std::vector<std::string_view> operands_in(std::string_view rest);

/// What the instruction does with operand `which`, which lies in memory.
[[nodiscard]] memory_use use_of(std::string_view name, const std::vector<std::string_view>& operands,
                                std::size_t which);

}  // namespace simtlab::emulator
