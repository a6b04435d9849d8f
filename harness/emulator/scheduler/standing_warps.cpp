#include "scheduler/standing_warps.h"

#include <algorithm>
#include <utility>

namespace simtlab::emulator {
namespace {

std::string block_text(const coordinates& c) {
  return "Block (" + std::to_string(c.x) + "," + std::to_string(c.y) + "," + std::to_string(c.z) + "): ";
}

/// Lines of the file of `where` that the loop goes through.
std::string loop_text(const source_line& where, const std::vector<site>& loop,
                      const std::function<source_line(site)>& line_of) {
  int low = where.line, high = where.line;
  for (const site s : loop) {
    const source_line at = line_of(s);
    if (at.file != where.file || at.line == 0) continue;
    low = std::min(low, at.line);
    high = std::max(high, at.line);
  }
  if (low == high) return ", in the loop of this line";
  return ", in the loop of lines " + std::to_string(low) + " to " + std::to_string(high);
}

}  // namespace

void add_standing(std::vector<standing_warps>& all, standing_warps next) {
  if (!all.empty()) {
    standing_warps& before = all.back();
    if (before.last + 1 == next.first && before.place.block == next.place.block &&
        std::string(before.how) == next.how && before.place.where == next.place.where && before.loop == next.loop) {
      before.last = next.last;
      return;
    }
  }
  all.push_back(std::move(next));
}

std::string standing_text(const std::vector<standing_warps>& all, const std::function<source_line(site)>& line_of) {
  std::string text;
  const standing_warps* before = nullptr;
  for (const standing_warps& s : all) {
    const bool same_block = before != nullptr && before->place.block == s.place.block;
    text += same_block ? "; " : (text.empty() ? "" : ". ") + block_text(s.place.block);
    text += s.first == s.last ? "warp " + std::to_string(s.first)
                              : "warps " + std::to_string(s.first) + " to " + std::to_string(s.last);
    text += std::string(": ") + s.how;
    if (s.place.where != 0) {
      const source_line at = line_of(s.place.where);
      if (at.line != 0) text += " at " + at.file + ":" + std::to_string(at.line);
      if (!s.loop.empty() && at.line != 0) text += loop_text(at, s.loop, line_of);
    }
    before = &s;
  }
  return text.empty() ? text : text + ".";
}

}  // namespace simtlab::emulator
