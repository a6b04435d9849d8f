#include "runtime/machine_guesses.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace simtlab::emulator {
namespace {

/// `@!P0 BRA `(.L_x_1)` is a BRA.
std::string_view opcode_of(std::string_view text) {
  if (text.starts_with('@')) text.remove_prefix(std::min(text.find(' ') + 1, text.size()));
  return text.substr(0, text.find(' '));
}

class ways {
 public:
  ways(const sass::machine_code& code, const sass::function& f) : code_(code), f_(f), seen_(f.instructions) {}

  [[nodiscard]] bool lead_to_swap(std::uint32_t from) {
    seen_.assign(f_.instructions, false);
    open_ = {from + 1};
    while (!open_.empty()) {
      const std::uint32_t at = open_.back();
      open_.pop_back();
      if (at == from || at >= f_.instructions) return false;
      if (seen_[at]) continue;
      seen_[at] = true;
      if (!pass(at)) return false;
    }
    return true;
  }

 private:
  /// Where the way goes on behind an instruction; false: out of the kernel.
  bool pass(std::uint32_t at) {
    const sass::instruction& i = code_.code()[f_.first_place + at];
    const std::string_view opcode = opcode_of(code_.texts()[f_.first_place + at]);
    constexpr std::array<std::string_view, 6> leaving{"EXIT", "RET", "CALL", "BRX", "JMX", "BPT"};
    if (std::ranges::any_of(leaving, [&](std::string_view name) { return opcode.starts_with(name); })) return false;
    const bool by_all = i.guard.index == sass::true_predicate && !i.guard.is_negated;
    const bool is_swap = opcode.starts_with("ATOM") && opcode.find(".CAS") != opcode.npos;
    if (is_swap && by_all) return true;
    const bool branches = opcode.starts_with("BRA") || opcode.starts_with("JMP");
    if (branches) open_.push_back(i.target - f_.first_place);
    if (!branches || !by_all || i.count > 0) open_.push_back(at + 1);
    return true;
  }

  const sass::machine_code& code_;
  const sass::function& f_;
  std::vector<bool> seen_;
  std::vector<std::uint32_t> open_;
};

}  // namespace

std::vector<bool> machine_guesses(const sass::machine_code& code, const sass::function& f) {
  std::vector<bool> guesses(f.instructions);
  ways of_kernel(code, f);
  for (std::uint32_t at = 0; at < f.instructions; ++at) {
    const std::string_view opcode = opcode_of(code.texts()[f.first_place + at]);
    const bool is_load =
        opcode == "LDS" || opcode.starts_with("LDS.") || opcode.starts_with("LD.") || opcode.starts_with("LDG.");
    const bool is_plain = code.code()[f.first_place + at].strength == sass::strong_access::none;
    guesses[at] = is_load && is_plain && of_kernel.lead_to_swap(at);
  }
  return guesses;
}

}  // namespace simtlab::emulator
