#include "translator/access_notes.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "translator/lexer.h"

namespace simtlab::emulator {
namespace {

/// Behind the string literal that begins at `at`.
std::size_t behind_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

/// The bracket that closes the one at `at`; npos if the text ends before.
std::size_t closing(std::string_view text, std::size_t at) {
  const char open = text[at], close = open == '(' ? ')' : ']';
  std::size_t depth = 0;
  while (at < text.size()) {
    if (text[at] == '"') {
      at = behind_string(text, at);
      continue;
    }
    if (text[at] == open) ++depth;
    if (text[at] == close && --depth == 0) return at;
    ++at;
  }
  return std::string_view::npos;
}

/// The number behind the last ` S` or ` A` of a memory operand's attributes, cut off from them.
std::optional<unsigned> cut_number(std::string_view& attributes, char letter) {
  const std::size_t at = attributes.rfind(' ');
  if (at == std::string_view::npos || at + 2 > attributes.size() || attributes[at + 1] != letter) return std::nullopt;
  unsigned value = 0;
  const char* const end = attributes.data() + attributes.size();
  const auto [stop, error] = std::from_chars(attributes.data() + at + 2, end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  attributes = attributes.substr(0, at);
  return value;
}

/// `3 particles[_5].mass+8 S8 A32`, perhaps with the address space behind, as in ` AS1`.
std::optional<noted_access> access_of(std::string_view attributes) {
  if (const std::size_t space = attributes.rfind(" AS");
      space != std::string_view::npos && space + 5 > attributes.size())
    attributes = attributes.substr(0, space);
  noted_access access;
  const auto alignment = cut_number(attributes, 'A');
  const auto bytes = cut_number(attributes, 'S');
  const std::size_t begin = attributes.find(' ');
  if (!alignment || !bytes || begin == std::string_view::npos) return std::nullopt;
  access.alignment = std::max(*alignment / 8, 1U);
  access.bytes = *bytes;
  access.object = attributes.substr(begin + 1);
  if (const std::size_t sign = access.object.rfind('+');
      sign != std::string_view::npos && sign + 1 < access.object.size()) {
    const char* const end = access.object.data() + access.object.size();
    const auto [stop, error] = std::from_chars(access.object.data() + sign + 1, end, access.offset);
    access.has_offset = error == std::errc{} && stop == end;
    if (access.has_offset) access.object = access.object.substr(0, sign);
  }
  if (access.object.empty() || access.object.starts_with("%sfp")) return std::nullopt;
  return access;
}

/// Where the pattern of `#(insn 30 28 156 2 (set ...) ...` begins; npos for calls and jumps.
std::size_t pattern_of(std::string_view note) {
  if (!note.starts_with("#(insn")) return std::string_view::npos;
  std::size_t at = note.find(' ');
  for (unsigned number = 0; number < 4 && at < note.size(); ++number) {
    const std::size_t first = ++at;
    while (at < note.size() && is_digit(note[at])) ++at;
    if (at == first || at == note.size() || note[at] != ' ') return std::string_view::npos;
  }
  return at < note.size() && at + 1 < note.size() && note[at + 1] == '(' ? at + 1 : std::string_view::npos;
}

/// Whether an address counts from the stack or frame pointer. Where a variable is kept in %rbp, its name stands behind.
bool is_in_frame(std::string_view address) {
  return address.find("reg/f:DI 7 sp)") != std::string_view::npos ||
         address.find("reg/f:DI 6 bp)") != std::string_view::npos;
}

std::vector<noted_access> accesses_of(std::string_view note) {
  std::vector<noted_access> found;
  const std::size_t begin = pattern_of(note);
  if (begin == std::string_view::npos) return found;
  const std::size_t end = closing(note, begin);
  if (end == std::string_view::npos) return found;
  const std::string_view pattern = note.substr(begin, end - begin);
  constexpr std::string_view memory = "(mem";
  for (std::size_t at = 0; at < pattern.size();) {
    if (pattern[at] == '"') {
      at = behind_string(pattern, at);
      continue;
    }
    if (pattern.substr(at, memory.size()) != memory) {
      ++at;
      continue;
    }
    const std::size_t mode = pattern.find(':', at), address = pattern.find('(', at + 1);
    const bool plain = mode != std::string_view::npos && address != std::string_view::npos && mode < address;
    const std::size_t behind = plain ? closing(pattern, address) : std::string_view::npos;
    if (behind == std::string_view::npos) return found;  // nothing that is known
    const std::string_view flags = pattern.substr(at + memory.size(), mode - at - memory.size());
    const bool is_write = pattern.substr(0, at).ends_with("(set ");
    const bool is_clobber = pattern.substr(0, at).ends_with("(clobber ");
    const bool in_frame = is_in_frame(pattern.substr(address, behind - address));
    at = behind + 1;
    if (pattern.substr(at, 2) != " [") continue;
    const std::size_t last = closing(pattern, at + 1);
    if (last == std::string_view::npos) return found;
    auto access = access_of(pattern.substr(at + 2, last - at - 2));
    at = last + 1;
    if (!access || is_clobber || in_frame || flags.find('u') != std::string_view::npos)
      continue;  // u: of what never changes
    access->is_write = is_write;
    found.push_back(*access);
  }
  return found;
}

/// Flag u of a call: its function depends on its arguments alone; i: and on memory.
bool is_pure_call(std::string_view note) {
  constexpr std::string_view call = "#(call_insn";
  if (!note.starts_with(call)) return false;
  const std::string_view flags = note.substr(call.size(), note.find(' ') - call.size());
  return flags.find('u') != std::string_view::npos || flags.find('i') != std::string_view::npos;
}

/// Without the `# 30 [c=4 l=7] *movdi_internal` that ends an instruction.
std::string_view without_remark(std::string_view line) {
  const std::size_t remark = line.rfind("\t# ");
  if (remark == std::string_view::npos || remark + 3 >= line.size() || !is_digit(line[remark + 3])) return line;
  if (line.find("\t[c=", remark) == std::string_view::npos) return line;
  line = line.substr(0, remark);
  while (!line.empty() && line.back() == '\t') line.remove_suffix(1);
  return line;
}

}  // namespace

noted_assembly read_access_notes(std::string_view annotated) {
  noted_assembly result;
  result.text.reserve(annotated.size());
  noted_line pending;  // of the note in front
  for (std::size_t at = 0; at < annotated.size();) {
    std::size_t end = std::min(annotated.find('\n', at), annotated.size());
    if (annotated.substr(at, 2) == "#(") {
      const std::size_t begin = at;
      // A jump's note ends in `# -> 292)`.
      while (annotated.substr(end, 4) == "\n#  " || annotated.substr(end, 5) == "\n# ->")
        end = std::min(annotated.find('\n', end + 1), annotated.size());
      const std::string_view note = annotated.substr(begin, end - begin);
      pending = {0, accesses_of(note), is_pure_call(note)};
      at = end + 1;
      continue;
    }
    const std::string_view line = annotated.substr(at, end - at);
    const bool instruction = line.size() > 1 && line[0] == '\t' && line[1] != '.';
    if (instruction) {
      noted_line noted = std::exchange(pending, {});
      noted.begin = result.text.size();
      if (noted.calls_pure || !noted.accesses.empty()) result.lines.push_back(std::move(noted));
    }
    result.text += instruction ? without_remark(line) : line;
    if (end < annotated.size()) result.text += '\n';
    at = end + 1;
  }
  return result;
}

}  // namespace simtlab::emulator
