#include "judge/render/source_highlight.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "emulator/core/characters.h"
#include "judge/render/request_picture.h"

namespace simtlab {
namespace {

constexpr auto keywords = std::to_array<std::string_view>({"alignas",     "auto",
                                                           "bool",        "break",
                                                           "case",        "char",
                                                           "class",       "const",
                                                           "const_cast",  "constexpr",
                                                           "continue",    "default",
                                                           "delete",      "do",
                                                           "double",      "else",
                                                           "enum",        "extern",
                                                           "false",       "float",
                                                           "for",         "if",
                                                           "inline",      "int",
                                                           "long",        "new",
                                                           "nullptr",     "return",
                                                           "short",       "signed",
                                                           "size_t",      "sizeof",
                                                           "static",      "struct",
                                                           "switch",      "static_assert",
                                                           "static_cast", "reinterpret_cast",
                                                           "template",    "this",
                                                           "true",        "typedef",
                                                           "typename",    "union",
                                                           "unsigned",    "using",
                                                           "void",        "volatile",
                                                           "while",       "namespace",
                                                           "operator"});
constexpr auto cuda_words =
    std::to_array<std::string_view>({"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "dim3", "float2",
                                     "float3", "float4", "int2", "int4", "uint2", "uint4"});

using emulator::is_digit;
using emulator::is_in_name;

bool is_cuda(std::string_view word) {
  const bool is_api = word.size() > 5 && word.starts_with("cuda") && std::isupper(static_cast<unsigned char>(word[4]));
  return std::ranges::find(cuda_words, word) != cuda_words.end() || is_api ||
         (word.starts_with("__") && word.size() > 4) || (word.starts_with("atomic") && word.size() > 6);
}

class scanner {
 public:
  std::string line(std::string_view text) {
    made_.clear();
    std::size_t at = 0;
    if (const std::size_t first = text.find_first_not_of(' ');
        !in_comment_ && (continues_ || (first != std::string_view::npos && text[first] == '#'))) {
      const std::size_t comment = std::min({text.find("//"), text.find("/*"), text.size()});
      put("hp", text.substr(0, comment));
      continues_ = text.ends_with('\\');
      at = comment;
    } else {
      continues_ = false;
    }
    while (at < text.size()) at = in_comment_ ? rest_of_comment(text, at) : piece(text, at);
    return made_;
  }

 private:
  void put(const char* kind, std::string_view text) {
    if (text.empty()) return;
    if (*kind == '\0')
      made_ += escaped(std::string(text));
    else
      made_ += std::string("<span class=\"") + kind + "\">" + escaped(std::string(text)) + "</span>";
  }

  std::size_t rest_of_comment(std::string_view text, std::size_t at) {
    const std::size_t end = text.find("*/", at + (is_fresh_ ? 2 : 0));
    is_fresh_ = false;
    in_comment_ = end == std::string_view::npos;
    const std::size_t next = in_comment_ ? text.size() : end + 2;
    put("hc", text.substr(at, next - at));
    return next;
  }

  std::size_t piece(std::string_view text, std::size_t at) {
    const char c = text[at];
    if (text.substr(at, 2) == "//") {
      put("hc", text.substr(at));
      return text.size();
    }
    if (text.substr(at, 2) == "/*") {
      in_comment_ = is_fresh_ = true;
      return at;
    }
    if (c == '"' || c == '\'') {
      std::size_t end = at + 1;
      while (end < text.size() && text[end] != c) end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
      put("hs", text.substr(at, end - at));
      return end;
    }
    std::size_t end = at + 1;
    if (is_in_name(c)) {
      const auto in_number = [&](char d) { return is_in_name(d) || d == '.' || d == '\''; };
      while (end < text.size() && (is_digit(c) ? in_number(text[end]) : is_in_name(text[end]))) ++end;
      const std::string_view word = text.substr(at, end - at);
      put(is_digit(c)                                           ? "hn"
          : std::ranges::find(keywords, word) != keywords.end() ? "hk"
          : is_cuda(word)                                       ? "hu"
                                                                : "",
          word);
      return end;
    }
    while (end < text.size() && !is_in_name(text[end]) && text[end] != '"' && text[end] != '\'' && text[end] != '/')
      ++end;
    put("", text.substr(at, end - at));
    return end;
  }

  bool in_comment_ = false, is_fresh_ = false, continues_ = false;
  std::string made_;
};

}  // namespace

std::vector<std::string> highlighted(const std::vector<std::string>& lines) {
  scanner scan;
  std::vector<std::string> made;
  made.reserve(lines.size());
  for (const std::string& line : lines) made.push_back(scan.line(line));
  return made;
}

}  // namespace simtlab
