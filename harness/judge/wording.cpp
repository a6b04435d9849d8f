#include "judge/wording.h"

#include <fmt/format.h>

#include "protocol/bounded_json.h"

namespace simtlab {
namespace {

std::string place_text(const finding_place& p) {
  return p.line == 0 ? std::string() : fmt::format("{}:{}", p.file, p.line);
}

// Where all wrong elements lie, when that says something: a single row, a single column.
std::string region_text(const mismatch& m) {
  if (m.wrong == m.total) return "";
  if (m.lowest.size() == 2 && m.wrong > 1) {
    if (m.lowest[0] == m.highest[0]) return fmt::format(", all of them in row {}", m.lowest[0]);
    if (m.lowest[1] == m.highest[1]) return fmt::format(", all of them in column {}", m.lowest[1]);
    return fmt::format(", in rows {} to {} and columns {} to {}", m.lowest[0], m.highest[0], m.lowest[1], m.highest[1]);
  }
  if (m.lowest.size() == 1 && m.wrong > 1) return fmt::format(", between index {} and {}", m.lowest[0], m.highest[0]);
  return "";
}

}  // namespace

std::string ordinal(std::uint64_t n) {
  const auto ending = n % 100 / 10 == 1 ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
  return std::to_string(n) + ending;
}

std::string sizes_text(const sizes& of) {
  std::string text;
  for (const named_size& s : of) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", s.name, s.value);
  return text;
}

std::string summary_of(const mismatch& m, bool explained) {
  const wrong_element& w = m.first.front();
  const auto [expected, actual] = told_apart_in(m, w);
  if (m.never_written == m.total)
    return fmt::format("No element of {} was ever written{}", m.argument,
                       explained ? "." : ": does a kernel that writes it run, and for how many threads?");
  const std::string first = element_name(m.argument, w.index);
  std::string text =
      m.total == 1 ? fmt::format("{} ", first)
                   : fmt::format("{} of {} elements of {} {} wrong{}. First: {} ", grouped(m.wrong), grouped(m.total),
                                 m.argument, m.wrong == 1 ? "is" : "are", region_text(m), first);
  text += w.never_written ? fmt::format("was never written; it should be {}.", expected)
                          : fmt::format("is {}, expected {}.", actual, expected);
  if (m.never_written > 0 && !w.never_written)
    text += fmt::format(" {} of the wrong ones were never written.", grouped(m.never_written));
  return text;
}

std::string places_of(const finding& f) {
  std::string text = place_text(f.first);
  if (f.second) {
    const std::string other = place_text(*f.second);
    if (!other.empty() && other != text) text = text.empty() ? other : fmt::format("{} and {}", text, other);
  }
  return text;
}

std::string describe(const finding& f) {
  const std::string places = places_of(f);
  return places.empty() ? f.message : places + ": " + f.message;
}

std::size_t columns(std::string_view text) {
  std::size_t n = 0;
  for (const char c : text)
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) ++n;  // not the continuation of a UTF-8 character
  return n;
}

std::string shortened(const std::string& text, std::size_t width) {
  if (columns(text) <= width) return text;
  std::string kept;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < text.size() && taken + 1 < width;) {
    std::size_t bytes = 1;
    while (i + bytes < text.size() && (static_cast<unsigned char>(text[i + bytes]) & 0xc0) == 0x80) ++bytes;
    kept += text.substr(i, bytes);
    i += bytes;
    ++taken;
  }
  return kept + "…";
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t taken = columns(text);
  if (taken < width) text.append(width - taken, ' ');
  return text;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::string word;
  const auto place_word = [&] {
    if (!lines.back().empty() && columns(lines.back()) + 1 + columns(word) > width) lines.emplace_back();
    if (!lines.back().empty() && !word.empty()) lines.back() += ' ';
    lines.back() += word;
    word.clear();
  };
  for (const char c : text) {
    if (c == ' ' || c == '\n')
      place_word();
    else
      word += c;
    if (c == '\n') lines.emplace_back();
  }
  place_word();
  return lines;
}

std::string grouped(std::uint64_t n) {
  const std::string digits = std::to_string(n);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string counted_text(std::uint64_t n, const std::string& thing) {
  return grouped(n) + " " + thing + (n == 1 ? "" : "s");
}

std::string coordinates_text(const coordinates& c) { return fmt::format("({},{},{})", c[0], c[1], c[2]); }

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::string printable(std::string_view raw, std::size_t greatest) {
  std::string text = as_utf8(raw.substr(0, greatest));
  for (char& c : text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f) c = '?';
  return text;
}

}  // namespace simtlab
