// Hooks as code: where g++ placed calls for entries of basic blocks and for reads, the assembly logs by itself.
//
// trace/bundle.h says what a bundle is. At its begin one comparison tells whether the lane is still on its warp's template;
// `simtlab_log_bundle` is called when it is not. A read stores its address at a fixed distance from the rows that the begin
// has claimed, and calls the ordinary hook while no kernel runs. Registers that a call may change are free here, because
// g++ believes that there is one. Other hooks stay calls: writes, volatile reads, ranges, and all of them in assembly that
// is not g++'s for x86-64.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace simtlab::emulator {

class inline_hooks {
 public:
  /// `text` is the whole file's and must outlive this object.
  explicit inline_hooks(std::string_view text);

  /// If `line` is a call of a hook that is inlined, appends its code to `out`. `following`: the text behind the line;
  /// `group`: the section group of the code, which its tables must share, or empty.
  bool write(std::string_view line, std::string_view following, std::string_view group, std::string& out);

 private:
  /// Reads that belong to the bundle in front of `text`.
  [[nodiscard]] std::size_t reads_ahead(std::string_view text) const;
  void begin_bundle(std::string_view following, std::string_view group, std::string& out);
  void write_table(std::string& out);

  std::unordered_map<std::string_view, unsigned> mentions_;  // of local labels
  unsigned bundles_ = 0, sites_ = 0;
  std::size_t events_ = 0, written_ = 0;  // of the bundle that is open
  std::string group_, table_;
};

}  // namespace simtlab::emulator
