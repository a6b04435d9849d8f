#include "translator/ptx_values.h"

#include <algorithm>
#include <array>

#include "translator/ptx_writer.h"

namespace simtlab::emulator {
namespace {

/// Instructions that compute one value of their operands.
struct computation {
  std::string_view name;      ///< with the modifiers that it always has
  std::string_view types;     ///< its last modifier is one of them
  std::string_view shape;     ///< result and operands: T its type, W the type of twice the width, u b32
  std::string_view function;  ///< of ptx.h
  std::string_view optional;  ///< modifiers that it may have
  std::string_view rounded;   ///< of enum simtlab_rounded_operation, where it may be rounded otherwise than to nearest
};

constexpr std::string_view whole = "u16 s16 u32 s32 u64 s64", words = "b16 b32 b64", either_float = "f32 f64",
                           halves = "f16 f16x2", bfloats = "bf16 bf16x2", word_and_pair = "b32 b64",
                           field = "u32 s32 u64 s64";
constexpr std::array computations{
    computation{"add", whole, "TTT", "added", "", ""},
    computation{"add.sat", "s32", "TTT", "added_saturated", "", ""},
    computation{"add", either_float, "TTT", "added", "rn rz rm rp ftz sat", "add"},
    computation{"add", halves, "TTT", "added", "rn ftz sat", ""},
    computation{"add", bfloats, "TTT", "added", "rn", ""},
    computation{"sub", whole, "TTT", "subtracted", "", ""},
    computation{"sub.sat", "s32", "TTT", "subtracted_saturated", "", ""},
    computation{"sub", either_float, "TTT", "subtracted", "rn rz rm rp ftz sat", "subtract"},
    computation{"sub", halves, "TTT", "subtracted", "rn ftz sat", ""},
    computation{"sub", bfloats, "TTT", "subtracted", "rn", ""},
    computation{"mul", either_float, "TTT", "multiplied", "rn rz rm rp ftz sat", "multiply"},
    computation{"mul", halves, "TTT", "multiplied", "rn ftz sat", ""},
    computation{"mul", bfloats, "TTT", "multiplied", "rn", ""},
    computation{"mul.lo", whole, "TTT", "multiplied", "", ""},
    computation{"mul.hi", whole, "TTT", "multiplied_high", "", ""},
    computation{"mul.wide", "u16 s16 u32 s32", "WTT", "multiplied_wide", "", ""},
    computation{"mul24.lo", "u32 s32", "TTT", "multiplied24", "", ""},
    computation{"mad.lo", whole, "TTTT", "multiplied_added", "", ""},
    computation{"mad.hi", whole, "TTTT", "multiplied_added_high", "", ""},
    computation{"mad.wide", "u16 s16 u32 s32", "WTTW", "multiplied_added_wide", "", ""},
    computation{"mad", either_float, "TTTT", "fused", "rn rz rm rp ftz sat", "fused"},
    computation{"fma", either_float, "TTTT", "fused", "rn rz rm rp ftz sat", "fused"},
    computation{"fma.rn", halves, "TTTT", "fused", "ftz sat", ""},
    computation{"fma.rn.relu", halves, "TTTT", "fused_positive", "ftz", ""},
    computation{"fma.rn", bfloats, "TTTT", "fused", "", ""},
    computation{"fma.rn.relu", bfloats, "TTTT", "fused_positive", "", ""},
    computation{"sad", whole, "TTTT", "difference_added", "", ""},
    computation{"div", whole, "TTT", "divided", "", ""},
    computation{"div", either_float, "TTT", "divided", "rn rz rm rp approx full ftz", "divide"},
    computation{"rem", whole, "TTT", "remainder", "", ""},
    computation{"min", whole, "TTT", "lesser", "", ""},
    computation{"max", whole, "TTT", "greater", "", ""},
    computation{"min", either_float, "TTT", "lesser", "ftz", ""},
    computation{"max", either_float, "TTT", "greater", "ftz", ""},
    computation{"min.NaN", "f32", "TTT", "lesser_or_nan", "ftz", ""},
    computation{"max.NaN", "f32", "TTT", "greater_or_nan", "ftz", ""},
    computation{"min", halves, "TTT", "lesser", "ftz", ""},
    computation{"max", halves, "TTT", "greater", "ftz", ""},
    computation{"min.NaN", halves, "TTT", "lesser_or_nan", "ftz", ""},
    computation{"max.NaN", halves, "TTT", "greater_or_nan", "ftz", ""},
    computation{"min", bfloats, "TTT", "lesser", "", ""},
    computation{"max", bfloats, "TTT", "greater", "", ""},
    computation{"min.NaN", bfloats, "TTT", "lesser_or_nan", "", ""},
    computation{"max.NaN", bfloats, "TTT", "greater_or_nan", "", ""},
    computation{"abs", "s16 s32 s64", "TT", "magnitude", "", ""},
    computation{"neg", "s16 s32 s64", "TT", "negative", "", ""},
    computation{"abs", either_float, "TT", "magnitude", "ftz", ""},
    computation{"neg", either_float, "TT", "negative", "ftz", ""},
    computation{"abs", halves, "TT", "magnitude", "ftz", ""},
    computation{"neg", halves, "TT", "negative", "ftz", ""},
    computation{"abs", bfloats, "TT", "magnitude", "", ""},
    computation{"neg", bfloats, "TT", "negative", "", ""},
    computation{"copysign", either_float, "TTT", "with_sign_of", "", ""},
    computation{"and", words, "TTT", "both", "", ""},
    computation{"or", words, "TTT", "either", "", ""},
    computation{"xor", words, "TTT", "exclusive", "", ""},
    computation{"not", words, "TT", "inverted", "", ""},
    computation{"shl", words, "TTu", "shifted_left", "", ""},
    computation{"shr", "b16 b32 b64 u16 s16 u32 s32 u64 s64", "TTu", "shifted_right", "", ""},
    computation{"popc", word_and_pair, "uT", "ones", "", ""},
    computation{"clz", word_and_pair, "uT", "leading_zeros", "", ""},
    computation{"brev", word_and_pair, "TT", "reversed", "", ""},
    computation{"bfind", field, "uT", "highest_bit", "", ""},
    computation{"bfind.shiftamt", field, "uT", "highest_bit_from_top", "", ""},
    computation{"bfe", field, "TTuu", "bit_field", "", ""},
    computation{"bfi", word_and_pair, "TTTuu", "with_bit_field", "", ""},
    computation{"prmt", "b32", "TTTT", "permuted", "", ""},
    computation{"lop3", "b32", "TTTTu", "by_table", "", ""},
    computation{"shf.l.wrap", "b32", "TTTT", "funnel_left", "", ""},
    computation{"shf.r.wrap", "b32", "TTTT", "funnel_right", "", ""},
    computation{"shf.l.clamp", "b32", "TTTT", "funnel_left_clamped", "", ""},
    computation{"shf.r.clamp", "b32", "TTTT", "funnel_right_clamped", "", ""},
    computation{"rcp", either_float, "TT", "reciprocal", "rn rz rm rp approx ftz", ""},
    computation{"sqrt", either_float, "TT", "square_root", "rn rz rm rp approx ftz", "square_root"},
    computation{"rsqrt.approx", either_float, "TT", "reciprocal_root", "ftz", ""},
    computation{"ex2.approx", "f32", "TT", "power_of_two", "ftz", ""},
    computation{"lg2.approx", "f32", "TT", "binary_logarithm", "ftz", ""},
    computation{"sin.approx", "f32", "TT", "sine", "ftz", ""},
    computation{"cos.approx", "f32", "TT", "cosine", "ftz", ""},
    computation{"tanh.approx", "f32", "TT", "hyperbolic_tangent", "", ""},
};

class value_instruction : ptx_writer {
 public:
  using ptx_writer::ptx_writer;

