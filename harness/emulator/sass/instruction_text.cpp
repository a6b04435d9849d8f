#include "sass/instruction_text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "sass/handlers/opcode_rule.h"
#include "sass/handlers/special_registers.h"
#include "sass/machine_code.h"

namespace simtlab::emulator::sass {
namespace {

[[noreturn]] void refuse_operand(std::string_view text) {
  throw unreadable_code("an operand of a form that is not known: \"" + std::string(text) + '"');
}

bool skip(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::vector<std::string_view> parts(std::string_view text, char between) {
  std::vector<std::string_view> result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(between), text.size());
    result.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

/// "0x1f" or "-0x10", whole.
std::optional<std::uint64_t> hexadecimal(std::string_view text) {
  const bool is_negative = skip(text, "-");
  if (!skip(text, "0x")) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return is_negative ? 0 - value : value;
}

/// The number behind `prefix`: "R12" has 12, "RZ" and "PT" the one given.
std::optional<std::uint16_t> numbered(std::string_view text, std::string_view prefix, std::string_view last,
                                      std::uint16_t of_last) {
  if (!skip(text, prefix)) return std::nullopt;
  if (text == last) return of_last;
  std::uint16_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value >= of_last) return std::nullopt;
  return value;
}
std::optional<std::uint16_t> vector_register(std::string_view t) { return numbered(t, "R", "Z", zero_register); }
std::optional<std::uint16_t> uniform_register(std::string_view t) { return numbered(t, "UR", "Z", zero_uniform); }

std::uint64_t bits_of(double v, number_format format) {
  const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(v));
  switch (format) {
    case number_format::float64:
      return std::bit_cast<std::uint64_t>(v);
    case number_format::bfloat:
      return single >> 16;
    case number_format::half: {  // nvdisasm prints each half exactly
      const std::uint32_t sign = single >> 16 & 0x8000;
      const double size = std::fabs(v);
      if (std::isnan(v)) return sign | 0x7fff;
      if (std::isinf(v)) return sign | 0x7c00;
      if (size < 0x1p-14) return sign | static_cast<std::uint32_t>(size * 0x1p24);
      return sign | (((single >> 23 & 255) - 112) << 10 & 0x7c00) | (single >> 13 & 0x3ff);
    }
    default:
      return single;
  }
}

/// "0.5", "-3", "+INF", "-QNAN"; not hexadecimal.
std::optional<std::uint64_t> number(std::string_view text, number_format format) {
  const bool is_negative = text.starts_with('-');
  const std::string_view size = text.substr(is_negative || text.starts_with('+') ? 1 : 0);
  if (size == "INF") return bits_of(is_negative ? -HUGE_VAL : HUGE_VAL, format);
  if (size == "QNAN" || size == "SNAN") {
    const double none = std::numeric_limits<double>::quiet_NaN();
    return bits_of(std::copysign(none, is_negative ? -1.0 : 1.0), format);
  }
  if (size.empty() || size.size() > 400 || size.find_first_not_of("0123456789.e+-") != std::string_view::npos)
    return std::nullopt;
  const std::string whole(text);
  char* end = nullptr;
  const double v = std::strtod(whole.c_str(), &end);
  if (end != whole.c_str() + whole.size()) return std::nullopt;
  if (format == number_format::integer) {  // a table that has no fraction
    if (v != std::floor(v) || std::fabs(v) > 0x1p31) return std::nullopt;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(v));
  }
  return bits_of(v, format);
}

/// What stands in the brackets of an address or a constant: a sum.
void read_sum(std::string_view text, operand& o) {
  for (std::string_view term : parts(text, '+')) {
    const std::vector<std::string_view> words = parts(term, '.');
    if (words.empty()) refuse_operand(text);
    if (const auto offset = hexadecimal(term)) {
      o.value += *offset;
      continue;
    }
    const bool is_vector = words[0].starts_with('R');
    const auto which = is_vector ? vector_register(words[0]) : uniform_register(words[0]);
    std::uint16_t& place = is_vector ? o.index : o.uniform;
    if (!which || place != no_register) refuse_operand(text);
    place = *which;
    for (std::size_t k = 1; k < words.size(); ++k) {
      if (words[k] == "reuse") continue;
      if (words[k] == "64")
        o.is_wide = o.is_wide || is_vector;
      else if (words[k] == "X4" || words[k] == "X8" || words[k] == "X16")
        o.scale = static_cast<std::uint8_t>(words[k] == "X4" ? 4 : words[k] == "X8" ? 8 : 16);
      else if (words[k] != "U32")
        refuse_operand(text);
    }
  }
}

