// The emulator's headers, parsed once: of the time that g++ takes for a small kernel, they have more than half.
//
// What a translated source begins with, up to the first line of its own, is one text for all programs that are compiled with
// the same options. `simtcc --precompile-headers` lets g++ parse it (a precompiled header) and stores that under a name made of a
// hash of this text and of the compiler's words, but for warnings; a macro that the user defines and no header mentions is no
// part of the text. A source whose beginning has that name is compiled with a pragma in the place of the beginning. Any other text,
// options or compiler make another name, so what is loaded is what would be parsed.
// A course's programs begin with <wb.h>, which takes longer still and is kept together with them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace simtlab::emulator {

class precompiled_headers {
 public:
  /// `words` compile a translated source, but for its name and the output's.
  precompiled_headers(std::filesystem::path folder, std::vector<std::string> words);

  /// The translated `text` of `source` with its headers given by name; nothing when they were not precompiled.
  [[nodiscard]] std::optional<std::string> shortened(const std::string& text, const std::string& source) const;
  /// The preprocessed `text` of `source`, of whose headers only the definitions of macros are left; nothing when these were not
  /// kept. What the source's own lines come to when macros are replaced is the same.
  [[nodiscard]] std::optional<std::string> with_definitions_alone(const std::string& text,
                                                                  const std::string& source) const;
  /// Keeps those definitions for texts that begin as `text` does. `expanded` is the text with macros replaced, by
  /// `g++ -E -dD`.
  void keep_definitions(const std::string& text, const std::string& expanded, const std::string& source) const;
  /// Precompiles what `text` begins with, in `scratch`: the emulator's headers, and <wb.h> where the source begins with it.
  /// Throws std::runtime_error when the compiler refuses.
  void make(const std::string& text, const std::string& source, const std::filesystem::path& scratch) const;
  /// Removes what the folder holds from before that time: no text, or no words, that anybody still compiles.
  void remove_from_before(std::filesystem::file_time_type) const;

 private:
  [[nodiscard]] std::filesystem::path file_of(std::string_view headers, std::string_view course,
                                              const char* ending) const;

  std::filesystem::path folder_;
  std::vector<std::string> words_;
};

}  // namespace simtlab::emulator
