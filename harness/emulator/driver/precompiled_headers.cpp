#include "driver/precompiled_headers.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/mix64.h"
#include "driver/process.h"

namespace simtlab::emulator {
namespace {

constexpr const char* parsed = ".gch";
constexpr const char* definitions = ".macros";

/// Tells texts apart that nobody chooses. A text is a megabyte, so eight bytes at a time.
std::uint64_t hash_of(std::string_view text, std::uint64_t start) {
  std::uint64_t hash = mix64(start ^ text.size());
  for (std::uint64_t word = 0; !text.empty(); text.remove_prefix(std::min(text.size(), sizeof word))) {
    word = 0;
    std::memcpy(&word, text.data(), std::min(text.size(), sizeof word));
    hash = mix64(hash ^ word);
  }
  return hash;
}

/// g++ loads parsed headers whatever warnings are asked for, but for two that change what a header is.
bool is_of_warnings(std::string_view word) {
  return word == "-w" || (word.starts_with("-W") && word != "-Wpedantic" && word != "-Wsystem-headers");
}

/// Where a line of `text` begins that is not its first and reads `line`, which begins with `#`.
std::size_t find_directive(std::string_view text, const std::string& line) {
  std::size_t at = 0;
  do at = text.find(line, at + 1);  // by the sign `#`, which few lines have
  while (at != std::string_view::npos && text[at - 1] != '\n');
  return at;
}

/// A translated source in four: a line that names the source, the headers, the user's macros of the command line that these do
/// not mention, and the source's own lines.
struct parts {
  std::string_view name;
  std::string headers;
  std::vector<std::string_view> definitions;  ///< whole lines
  std::string_view own;
};

/// The macro that a line of the command line's part defines or undefines; empty where it does neither.
std::string_view macro_of(std::string_view line) {
  for (const std::string_view directive : {"#define ", "#undef "})
    if (line.starts_with(directive)) {
      line.remove_prefix(directive.size());
      return line.substr(0, line.find_first_of(" (\n"));
    }
  return {};
}

bool mentions(std::string_view text, std::string_view name) {
  const auto goes_on = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1))
    if ((at == 0 || !goes_on(at - 1)) && !goes_on(at + name.size())) return true;
  return false;
}

/// Of a source that begins with `#include <wb.h>`, but for comments: that header, and what stands behind it.
struct course_parts {
  std::string_view header;
  std::string behind;
};

std::optional<course_parts> course_header_of(std::string_view own, const std::string& source) {
  std::size_t at = own.find('\n') + 1;  // behind the marker that begins it
  for (std::size_t end = 0; at < own.size() && (own[at] == '\n' || own.substr(at).starts_with("//")); at = end + 1)
    if (end = own.find('\n', at); end == std::string_view::npos) return std::nullopt;
  const std::string_view rest = own.substr(std::min(at, own.size()));
  if (!rest.starts_with("# 1 \"") || rest.substr(0, rest.find('\n')).find("/course/wb.h\" 1") == std::string_view::npos)
    return std::nullopt;
  const std::string back = " \"" + source + "\" 2\n";
  const std::size_t named = rest.find(back), line = rest.rfind('\n', named) + 1;
  if (named == std::string_view::npos || !rest.substr(line).starts_with("# ")) return std::nullopt;
  std::string behind(rest.substr(line, named - line));  // `# 2`, without the mark of a file that ends
  behind += " \"" + source + "\"\n";
  return course_parts{rest.substr(0, line), behind.append(rest.substr(named + back.size()))};
}

std::optional<parts> parts_of(std::string_view text, const std::string& source) {
  const std::size_t named = text.find('\n');
  const std::size_t own = find_directive(text, "# 1 \"" + source + "\"\n");
  if (named == std::string_view::npos || own == std::string_view::npos || own <= named) return std::nullopt;
  parts result{text.substr(0, named + 1), {}, {}, text.substr(own)};
  const std::string_view headers = text.substr(named + 1, own - named - 1);
  // The command line's part: a marker and a directive for each -D and -U, then the first file.
  constexpr std::string_view marker = "# 0 \"<command-line>\"\n";
  std::size_t at = std::min(headers.find(marker), headers.size());
  result.headers = headers.substr(0, at);
  std::vector<std::string_view> directives;
  for (std::size_t end = 0; headers.substr(at).starts_with(marker); at = end + 1) {
    end = headers.find('\n', at + marker.size());
    const std::string_view line = headers.substr(at + marker.size(), end - at - marker.size() + 1);
    if (end == std::string_view::npos || macro_of(line).empty()) break;
    directives.push_back(line);
  }
  const std::string_view rest = headers.substr(at);
  for (const std::string_view line : directives)
    if (mentions(rest, macro_of(line)))
      result.headers.append(marker).append(line);
    else
      result.definitions.push_back(line);
  result.headers += rest;
  return result;
}

}  // namespace