/// "c[0x0][0x28]"
operand read_constant(std::string_view text) {
  operand o{.kind = operand_kind::constant};
  std::string_view rest = text;
  const std::size_t close = rest.find("][");
  if (!skip(rest, "c[") || close == std::string_view::npos || !rest.ends_with(']')) refuse_operand(text);
  const auto bank = hexadecimal(text.substr(2, close - 2));
  if (!bank || *bank >= 5) refuse_operand(text);
  o.bank = static_cast<std::uint8_t>(*bank);
  const std::string_view inside = text.substr(close + 2, text.size() - close - 3);
  if (inside.find('R') != std::string_view::npos || inside.starts_with("0x") || inside.starts_with("-0x"))
    read_sum(inside, o);
  else
    refuse_operand(text);
  if (o.index == zero_register) o.index = no_register;
  return o;
}

/// Words behind a register's dots: which half or byte of it.
void read_selection(const std::vector<std::string_view>& words, std::string_view text, operand& o) {
  for (std::size_t k = 1; k < words.size(); ++k) {
    const std::string_view word = words[k];
    if (word == "reuse" || word == "F32" || word == "64") continue;
    if (word == "H0_H0" || word == "H0")
      o.half = low_half;
    else if (word == "H1_H1" || word == "H1")
      o.half = high_half;
    else if (word.size() == 2 && word[0] == 'B' && word[1] >= '0' && word[1] <= '3')
      o.value_byte = static_cast<std::uint8_t>(word[1] - '0');
    else
      refuse_operand(text);
  }
}

operand read_operand(std::string_view text, number_format format) {
  if (const auto value = hexadecimal(text)) return {.kind = operand_kind::immediate, .value = *value};
  if (const auto value = number(text, format)) return {.kind = operand_kind::immediate, .value = *value};
  if (const auto which = special_register_of(text))
    return {.kind = operand_kind::special, .index = static_cast<std::uint16_t>(*which)};
  if (text == "PR" || text == "UPR") return {.kind = operand_kind::all_predicates};
  const std::string_view whole = text;
  if (text.starts_with("desc[")) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) refuse_operand(whole);
    text.remove_prefix(close + 1);
  }
  if (text.starts_with('[')) {
    operand o{.kind = operand_kind::address};
    if (!text.ends_with(']')) refuse_operand(whole);
    read_sum(text.substr(1, text.size() - 2), o);
    return o;
  }
  operand signs;
  for (; !text.empty(); text.remove_prefix(1)) {
    if (text[0] == '-' || text[0] == '!')
      signs.is_negated = true;
    else if (text[0] == '~')
      signs.is_inverted = true;
    else if (text[0] == '|')
      signs.is_absolute = true;
    else
      break;
  }
  // |R8|.reuse.H0_H0
  std::string without;
  if (signs.is_absolute) {
    without = text;
    std::erase(without, '|');
    text = without;
  }
  operand o;
  const std::vector<std::string_view> words = parts(text, '.');
  if (words.empty()) refuse_operand(whole);
  if (text.starts_with("c[")) {
    o = read_constant(text);
  } else if (const auto r = vector_register(words[0])) {
    o = {.kind = operand_kind::reg, .index = *r};
    read_selection(words, whole, o);
  } else if (const auto u = uniform_register(words[0])) {
    o = {.kind = operand_kind::uniform, .index = *u};
    read_selection(words, whole, o);
  } else if (const auto p = numbered(text, "P", "T", true_predicate)) {
    o = {.kind = operand_kind::predicate, .index = *p};
  } else if (const auto up = numbered(text, "UP", "T", true_predicate)) {
    o = {.kind = operand_kind::uniform_predicate, .index = *up};
  } else if (const auto b = numbered(text, "B", "none", 16)) {
    o = {.kind = operand_kind::barrier, .index = *b};
  } else {
    refuse_operand(whole);
  }
  o.is_negated = signs.is_negated;
  o.is_inverted = signs.is_inverted;
  o.is_absolute = signs.is_absolute;
  return o;
}

bool accepts(const opcode_rule& rule, std::string_view word) {
  const std::vector<std::string_view> known = parts(rule.modifiers, ' ');
  return std::ranges::find(known, word) != known.end();
}

constexpr bool names_type(std::string_view word) {
  constexpr std::string_view types[] = {"U8",  "S8",  "U16", "S16",  "U32", "S32",
                                        "U64", "S64", "F16", "BF16", "F32", "F64"};
  return std::ranges::find(types, word) != std::end(types);
}

