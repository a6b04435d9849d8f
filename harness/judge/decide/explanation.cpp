#include "judge/decide/explanation.h"

#include <algorithm>
#include <tuple>

#include "judge/decide/case_outcome.h"

namespace simtlab {

bool has_cause(const case_outcome& c, const std::string& cause) {
  return !is_right(c.judged) && std::ranges::find(c.likely, cause, &explanation::cause) != c.likely.end();
}

void keep_shared_call_before(std::vector<case_outcome>& cases) {
  if (std::ranges::all_of(cases, [](const case_outcome& c) { return is_right(c.judged) || has_cause(c, call_before); }))
    return;
  for (case_outcome& c : cases) {
    if (!has_cause(c, call_before)) continue;
    std::erase_if(c.likely, [](const explanation& e) { return e.cause == call_before; });
    c.message = c.summary;
  }
}

std::optional<chosen_explanation> best_explanation(const std::vector<case_outcome>& cases) {
  std::optional<chosen_explanation> best;
  std::tuple<bool, std::ptrdiff_t> greatest;
  for (const case_outcome& c : cases) {
    if (is_right(c.judged)) continue;
    for (const explanation& e : c.likely) {
      const std::tuple rank(e.how != certainty::vague,
                            std::ranges::count_if(cases, [&](const auto& one) { return has_cause(one, e.cause); }));
      if (best && rank <= greatest) continue;
      greatest = rank;
      best = chosen_explanation{&c, e};
    }
  }
  if (!best || best->of->wrong) return best;
  const auto known =
      std::ranges::find_if(cases, [&](const case_outcome& c) { return c.wrong && has_cause(c, best->what.cause); });
  if (known == cases.end()) return best;
  return chosen_explanation{&*known, *std::ranges::find(known->likely, best->what.cause, &explanation::cause)};
}

}  // namespace simtlab
