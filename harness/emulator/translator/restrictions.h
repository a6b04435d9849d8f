// What a submission may not say: assembly, attributes and pragmas that change how it is compiled, and the preprocessor's
// ways to hide a word or a line. What host and device code do is seen through the instrumentation that g++ places and
// counted as the source is written; these would take it away or change it.
//
// Refusals begin with `not allowed:`, which the grader tells from a program that is wrong. A grader compiles with
// `simtcc --submission`; whoever builds a program of their own may include what headers they like.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "translator/source_rewriter.h"

namespace simtlab::emulator {

/// The same words in the message of everything that this header refuses.
inline constexpr std::string_view not_allowed = "not allowed: ";

/// Throws `refusal` when token `i`, outside of device code for `asm`, is or begins something that is not allowed, or
/// that CUDA C++ does not have and nobody could follow (`goto *`), which is an error like every other. Macros
/// are not expanded at this point: what a macro stands for is looked at where it is defined.
void check_restrictions(const rewrite_context&, std::size_t i);

/// What a source is held to.
enum class source_rules : std::uint8_t {
  submission,   ///< all of the above, in every file of the user's own
  own_program,  ///< `check_restrictions`, in .cu and .cuh files: headers of other kinds are host code, counted nowhere
  none          ///< for tests of what these rules stop
};
/// Whether a file of the user's own is held to the rules for what it may say.
[[nodiscard]] bool is_restricted(std::string_view file, source_rules);

/// The user's own files that `preprocessed` is made of: `source` and what it includes.
[[nodiscard]] std::vector<std::string> own_files(std::string_view preprocessed, const std::string& source);

/// The words and numbers of the user's own files, of which `##` makes others.
class pasted_pieces {
 public:
  /// `text` is that of a file as it is written.
  void add(std::string_view text, const std::string& file);
  /// Whether two or more of them make a word that has to be seen, or one that begins as the compiler's own do.
  [[nodiscard]] bool make_hidden_word() const;

 private:
  void add_code(std::string_view text, const std::string& file);
  [[nodiscard]] bool make(std::string_view word) const;

  std::set<std::string, std::less<>> pieces_;
  bool begins_with_two_underscores_ = false;  ///< one behind which something may be pasted
};

/// Throws `refusal` for what the text of one of the user's files may not hold before preprocessing: `#line`, `##` that may
/// paste a word of those above or a qualifier, pragmas for code generation, digraphs that stand for `#` and `[[`. `of_all`:
/// what all files of the user's own consist of.
void check_file(std::string_view text, const std::string& file, const pasted_pieces& of_all);

}  // namespace simtlab::emulator
