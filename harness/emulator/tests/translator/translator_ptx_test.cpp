// Inline PTX becomes C++ or a refusal with its line: nothing is guessed, and nothing is left for the running program.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/has.h"
#include "translator/source_translator.h"

using namespace simtlab::emulator;

namespace {

/// What a kernel's statement becomes; a refusal as `line: message`.
std::string of_statement(const std::string& statement) {
  try {
    return translate_source("__global__ void k() {\n" + statement + "\n}\n", "a.cu", source_rules::own_program);
  } catch (const refusal& r) {
    return std::to_string(r.line) + ": " + r.what();
  }
}
/// Of an asm with outputs %0 and %1 and inputs %2 and %3.
std::string of_text(const std::string& text) {
  return of_statement("asm volatile(\"" + text + "\" : \"=r\"(a), \"=r\"(b) : \"r\"(c), \"l\"(d));");
}

}  // namespace

TEST_CASE("operands stay in their place, each in a register of its constraint's width") {
  const std::string text = of_statement("asm(\"add.s32 %0, %1, 4;\" : \"=r\"(a) : \"r\"(b[i]));");
  const std::string place = "\n# 2 \"a.cu\"\n";
  CHECK(has(text, "({ auto& simtlab_to_0 = " + place + std::string(31, ' ') +
                      "(a) ; const auto simtlab_1 = ::simtlab::ptx::in<'r'>" + place + std::string(40, ' ') +
                      "(b[i]); "));
  CHECK(has(text,
            "::simtlab::ptx::put<int32_t>(simtlab_0, ::simtlab::ptx::added(::simtlab::ptx::as<int32_t>(simtlab_1), "
            "::simtlab::ptx::as<int32_t>(::simtlab::ptx::number{4}))); "
            "::simtlab::ptx::out<'r'>(simtlab_to_0, simtlab_0); })\n# 2 \"a.cu\"\n"));
}

TEST_CASE("each instruction has the place of its string") {
  const std::string text = of_statement("asm(\"mov.u32 %0, 1;\\n\"\n    \"mov.u32 %1, 2;\" : \"=r\"(a), \"=r\"(b));");
  CHECK(has(text, "\n# 2 \"a.cu\"\n    ::simtlab::ptx::put<uint32_t>(simtlab_0"));
  CHECK(has(text, "\n# 3 \"a.cu\"\n    ::simtlab::ptx::put<uint32_t>(simtlab_1"));
}

TEST_CASE("a macro's asm stays on the macro's lines; a header's for another processor stays as it is") {
  const std::string defined = translate_source(
      "#define LANE(x) asm(\"mov.u32 %0, %%laneid;\" \\\n  : \"=r\"(x))\nint y;\n", "a.cu", source_rules::own_program);
  CHECK(has(defined, "::simtlab::ptx::laneid()"));
  CHECK(!has(defined, "# "));
  CHECK(has(defined, "\\\n"));
  const std::string host = "#define PAUSE() asm volatile(\"pause\")\n";
  CHECK(translate_source(host, "a.h", source_rules::own_program) == host);
  CHECK_THROWS_AS(static_cast<void>(translate_source(host, "a.cu", source_rules::own_program)), refusal);
}

TEST_CASE("registers, predicates, scopes and vectors") {
  CHECK(has(of_text("{ .reg .pred p; .reg .b32 t<2>; setp.ne.s32 p, %2, 0; @!p mov.b32 t1, %2; @p mov.b32 %0, t1; }"),
            "if (!::simtlab::ptx::is(simtlab_r1_p)) { ::simtlab::ptx::put<::simtlab::ptx::b32>(simtlab_r3_t1, "));
  CHECK(has(of_text("ld.global.v2.u32 {%0, %1}, [%3+8];"),
            "::simtlab::ptx::at<const ::simtlab::ptx::vector<2, uint32_t>>(simtlab_3, 8)"));
  CHECK(has(of_text("st.shared.u32 [%2-4], %2;"), "*::simtlab::ptx::at_shared<uint32_t>(simtlab_2, -4) = "));
  CHECK(of_text("{ .reg .b32 t; } mov.b32 t, %2;").starts_with("2: `t` in inline PTX. It is neither a register"));
  CHECK(of_text("mov.u32 %0, %%tid.w;").starts_with("2: `%%tid.w` in inline PTX"));
  CHECK(of_text("mov.u32 %7, 1;") ==
        "2: the operand `%7` of an asm statement with 4 operands. They are counted from %0, outputs first");
}

TEST_CASE("a label belongs to its braces, and is known in front of where it stands") {
  const std::string text = of_text("{ bra end; { again: bra again; bra end; } end: }");
  CHECK(has(text,
            "{ __label__ simtlab_l2_end; goto simtlab_l2_end; { __label__ simtlab_l1_again; simtlab_l1_again:; goto "
            "simtlab_l1_again; goto simtlab_l2_end; } simtlab_l2_end:; }"));
}