  std::string statement() {
    const std::string& name = in_.name;
    if (name == "mov") return move();
    if (name == "cvt") return convert();
    if (name == "setp") return compare();
    if (name == "selp") return select();
    if (name == "dp4a") return dot_product();
    if (name == "addc" || name == "subc" || name == "madc" || (!left_.empty() && left_.front() == "cc")) return carry();
    if (name == "mad" && left_.size() > 1 && left_[1] == "cc") return carry();
    if ((name == "and" || name == "or" || name == "xor" || name == "not") &&
        in_.modifiers == std::vector<std::string>{"pred"})
      return logic();
    return compute();
  }

 private:
  static std::string flushed(const std::string& what) { return of_header("flushed(") + what + ")"; }
  static std::string unpacked(const std::string& part, const std::string& to, std::size_t index) {
    return of_header("put<") + part + ">(" + to + ", " + of_header("part<") + part + ">(simtlab_whole, " +
           std::to_string(index) + ")); ";
  }

  std::string compute() {
    bool has_name = false;
    for (const computation& c : computations) {
      const std::string_view name = c.name.substr(0, c.name.find('.'));
      if (name != in_.name) continue;
      has_name = true;
      if (in_.modifiers.empty() || !is_in_list(in_.modifiers.back(), c.types)) continue;
      std::vector<std::string> others(in_.modifiers.begin(), in_.modifiers.end() - 1);
      if (!takes_required(c.name, others) ||
          !std::ranges::all_of(others, [&](const std::string& m) { return is_in_list(m, c.optional); }))
        continue;
      return compute(c, others);
    }
    if (!has_name) fail_unknown();
    fail(", whose modifiers or type the emulator does not know",
         "Write it with CUDA's intrinsics or in C++, or test the kernel on a GPU");
  }
  /// Takes the modifiers of `name`, `shf.l.wrap`, out of `given`.
  static bool takes_required(std::string_view name, std::vector<std::string>& given) {
    for (std::size_t point = name.find('.'); point != std::string_view::npos;) {
      const std::size_t next = name.find('.', point + 1);
      const auto found =
          std::ranges::find(given, name.substr(point + 1, next == std::string_view::npos ? next : next - point - 1));
      if (found == given.end()) return false;
      given.erase(found);
      point = next;
    }
    return true;
  }
  std::string compute(const computation& c, const std::vector<std::string>& options) const {
    const auto has = [&](std::string_view option) { return std::ranges::find(options, option) != options.end(); };
    const std::string type = cpp_type(in_.modifiers.back());
    const auto type_of = [&](char letter) {
      return letter == 'T' ? type : letter == 'u' ? "uint32_t" : of_header("wide_of<") + type + ">";
    };
    expect_operands(c.shape.size());
    std::string function = of_header(c.function), begin = "(";
    const std::string rounding = has("rz")   ? "simtlab_round_to_zero"
                                 : has("rm") ? "simtlab_round_down"
                                 : has("rp") ? "simtlab_round_up"
                                             : "";
    if (!rounding.empty()) {
      const std::string operation = in_.name == "rcp" ? "divide" : std::string(c.rounded);
      function = of_header("rounded<simtlab_rounded_") + operation + ", " + rounding + ">";
      if (in_.name == "rcp") begin += type + "(1), ";
    }
    const bool flushes = has("ftz") && type != "double";
    const bool is_product = in_.name == "mul" || in_.name == "fma" || in_.name == "mad";  // small sums are exact
    if (flushes && is_product && in_.modifiers.back().starts_with("f16")) function += "_or_zero";
    std::string arguments, scaled;
    for (std::size_t i = 1; i < c.shape.size(); ++i) {
      const std::string argument = flushes ? flushed(as(type_of(c.shape[i]), i)) : as(type_of(c.shape[i]), i);
      arguments += (i > 1 ? ", " : "") + argument;
      scaled += (i > 1 ? ", " : "") + (i == 2 ? argument : of_header("scaled(") + argument + ")");
    }
    std::string result = function + begin + arguments + ")";
    if (has("sat")) result = of_header("saturated(") + result + ")";
    if (flushes && is_product && type == "float")
      result = of_header("flushed_product(") + result + ", " + function + begin + scaled + "))";
    else if (flushes)
      result = of_header("flushed(") + result + ")";
    return put(type_of(c.shape[0]), 0, result);
  }
  std::string logic() const {
    expect_operands(in_.name == "not" ? 2 : 3);
    if (in_.name == "not") return set(0, "!" + predicate(1));
    const std::string sign = in_.name == "and" ? " && " : in_.name == "or" ? " || " : " != ";
    return set(0, predicate(1) + sign + predicate(2));
  }

