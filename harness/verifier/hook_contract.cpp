#include "verifier/hook_contract.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace simtlab::verifier {
namespace {

template <std::size_t n>
bool is_among(std::string_view name, const std::array<std::string_view, n>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// `simtlab_tsan_unaligned_volatile_write8` and its like.
std::optional<hook_effect> of_an_access(std::string_view name) {
  constexpr std::string_view begin = "simtlab_tsan_";
  if (!name.starts_with(begin)) return std::nullopt;
  name.remove_prefix(begin.size());
  for (const std::string_view word : {"unaligned_", "volatile_"})
    if (name.starts_with(word)) name.remove_prefix(word.size());
  if (name == "vptr_read") return hook_effect{hook_effect::read, 8};
  if (name == "vptr_update") return hook_effect{hook_effect::write, 8};
  for (const auto& [word, kind] : {std::pair<std::string_view, hook_effect::kind_of_effect>{"read", hook_effect::read},
                                   {"probe", hook_effect::read},
                                   {"write", hook_effect::write}}) {
    if (!name.starts_with(word)) continue;
    const std::string_view rest = name.substr(word.size());
    if (rest == "_range" || rest == "_pieces") return hook_effect{kind, 0};
    std::uint32_t bytes = 0;
    const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), bytes);
    if (error == std::errc{} && stop == rest.data() + rest.size() && bytes > 0) return hook_effect{kind, bytes};
  }
  return std::nullopt;
}

}  // namespace

std::optional<hook_effect> effect_of(std::string_view f) {
  if (const auto access = of_an_access(f)) return access;
  if (f == "simtlab_added_read" || f == "simtlab_guard_read") return hook_effect{hook_effect::added_read};
  if (f == "simtlab_added_write" || f == "simtlab_guard_write") return hook_effect{hook_effect::added_write};
  if (f == "simtlab_local_read") return hook_effect{hook_effect::local_read};
  if (f == "simtlab_local_write") return hook_effect{hook_effect::local_write};
  if (f == "simtlab_host_read") return hook_effect{hook_effect::host_read};
  if (f == "simtlab_log_bundle") return hook_effect{hook_effect::begin_bundle};
  if (f == "simtlab_plain_memcpy" || f == "simtlab_plain_memmove") return hook_effect{hook_effect::plain_copy};
  if (f == "simtlab_plain_memset") return hook_effect{hook_effect::plain_fill};
  if (f == "simtlab_frame_begin") return hook_effect{hook_effect::frame_begin};
  if (f == "simtlab_frame_end") return hook_effect{hook_effect::frame_end};
  if (f == "simtlab_stack_to") return hook_effect{hook_effect::stack_to};
  if (f == "simtlab_indirect_call") return hook_effect{hook_effect::indirect_call};
  if (f == "simtlab_indirect_call_at") return hook_effect{hook_effect::indirect_call, 8};
  if (f.starts_with("simtlab_ubsan_") || f == "simtlab_tsan_func_entry" || f == "simtlab_tsan_func_exit")
    return hook_effect{hook_effect::report};
  return std::nullopt;
}

bool never_returns(std::string_view f) {
  constexpr std::array<std::string_view, 17> names{"abort",
                                                   "exit",
                                                   "_exit",
                                                   "quick_exit",
                                                   "_Exit",
                                                   "_Unwind_Resume",
                                                   "__cxa_throw",
                                                   "__cxa_rethrow",
                                                   "__cxa_bad_cast",
                                                   "__cxa_throw_bad_array_new_length",
                                                   "__stack_chk_fail",
                                                   "simtlab_assert_fail",
                                                   "simtlab_missing_return",
                                                   "simtlab_bad_array_size",
                                                   "_ZSt9terminatev",
                                                   "__cxa_call_unexpected",
                                                   "longjmp"};
  return is_among(f, names) || f == "__cxa_bad_typeid" || f == "__cxa_call_terminate" || f.find("__throw_") != f.npos;
}

std::uint32_t readable_bytes(std::string_view variable) {
  constexpr std::array<std::string_view, 4> coordinates{"simtlab_thread_index", "simtlab_block_index",
                                                        "simtlab_block_dim", "simtlab_grid_dim"};
  return is_among(variable, coordinates) ? 12 : 0;
}

}  // namespace simtlab::verifier