TEST_CASE("tensor cores, bulk copies and jumps are refused by name, at their line, with the next step") {
  for (const char* text : {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0}, {%2}, {%2}, {%0};",
                           "wgmma.fence.sync.aligned;", "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%2];",
                           "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%0}, [%3];", "cp.async.bulk.commit_group;",
                           "mbarrier.init.shared::cta.b64 [%2], 1;", "brx.idx p, t;", "exit;",
                           "barrier.cluster.arrive;", "tex.1d.v4.f32.s32 {%0}, [%3, {%2}];"}) {
    CAPTURE(text);
    const std::string said = of_text(std::string("mov.u32 %0, 1;\\n\"\n\"") + text);
    const std::string name(text, std::string(text).find_first_of(" ;"));
    CHECK(said.starts_with("3: the instruction `" + name + "` in inline PTX, a"));
    CHECK(has(said, ". "));
  }
}

TEST_CASE("what is not known is refused by name: instruction, modifier, type, number of operands") {
  CHECK(of_text("frobnicate.u32 %0, %2;") ==
        "2: the instruction `frobnicate.u32` in inline PTX, which the emulator does not know. Write it with CUDA's "
        "intrinsics or in C++, or test the kernel on a GPU");
  CHECK(has(of_text("ld.global.weird.u32 %0, [%3];"), "whose `.weird` the emulator does not know"));
  CHECK(has(of_text("ld.global.b128 %0, [%3];"), "whose type `.b128` the emulator does not know"));
  CHECK(has(of_text("add.f8 %0, %1, %2;"), "whose modifiers or type the emulator does not know"));
  CHECK(has(of_text("add.u32 %0, %2;"), "with 2 operands. It takes 3"));
  CHECK(has(of_text("bar.sync 1, 64;"), "simtlab_named_barrier(::simtlab::ptx::as<::simtlab::ptx::b32>"));
  CHECK(has(of_text("bar.red.popc.u32 %0, 0, 64, %2;"), "with a number of threads"));
  CHECK(has(of_text("bar.arrive 1;"), "without a number of threads. Write `bar.arrive number, threads`"));
  CHECK(has(of_text("bar.sync %2;"), "that only the running program knows"));
  CHECK(has(of_text("shfl.down.b32 %0, %2, 1, 31;"), "without `.sync`"));
  CHECK(has(of_text("cvt.s32.f32 %0, %2;"), "without a fitting rounding"));
  CHECK(has(of_text("atom.global.add.f16 %0, [%3], %2;"), "whose type `.f16`"));
  CHECK(has(of_text("setp.foo.u32 %0, %1, %2;"), "whose comparison `.foo`"));
}

TEST_CASE("a register of another kind than the instruction's type is refused as ptxas refuses it") {
  const auto of_registers = [](const std::string& instruction) {
    return of_text(
        "{ .reg .f32 f<5>; .reg .b32 b<5>; .reg .u32 u<5>; .reg .s32 s<5>; .reg .pred q1; .reg .b16 h<5>; .reg .f16 "
        "g<5>; "
        ".reg .u16 w<5>; .reg .f16x2 x<5>; " +
        instruction + " }");
  };
  // What ptxas 13.0 says "Arguments mismatch" of, and what it takes.
  for (const char* text :
       {"add.s32 f1,f2,f3;",      "add.f32 f1,b2,u3;",      "add.f32 u1,f2,f3;",       "shl.b32 u1,u2,f3;",
        "mul.wide.u16 f1,h2,w3;", "setp.lt.s32 q1,f1,u2;",  "setp.lt.f32 q1,u1,f2;",   "selp.f32 u1,f1,f2,q1;",
        "selp.u32 f1,u1,u2,q1;",  "mov.u32 f1,u2;",         "mov.f32 f1,u2;",          "cvt.rn.f32.u32 u1,u2;",
        "cvt.rn.f32.u32 f1,f2;",  "popc.b32 f1,u2;",        "add.f16 g1,w1,g2;",       "add.f16x2 b1,u1,x2;",
        "ld.global.u32 f1,[%3];", "st.global.u32 [%3],f1;", "mad.lo.s32 u1,u2,f1,u3;", "dp4a.u32.u32 u1,u2,u3,f1;",
        "fma.rn.f32 f1,f2,s1,f3;"})
    CHECK_MESSAGE(has(of_registers(text), " with a register of "), std::string(text));
  for (const char* text :
       {"add.s32 b1,u2,s3;", "add.f32 b1,b2,b3;", "and.b32 f1,f2,b3;", "and.b32 u1,s2,f3;", "shl.b32 f1,f2,u3;",
        "mul.wide.u16 u1,h2,w3;", "selp.b32 f1,u1,f2,q1;", "mov.b32 f1,u2;", "mov.f32 f1,b2;", "cvt.rn.f32.u32 b1,b2;",
        "popc.b32 u1,f2;", "add.f16 g1,h1,g2;", "prmt.b32 f1,f2,u1,u2;", "lop3.b32 f1,f2,f3,f4,3;"})
    CHECK_MESSAGE(has(of_registers(text), "::simtlab::ptx::put"), std::string(text));
  CHECK(of_statement("asm(\"add.s32 %0, %1, %1;\" : \"=f\"(x) : \"f\"(y));") ==
        "2: the instruction `add.s32` in inline PTX, which takes integers, with a register of floating-point numbers "
        "as operand 2. "
        "Give it an integer (constraint \"r\", \"h\" or \"l\"), or move the bits with `mov.b32` or `mov.b64`");
}

