// What a wrong answer looks like: one sentence or two for the student, and the cause that several cases can have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace simtlab {

struct case_outcome;

enum class certainty : std::uint8_t {
  vague,    ///< a symptom: said only where nothing else is
  finding,  ///< the words of a finding, which `safe` tells
  likely,   ///< explains the values, but a finding of `safe` explains them better
  certain,  ///< what findings follow from, too: an index, the values of a launch
};

struct explanation {
  std::string cause;  ///< the same for all cases that it explains, whatever their sizes
  std::string says;
  certainty how = certainty::likely;
};

/// Of all explanations of the cases that fail, the one that explains most of them; among equals the first. A vague one is
/// chosen when there is no other.
struct chosen_explanation {
  const case_outcome* of =
      nullptr;  ///< the case to show it with, one of those given: the first whose elements are known
  explanation what;
};
[[nodiscard]] std::optional<chosen_explanation> best_explanation(const std::vector<case_outcome>&);
/// The cause of a wrong answer of a later call, where nothing says more.
inline constexpr const char* call_before = "call before";
/// Takes that cause from all cases where one that fails does not have it: what is wrong in a first call is no matter of
/// the call before.
void keep_shared_call_before(std::vector<case_outcome>&);
/// The cause that a failed launch without blocks and a launch with too few have in common.
inline constexpr const char* grid_rounded_down = "grid rounded down";

[[nodiscard]] bool has_cause(const case_outcome&, const std::string& cause);

}  // namespace simtlab
