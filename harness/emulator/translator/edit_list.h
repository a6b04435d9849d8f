// Replacements in a text, collected in any order and applied at once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace simtlab::emulator {

class edit_list {
 public:
  /// Replaces [begin, end) by `with`. Of two edits that overlap, the one that begins later is dropped; what is inserted where a
  /// replacement begins stands in front of it.
  void replace(std::uint32_t begin, std::uint32_t end, std::string with);
  void insert(std::uint32_t at, std::string what) { replace(at, at, std::move(what)); }
  /// Overwrites [begin, end) with blanks, so that columns stay; newlines stay too.
  void blank(std::string_view text, std::uint32_t begin, std::uint32_t end);

  [[nodiscard]] bool empty() const { return edits_.empty(); }
  [[nodiscard]] std::string apply(std::string_view text);

 private:
  struct edit {
    std::uint32_t begin, end;
    std::string with;
  };
  std::vector<edit> edits_;
};

}  // namespace simtlab::emulator