  /// A sum, difference or product with the carry of one before in the same asm statement, or with a carry out.
  std::string carry() {
    const bool reads = in_.name.back() == 'c';
    const std::string operation = in_.name.substr(0, 3), half = operation == "mad" ? take_one_of("lo hi") : "";
    const bool writes = take("cc");
    const std::string type = cpp_type(take_type("u32 s32 u64 s64"));
    if ((operation != "add" && operation != "sub" && operation != "mad") || (operation == "mad" && half.empty()))
      fail_unknown();
    expect_no_more();
    expect_operands(operation == "mad" ? 4 : 3);
    std::string one = as(type, 1), other = operation == "mad" ? as(type, 3) : as(type, 2);
    if (operation == "mad")
      one = of_header(half == "lo" ? "multiplied(" : "multiplied_high(") + one + ", " + as(type, 2) + ")";
    const std::string kept = writes ? "simtlab_carry" : "simtlab_no_carry";
    const std::string made = of_header(operation == "sub" ? "subtracted_with_borrow<" : "added_with_carry<") + type +
                             ">(" + one + ", " + other + ", " + (reads ? "simtlab_carry" : "false") + ", " + kept + ")";
    return "{ [[maybe_unused]] bool simtlab_no_carry; " + put(type, 0, made) + " }";
  }

