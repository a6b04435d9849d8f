#include "report/escapes.h"

#include <algorithm>
#include <cstddef>

namespace simtlab::emulator {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";  // U+FFFD
constexpr std::string_view hex_digits = "0123456789ABCDEF";

std::string percent(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return {'%', hex_digits[byte >> 4], hex_digits[byte & 15]};
}

/// Bytes of the UTF-8 sequence that `text` begins with; 0: it begins with none (the Unicode standard, table 3-7).
std::size_t sequence_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  const unsigned lowest = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned highest = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < lowest || byte(1) > highest) return 0;
  for (std::size_t i = 2; i < bytes; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  return bytes;
}

/// Each character that `is_special` says so of as `escape` writes it.
template <class Special, class Escape>
std::string escaped(std::string_view text, Special is_special, Escape escape) {
  std::string out;
  for (const char c : text) {
    if (is_special(c))
      out += escape(c);
    else
      out += c;
  }
  return out;
}

bool is_one_of(char c, std::string_view characters) { return characters.find(c) != std::string_view::npos; }

}  // namespace

std::string utf8(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = sequence_bytes(text.substr(at));
    out += bytes == 0 ? replacement : text.substr(at, bytes);
    at += std::max<std::size_t>(bytes, 1);
  }
  return out;
}

std::string json_quoted(std::string_view text) {
  const auto is_special = [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; };
  return '"' +
         escaped(utf8(text), is_special,
                 [](char c) -> std::string {
                   if (c == '\n') return "\\n";
                   if (c == '"' || c == '\\') return {'\\', c};
                   return "\\u00" + percent(c).substr(1);
                 }) +
         '"';
}

std::string xml_escaped(std::string_view text) {
  const auto is_special = [](char c) { return is_one_of(c, "&<>\"") || static_cast<unsigned char>(c) < 0x20; };
  return escaped(utf8(text), is_special, [](char c) -> std::string {
    switch (c) {
      case '&':
        return "&amp;";
      case '<':
        return "&lt;";
      case '>':
        return "&gt;";
      case '"':
        return "&quot;";
      case '\n':
      case '\r':
      case '\t':
        return "&#" + std::to_string(static_cast<int>(c)) + ";";
      default:
        return std::string(replacement);
    }
  });
}

std::string uri_path(std::string_view path) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  return escaped(
      path, [=](char c) { return !is_one_of(c, plain); }, percent);
}

std::string command_message(std::string_view text) {
  return escaped(
      utf8(text), [](char c) { return is_one_of(c, "%\r\n"); }, percent);
}

std::string command_property(std::string_view text) {
  return escaped(
      utf8(text), [](char c) { return is_one_of(c, "%\r\n:,"); }, percent);
}

}  // namespace simtlab::emulator
