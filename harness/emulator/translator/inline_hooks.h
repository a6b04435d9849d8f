// Hooks as code: where g++ placed calls for entries of basic blocks and for reads, the assembly logs by itself.
//
// trace/bundle.h says what a bundle is. At its begin one comparison tells whether the lane is still on its warp's template;
// `simtlab_log_bundle` is called when it is not. A read stores its address at a fixed distance from the rows that the begin
// has claimed, and calls `simtlab_host_read` while no kernel runs. Registers that a call may change are free here, because
// g++ believes that there is one; one that the bundle's code does not mention holds the place of its rows. What is seldom
// executed lies behind the function (cold_paths.h). Other hooks stay calls: writes, volatile reads, ranges, and all of
// them in assembly that is not g++'s for x86-64.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "translator/cold_paths.h"

namespace simtlab::emulator {

class inline_hooks {
 public:
  /// `text` is the whole file's and must outlive this object.
  explicit inline_hooks(std::string_view text);

  /// If `line` is a call of a hook that is inlined, appends its code to `out`. `following`: the text behind the line;
  /// `group`: the section group of the code, which its tables must share, or empty.
  bool write(std::string_view line, std::string_view following, std::string_view group, std::string& out);
  /// To be called for every other line once it is in `out`: a call inside a bundle changes registers.
  void behind(std::string_view line, std::string& out) const;
  /// To be called at the text's end.
  void finish(std::string& out) { cold_paths_.write(out); }

 private:
  struct stretch {
    std::size_t reads = 0, bytes = 0;
  };
  /// Reads that belong to the bundle in front of `text`, and where the last of them ends.
  [[nodiscard]] stretch reads_ahead(std::string_view text) const;
  void begin_bundle(bool with_read, std::string_view following, std::string_view group, std::string& out);
  /// The instruction that loads `row_` anew; empty without one.
  [[nodiscard]] std::string load_row() const;
  void write_table(std::string& out);

  std::unordered_map<std::string_view, unsigned> mentions_;  // of local labels
  unsigned bundles_ = 0, sites_ = 0;
  std::size_t events_ = 0, written_ = 0;  // of the bundle that is open
  std::string_view row_;                  // the register that holds the place behind its rows; empty: none is free
  std::string group_, table_;
  cold_paths cold_paths_;
};

}  // namespace simtlab::emulator
