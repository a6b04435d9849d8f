// What is known of a file's code before anybody walks through it: where jumps lead, which labels begin loops and what changes in
// them, and which labels are constants. Assembly in AT&T syntax for x86-64, with hooks.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "translator/take_line.h"

namespace simtlab::emulator {

class code_outline {
 public:
  /// Labels and instructions behind a label that code jumps back to, up to the last jump that comes back: [begin, end).
  struct loop {
    std::size_t begin, end;
  };
  /// A store at a known distance from the stack pointer.
  struct frame_store {
    std::size_t line;
    long distance, bytes;
  };
  struct changes {
    unsigned registers = 0;  ///< a bit for each
    bool frame = false;      ///< perhaps all of it
  };

  /// `text` must outlive this object.
  explicit code_outline(std::string_view text);

  /// How many direct jumps lead to the label.
  [[nodiscard]] unsigned jumps_to(std::string_view label) const { return of(jumps_, label); }
  /// Whether a table or an exception leads there.
  [[nodiscard]] bool is_landed(std::string_view label) const { return landed_.contains(label); }
  [[nodiscard]] bool is_constant(std::string_view label) const { return constants_.contains(label); }
  /// Bytes of the read that is hooked at this site.
  [[nodiscard]] long bytes_at(std::string_view site) const { return of(widths_, site); }

  [[nodiscard]] loop loop_at(std::string_view label) const;
  [[nodiscard]] bool is_inside(std::string_view label, loop l) const {
    const std::size_t line = of(lines_, label);
    return line >= l.begin && line <= l.end;
  }
  [[nodiscard]] bool is_landed(loop) const;
  [[nodiscard]] changes changed_in(loop) const;
  [[nodiscard]] std::span<const frame_store> stores_in(loop) const;

 private:
  template <class Value>
  static Value of(const std::unordered_map<std::string_view, Value>& all, std::string_view label) {
    const auto found = all.find(label);
    return found == all.end() ? Value() : found->second;
  }
  void note(std::string_view line, std::string_view following);
  void note_section(std::string_view line);
  void note_target(std::string_view line);
  void note_written(std::string_view line);
  bool note_stored(std::string_view name, const std::vector<std::string_view>& operands);

  std::string_view section_, outer_;
  std::unordered_map<std::string_view, unsigned> jumps_;
  std::unordered_map<std::string_view, std::size_t> lines_;  ///< where each label stands
  std::vector<std::pair<std::size_t, std::size_t>> loops_;   ///< jumps back: to, from
  std::vector<unsigned> written_;                            ///< by each label and instruction
  std::vector<frame_store> stores_;
  std::unordered_set<std::string_view> landed_, constants_;
  std::unordered_map<std::string_view, long> widths_;
};

/// Calls `visit` with each line, and with the text behind it.
template <class Visit>
void each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    visit(line, text);
  }
}

/// Whether the label stands in the middle of a hook that is code.
[[nodiscard]] bool is_of_hook(std::string_view label);
/// Whether the function leaves the program's memory and the caller's frame alone.
[[nodiscard]] bool is_hook(std::string_view callee);
/// The number at the text's begin; 0 without one.
[[nodiscard]] long number_in(std::string_view text);

}  // namespace simtlab::emulator