void read_modifiers(const opcode_rule& rule, const std::vector<std::string_view>& words, instruction& i) {
  std::size_t types = 0;
  for (std::size_t k = 1; k < words.size(); ++k) {
    const auto which = modifier_number(words[k]);
    if (!which || !accepts(rule, words[k]))
      throw unreadable_code("a modifier that is not known: ." + std::string(words[k]) + " of " +
                            std::string(rule.name));
    i.modifiers.set(*which);
    if (names_type(words[k]) && types < i.types.size()) i.types[types++] = static_cast<std::uint8_t>(*which);
  }
}

/// Whether the next operand may be a place in the code. That of WARPSYNC is a mask, where it has not .ALL, and a place comes behind it with .COLLECTIVE.
bool may_lead_somewhere(std::string_view name, const instruction& i) {
  constexpr std::string_view names[] = {"BRA", "BSSY", "CALL", "LEPC", "JMP"};
  if (name == "WARPSYNC") return i.has("COLLECTIVE"_m) && (i.count > 0 || i.has("ALL"_m));
  return std::ranges::find(names, name) != std::end(names);
}

}  // namespace

std::string instruction_line::text() const {
  std::string result = predicate.starts_with('@') ? predicate + ' ' : "";
  result += opcode;
  if (!operands.empty()) result += ' ' + operands;
  return result;
}

instruction read_instruction(const instruction_line& line, std::uint32_t number, std::uint32_t origin,
                             const label_finder& find) {
  const std::vector<std::string_view> words = parts(line.opcode, '.');
  const opcode_rule* const rule = words.empty() ? nullptr : find_opcode(words[0]);
  if (rule == nullptr)
    throw unreadable_code("an opcode that is not known: " + (words.empty() ? "none" : std::string(words[0])));
  instruction i;
  i.run = rule->run;
  i.number = number;
  i.origin = origin;
  i.is_uniform = rule->is_uniform;
  i.guard = {.kind = operand_kind::predicate, .index = true_predicate};
  if (line.predicate.starts_with('@')) {
    i.guard = read_operand(std::string_view(line.predicate).substr(1), number_format::integer);
    if (i.guard.kind != operand_kind::predicate && i.guard.kind != operand_kind::uniform_predicate)
      refuse_operand(line.predicate);
  } else if (!line.predicate.empty() && line.predicate != "PR") {
    refuse_operand(line.predicate);
  }
  read_modifiers(*rule, words, i);
  number_format format = rule->format;
  if (format == number_format::half && i.has("BF16_V2"_m)) format = number_format::bfloat;
  if (i.has("RCP64H"_m) || i.has("RSQ64H"_m)) format = number_format::float64;
  std::string_view rest = line.operands;
  while (!rest.empty()) {
    // A comma stands between operands and in none of them.
    std::size_t end = std::min(rest.find(','), rest.size());
    std::string_view text = rest.substr(0, end);
    // nvdisasm leaves out the comma between the register of an LDS and its address, `R26[R3+0x80]`, and between the two addresses of
    // an LDGSTS without a descriptor, `[R5][R8.64]`.
    const std::size_t bracket = text.find('[', text.starts_with('[') ? 1 : 0);
    const bool lacks_comma =
        bracket != text.npos &&
        (text.starts_with('[') ? text[bracket - 1] == ']' : vector_register(text.substr(0, bracket)).has_value());
    if (lacks_comma) text = text.substr(0, end = bracket);
    rest.remove_prefix(std::min(end + (lacks_comma ? 0 : 1), rest.size()));
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    if (i.count == most_operands) throw unreadable_code("more operands than " + std::to_string(most_operands));
    if (may_lead_somewhere(rule->name, i)) {
      if (const auto label = find(text)) {
        i.target = *label;
        continue;
      }
      if (const auto place = hexadecimal(text)) {
        i.target = origin + static_cast<std::uint32_t>(*place / instruction_bytes);
        continue;
      }
    }
    if (rule->name == "RET" && find(text)) continue;  // the function that the address counts from: this one
    if (rule->name == "DEPBAR" && text.starts_with("SB")) continue;
    if (rule->name.starts_with('T') && modifier_number(text) && accepts(*rule, text)) {  // TEX …,2D,0x1
      i.modifiers.set(*modifier_number(text));
      continue;
    }
    operand& o = i.operands[i.count++] = read_operand(text, format);
    // Immediates of 32 bits stand in the upper half of the encoding. Which bits a NaN has matters where FSEL chooses among whole numbers.
    const bool is_nan = o.kind == operand_kind::immediate && text.ends_with("NAN") && line.encoding != 0;
    if (is_nan && format == number_format::float32) o.value = line.encoding >> 32;
    if (is_nan && format == number_format::float64) o.value = line.encoding >> 32 << 32;
  }
  if (rule->prepare != nullptr) rule->prepare(i);
  return i;
}

}  // namespace simtlab::emulator::sass
