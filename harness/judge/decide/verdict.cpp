#include "judge/decide/verdict.h"

#include <array>
#include <utility>

namespace simtlab {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 12> names{{
    {"pass", "pass"},
    {"leak", "leak"},
    {"unsafe", "unsafe"},
    {"wrong_answer", "wrong answer"},
    {"output_limit", "too much output"},
    {"memory_limit", "too much memory"},
    {"timeout", "timeout"},
    {"crash", "crash"},
    {"forbidden", "forbidden"},
    {"implausible", "implausible"},
    {"unsolved", "unsolved"},
    {"internal_error", "internal error"},
}};

}  // namespace

std::string_view name_of(verdict v) { return names.at(static_cast<std::size_t>(v)).first; }
std::string_view words_for(verdict v) { return names.at(static_cast<std::size_t>(v)).second; }

}  // namespace simtlab
