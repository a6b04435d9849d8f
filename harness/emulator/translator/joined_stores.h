// A structure whose members are all constants: g++ takes its assignment apart,
//
//   p[i] = make_float4(0, 0, 0, 1);      four stores of 4 bytes, each with a hook of its own
//   p[i] = float4{1};                    zeros first, then one member
//
// where a GPU's compiler stores pieces of the type's alignment, as for every other assignment of a structure. The stores are of one
// statement and stand at one place of the source, one behind the other, and g++ names the members: their hooks become one for each
// piece. (A macro's text stands at one place; its statements are told apart, what a comma joins in it is not.)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "translator/edit_list.h"

namespace simtlab::emulator {

/// A store that has a hook of g++'s.
struct hooked_store {
  std::uint32_t hook_begin, hook_end;  ///< of the call in the text
  std::size_t at;                      ///< of the instruction
  std::string_view place;              ///< file, line and column
  unsigned block;                      ///< straight-line code of one statement has one number
  std::string_view object;             ///< as g++ names it: `_4->x`
  std::string_view operand;            ///< the instruction's: `4(%rbx)`
  std::string address;                 ///< the hook's: often the same, spelled otherwise; or empty
  unsigned bytes, alignment;
};

class joined_stores {
 public:
  explicit joined_stores(edit_list& edits) : edits_(edits) {}

  /// In the order of the text.
  void add(const hooked_store&);
  /// An instruction at `at`: a register that it changes is another one behind it.
  void look_at(std::string_view line, std::size_t at);
  void end_function();

 private:
  struct location {
    std::string root, registers;
    long distance = 0;
  };
  struct change {
    std::size_t at;
    std::string_view changed;
  };
  [[nodiscard]] static location location_of(std::string_view address);
  /// How far the store lies behind the run's first, if it belongs to the same structure's assignment.
  [[nodiscard]] std::optional<long> continues(const hooked_store&) const;
  /// Bytes from one store to the other; none if their spellings do not tell.
  [[nodiscard]] std::optional<long> distance(const hooked_store& from, const hooked_store& to) const;
  void end_run();
  void join(std::size_t first, std::size_t last, unsigned alignment);

  edit_list& edits_;
  std::vector<change> changes_;  ///< of the function's registers
  std::vector<hooked_store> run_;
  std::vector<long> distances_;  ///< of the run's stores, from the first
  long end_ = 0;                 ///< of the run
};

/// The object without the members that its name ends in, and `*` for `->`: `*_4` for `_4->a.x`. Empty without a member.
[[nodiscard]] std::string structure_of(std::string_view object);

}  // namespace simtlab::emulator
