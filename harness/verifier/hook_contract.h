// What the inserter of hooks and the verifier have agreed on: what each function of the emulator that submissions' code may
// call vouches for, and how the hooks that are no calls look (docs/internals/finished-code.md).
// Written down a second time here on purpose: the two share no code.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace simtlab::verifier {

/// What a call vouches for.
struct hook_effect {
  enum kind_of_effect : std::uint8_t {
    read,        ///< `bytes` at %rdi will be read; 0: as many as %rsi says
    write,       ///< the same, stored
    added_read,  ///< %rdi, and a code on the stack; no register changes
    added_write,
    local_read,  ///< as an added hook, told for an address that lies in the frame, or looked at there
    local_write,
    host_read,      ///< %rdi, %edx bytes, for the read at %rsi
    begin_bundle,   ///< of the bundle that %rdx names
    plain_copy,     ///< copies %rdx bytes from %rsi to %rdi, for which hooks have vouched
    plain_fill,     ///< fills %rdx bytes at %rdi
    report,         ///< tells something and changes no memory of the program's
    frame_begin,    ///< writes down the return address at the stack pointer, and the caller's registers; none changes
    frame_end,      ///< goes on only if both are as they were written down; no register changes
    stack_to,       ///< goes on only if the stack has room down to %rdi, which is not above %rsi; no register changes
    indirect_call,  ///< calls what %r11 holds if that is a function's begin; with `bytes`, what they hold at %r11
  };
  kind_of_effect kind;
  std::uint32_t bytes = 0;
};

/// Nothing for functions that are no hooks.
[[nodiscard]] std::optional<hook_effect> effect_of(std::string_view function);
/// Functions that do not return.
[[nodiscard]] bool never_returns(std::string_view function);
/// Bytes of a thread-local variable of the emulator's that code may read directly; 0 for others.
[[nodiscard]] std::uint32_t readable_bytes(std::string_view variable);

inline constexpr std::string_view hook_variable = "simtlab_hooks";
inline constexpr std::string_view template_variable = "simtlab_no_template";
inline constexpr std::uint64_t row_bytes = 256, token_bytes = 8;
/// Of `added_read` and `added_write`.
struct added_code {
  std::uint32_t bytes;
  bool in_thread_storage;
  explicit constexpr added_code(std::uint64_t code)
      : bytes(static_cast<std::uint32_t>(code & 0xfffff)), in_thread_storage((code >> 30 & 1) != 0) {}
};
/// Where the words of `simtlab_hooks` lie that code compares with: what the last hook of a write told.
inline constexpr std::int64_t last_write_word = 32, last_width_word = 40;
/// A bundle in the object's read-only data: a count of 8 bytes, then of each event site, width and kind.
struct bundle_event {
  static constexpr std::uint64_t bytes = 8, first = 8;
  static constexpr std::uint16_t read_kind = 0, step_kind = 3;
};

}  // namespace simtlab::verifier