  std::string dot_product() {
    const std::string b = take_type("u32 s32"), a = take_type("u32 s32");
    expect_no_more();
    expect_operands(4);
    if (a != b) fail(" of two types", "Write it in C++");
    const std::string type = cpp_type(a);
    return put(type, 0, "__dp4a(" + as(type, 1) + ", " + as(type, 2) + ", " + as(type, 3) + ")");
  }

  std::string move() {
    const std::string type = take_type("pred b16 u16 s16 b32 u32 s32 b64 u64 s64 f32 f64");
    expect_no_more();
    expect_operands(2);
    if (type == "pred") return set(0, predicate(1));
    const std::string cpp = cpp_type(type), bits = type.substr(1);
    if (operand(1).kind == ptx_operand_kind::vector) {
      const std::vector<std::string>& members = operand(1).members;
      std::string list;
      for (const std::string& m : members)
        list += (list.empty() ? "" : ", ") + read(part_type(bits, members.size()), m);
      return put(cpp, 0, of_header("packed(") + list + ")");
    }
    if (operand(0).kind == ptx_operand_kind::vector) {
      const std::vector<std::string>& members = operand(0).members;
      const std::string part = part_type(bits, members.size());
      std::string all = "{ const auto simtlab_whole = " + as(cpp, 1) + "; ";
      for (std::size_t i = 0; i < members.size(); ++i)
        if (!members[i].empty()) all += unpacked(part, members[i], i);
      return all + "}";
    }
    return put(cpp, 0, as(cpp, 1));
  }
  [[nodiscard]] std::string part_type(const std::string& bits, std::size_t count) const {
    if (count == 2 && bits == "32") return of_header("b16");
    if (count == 2 && bits == "64") return of_header("b32");
    if (count == 4 && bits == "64") return of_header("b16");
    fail(" with " + std::to_string(count) + " parts of " + bits + " bits",
         "The emulator knows halves, and quarters of 64 bits");
  }