precompiled_headers::precompiled_headers(std::filesystem::path folder, std::vector<std::string> words)
    : folder_(std::move(folder)), words_(std::move(words)) {}

std::filesystem::path precompiled_headers::file_of(std::string_view headers, std::string_view course,
                                                   const char* ending) const {
  std::uint64_t hash = hash_of(course, hash_of(headers, 0));
  for (const std::string& word : words_)
    if (!is_of_warnings(word)) hash = hash_of(word + '\n', hash);
  char name[17];
  std::snprintf(name, sizeof name, "%016llx", static_cast<unsigned long long>(hash));
  return folder_ / (std::string(name) + ending);
}

std::optional<std::string> precompiled_headers::shortened(const std::string& text, const std::string& source) const {
  const auto of = parts_of(text, source);
  if (!of) return std::nullopt;
  const auto with = [&](const std::optional<course_parts>& course) -> std::optional<std::string> {
    const std::filesystem::path file = file_of(of->headers, course ? course->header : "", parsed);
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return std::nullopt;
    std::string result(of->name);
    result += "#pragma GCC pch_preprocess \"" + file.string() + "\"\n";
    for (const std::string_view line : of->definitions) {
      if (course && mentions(course->header, macro_of(line))) return std::nullopt;
      result += line;
    }
    return course ? result.append(course->behind) : result.append(of->own);
  };
  if (const auto course = course_header_of(of->own, source))
    if (auto result = with(course)) return result;
  return with(std::nullopt);
}

std::optional<std::string> precompiled_headers::with_definitions_alone(const std::string& text,
                                                                       const std::string& source) const {
  const auto of = parts_of(text, source);
  if (!of) return std::nullopt;
  std::ifstream kept(file_of(of->headers, "", definitions), std::ios::binary);
  if (!kept) return std::nullopt;
  std::string result(of->name);
  result.append(std::istreambuf_iterator<char>(kept), {});
  for (const std::string_view line : of->definitions) result += line;
  return result.append(of->own);
}

void precompiled_headers::keep_definitions(const std::string& text, const std::string& expanded,
                                           const std::string& source) const {
  const auto of = parts_of(text, source), replaced = parts_of(expanded, source);
  if (!of || !replaced) throw std::runtime_error("the headers' part of " + source + " was not found");
  std::istringstream lines{replaced->headers};
  std::string kept = "# 0 \"<command-line>\"\n# 1 \"<definitions>\" 1 3\n";  // in a system's header, as they were
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with('#') && !line.starts_with("# ")) kept += line + '\n';  // no marker of a line
  kept += "# 0 \"<command-line>\" 2\n";
  const std::filesystem::path file = file_of(of->headers, "", definitions);
  std::filesystem::create_directories(folder_);
  std::ofstream out(file.string() + ".part", std::ios::binary);
  out << kept;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file.string() + ".part: is the disk full?");
  std::filesystem::rename(file.string() + ".part", file);
}

void precompiled_headers::make(const std::string& text, const std::string& source,
                               const std::filesystem::path& scratch) const {
  const auto of = parts_of(text, source);
  if (!of) throw std::runtime_error("the headers' part of " + source + " was not found");
  const auto course = course_header_of(of->own, source);
  const std::string_view course_header = course ? course->header : "";
  const std::filesystem::path file = file_of(of->headers, course_header, parsed);
  const std::filesystem::path beginning = scratch / "headers.ii";
  std::ofstream(beginning, std::ios::binary) << of->name << of->headers << course_header;
  std::filesystem::create_directories(folder_);
  const std::filesystem::path unfinished = file.string() + ".part";
  std::vector<std::string> words = words_;
  words.insert(words.end(), {beginning.string(), "-o", unfinished.string()});
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "-S") words[i] = "-c";
    if (i > 0 && words[i - 1] == "-x") words[i] = "c++-header";
  }
  if (const process_result made = run_process(words); made.exit_code != 0)
    throw std::runtime_error("the emulator's headers could not be precompiled: " + made.errors);
  std::filesystem::rename(unfinished, file);
}

void precompiled_headers::remove_from_before(std::filesystem::file_time_type time) const {
  std::vector<std::filesystem::path> stale;
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    if (entry.last_write_time() < time) stale.push_back(entry.path());
  for (const std::filesystem::path& old : stale) std::filesystem::remove(old);
}

}  // namespace simtlab::emulator
