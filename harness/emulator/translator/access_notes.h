// What g++ itself says of the memory that its instructions access: with -dP every instruction in the assembly follows a
// comment with its pattern, and a memory operand there looks like
//
//   (mem:DI (reg/f:DI 3 bx) [3 particles[_5].mass+8 S8 A32])
//
// that is: the object as the source names it, the distance from its begin, bytes, and the alignment that its type
// promises, in bits. The accesses of the compiler's own making (constants, spilled registers) name no object.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace simtlab::emulator {

struct noted_access {
  bool is_write = false;
  std::string_view object;  ///< without the distance: `*_5`; in the annotated text
  bool has_offset = false;
  long offset = 0;
  unsigned bytes = 0;
  unsigned alignment = 1;  ///< in bytes
};

/// An instruction that accesses objects, or calls a function.
struct noted_line {
  std::size_t begin = 0;  ///< of the line, in `noted_assembly::text`
  std::vector<noted_access> accesses;
  std::vector<noted_access> unseen;    ///< to the frame by the stack pointer, or to what never changes: g++ hooks none of them
  unsigned spilled_bytes = 0;          ///< of a register's place in the frame, if it accesses one
  bool calls_pure = false;  ///< g++ may have moved reads behind the call, because it changes no memory
};

struct noted_assembly {
  std::string text;               ///< without the comments
  std::vector<noted_line> lines;  ///< ordered by `begin`
};

/// Any text: where it has no such comments it stays as it is. `annotated` must outlive the result.
[[nodiscard]] noted_assembly read_access_notes(std::string_view annotated);

}  // namespace simtlab::emulator
