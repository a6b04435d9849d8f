#include "translator/ptx_instructions.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace simtlab::emulator {
namespace {

const std::string space = "::simtlab::ptx::";  // NOLINT(cert-err58-cpp): of 15 bytes

/// Whether `word` is one of those in `list`, which blanks divide.
bool is_in_list(std::string_view word, std::string_view list) {
  for (std::size_t from = 0; from < list.size();) {
    const std::size_t to = std::min(list.find(' ', from), list.size());
    if (list.substr(from, to - from) == word) return true;
    from = to + 1;
  }
  return false;
}

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
                           word_and_pair = "b32 b64", field = "u32 s32 u64 s64";
constexpr std::array computations{
    computation{"add", whole, "TTT", "added", "", ""},
    computation{"add.sat", "s32", "TTT", "added_saturated", "", ""},
    computation{"add", either_float, "TTT", "added", "rn rz rm rp ftz sat", "add"},
    computation{"sub", whole, "TTT", "subtracted", "", ""},
    computation{"sub.sat", "s32", "TTT", "subtracted_saturated", "", ""},
    computation{"sub", either_float, "TTT", "subtracted", "rn rz rm rp ftz sat", "subtract"},
    computation{"mul", either_float, "TTT", "multiplied", "rn rz rm rp ftz sat", "multiply"},
    computation{"mul.lo", whole, "TTT", "multiplied", "", ""},
    computation{"mul.hi", whole, "TTT", "multiplied_high", "", ""},
    computation{"mul.wide", "u16 s16 u32 s32", "WTT", "multiplied_wide", "", ""},
    computation{"mul24.lo", "u32 s32", "TTT", "multiplied24", "", ""},
    computation{"mad.lo", whole, "TTTT", "multiplied_added", "", ""},
    computation{"mad.hi", whole, "TTTT", "multiplied_added_high", "", ""},
    computation{"mad.wide", "u16 s16 u32 s32", "WTTW", "multiplied_added_wide", "", ""},
    computation{"mad", either_float, "TTTT", "fused", "rn rz rm rp ftz sat", "fused"},
    computation{"fma", either_float, "TTTT", "fused", "rn rz rm rp ftz sat", "fused"},
    computation{"sad", whole, "TTTT", "difference_added", "", ""},
    computation{"div", whole, "TTT", "divided", "", ""},
    computation{"div", either_float, "TTT", "divided", "rn rz rm rp approx full ftz", "divide"},
    computation{"rem", whole, "TTT", "remainder", "", ""},
    computation{"min", whole, "TTT", "lesser", "", ""},
    computation{"max", whole, "TTT", "greater", "", ""},
    computation{"min", either_float, "TTT", "lesser", "ftz", ""},
    computation{"max", either_float, "TTT", "greater", "ftz", ""},
    computation{"abs", "s16 s32 s64", "TT", "magnitude", "", ""},
    computation{"neg", "s16 s32 s64", "TT", "negative", "", ""},
    computation{"abs", either_float, "TT", "magnitude", "ftz", ""},
    computation{"neg", either_float, "TT", "negative", "ftz", ""},
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

class ptx_translation {
 public:
  explicit ptx_translation(const ptx_instruction& instruction) : in_(instruction), left_(instruction.modifiers) {}

  std::string cpp() {
    std::string made = statement();
    return in_.guard.empty() ? made : "if (" + in_.guard + ") { " + made + " }";
  }

 private:
  [[noreturn]] void fail(const std::string& what, std::string advice) const {
    throw ptx_error(in_.offset, "the instruction `" + in_.written + "` in inline PTX" + what, std::move(advice));
  }
  [[noreturn]] void fail_unknown() const {
    fail(", which the emulator does not know",
         "Write it with CUDA's intrinsics or in C++, or test the kernel on a GPU");
  }
  void expect_operands(std::size_t least, std::size_t most) const {
    if (in_.operands.size() < least || in_.operands.size() > most)
      fail(" with " + std::to_string(in_.operands.size()) + " operands",
           "It takes " + (least == most ? "" : std::to_string(least) + " to ") + std::to_string(most));
  }
  void expect_operands(std::size_t count) const { expect_operands(count, count); }

  // Modifiers: each is taken once, and none may be left.
  bool take(std::string_view modifier) {
    const auto found = std::ranges::find(left_, modifier);
    if (found == left_.end()) return false;
    left_.erase(found);
    return true;
  }
  std::string take_one_of(std::string_view list) {
    for (auto m = left_.begin(); m != left_.end(); ++m) {
      if (!is_in_list(*m, list)) continue;
      std::string found = std::move(*m);
      left_.erase(m);
      return found;
    }
    return {};
  }
  void expect_no_more() const {
    if (!left_.empty())
      fail(", whose `." + left_.front() + "` the emulator does not know",
           "Write it with CUDA's intrinsics or in C++, or test the kernel on a GPU");
  }
  std::string take_type(std::string_view list) {
    if (left_.empty() || !is_in_list(left_.back(), list))
      fail(left_.empty() ? " without a type" : ", whose type `." + left_.back() + "` the emulator does not know",
           "It has " + std::string(list) + " there");
    std::string type = std::move(left_.back());
    left_.pop_back();
    return type;
  }

  static std::string cpp_type(std::string_view type) {
    const std::string width(type.substr(1));
    if (type == "f32") return "float";
    if (type == "f64") return "double";
    if (type == "f16") return space + "half";
    if (type[0] == 's') return "int" + width + "_t";
    return width == "8" ? "uint8_t" : space + "b" + width;
  }

  // Operands
  [[nodiscard]] const ptx_operand& operand(std::size_t i) const { return in_.operands[i]; }
  [[nodiscard]] const std::string& value(std::size_t i) const {
    if (operand(i).kind != ptx_operand_kind::value || !operand(i).predicate.empty())
      fail(", whose operand " + std::to_string(i + 1) + " is no register or number", "Write one there");
    return operand(i).value;
  }
  static std::string read(const std::string& type, const std::string& what) {
    return space + "as<" + type + ">(" + what + ")";
  }
  static std::string flushed(const std::string& what) { return space + "flushed(" + what + ")"; }
  static std::string unpacked(const std::string& part, const std::string& to, std::size_t index) {
    return space + "put<" + part + ">(" + to + ", " + space + "part<" + part + ">(simtlab_whole, " +
           std::to_string(index) + ")); ";
  }
  [[nodiscard]] std::string as(const std::string& type, std::size_t i) const { return read(type, value(i)); }
  [[nodiscard]] std::string word(std::size_t i) const { return as(space + "b32", i); }
  [[nodiscard]] std::string predicate(std::size_t i) const { return space + "is(" + value(i) + ")"; }
  [[nodiscard]] std::string put(const std::string& type, std::size_t i, const std::string& what,
                                const char* function = "put") const {
    if (operand(i).kind == ptx_operand_kind::sink) return "static_cast<void>(" + what + ");";
    if (operand(i).is_literal) fail(", which writes to a number", "Write to a register or to an output of the asm");
    return space + function + "<" + type + ">(" + value(i) + ", " + what + ");";
  }
  [[nodiscard]] std::string set(std::size_t i, const std::string& what) const {
    if (operand(i).kind == ptx_operand_kind::sink) return "static_cast<void>(" + what + ");";
    return space + "set(" + value(i) + ", " + what + ");";
  }
  /// A number known when the program is compiled, as C++ of its value.
  [[nodiscard]] std::string constant(std::size_t i) const {
    if (!operand(i).is_literal)
      fail(", whose operand " + std::to_string(i + 1) + " is no constant",
           "Write a number, or an operand with the constraint \"n\"");
    return "(" + value(i) + ").value";
  }
  std::string take_space() { return take_one_of("global shared shared::cta const local"); }
  static bool is_shared(std::string_view memory) { return memory.starts_with("shared"); }
  [[nodiscard]] std::string address(const std::string& type, std::size_t i, const std::string& memory) const {
    if (operand(i).kind != ptx_operand_kind::address)
      fail(", whose operand " + std::to_string(i + 1) + " is no address", "Write `[register]` or `[register+number]`");
    return space + (is_shared(memory) ? "at_shared<" : "at<") + type + ">(" + operand(i).value + ")";
  }

  std::string statement() {
    const std::string& name = in_.name;
    if (name == "mov") return move();
    if (name == "ld") return load();
    if (name == "st") return store();
    if (name == "atom" || name == "red") return atomic(name == "atom");
    if (name == "cvt") return convert();
    if (name == "cvta") return convert_address();
    if (name == "setp") return compare();
    if (name == "selp") return select();
    if (name == "cp") return copy();
    if (name == "bar" || name == "barrier") return barrier();
    if (name == "membar" || name == "fence") return fence();
    if (name == "shfl") return shuffle();
    if (name == "vote") return vote();
    if (name == "match") return match();
    if (name == "redux") return reduce();
    if (name == "isspacep") return is_in_space();
    if (name == "dp4a") return dot_product();
    if (name == "prefetch" || name == "prefetchu") return prefetch();
    if (name == "addc" || name == "subc" || name == "madc" || (!left_.empty() && left_.front() == "cc")) return carry();
    if (name == "mad" && left_.size() > 1 && left_[1] == "cc") return carry();
    if (in_.written == "activemask.b32") {
      expect_operands(1);
      return put(space + "b32", 0, "__activemask()");
    }
    if (in_.written == "nanosleep.u32") {
      expect_operands(1);
      return "__nanosleep(" + word(0) + ");";
    }
    if (in_.written == "trap" || in_.written == "brkpt") {
      expect_operands(0);
      return "__" + in_.written + "();";
    }
    if ((name == "and" || name == "or" || name == "xor" || name == "not") &&
        in_.modifiers == std::vector<std::string>{"pred"})
      return logic();
    return compute();
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
      return letter == 'T' ? type : letter == 'u' ? space + "b32" : space + "wide_of<" + type + ">";
    };
    expect_operands(c.shape.size());
    std::string function = space + std::string(c.function), begin = "(";
    const std::string rounding = has("rz")   ? "simtlab_round_to_zero"
                                 : has("rm") ? "simtlab_round_down"
                                 : has("rp") ? "simtlab_round_up"
                                             : "";
    if (!rounding.empty()) {
      const std::string operation = in_.name == "rcp" ? "divide" : std::string(c.rounded);
      function = space + "rounded<simtlab_rounded_" + operation + ", " + rounding + ">";
      if (in_.name == "rcp") begin += type + "(1), ";
    }
    const bool flushes = has("ftz") && type == "float";
    std::string arguments;
    for (std::size_t i = 1; i < c.shape.size(); ++i) {
      const std::string argument = as(type_of(c.shape[i]), i);
      arguments += (i > 1 ? ", " : "") + (flushes ? flushed(argument) : argument);
    }
    std::string result = function + begin + arguments + ")";
    if (has("sat")) result = space + "saturated(" + result + ")";
    if (flushes) result = space + "flushed(" + result + ")";
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
      one = space + (half == "lo" ? "multiplied(" : "multiplied_high(") + one + ", " + as(type, 2) + ")";
    const std::string kept = writes ? "simtlab_carry" : "simtlab_no_carry";
    const std::string made = space + (operation == "sub" ? "subtracted_with_borrow<" : "added_with_carry<") + type +
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
      return put(cpp, 0, space + "packed(" + list + ")");
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
    if (count == 2 && bits == "32") return space + "b16";
    if (count == 2 && bits == "64") return space + "b32";
    if (count == 4 && bits == "64") return space + "b16";
    fail(" with " + std::to_string(count) + " parts of " + bits + " bits",
         "The emulator knows halves, and quarters of 64 bits");
  }

  // Memory

  static constexpr std::string_view accessed = "b8 u8 s8 b16 u16 s16 b32 u32 s32 b64 u64 s64 f32 f64";
  /// How caches are used changes no value.
  void take_cache_words() {
    while (!take_one_of("ca cg cs lu cv nc wb wt weak L1::no_allocate L1::evict_first L1::evict_last L1::evict_normal "
                        "L1::evict_unchanged L2::64B L2::128B L2::256B")
                .empty())
      continue;
  }
  std::string load() {
    const std::string type = cpp_type(take_type(accessed));
    const std::string members = take_one_of("v2 v4"), order = take_one_of("acquire relaxed"),
                      scope = take_one_of("cta gpu sys");
    const bool is_volatile = take("volatile");
    const std::string memory = take_space();
    take_cache_words();
    expect_no_more();
    expect_operands(2);
    if (!members.empty()) return load_vector(type, members, memory);
    if (order.empty())
      return put(type, 0, "*" + address((is_volatile ? "const volatile " : "const ") + type, 1, memory), "put_wide");
    return put(type, 0,
               space + "load_strong<" + type + ">(" + address("const " + type, 1, memory) + ", " + traits(scope) + ")",
               "put_wide") +
           (order == "acquire" ? " " + order_fence(scope) : "");
  }
  static std::string traits(const std::string& scope) { return scope == "cta" ? "simtlab_atomic_in_block" : "0"; }
  static std::string order_fence(const std::string& scope) {
    return "simtlab_threadfence(simtlab_fence_of_order | " + fence_of(scope) + ");";
  }
  static std::string fence_of(const std::string& scope) {
    return scope == "cta" ? "simtlab_fence_block" : scope == "sys" ? "simtlab_fence_system" : "simtlab_fence_device";
  }
  [[nodiscard]] std::string vector_type(const std::string& type, const std::string& members) const {
    if (members == "v4" && type.find("64") != std::string::npos)
      fail(" of 32 bytes", "Load and store at most 16 at a time");
    return space + "vector<" + members.substr(1) + ", " + type + ">";
  }
  std::string load_vector(const std::string& type, const std::string& members, const std::string& memory) const {
    const std::string vector = vector_type(type == "double" ? "int64_t" : type, members);
    std::string all = "{ const " + vector + " simtlab_vector = *" + address("const " + vector, 1, memory) + "; ";
    for_members(0, members, [&](const std::string& member, char letter) {
      if (!member.empty())
        all += space + "put_wide<" + type + ">(" + member + ", " + space + "as_part<" + type + ">(simtlab_vector." +
               letter + ")); ";
    });
    return all + "}";
  }
  template <class Use>
  void for_members(std::size_t i, const std::string& members, Use use) const {
    const ptx_operand& o = operand(i);
    const std::size_t count = members == "v2" ? 2 : 4;
    if (o.kind != ptx_operand_kind::vector || o.members.size() != count)
      fail(" without a vector of " + std::to_string(count),
           "Write `{a, b" + std::string(count == 2 ? "" : ", c, d") + "}`");
    for (std::size_t m = 0; m < count; ++m) use(o.members[m], "xyzw"[m]);
  }
  std::string store() {
    const std::string type = cpp_type(take_type(accessed));
    const std::string members = take_one_of("v2 v4"), order = take_one_of("release relaxed"),
                      scope = take_one_of("cta gpu sys");
    const bool is_volatile = take("volatile");
    const std::string memory = take_space();
    take_cache_words();
    expect_no_more();
    expect_operands(2);
    if (!members.empty()) {
      const std::string vector = vector_type(type == "double" ? "int64_t" : type, members);
      std::string all = "{ " + vector + " simtlab_vector{}; ";
      for_members(1, members, [&](const std::string& member, char letter) {
        all += std::string("simtlab_vector.") + letter + " = __builtin_bit_cast(decltype(simtlab_vector." + letter +
               "), " + space + "as_part<" + type + ">(" + member + ")); ";
      });
      return all + "*" + address(vector, 0, memory) + " = simtlab_vector; }";
    }
    const std::string given = space + "as_part<" + type + ">(" + value(1) + ")";
    if (order.empty()) return "*" + address((is_volatile ? "volatile " : "") + type, 0, memory) + " = " + given + ";";
    return (order == "release" ? order_fence(scope) + " " : "") + space + "store_strong<" + type + ">(" +
           address(type, 0, memory) + ", " + given + ", " + traits(scope) + ");";
  }

  std::string atomic(bool has_result) {
    const std::string type = take_type("b32 u32 s32 b64 u64 s64 f32 f64");
    const std::string operation = take_one_of("add min max inc dec and or xor exch cas");
    const std::string order = take_one_of("relaxed acquire release acq_rel"), scope = take_one_of("cta gpu sys");
    const std::string memory = take_space();
    expect_no_more();
    const auto name = atomic_function(operation, type);
    if (name.empty()) fail_unknown();
    const std::size_t first = has_result ? 1 : 0;
    expect_operands(first + (operation == "cas" ? 3 : 2));
    const std::string cuda = type == "s32"                                                 ? "int"
                             : type == "f32"                                               ? "float"
                             : type == "f64"                                               ? "double"
                             : type == "s64" && (operation == "min" || operation == "max") ? "long long"
                             : type.ends_with("64")                                        ? "unsigned long long"
                                                                                           : "unsigned";
    std::string call = std::string(name) +
                       (scope == "cta"   ? "_block("
                        : scope == "sys" ? "_system("
                                         : "(") +
                       address(cuda, first, memory) + ", " + as("simtlab_type", first + 1) +
                       (operation == "cas" ? ", " + as("simtlab_type", first + 2) : "") + ")";
    std::string made = "{ using simtlab_type = " + cuda + "; ";
    if (order == "release" || order == "acq_rel") made += order_fence(scope) + " ";
    made += has_result ? put("simtlab_type", 0, call) : call + ";";
    if (order == "acquire" || order == "acq_rel") made += " " + order_fence(scope);
    return made + " }";
  }
  static std::string_view atomic_function(const std::string& operation, const std::string& type) {
    const bool is_bits = type[0] == 'b', is_floating = type[0] == 'f';
    if (operation == "add") return is_bits ? "" : "atomicAdd";
    if (operation == "exch") return is_bits ? "atomicExch" : "";
    if (operation == "cas") return is_bits ? "atomicCAS" : "";
    if (operation == "inc") return type == "u32" ? "atomicInc" : "";
    if (operation == "dec") return type == "u32" ? "atomicDec" : "";
    if (operation == "min") return is_bits || is_floating ? "" : "atomicMin";
    if (operation == "max") return is_bits || is_floating ? "" : "atomicMax";
    if (!is_bits) return "";
    return operation == "and" ? "atomicAnd" : operation == "or" ? "atomicOr" : operation == "xor" ? "atomicXor" : "";
  }

  std::string copy() {
    if (!take("async")) fail_unknown();
    if (take("commit_group")) return finished(0, "simtlab_copies_committed();");
    if (take("wait_all")) return finished(0, "simtlab_all_copies_waited();");
    if (take("wait_group")) {
      return finished(1, "static_assert(" + constant(0) +
                             " >= 0, \"cp.async.wait_group waits for all but so many groups\"); "
                             "simtlab_copies_waited(" +
                             constant(0) + ");");
    }
    const std::string cache = take_one_of("ca cg");
    if (cache.empty() || !(take("shared") || take("shared::cta")) || !take("global")) fail_unknown();
    take_cache_words();
    expect_no_more();
    expect_operands(3, 4);
    for (const std::size_t i : {0, 1})
      if (operand(i).kind != ptx_operand_kind::address) fail(" without two addresses", "Write `[to], [from], bytes`");
    const std::string bytes = constant(2);
    std::string made = cache == "cg" ? "static_assert(" + bytes + " == 16, \"cp.async.cg copies 16 bytes\"); " : "";
    made += space + "copy_async<" + bytes + ">(" + sum_of(0, true) + ", " + sum_of(1, false);
    if (in_.operands.size() == 4) made += ", " + word(3);
    return made + ");";
  }
  std::string finished(std::size_t operands, std::string made) const {
    expect_no_more();
    expect_operands(operands);
    return made;
  }
  /// A register and a number of bytes behind it, as a register.
  [[nodiscard]] std::string sum_of(std::size_t i, bool of_shared) const {
    const std::string& both = operand(i).value;
    const std::size_t comma = both.rfind(", ");
    const std::string type = of_shared ? space + "b32" : "";
    const std::string base =
        of_shared ? "static_cast<" + type + ">(" + both.substr(0, comma) + ")" : both.substr(0, comma);
    const std::string offset = both.substr(comma + 2);
    return offset == "0" ? base : base + " + static_cast<" + (of_shared ? type : space + "b64") + ">(" + offset + ")";
  }

  std::string convert_address() {
    const bool to = take("to");
    const std::string memory = take_space(), type = cpp_type(take_type("u32 u64"));
    expect_no_more();
    expect_operands(2);
    if (memory.empty()) fail_unknown();
    if (!is_shared(memory)) return put(type, 0, as(type, 1));
    return put(type, 0, "static_cast<" + type + ">(" + space + (to ? "to_shared(" : "of_shared(") + value(1) + "))");
  }
  std::string is_in_space() {
    const std::string memory = take_space();
    expect_no_more();
    expect_operands(2);
    if (memory.empty()) fail_unknown();
    const std::string kind = is_shared(memory) ? "shared" : memory == "const" ? "constant" : memory;
    return set(0, space + "is_in(" + value(1) + ", simtlab_in_" + kind + ")");
  }
  std::string prefetch() const {
    expect_operands(1);
    if (operand(0).kind != ptx_operand_kind::address) fail(" without an address", "Write `[register]`");
    return ";";
  }

  // Conversions

  std::string convert() {
    constexpr std::string_view types = "u8 s8 u16 s16 u32 s32 u64 s64 f16 f32 f64";
    const std::string from = take_type(types), to = take_type(types);
    const std::string rounding = take_one_of("rn rz rm rp rni rzi rmi rpi");
    const bool flushes = take("ftz"), saturates = take("sat");
    expect_no_more();
    expect_operands(2);
    const bool of_whole = from[0] != 'f', to_whole = to[0] != 'f', is_whole = rounding.size() == 3;
    if ((to_whole && !of_whole && !is_whole) || (!to_whole && of_whole && (rounding.empty() || is_whole)) ||
        (of_whole && to_whole && !rounding.empty()))
      fail(to_whole && of_whole ? " with a rounding" : " without a fitting rounding",
           "Whole numbers from floating-point ones take .rni, .rzi, .rmi or .rpi; floating-point ones from others .rn, "
           ".rz, .rm or .rp");
    if (to == "f16" && saturates) fail_unknown();
    const std::string target = cpp_type(to);
    std::string x = space + "as_part<" + cpp_type(from) + ">(" + value(1) + ")";
    if (flushes && from == "f32") x = space + "flushed(" + x + ")";
    if (is_whole) x = space + "whole<" + enum_of(rounding) + ">(" + space + "widened(" + x + "))";
    if (to_whole)
      x = (of_whole && !saturates ? "static_cast<" + target + ">(" : space + "saturated_number<" + target + ">(") + x +
          ")";
    else
      x = space + "floating<" + target + ", " + (is_whole ? "simtlab_round_nearest" : enum_of(rounding)) + ">(" + x +
          ")";
    if (!to_whole && saturates) x = space + "saturated(" + x + ")";
    if (flushes && to == "f32") x = space + "flushed(" + x + ")";
    return put(target, 0, x, "put_wide");
  }
  static std::string enum_of(std::string_view rounding) {
    const char kind = rounding.size() < 2 ? 'n' : rounding[1];
    return kind == 'z'   ? "simtlab_round_to_zero"
           : kind == 'm' ? "simtlab_round_down"
           : kind == 'p' ? "simtlab_round_up"
                         : "simtlab_round_nearest";
  }

  // Predicates

  std::string compare() {
    const std::string type = take_type("b16 u16 s16 b32 u32 s32 b64 u64 s64 f32 f64"), cpp = cpp_type(type);
    const bool flushes = take("ftz");
    const std::string combined = take_one_of("and or xor");
    if (left_.size() != 1) fail_unknown();
    expect_operands(combined.empty() ? 3 : 4);
    std::string a = as(cpp, 1), b = as(cpp, 2);
    if (flushes) a = space + "flushed(" + a + ")", b = space + "flushed(" + b + ")";
    std::string result = comparison(left_.front(), type[0] == 'f', a, b);
    if (result.empty())
      fail(", whose comparison `." + left_.front() + "` the emulator does not know",
           "It has eq, ne, lt, le, gt, ge, lo, ls, hi, hs, num, nan and, for NaNs, equ, neu, ltu, leu, gtu, geu");
    const std::string sign = combined == "and" ? " && " : combined == "or" ? " || " : " != ";
    const std::string third = combined.empty() ? "" : sign + predicate(3);
    const ptx_operand& target = operand(0);
    std::string made = "{ const bool simtlab_holds = " + result + "; ";
    if (target.kind != ptx_operand_kind::sink)
      made += space + "set(" + target.value + ", simtlab_holds" + third + "); ";
    if (!target.predicate.empty()) made += space + "set(" + target.predicate + ", !simtlab_holds" + third + "); ";
    return made + "}";
  }
  static std::string comparison(std::string name, bool is_floating, const std::string& a, const std::string& b) {
    if (is_floating && (name == "num" || name == "nan"))
      return (name == "nan" ? "!" : "") + space + "is_number(" + a + ", " + b + ")";
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
    return space + "compared<" + space + operation + (of_unordered ? ", true>(" : ">(") + a + ", " + b + ")";
  }
  std::string select() {
    const std::string cpp = cpp_type(take_type("b16 u16 s16 b32 u32 s32 b64 u64 s64 f32 f64"));
    expect_no_more();
    expect_operands(4);
    return put(cpp, 0, space + "selected<" + cpp + ">(" + as(cpp, 1) + ", " + as(cpp, 2) + ", " + predicate(3) + ")");
  }

  // Barriers, fences, warps

  std::string barrier() {
    if (take("warp")) {
      if (!take("sync")) fail_unknown();
      expect_no_more();
      expect_operands(1);
      return "__syncwarp(" + word(0) + ");";
    }
    take("cta");
    const bool reduces = take("red");
    const bool arrives = !reduces && take("arrive");
    if (!reduces && !arrives && !take("sync")) fail_unknown();
    take("aligned");
    const std::string operation = reduces ? take_one_of("popc and or") : "";
    if (reduces && !(take("u32") || take("pred"))) fail_unknown();
    expect_no_more();
    const std::size_t first = reduces ? 1 : 0;
    if (!reduces && in_.operands.size() == 2)
      return "simtlab_named_barrier(" + word(0) + ", " + word(1) + ", " + (arrives ? "0" : "1") + ");";
    if (arrives) fail(" without a number of threads", "Write `bar.arrive number, threads`");
    if (in_.operands.size() != first + (reduces ? 2 : 1) || !operand(first).is_literal)
      fail(reduces && in_.operands.size() > 2 ? " with a number of threads"
                                              : " with a barrier that only the running program knows",
           "Give `bar.sync number, threads` both, or use __syncthreads(), __syncwarp() or cooperative groups");
    const std::string checked =
        "static_assert(" + constant(first) +
        " == 0, \"write bar.sync number, threads: without threads the emulator has barrier 0 alone\"); ";
    if (!reduces) return checked + "__syncthreads();";
    if (operation == "popc")
      return checked + put(space + "b32", 0, space + "word(__syncthreads_count(" + predicate(2) + "))");
    return checked + set(0, "__syncthreads_" + operation + "(" + predicate(2) + ") != 0");
  }
  std::string fence() {
    if (in_.name == "fence" && take_one_of("sc acq_rel acquire release").empty()) fail_unknown();
    const std::string scope = take_one_of("cta gpu sys gl");
    if (scope.empty()) fail_unknown();
    expect_no_more();
    expect_operands(0);
    return "simtlab_threadfence(" + fence_of(scope) + ");";
  }
  std::string shuffle() {
    expect_sync();
    const std::string kind = take_one_of("up down bfly idx");
    if (kind.empty() || !take("b32")) fail_unknown();
    expect_no_more();
    expect_operands(5);
    const std::string cpp_kind = kind == "bfly" ? "xor" : kind == "idx" ? "index" : kind;
    std::string made = "{ const auto simtlab_got = " + space + "shuffle<simtlab_shuffle_" + cpp_kind + ">(" + word(1) +
                       ", " + word(2) + ", " + word(3) + ", " + word(4) + "); ";
    const ptx_operand& target = operand(0);
    if (target.kind != ptx_operand_kind::sink)
      made += space + "put<" + space + "b32>(" + target.value + ", simtlab_got.value); ";
    if (!target.predicate.empty()) made += space + "set(" + target.predicate + ", simtlab_got.in_range); ";
    return made + "}";
  }
  void expect_sync() {
    if (!take("sync"))
      fail(" without `.sync`",
           "CUDA has removed it: take `" + in_.name + ".sync` with the mask of the lanes that take part");
  }
  std::string vote() {
    expect_sync();
    const std::string kind = take_one_of("all any uni ballot");
    if (kind.empty() || !take(kind == "ballot" ? "b32" : "pred")) fail_unknown();
    expect_no_more();
    expect_operands(3);
    const std::string arguments = word(2) + ", " + predicate(1);
    if (kind == "ballot") return put(space + "b32", 0, space + "word(__ballot_sync(" + arguments + "))");
    if (kind == "uni")
      return "{ const unsigned simtlab_votes = __ballot_sync(" + arguments + "); " +
             set(0, "simtlab_votes == 0 || simtlab_votes == " + word(2)) + " }";
    return set(0, "__" + kind + "_sync(" + arguments + ") != 0");
  }
  std::string match() {
    const std::string kind = take_one_of("any all");
    expect_sync();
    const std::string type = cpp_type(take_type("b32 b64"));
    if (kind.empty()) fail_unknown();
    expect_no_more();
    expect_operands(3);
    const std::string given = "static_cast<" + std::string(type.ends_with("64") ? "unsigned long long" : "unsigned") +
                              ">(" + as(type, 1) + ")";
    const ptx_operand& target = operand(0);
    if (kind == "any") return put(space + "b32", 0, space + "word(__match_any_sync(" + word(2) + ", " + given + "))");
    std::string made = "{ int simtlab_equal = 0; const unsigned simtlab_mask = __match_all_sync(" + word(2) + ", " +
                       given + ", &simtlab_equal); ";
    if (target.kind != ptx_operand_kind::sink)
      made += space + "put<" + space + "b32>(" + target.value + ", simtlab_mask); ";
    if (!target.predicate.empty()) made += space + "set(" + target.predicate + ", simtlab_equal != 0); ";
    return made + "}";
  }
  std::string reduce() {
    expect_sync();
    const std::string operation = take_one_of("add min max and or xor"), type = take_type("u32 s32 b32");
    const bool of_bits = operation == "and" || operation == "or" || operation == "xor";
    if (operation.empty() || of_bits != (type == "b32")) fail_unknown();
    expect_no_more();
    expect_operands(3);
    const std::string cpp = type == "s32" ? "int" : "unsigned";
    return put(cpp, 0, "__reduce_" + operation + "_sync(" + word(2) + ", " + as(cpp, 1) + ")");
  }

  const ptx_instruction& in_;
  std::vector<std::string> left_;  // modifiers that nobody has taken yet
};

}  // namespace

std::string ptx_to_cpp(const ptx_instruction& instruction) { return ptx_translation(instruction).cpp(); }

}  // namespace simtlab::emulator