  // Conversions

  std::string convert() {
    if (!left_.empty() && (in_.modifiers.size() > 1 && is_in_list(in_.modifiers[in_.modifiers.size() - 2], pairs)))
      return convert_two();
    constexpr std::string_view types = "u8 s8 u16 s16 u32 s32 u64 s64 f16 bf16 f32 f64";
    const std::string from = take_type(types), to = take_type(types);
    const std::string rounding = take_one_of("rn rz rm rp rni rzi rmi rpi");
    const bool flushes = take("ftz"), saturates = take("sat");
    const bool is_small = to == "f16" || to == "bf16", is_relu = is_small && from == "f32" && take("relu");
    expect_no_more();
    expect_operands(2);
    const bool of_whole = is_whole_type(from), to_whole = is_whole_type(to), is_whole = rounding.size() == 3;
    const bool narrows = !of_whole && !to_whole && bits_of(to) < bits_of(from);
    if ((to_whole && !of_whole && !is_whole) ||
        (!to_whole && (of_whole || narrows) && (rounding.empty() || is_whole)) ||
        (of_whole && to_whole && !rounding.empty()))
      fail(to_whole && of_whole ? " with a rounding" : " without a fitting rounding",
           "Whole numbers from floating-point ones take .rni, .rzi, .rmi or .rpi; floating-point ones from others .rn, "
           ".rz, .rm or .rp");
    const std::string target = cpp_type(to);
    expect_held(cpp_type(from), 1);
    std::string x = of_header("as_part<") + cpp_type(from) + ">(" + value(1) + ")";
    if (flushes && from == "f32") x = of_header("flushed(") + x + ")";
    if (is_whole) x = of_header("whole<") + enum_of(rounding) + ">(" + of_header("widened(") + x + "))";
    if (to_whole)
      x = (of_whole && !saturates ? "static_cast<" + target + ">(" : of_header("saturated_number<") + target + ">(") +
          (of_whole || is_whole ? x : of_header("widened(") + x + ")") + ")";
    else
      x = of_header("floating<") + target + ", " + (is_whole ? "simtlab_round_nearest" : enum_of(rounding)) + ">(" + x +
          ")";
    if (is_relu) x = of_header("positive(") + x + ")";
    if (!to_whole && saturates) x = of_header("saturated(") + x + ")";
    if (flushes && to == "f32") x = of_header("flushed(") + x + ")";
    return put(target, 0, x, "put_wide");
  }
  /// `cvt.rn.f16x2.f32 d, high, low`
  std::string convert_two() {
    const std::string from = take_type("f32"), to = take_type(pairs), rounding = take_one_of("rn rz");
    const bool is_relu = take("relu");
    expect_no_more();
    expect_operands(3);
    if (rounding.empty()) fail(" without a fitting rounding", "Two numbers in one register take .rn or .rz");
    const auto half_of = [&](std::size_t i) {
      const std::string part = cpp_type(to.substr(0, to.size() - 2));
      const std::string x = of_header("floating<") + part + ", " + enum_of(rounding) + ">(" + as("float", i) + ")";
      return is_relu ? of_header("positive(") + x + ")" : x;
    };
    return put(cpp_type(to), 0, cpp_type(to) + "{" + half_of(2) + ", " + half_of(1) + "}");
  }
  static constexpr std::string_view pairs = "f16x2 bf16x2";
  static bool is_whole_type(std::string_view type) { return type[0] == 'u' || type[0] == 's'; }
  static unsigned bits_of(std::string_view type) { return type == "f64" ? 64 : type == "f32" ? 32 : 16; }
  static std::string enum_of(std::string_view rounding) {
    const char kind = rounding.size() < 2 ? 'n' : rounding[1];
    return kind == 'z'   ? "simtlab_round_to_zero"
           : kind == 'm' ? "simtlab_round_down"
           : kind == 'p' ? "simtlab_round_up"
                         : "simtlab_round_nearest";
  }