TEST_CASE("numbers of 16 bits, alone and two in a register; forms that PTX lacks are refused by name") {
  CHECK(has(of_text("add.f16x2 %0, %1, %2;"), "::simtlab::ptx::added(::simtlab::ptx::as<::simtlab::ptx::half_pair>("));
  CHECK(
      has(of_text("{ .reg .f16 h; fma.rn.ftz.sat.f16 h, h, h, h; }"),
          "::simtlab::ptx::flushed(::simtlab::ptx::saturated(::simtlab::ptx::fused_or_zero(::simtlab::ptx::flushed("));
  CHECK(has(of_text("fma.rn.relu.bf16x2 %0, %1, %1, %2;"), "::simtlab::ptx::fused_positive("));
  CHECK(has(of_text("{ .reg .pred p, q; setp.lt.bf16x2 p|q, %1, %2; }"),
            "simtlab_high = ::simtlab::ptx::compared<::simtlab::ptx::less>(::simtlab::ptx::widened(::simtlab::ptx::as<"
            "::simtlab::ptx::bfloat_pair>(simtlab_1).high), "));
  CHECK(has(of_text("{ .reg .f32 x, y; cvt.rn.f16x2.f32 %0, x, y; }"),
            "::simtlab::ptx::half_pair{::simtlab::ptx::floating<::simtlab::ptx::half, simtlab_round_nearest>"));
  for (const char* text : {"add.rz.f16 %0, %1, %2;", "add.sat.bf16x2 %0, %1, %2;", "mul.ftz.bf16 %0, %1, %2;",
                           "fma.f16x2 %0, %1, %1, %2;", "div.f16 %0, %1, %2;", "min.xorsign.abs.f16x2 %0, %1, %2;"})
    CHECK(has(of_text(text), "whose modifiers or type the emulator does not know"));
  CHECK(has(of_text("cvt.f16.f32 %0, %1;"), "without a fitting rounding"));
  CHECK(has(of_text("cvt.f16x2.f32 %0, %1, %2;"), "Two numbers in one register take .rn or .rz"));
  CHECK(has(of_text("cvt.rn.satfinite.f16x2.f32 %0, %1, %2;"), "whose `.satfinite` the emulator does not know"));
  CHECK(has(of_text("atom.global.add.noftz.f16x2 %0, [%3], %2;"), "whose type `.f16x2`"));
}

TEST_CASE("what is no PTX is refused at its place") {
  CHECK(has(of_text("mov.u32 %0, 1"), "where `;` is missing in front of `the end`"));
  CHECK(has(of_text("mov.u32 %0, @;"), "where an operand was expected"));
  CHECK(has(of_text("{ mov.u32 %0, 1;"), "a `{` without its `}`"));
  CHECK(has(of_text("bra done;"), "2: a branch to `done` in inline PTX. No label of this asm statement has that name"));
  CHECK(has(of_text("{ in: } bra in;"), "a branch to `in`"));
  CHECK(has(of_text("again: again: bra again;"), "the label `again` twice"));
  CHECK(has(of_text(".shared .b32 x;"), "the directive `.shared`"));
  CHECK(has(of_text("mov.u32 %0, 08;"), "the number `08`"));
  CHECK(
      has(of_statement("asm(\"mov.u32 %0, \" NUMBER \";\" : \"=r\"(a));"), "whose text is not all in string literals"));
  CHECK(has(of_statement("asm(\"mov.u32 %0, 1;\" : \"=x\"(a));"), "the constraint \"=x\" of inline PTX"));
  CHECK(has(of_statement("asm(\"mov.u32 %0, 1;\" : \"r\"(a));"), "the constraint \"r\" of inline PTX"));
  CHECK(has(of_statement("asm(\"mov.u32 %0, 1;\" : \"=r\");"), "without its operand"));
}

