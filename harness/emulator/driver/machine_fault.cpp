#include "driver/machine_fault.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace simtlab::emulator {
namespace {

struct obstacle {
  std::errc code;
  std::string_view said, reason, next;
};
constexpr std::array<obstacle, 4> obstacles{{
    {std::errc::no_space_on_device, "No space left on device", "the disk is full",
     "Free some space, or write elsewhere: -o names the output, TMPDIR the folder of intermediate files"},
    {std::errc::read_only_file_system, "Read-only file system", "its folder is read-only",
     "Write elsewhere: -o names the output, TMPDIR the folder of intermediate files"},
    {std::errc::permission_denied, "Permission denied", "you may not write there",
     "Write elsewhere: -o names the output, TMPDIR the folder of intermediate files"},
    {std::errc::file_too_large, "File too large", "a file may not become so large here",
     "Raise the limit (ulimit -f unlimited), or compile less at once"},
}};

/// What g++, its assembler and the linker say of a file that they write.
constexpr std::array<std::string_view, 8> of_output{"when writing output",
                                                    "final link failed",
                                                    "cannot open output file",
                                                    "can't create",
                                                    "can't write",
                                                    "closing",
                                                    "ar: ",
                                                    "opening dependency file"};

bool has(std::string_view text, std::string_view what) { return text.find(what) != std::string_view::npos; }

std::string word_behind(const std::vector<std::string>& words, std::string_view option) {
  const auto at = std::ranges::find(words, option);
  return at == words.end() || at + 1 == words.end() ? "its output" : *(at + 1);
}

std::string sentence(const std::string& file, const obstacle& o) {
  return "cannot write " + file + ": " + std::string(o.reason) + ". " + std::string(o.next);
}

}  // namespace

void check_written(const std::vector<std::string>& words, const std::string& errors) {
  if (std::ranges::none_of(of_output, [&](std::string_view beginning) { return has(errors, beginning); })) return;
  std::string file = has(errors, "opening dependency file") ? word_behind(words, "-MF") : word_behind(words, "-o");
  if (words[0] == "ar") file = words[2];
  for (const obstacle& o : obstacles)
    if (has(errors, o.said)) throw machine_fault(sentence(file, o));
}

std::string sentence_of(const std::system_error& e) {
  const std::string what = e.what();
  if (what.starts_with("cannot run "))
    return what + ". Programs are compiled by g++, version 12 or later: apt-get install g++ brings it";
  const auto* const of_file = dynamic_cast<const std::filesystem::filesystem_error*>(&e);
  for (const obstacle& o : obstacles)
    if (e.code() == o.code)
      return of_file != nullptr ? sentence(of_file->path1().string(), o) : what + ". " + std::string(o.next);
  return {};
}

}  // namespace simtlab::emulator
