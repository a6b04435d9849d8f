#include "translator/ptx_instructions.h"

#include "translator/ptx_values.h"
#include "translator/ptx_writer.h"

namespace simtlab::emulator {
namespace {

/// Of memory, barriers and warps.
class ptx_translation : ptx_writer {
 public:
  using ptx_writer::ptx_writer;

  std::string cpp() {
    std::string made = statement();
    return in_.guard.empty() ? made : "if (" + in_.guard + ") { " + made + " }";
  }

 private:
  std::string statement() {
    const std::string& name = in_.name;
    if (name == "ld") return load();
    if (name == "st") return store();
    if (name == "atom" || name == "red") return atomic(name == "atom");
    if (name == "cvta") return convert_address();
    if (name == "cp") return copy();
    if (name == "bar" || name == "barrier") return barrier();
    if (name == "membar" || name == "fence") return fence();
    if (name == "shfl") return shuffle();
    if (name == "vote") return vote();
    if (name == "match") return match();
    if (name == "redux") return reduce();
    if (name == "isspacep") return is_in_space();
    if (name == "prefetch" || name == "prefetchu") return prefetch();
    if (in_.written == "activemask.b32") {
      expect_operands(1);
      return put(of_header("b32"), 0, "__activemask()");
    }
    if (in_.written == "nanosleep.u32") {
      expect_operands(1);
      return "__nanosleep(" + word(0) + ");";
    }
    if (in_.written == "trap" || in_.written == "brkpt") {
      expect_operands(0);
      return "__" + in_.written + "();";
    }
    return ptx_value_to_cpp(in_);
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
               of_header("load_strong<") + type + ">(" + address("const " + type, 1, memory) + ", " + traits(scope) +
                   ")",
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
    return of_header("vector<") + members.substr(1) + ", " + type + ">";
  }
  std::string load_vector(const std::string& type, const std::string& members, const std::string& memory) const {
    const std::string vector = vector_type(type == "double" ? "int64_t" : type, members);
    std::string all = "{ const " + vector + " simtlab_vector = *" + address("const " + vector, 1, memory) + "; ";
    for_members(0, members, [&](const std::string& member, char letter) {
      if (!member.empty())
        all += of_header("put_wide<") + type + ">(" + member + ", " + of_header("as_part<") + type +
               ">(simtlab_vector." + letter + ")); ";
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
               "), " + of_header("as_part<") + type + ">(" + member + ")); ";
      });
      return all + "*" + address(vector, 0, memory) + " = simtlab_vector; }";
    }
    expect_held(type, 1);
    const std::string given = of_header("as_part<") + type + ">(" + value(1) + ")";
    if (order.empty()) return "*" + address((is_volatile ? "volatile " : "") + type, 0, memory) + " = " + given + ";";
    return (order == "release" ? order_fence(scope) + " " : "") + of_header("store_strong<") + type + ">(" +
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
    made += of_header("copy_async<") + bytes + ">(" + sum_of(0, true) + ", " + sum_of(1, false);
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
    const std::string type = of_shared ? of_header("b32") : "";
    const std::string base =
        of_shared ? "static_cast<" + type + ">(" + both.substr(0, comma) + ")" : both.substr(0, comma);
    const std::string offset = both.substr(comma + 2);
    return offset == "0" ? base
                         : base + " + static_cast<" + (of_shared ? type : of_header("b64")) + ">(" + offset + ")";
  }

  std::string convert_address() {
    const bool to = take("to");
    const std::string memory = take_space(), type = cpp_type(take_type("u32 u64"));
    expect_no_more();
    expect_operands(2);
    if (memory.empty()) fail_unknown();
    if (!is_shared(memory)) return put(type, 0, as(type, 1));
    return put(type, 0, "static_cast<" + type + ">(" + of_header(to ? "to_shared(" : "of_shared(") + value(1) + "))");
  }
  std::string is_in_space() {
    const std::string memory = take_space();
    expect_no_more();
    expect_operands(2);
    if (memory.empty()) fail_unknown();
    const std::string kind = is_shared(memory) ? "shared" : memory == "const" ? "constant" : memory;
    return set(0, of_header("is_in(") + value(1) + ", simtlab_in_" + kind + ")");
  }
  std::string prefetch() const {
    expect_operands(1);
    if (operand(0).kind != ptx_operand_kind::address) fail(" without an address", "Write `[register]`");
    return ";";
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
      return checked + put(of_header("b32"), 0, of_header("word(__syncthreads_count(") + predicate(2) + "))");
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
    std::string made = "{ const auto simtlab_got = " + of_header("shuffle<simtlab_shuffle_") + cpp_kind + ">(" +
                       word(1) + ", " + word(2) + ", " + word(3) + ", " + word(4) + "); ";
    const ptx_operand& target = operand(0);
    if (target.kind != ptx_operand_kind::sink)
      made += of_header("put<") + of_header("b32>(") + target.value + ", simtlab_got.value); ";
    if (!target.predicate.empty()) made += of_header("set(") + target.predicate + ", simtlab_got.in_range); ";
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
    if (kind == "ballot") return put(of_header("b32"), 0, of_header("word(__ballot_sync(") + arguments + "))");
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
    if (kind == "any")
      return put(of_header("b32"), 0, of_header("word(__match_any_sync(") + word(2) + ", " + given + "))");
    std::string made = "{ int simtlab_equal = 0; const unsigned simtlab_mask = __match_all_sync(" + word(2) + ", " +
                       given + ", &simtlab_equal); ";
    if (target.kind != ptx_operand_kind::sink)
      made += of_header("put<") + of_header("b32>(") + target.value + ", simtlab_mask); ";
    if (!target.predicate.empty()) made += of_header("set(") + target.predicate + ", simtlab_equal != 0); ";
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
};

}  // namespace

std::string ptx_to_cpp(const ptx_instruction& instruction) { return ptx_translation(instruction).cpp(); }

}  // namespace simtlab::emulator