TEST_CASE("a text that macros make is inline PTX, as long as they are the user's") {
  const auto of_macros = [](const std::string& macros, const std::string& use) {
    return translate_source(macros + "\n__device__ void f(int a, int b) { " + use + " }\n", "a.cu",
                            source_rules::own_program);
  };
  const std::string wanted = "::simtlab::ptx::added(";
  CHECK(has(of_macros("#define OP \"add.s32\"", "asm(OP \" %0, %1, 1;\" : \"=r\"(a) : \"r\"(b));"), wanted));
  CHECK(has(of_macros("#define ADD(text) asm(text : \"=r\"(a) : \"r\"(b))", "ADD(\"add.s32 %0, %1, 1;\");"), wanted));
  CHECK(has(of_macros("#define ADD(op) asm(#op \" %0, %1, 1;\" : \"=r\"(a) : \"r\"(b))", "ADD(add.s32);"), wanted));
  CHECK(has(of_macros("#define OF(op) #op \" %0, %1, 1;\"\n#define ADD(op) asm(OF(op) : \"=r\"(a) : \"r\"(b))",
                      "ADD(add.s32);"),
            wanted));
  CHECK(has(of_macros("#define MAKE(name, op) __device__ int name##_of(int a) { asm(#op \" %0, %0, 1;\" : \"+r\"(a)); "
                      "return a; }\nMAKE(sum, add.s32)",
                      ""),
            "int sum_of(int a)"));
  // What is left of the macro compiles nowhere.
  CHECK(has(of_macros("#define ADD(text) asm(text : \"=r\"(a))", ""), "simtlab_asm_of_a_macro(text"));
}

TEST_CASE("an asm without a text orders memory and does nothing else") {
  CHECK(has(of_statement("asm volatile(\"\" ::: \"memory\");"),
            "({ __asm__ volatile(\"\" : : : \"memory\"); __asm__ volatile"));
}

TEST_CASE("a device lambda of a host function holds PTX, the function around it does not") {
  const std::string lambda = "void f() { run([=] __device__(int i) { asm(\"mov.u32 %0, 1;\" : \"=r\"(i)); }); ";
  CHECK(has(translate_source(lambda + "}\n", "a.cu", source_rules::own_program), "::simtlab::ptx::put"));
  CHECK_THROWS_WITH_AS(
      static_cast<void>(translate_source(lambda + "asm(\"nop\"); }\n", "a.cu", source_rules::own_program)),
      doctest::Contains("not allowed: assembly"), refusal);
}

TEST_CASE("whatever an asm holds, it becomes C++ or is refused") {
  const std::vector<std::string> pieces{"mov.u32 %0, %1;",
                                        "ld.global.v4.f32 {%0, %1}, [%1+8];",
                                        "@p ",
                                        "@!",
                                        "{",
                                        "}",
                                        ".reg .pred p;",
                                        ".reg .b32 t<4>;",
                                        "setp.lt.s32 p|q,",
                                        "cp.async.ca.shared.global [%0],",
                                        "cvt.rn.",
                                        "_",
                                        "|",
                                        "%%",
                                        "0f3f800000",
                                        "123456789012345678901",
                                        "-",
                                        "[",
                                        "]",
                                        ",",
                                        ";",
                                        "::",
                                        "\\\"",
                                        "//",
                                        "/*",
                                        "mad.lo.cc.u32",
                                        "%laneid",
                                        "$r",
                                        "\\\\",
                                        "ld.",
                                        "bar",
                                        "shfl.sync"};
  const std::vector<std::string> rest{" : \"=r\"(a)", ", \"n\"(3)", " : \"r\"(x)", " :: \"memory\"",
                                      "::",           "(",          "\"",          " : [n]\"r\"(x)"};
  std::mt19937 random(3);
  const auto any_of = [&](const std::vector<std::string>& from) { return from[random() % from.size()]; };
  for (int round = 0; round < 20'000; ++round) {
    std::string source = random() % 5 == 0 ? "#define M " : "";
    source += "__global__ void k() { asm(\"";
    for (auto n = random() % 6; n > 0; --n) source += any_of(pieces) + (random() % 3 == 0 ? "" : " ");
    source += '"';
    for (auto n = random() % 4; n > 0; --n) source += any_of(rest);
    if (random() % 9 != 0) source += "); }\n";
    try {
      static_cast<void>(translate_source(source, "a.cu", source_rules::own_program));
    } catch (const refusal& r) {
      CHECK(r.line == 1);
    }
  }
}

TEST_CASE("host code's assembly is refused in .cu files as before") {
  CHECK_THROWS_WITH_AS(
      static_cast<void>(translate_source("void f() { asm(\"nop\"); }\n", "a.cu", source_rules::own_program)),
      doctest::Contains("not allowed: assembly"), refusal);
}