  // Predicates

  std::string compare() {
    const std::string type = take_type("b16 u16 s16 b32 u32 s32 b64 u64 s64 f32 f64 f16 bf16 f16x2 bf16x2");
    const bool flushes = (type == "f32" || type.starts_with("f16")) && take("ftz");
    const std::string combined = take_one_of("and or xor");
    if (left_.size() != 1) fail_unknown();
    expect_operands(combined.empty() ? 3 : 4);
    const std::string sign = combined == "and" ? " && " : combined == "or" ? " || " : " != ";
    const std::string third = combined.empty() ? "" : sign + predicate(3);
    const ptx_operand& target = operand(0);
    if (is_in_list(type, pairs)) {
      // A predicate for each half, the low one's first.
      std::string made = "{ const bool simtlab_low = " + compared(type, flushes, "low") + third +
                         ", simtlab_high = " + compared(type, flushes, "high") + third + "; ";
      if (target.kind != ptx_operand_kind::sink) made += of_header("set(") + target.value + ", simtlab_low); ";
      if (!target.predicate.empty()) made += of_header("set(") + target.predicate + ", simtlab_high); ";
      return made + "}";
    }
    std::string made = "{ const bool simtlab_holds = " + compared(type, flushes, "") + "; ";
    if (target.kind != ptx_operand_kind::sink)
      made += of_header("set(") + target.value + ", simtlab_holds" + third + "); ";
    if (!target.predicate.empty()) made += of_header("set(") + target.predicate + ", !simtlab_holds" + third + "); ";
    return made + "}";
  }
  /// Whether the comparison holds of the operands, or of one half of each.
  [[nodiscard]] std::string compared(const std::string& type, bool flushes, const std::string& half) const {
    const auto read_as = [&](std::size_t i) {
      std::string x = as(cpp_type(type), i);
      if (!half.empty()) x += "." + half;
      if (flushes) x = of_header("flushed(") + x + ")";
      return type.find("f16") != std::string::npos ? of_header("widened(") + x + ")" : x;
    };
    const bool is_floating = type.find('f') != std::string::npos;
    std::string result = comparison(left_.front(), is_floating, read_as(1), read_as(2));
    if (result.empty())
      fail(", whose comparison `." + left_.front() + "` the emulator does not know",
           "It has eq, ne, lt, le, gt, ge, lo, ls, hi, hs, num, nan and, for NaNs, equ, neu, ltu, leu, gtu, geu");
    return result;
  }
  static std::string comparison(std::string name, bool is_floating, const std::string& a, const std::string& b) {
    if (is_floating && (name == "num" || name == "nan"))
      return (name == "nan" ? "!" : "") + of_header("is_number(") + a + ", " + b + ")";
    const bool of_unordered = is_floating && name.size() == 3 && name.back() == 'u';
    if (of_unordered) name.pop_back();
    const std::string operation = name == "eq"                   ? "equal"
                                  : name == "ne"                 ? "not_equal"
                                  : name == "lt" || name == "lo" ? "less"
                                  : name == "le" || name == "ls" ? "less_equal"
                                  : name == "gt" || name == "hi" ? "more"
                                  : name == "ge" || name == "hs" ? "more_equal"
                                                                 : "";
    if (operation.empty()) return {};
    return of_header("compared<") + of_header(operation) + (of_unordered ? ", true>(" : ">(") + a + ", " + b + ")";
  }
  std::string select() {
    const std::string cpp = cpp_type(take_type("b16 u16 s16 b32 u32 s32 b64 u64 s64 f32 f64"));
    expect_no_more();
    expect_operands(4);
    return put(cpp, 0,
               of_header("selected<") + cpp + ">(" + as(cpp, 1) + ", " + as(cpp, 2) + ", " + predicate(3) + ")");
  }
};

}  // namespace

std::string ptx_value_to_cpp(const ptx_instruction& instruction) { return value_instruction(instruction).statement(); }

}  // namespace simtlab::emulator
