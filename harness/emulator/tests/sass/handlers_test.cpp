// Each opcode by what one instruction does. Where no other source stands, the semantics are those of the PTX instruction that ptxas makes
// of it ("PTX ISA"), names those of "CUDA Binary Utilities, Instruction Set Reference".
#include "sass/handlers/opcode_rule.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "lone_warp.h"
#include "sass/json_reader.h"

namespace simtlab::emulator::testing {

sass::instruction_line line_of(std::string_view json) {
  sass::instruction_line line;
  sass::json_reader reader(json);
  reader.object([&](std::string_view name) {
    std::string& part = name == "predicate" ? line.predicate : name == "opcode" ? line.opcode : line.operands;
    part = reader.string();
  });
  return line;
}

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

std::string of(const std::string& opcode, const std::string& operands) {
  return R"({"opcode":")" + opcode + R"(","operands":")" + operands + "\"}";
}

/// R0 after an instruction on R1, R2, R3.
std::uint32_t result(const std::string& opcode, const std::string& operands, std::uint32_t a, std::uint32_t b = 0,
                     std::uint32_t c = 0) {
  lone_warp w;
  w.set(1, [&](unsigned) { return a; }).set(2, [&](unsigned) { return b; }).set(3, [&](unsigned) { return c; });
  return w.run(of(opcode, operands)).at(0, 7);
}
float float_result(const std::string& opcode, const std::string& operands, float a, float b = 0, float c = 0) {
  return std::bit_cast<float>(result(opcode, operands, std::bit_cast<std::uint32_t>(a), std::bit_cast<std::uint32_t>(b),
                                     std::bit_cast<std::uint32_t>(c)));
}
/// P0 after an instruction on R1, R2.
bool holds(const std::string& opcode, const std::string& operands, std::uint32_t a, std::uint32_t b) {
  lone_warp w;
  w.set(1, [&](unsigned) { return a; }).set(2, [&](unsigned) { return b; });
  return w.run(of(opcode, operands)).state.predicates[0] == full_warp;
}
std::uint32_t bits(float v) { return std::bit_cast<std::uint32_t>(v); }

}  // namespace

TEST_CASE("a guard leaves lanes out") {
  lone_warp w;
  w.state.predicates[2] = 0x0000ffff;
  w.set(0, [](unsigned l) { return l; }).run(R"({"predicate":"@!P2","opcode":"MOV","operands":"R0,0x7"})");
  CHECK(w.at(0, 3) == 3);
  CHECK(w.at(0, 20) == 7);
  w.run(R"({"predicate":"@!PT","opcode":"MOV","operands":"R0,0x9"})");
  CHECK(w.at(0, 3) == 3);
}

TEST_CASE("MOV, IMAD, IADD3, VIADD, LEA") {
  CHECK(result("MOV", "R0,R1", 5) == 5);
  CHECK(result("IMAD", "R0,R1,R2,R3", 6, 7, 8) == 50);
  CHECK(result("IMAD", "R0,R1,R2,-R3", 6, 7, 8) == 34);
  CHECK(result("IMAD.MOV.U32", "R0,RZ,RZ,-0x800000", 0) == 0xff800000U);
  CHECK(result("IMAD.HI.U32", "R0,R1,R2,RZ", 0x80000000U, 6) == 3);
  CHECK(result("IMAD.HI", "R0,R1,0x55555556,RZ", 0 - 9U) == 0 - 4U);
  CHECK(result("IADD3", "R0,R1,-R2,0x5", 10, 3) == 12);
  CHECK(result("VIADD", "R0,R1,0xffffffff", 10) == 9);
  CHECK(result("VIADD.16x2", "R0,R1,-R2", 0x00010000, 0x00010001) == 0x0000ffff);
  CHECK(result("LEA", "R0,R1,R2,0x3", 5, 100) == 140);
  CHECK(result("LEA.HI", "R0,R1,R2,RZ,0x3", 0xe0000000U, 10) == 17);
  CHECK(result("LEA.HI.SX32", "R0,R1,R2,0x1", 0 - 2U, 10) == 9);
  lone_warp w;
  w.set_wide(4, 1000).set(1, [](unsigned) { return 0 - 3U; });
  CHECK(w.run(of("IMAD.WIDE", "R6,R1,0x4,R4")).wide_at(6) == 988);
  CHECK(w.run(of("IMAD.WIDE.U32", "R6,R1,0x4,R4")).wide_at(6) == 4 * 0xfffffffdULL + 1000);
}

TEST_CASE("carries of 64-bit sums and differences") {
  lone_warp w;
  w.set_wide(2, 0xfffffffffULL).set_wide(4, 5);
  w.run(of("IADD3", "R6,P0,R2,R4,RZ")).run(of("IADD3.X", "R7,R3,R5,RZ,P0,!PT"));
  CHECK(w.wide_at(6) == 0x1000000004ULL);
  w.run(of("IADD3", "R6,P0,R2,-R4,RZ")).run(of("IADD3.X", "R7,R3,~R5,RZ,P0,!PT"));
  CHECK(w.wide_at(6) == 0xffffffffaULL);
  w.set_wide(4, 0).run(of("IADD3", "R6,P0,R2,-R4,RZ"));
  CHECK(w.state.predicates[0] == full_warp);  // nothing is borrowed
  w.run(of("IMAD.X", "R8,RZ,RZ,R3,P0"));
  CHECK(w.at(8) == 0x10);
}

TEST_CASE("LOP3 takes any function of three bits, and PLOP3 of three predicates") {
  for (unsigned table = 0; table < 256; ++table) {
    char text[8];
    std::snprintf(text, sizeof text, "0x%x", table);
    std::uint32_t expected = 0;
    const std::uint32_t a = 0xf0f0aa55U, b = 0xcccc1234U, c = 0xaaaa4321U;
    for (unsigned bit = 0; bit < 32; ++bit) {
      const unsigned k = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1);
      expected |= (table >> k & 1) << bit;
    }
    CHECK(result("LOP3.LUT", std::string("R0,R1,R2,R3,") + text + ",!PT", a, b, c) == expected);
  }
  CHECK(holds("LOP3.LUT", "P0,RZ,R1,R2,RZ,0xc0,!PT", 6, 2));
  CHECK_FALSE(holds("LOP3.LUT", "P0,RZ,R1,R2,RZ,0xc0,!PT", 5, 2));
  lone_warp w;
  w.state.predicates[1] = 0xff00ff00U;
  w.state.predicates[2] = 0xf0f0f0f0U;
  w.run(of("PLOP3.LUT", "P0,P3,P1,P2,PT,0x80,0x2a"));
  CHECK(w.state.predicates[0] == (0xff00ff00U & 0xf0f0f0f0U));
  CHECK(w.state.predicates[3] == ~(0xff00ff00U & 0xf0f0f0f0U));
}

TEST_CASE("SHF, PRMT, and fields of bits") {
  CHECK(result("SHF.L.U32", "R0,R1,0x4,RZ", 0x12345678) == 0x23456780);
  CHECK(result("SHF.L.U32", "R0,R1,R2,RZ", 1, 32) == 0);
  CHECK(result("SHF.R.U32.HI", "R0,RZ,0x4,R1", 0x80000000U) == 0x08000000);
  CHECK(result("SHF.R.S32.HI", "R0,RZ,0x1f,R1", 0x80000000U) == 0xffffffffU);
  CHECK(result("SHF.R.U64", "R0,R1,R2,R3", 0x1, 4, 0xf) == 0xf0000000U);
  CHECK(result("SHF.R.U64", "R0,R1,R2,R3", 0x1, 64, 0xf) == 0);
  CHECK(result("SHF.R.S64", "R0,R1,R2,R3", 1, 70, 0x80000000U) == 0xffffffffU);
  CHECK(result("SHF.L.U64.HI", "R0,R1,0x4,R3", 0xf0000000U, 0, 0x1) == 0x1f);
  CHECK(result("SHF.L.W.U32.HI", "R0,R1,R2,R3", 0x80000001U, 1, 0x80000001U) == 3);
  CHECK(result("PRMT", "R0,R1,0x3210,R3", 0x44332211) == 0x44332211);
  CHECK(result("PRMT", "R0,R1,0x7654,R3", 1, 0, 0xddccbbaaU) == 0xddccbbaaU);
  CHECK(result("PRMT", "R0,R1,0x8880,RZ", 0x000000f1) == 0xfffffff1U);
  CHECK(result("POPC", "R0,R1", 0xf0f0) == 8);
  CHECK(result("BREV", "R0,R1", 0x1) == 0x80000000U);
  CHECK(result("FLO.U32", "R0,R1", 0x1000) == 12);
  CHECK(result("FLO.U32.SH", "R0,R1", 0x1000) == 19);
  CHECK(result("FLO.U32", "R0,R1", 0) == 0xffffffffU);
  CHECK(result("FLO", "R0,R1", 0xfffffff0U) == 3);
  CHECK(result("SGXT", "R0,R1,0x8", 0x80) == 0xffffff80U);
  CHECK(result("SGXT.U32", "R0,R1,0x4", 0xff) == 0xf);
  CHECK(result("BMSK", "R0,R1,0x4", 8) == 0xf00);
}

TEST_CASE("comparisons of integers, and of 64 bits in two steps") {
  CHECK(holds("ISETP.LT.AND", "P0,PT,R1,R2,PT", 0 - 1U, 1));
  CHECK_FALSE(holds("ISETP.LT.U32.AND", "P0,PT,R1,R2,PT", 0 - 1U, 1));
  CHECK(holds("ISETP.GE.OR", "P0,PT,R1,R2,PT", 0, 1));
  CHECK(holds("ISETP.NE.AND", "P0,PT,R1,R2,PT", 0, 1));
  for (const std::uint64_t a : {0ULL, 5ULL, 1ULL << 32, (1ULL << 32) + 1, ~0ULL})
    for (const std::uint64_t b : {0ULL, 5ULL, 1ULL << 32, (1ULL << 32) + 1, ~0ULL}) {
      lone_warp w;
      w.set_wide(2, a).set_wide(4, b);
      w.run(of("ISETP.LT.U32.AND", "P1,PT,R2,R4,PT")).run(of("ISETP.LT.AND.EX", "P0,PT,R3,R5,PT,P1"));
      CHECK((w.state.predicates[0] != 0) == (static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b)));
      w.run(of("ISETP.NE.U32.AND", "P1,PT,R2,R4,PT")).run(of("ISETP.NE.AND.EX", "P0,PT,R3,R5,PT,P1"));
      CHECK((w.state.predicates[0] != 0) == (a != b));
    }
}

TEST_CASE("SEL, IABS, minima and maxima, differences") {
  CHECK(result("SEL", "R0,R1,R2,!PT", 1, 2) == 2);
  CHECK(result("FSEL", "R0,-R1,R2,PT", bits(1)) == bits(-1));
  CHECK(result("IABS", "R0,R1", 0 - 4U) == 4);
  CHECK(result("VIMNMX", "R0,R1,R2,PT", 0 - 4U, 3) == 0 - 4U);
  CHECK(result("VIMNMX.U32", "R0,R1,R2,PT", 0 - 4U, 3) == 3);
  CHECK(result("VIMNMX", "R0,R1,R2,!PT", 0 - 4U, 3) == 3);
  CHECK(result("VIMNMX.S16x2", "R0,R1,R2,PT", 0x0001ffff, 0x00020001) == 0x0001ffff);
  CHECK(result("VIMNMX.U16x2", "R0,R1,R2,PT", 0x0001ffff, 0x00020001) == 0x00010001);
  CHECK(result("IMNMX", "R0,R1,R2,PT", 5, 3) == 3);
  CHECK(result("VIADDMNMX", "R0,R1,R2,R3,PT", 5, 3, 7) == 7);
  CHECK(result("VIMNMX3", "R0,R1,R2,R3,!PT", 5, 3, 7) == 7);
  CHECK(result("VIMNMX.S16x2.RELU", "R0,R1,R2,PT", 0x0001ffff, 0x00020001) == 0x00010000);
  CHECK(result("VIADDMNMX.S16x2", "R0,R1,R2,R3,!PT", 0x7fff0005, 0x0001fffe, 0x00010001) == 0x00010003);
  CHECK(result("VIMNMX3.U16x2", "R0,R1,R2,R3,PT", 0x0005ffff, 0x00060003, 0x00040007) == 0x00040003);
  lone_warp of_halves;
  of_halves.set_wide(1, 0x000200010001ffff).run(of("VIMNMX.S16x2", "R0,P0,P1,R1,R2,!PT"));
  CHECK(of_halves.state.predicates[0] == 0);
  of_halves.run(of("VIMNMX.S16x2", "R0,P0,P1,R1,R2,PT"));
  CHECK(of_halves.state.predicates[0] != 0);
  CHECK(of_halves.state.predicates[1] != 0);
  CHECK(result("VABSDIFF", "R0,R1,R2,R3", 0 - 3U, 4, 10) == 17);
  CHECK(result("VABSDIFF4.U8", "R0,R1,R2,RZ", 0x01050007, 0x03010007) == 0x02040000);
  CHECK(result("VABSDIFF4.U8.ACC", "R0,R1,R2,R3", 0x01050007, 0x03010007, 100) == 106);
  CHECK(result("IDP.4A.S8.S8", "R0,R1,R2,R3", 0xff020304, 0x02010101, 10) == 10 - 2 + 2 + 3 + 4);
  CHECK(result("IDP.4A.U8.U8", "R0,R1,R2,R3", 0xff000000, 0x02000000, 10) == 520);
  CHECK(result("IDP.4A.S8.U8", "R0,R1,R2,R3", 0xff000000, 0xff000000, 0) == 0 - 255U);
  CHECK(result("IDP.2A.LO.S16.S8", "R0,R1,R2,R3", 0xffff0003, 0x7f7f02fe, 1) == 1 - 6 - 2U);
  CHECK(result("IDP.2A.HI.U16.U8", "R0,R1,R2,R3", 0xffff0003, 0x02fe7f7f, 0) == 3 * 0xfe + 2 * 0xffff);
}

TEST_CASE("predicates as bits of a register, and back") {
  lone_warp w;
  w.state.predicates[0] = 0xf;
  w.state.predicates[1] = 0x3;
  w.run(R"({"predicate":"PR","opcode":"P2R","operands":"R0,RZ,0x3"})");
  CHECK(w.at(0, 0) == 3);
  CHECK(w.at(0, 2) == 1);
  CHECK(w.at(0, 9) == 0);
  w.state.uniform_predicates[0] = full_warp;
  w.run(of("UP2UR", "UR39,UPR,URZ,0x1"));
  CHECK(w.state.uniforms[39] == 1);
  w.set(5, [](unsigned l) { return l % 2; }).run(of("R2P", "PR,R5,0x1"));
  CHECK(w.state.predicates[0] == 0xaaaaaaaaU);
  CHECK(w.state.predicates[1] == 0x3);
}

TEST_CASE("single precision: one rounding, one NaN, denormals by .FTZ") {
  CHECK(float_result("FADD", "R0,R1,-R2", 5, 3) == 2);
  CHECK(float_result("FMUL", "R0,|R1|,R2", -5, 3) == 15);
  CHECK(float_result("FFMA", "R0,R1,R2,R3", 1 + 0x1p-12F, 1 + 0x1p-12F, -1) ==
        std::fma(1 + 0x1p-12F, 1 + 0x1p-12F, -1.0F));
  CHECK(result("FADD", "R0,R1,-R2", bits(infinity), bits(infinity)) == 0x7fffffff);
  CHECK(float_result("FADD.RP", "R0,R1,R2", 1, 0x1p-30F) == 1 + 0x1p-23F);
  CHECK(float_result("FADD.RM", "R0,R1,R2", 1, -0x1p-30F) == 1 - 0x1p-24F);
  CHECK(float_result("FMUL.RP", "R0,R1,R2", 1 + 0x1p-23F, 1 + 0x1p-23F) == 1 + 0x1p-22F + 0x1p-23F);
  CHECK(float_result("FMUL.RZ", "R0,R1,R2", 1 + 0x1p-23F, 1 + 0x1p-23F) == 1 + 0x1p-22F);
  CHECK(float_result("FMUL.FTZ", "R0,R1,R2", 0x1p-100F, 0x1p-40F) == 0);
  CHECK(float_result("FMUL", "R0,R1,R2", 0x1p-100F, 0x1p-40F) == 0x1p-140F);
  CHECK(float_result("FFMA.SAT", "R0,R1,R2,R3", 3, 3, 3) == 1);
  CHECK(float_result("FMNMX", "R0,R1,R2,PT", 3, NAN) == 3);
  CHECK(result("FMNMX", "R0,R1,R2,PT", bits(0.0F), bits(-0.0F)) == bits(-0.0F));
  CHECK(float_result("FMNMX", "R0,R1,R2,!PT", 3, 4) == 4);
  CHECK(holds("FSETP.GEU.AND", "P0,PT,R1,R2,PT", bits(NAN), 0));
  CHECK_FALSE(holds("FSETP.GE.AND", "P0,PT,R1,R2,PT", bits(NAN), 0));
  CHECK(holds("FSETP.NEU.FTZ.AND", "P0,PT,|R1|.reuse,+INF ,PT", bits(3), 0));
  CHECK(result("FSET.BF.GT.AND", "R0,R1,R2,PT", bits(3), bits(2)) == bits(1));
  CHECK(float_result("FADD", "R0,R1,0.3333333432674407959", 0) == 1.0F / 3);
}

TEST_CASE("special functions, rounded correctly") {
  CHECK(float_result("MUFU.RCP", "R0,R1", 3) == 1.0F / 3);
  CHECK(float_result("MUFU.RSQ", "R0,R1", 4) == 0.5F);
  CHECK(float_result("MUFU.SQRT", "R0,R1", 2) == std::sqrt(2.0F));
  CHECK(float_result("MUFU.EX2", "R0,R1", -3) == 0.125F);
  CHECK(float_result("MUFU.LG2", "R0,R1", 8) == 3);
  CHECK(float_result("MUFU.SIN", "R0,R1", 0.25F) == 1);  // of turns
  CHECK(float_result("MUFU.COS", "R0,R1", 0.5F) == -1);
  CHECK(float_result("MUFU.TANH", "R0,R1", 0) == 0);
  CHECK(float_result("MUFU.RCP", "R0,R1", 0x1p-130F) == infinity);  // a denormal number is zero
  CHECK(result("MUFU.RSQ", "R0,-QNAN ", 0) == 0x7fffffff);
  lone_warp w;
  w.set_wide(2, std::bit_cast<std::uint64_t>(4.0)).run(of("MUFU.RCP64H", "R5,R3"));
  CHECK(w.at(5) == 0x3fd00000);
  CHECK(w.run(of("MUFU.RCP64H", "R5,4")).at(5) == 0x3fd00000);  // an immediate is the upper half of a double
  CHECK(w.run(of("MUFU.RSQ64H", "R5,16")).at(5) == 0x3fd00000);
}

TEST_CASE("double precision") {
  lone_warp w;
  const auto d = [](double v) { return std::bit_cast<std::uint64_t>(v); };
  w.set_wide(2, d(1.5)).set_wide(4, d(-0.25)).set_wide(6, d(3));
  CHECK(w.run(of("DADD", "R8,R2,-R4")).wide_at(8) == d(1.75));
  CHECK(w.run(of("DMUL", "R8,R2,|R4|")).wide_at(8) == d(0.375));
  CHECK(w.run(of("DFMA", "R8,R2,R4,R6")).wide_at(8) == d(2.625));
  CHECK(w.run(of("DFMA", "R8,-R2,R4,0.5")).wide_at(8) == d(0.875));
  w.run(of("DSETP.GT.AND", "P0,P1,R2,R4,PT"));
  CHECK(w.state.predicates[0] == full_warp);
  CHECK(w.state.predicates[1] == 0);
}

TEST_CASE("DSETP.MAX and .MIN choose as fmax() and fmin() do") {
  const double no_number = std::numeric_limits<double>::quiet_NaN();
  const double numbers[] = {1.5, -2, 0.0, -0.0, no_number, HUGE_VAL};
  for (const double a : numbers)
    for (const double b : numbers)
      for (const bool is_max : {true, false}) {
        lone_warp w;
        w.set_wide(2, std::bit_cast<std::uint64_t>(a)).set_wide(4, std::bit_cast<std::uint64_t>(b));
        w.run(of(is_max ? "DSETP.MAX.AND" : "DSETP.MIN.AND", "P0,P1,R2,R4,PT"));
        CAPTURE(a);
        CAPTURE(b);
        const double chosen = w.state.predicates[0] == full_warp ? a : b;
        CHECK((w.state.predicates[1] == full_warp) == (a != a && b != b));
        if (a != a && b != b) continue;
        CHECK(chosen == (is_max ? std::fmax(a, b) : std::fmin(a, b)));
        if (a == 0 && b == 0)
          CHECK(std::signbit(chosen) ==
                (is_max ? std::signbit(a) && std::signbit(b) : std::signbit(a) || std::signbit(b)));
      }
}

TEST_CASE("two halves in a register") {
  CHECK(result("HADD2", "R0,R1,R2", 0x3c004000, 0x3c003c00) == 0x40004200);              // 1, 2 + 1, 1
  CHECK(result("HADD2", "R0,R1.H0_H0,R2.H1_H1", 0x3c004000, 0x3c000000) == 0x42004200);  // 2, 2 + 1, 1
  CHECK(float_result("HADD2.F32", "R0,-RZ,R1.H0_H0", std::bit_cast<float>(0x00004200U)) == 3);
  CHECK(result("HMUL2", "R0,R1,R2", 0x40004000, 0x42003800) == 0x46003c00);
  CHECK(result("HFMA2.MMA", "R0,-RZ,RZ,1.875,2", 0) == 0x3f804000);
  CHECK(result("HFMA2", "R0,R1,R2,R3", 0x40004000, 0x40004000, 0x3c00bc00) == 0x45004200);
  CHECK(result("HFMA2.RELU", "R0,R1,R2,R3", 0xc0004000, 0x40004000, 0x3c003c00) == 0x00004500);
  CHECK(result("HFMA2.MMA.RELU", "R0,R1,R2,R3", 0x80008000, 0x40004000, 0x80008000) == 0);  // -0, too
  CHECK(result("HFMA2.BF16_V2.RELU", "R0,R1,R2,R3", 0x8000c000, 0x40004000, 0x80007fff) == 0x00007fff);
  CHECK(result("HADD2.BF16_V2", "R0,R1,R2", 0x3f803f80, 0x40004000) == 0x40404040);
  CHECK(result("HADD2.FTZ", "R0,R1,R2", 0x83ff4000, 0x04003c00) == 0x04004200);  // a denormal operand
  CHECK(result("HADD2.FTZ", "R0,R1,R2", 0x88000400, 0x07ff0400) == 0x80000800);  // a denormal sum
  CHECK(result("HADD2", "R0,R1,R2", 0x7bff7bff, 0x7bff0000) == 0x7c007bff);      // too great
  CHECK(result("HMNMX2", "R0,R1,R2,PT", 0x3c004000, 0x40003c00) == 0x3c003c00);
  CHECK(result("HSET2.BF.GT.AND", "R0,R1,R2,PT", 0x3c004000, 0x40003c00) == 0x00003c00);
  CHECK(holds("HSETP2.GT.AND", "P0,PT,R1.H0_H0,R2.H0_H0,PT", 0x4000, 0x3c00));
}

TEST_CASE("every half is a float and comes back") {
  for (std::uint32_t h = 0; h < 0x7c00; h += 7) {
    lone_warp w;
    w.set(1, [&](unsigned) { return h; }).run(of("HADD2.F32", "R2,-RZ,R1.H0_H0")).run(of("F2F.F16.F32", "R0,R2"));
    CHECK(w.at(0) == h);
  }
}

TEST_CASE("conversions saturate and round as they say") {
  const auto to = [](const std::string& opcode, float v) { return result(opcode, "R0,R1", bits(v)); };
  CHECK(to("F2I.TRUNC.NTZ", -2.7F) == 0 - 2U);
  CHECK(to("F2I.NTZ", 2.5F) == 2);
  CHECK(to("F2I.FLOOR.NTZ", -2.1F) == 0 - 3U);
  CHECK(to("F2I.CEIL.NTZ", 2.1F) == 3);
  CHECK(to("F2I.U32.TRUNC.NTZ", -5) == 0);
  CHECK(to("F2I.U32.TRUNC.NTZ", 1e20F) == 0xffffffffU);
  CHECK(to("F2I.TRUNC.NTZ", -1e20F) == 0x80000000U);
  CHECK(to("F2I.TRUNC.NTZ", NAN) == 0);
  CHECK(float_result("FRND.FLOOR", "R0,R1", -2.5F) == -3);
  CHECK(result("I2FP.F32.S32", "R0,R1", 0 - 3U) == bits(-3));
  CHECK(result("I2FP.F32.U32", "R0,R1", 0xffffffffU) == bits(4294967296.0F));
  CHECK(result("I2F.RP", "R0,R1", 16777217) == bits(16777218));
  CHECK(result("I2F.U32.RM", "R0,R1", 16777217) == bits(16777216));
  CHECK(result("I2F.F16", "R0,R1", 2049) == 0x6800);
  CHECK(result("F2FP.F16.F32.PACK_AB", "R0,R1,R2", bits(1), bits(2)) == 0x3c004000);
  CHECK(result("F2FP.BF16.F32.PACK_AB", "R0,RZ,R2", 0, bits(1)) == 0x3f80);
  CHECK(result("I2I.U8.S32.SAT", "R0,R1", 300) == 255);
  CHECK(result("I2I.U8.S32.SAT", "R0,R1", 0 - 4U) == 0);
  lone_warp w;
  w.set_float(1, -1.5F).run(of("F2F.F64.F32", "R2,R1"));
  CHECK(w.wide_at(2) == std::bit_cast<std::uint64_t>(-1.5));
  CHECK(w.run(of("F2F.F32.F64", "R0,R2")).float_at(0) == -1.5F);
  CHECK(w.run(of("F2I.S64.F64.TRUNC", "R4,R2")).wide_at(4) == ~0ULL);
  CHECK(w.run(of("I2F.F64.S64", "R6,R4")).wide_at(6) == std::bit_cast<std::uint64_t>(-1.0));
  CHECK(w.set(1, [](unsigned) { return 0x0000ff00; }).run(of("I2F.F64.U8", "R6,R1.B1")).wide_at(6) ==
        std::bit_cast<std::uint64_t>(255.0));
}

TEST_CASE("shuffles: from where, and whether that lane was in the segment") {
  lone_warp w;
  w.set(2, [](unsigned l) { return 100 + l; });
  w.run(of("SHFL.DOWN", "P0,R0,R2,0x2,0x1f"));
  CHECK(w.at(0, 5) == 107);
  CHECK(w.at(0, 31) == 131);
  CHECK(w.state.predicates[0] == 0x3fffffff);
  w.run(of("SHFL.UP", "P0,R0,R2,0x1,RZ"));
  CHECK(w.at(0, 0) == 100);
  CHECK(w.at(0, 9) == 108);
  CHECK(w.state.predicates[0] == 0xfffffffe);
  CHECK(w.run(of("SHFL.BFLY", "PT,R0,R2,0x10,0x1f")).at(0, 3) == 119);
  CHECK(w.run(of("SHFL.IDX", "PT,R0,R2,0x1,0x181f")).at(0, 13) == 109);  // segments of 8
}

TEST_CASE("votes, matches, reductions, uniform registers") {
  lone_warp w;
  w.state.predicates[0] = 0xff;
  w.run(of("VOTE.ANY", "R0,P1,P0"));
  CHECK(w.at(0, 31) == 0xff);
  CHECK(w.state.predicates[1] == full_warp);
  w.run(of("VOTE.ALL", "P1,P0"));
  CHECK(w.state.predicates[1] == 0);
  w.run(of("VOTEU.ANY", "UR4,UPT,P0"));
  CHECK(w.state.uniforms[4] == 0xff);
  w.set(2, [](unsigned l) { return l % 3; });
  CHECK(w.run(of("MATCH.ANY", "R0,R2")).at(0, 4) == 0x92492492U);
  w.run(of("MATCH.ALL", "P2,R0,R2"));
  CHECK(w.state.predicates[2] == 0);
  CHECK(w.at(0) == 0);
  w.run(of("REDUX.SUM", "UR5,R2"));
  CHECK(w.state.uniforms[5] == 31);
  w.set(2, [](unsigned l) { return l - 5; }).run(of("REDUX.MIN.S32", "UR5,R2"));
  CHECK(w.state.uniforms[5] == 0 - 5U);
  w.run(of("R2UR", "UR6,R2"));
  CHECK(w.state.uniforms[6] == 0 - 5U);
  w.run(of("UIADD3", "UR7,UR6,0x7,URZ")).run(of("IMAD.U32", "R0,RZ,RZ,UR7"));
  CHECK(w.at(0, 11) == 2);
}

TEST_CASE("ELECT chooses the lowest lane of those that are on") {
  lone_warp w(0xfffffff0U);
  w.state.predicates[3] = 0xffffff00U;
  w.run(of("ELECT", "P1,UR4,PT"));
  CHECK((w.state.predicates[1] & w.state.active) == 0x10);
  CHECK(w.state.uniforms[4] == 4);
  w.run(of("ELECT", "P2,URZ,P3"));
  CHECK((w.state.predicates[2] & w.state.active) == 0x100);
}

TEST_CASE("special registers") {
  lone_warp w;
  CHECK(w.run(of("S2R", "R0,SR_TID.X")).at(0, 13) == 5);
  CHECK(w.run(of("S2R", "R0,SR_TID.Y")).at(0, 13) == 1);
  CHECK(w.run(of("S2R", "R0,SR_TID.Z")).at(0, 31) == 1);
  CHECK(w.run(of("S2R", "R0,SR_LANEID")).at(0, 31) == 31);
  CHECK(w.run(of("S2R", "R0,SR_LTMASK")).at(0, 31) == 0x7fffffff);
  CHECK(w.run(of("S2R", "R0,SR_GEMASK")).at(0, 31) == 0x80000000U);
  w.run(of("S2UR", "UR4,SR_CTAID.Y"));
  CHECK(w.state.uniforms[4] == 2);
  CHECK(w.set(0, [](unsigned) { return 9; }).run(of("CS2R", "R0,SRZ")).wide_at(0) == 0);
  w.context().clock = 0x500000007ULL;
  CHECK(w.run(of("CS2R", "R0,SR_CLOCKLO")).wide_at(0) == 0x500000007ULL);
  CHECK(w.run(of("CS2R.32", "R0,SR_CLOCKLO")).at(0) == 7);
  CHECK(w.run(of("CS2R", "R0,SR_GLOBALTIMERLO")).wide_at(0) == 0x500000007ULL);
  CHECK(w.run(of("LDC", "R0,c[0x0][0xc]")).at(0, 3) == 5);  // the grid's width
  w.run(of("ULDC.64", "UR4,c[0x0][0x0]"));
  CHECK(w.state.uniforms[4] == 8);
  CHECK(w.state.uniforms[5] == 2);
}

TEST_CASE("loads and stores of every width") {
  lone_warp w;
  w.has_effects = true;
  std::vector<std::uint32_t> a(512);
  for (std::uint32_t i = 0; i < 512; ++i) a[i] = 0x01010101U * i;
  const std::uint64_t begin = w.memory.give(a);
  w.set(2, [&](unsigned l) { return begin + 16 * l; }).set(3, [&](unsigned) { return begin >> 32; });
  CHECK(w.run(of("LDG.E", "R0,desc[UR4][R2.64+0x4]")).at(0, 3) == a[13]);
  w.run(of("LDG.E.128", "R4,desc[UR4][R2.64]"));
  CHECK(w.at(4, 5) == a[20]);
  CHECK(w.at(7, 5) == a[23]);
  CHECK(w.run(of("LDG.E.U8", "R0,desc[UR4][R2.64+0x241]")).at(0, 0) == (a[144] >> 8 & 255));
  CHECK(w.run(of("LDG.E.S8", "R0,desc[UR4][R2.64+0x241]")).at(0, 0) == 0xffffff90U);
  CHECK(w.run(of("LDG.E.U16", "R0,desc[UR4][R2.64+-0x0]")).at(0, 1) == (a[4] & 0xffff));
  w.set(8, [](unsigned l) { return l; }).set(9, [](unsigned l) { return ~l; });
  w.run(of("STG.E.64", "desc[UR4][R2.64+0x8],R8"));
  CHECK(a[4 * 6 + 2] == 6);
  CHECK(a[4 * 6 + 3] == ~6U);
  w.run(of("STG.E.U8", "desc[UR4][R2.64],RZ"));
  CHECK(a[4] == 0x04040400);
  w.set(2, [](unsigned l) { return 0x400 + 4 * l; });
  w.run(of("STS", "[R2],R9")).run(of("LDS", "R0,[R2]")).run(of("LDS", "R0[R2]"));  // nvdisasm 13.0 leaves the comma out
  CHECK(w.at(0, 9) == ~9U);
  w.set(2, [](unsigned l) { return l; });
  CHECK(w.run(of("LDS", "R0,[R2.X4+0x400]")).at(0, 9) == ~9U);
  w.state.uniforms[4] = 0x400;
  CHECK(w.run(of("LDS.U8", "R0,[UR4+0x4]")).at(0, 9) == 0xfe);
  w.set(1, [](unsigned) { return 64; });
  w.run(of("STL", "[R1+0x4],R8")).run(of("LDL", "R0,[R1+0x4]"));
  CHECK(w.at(0, 17) == 17);
  w.set(2, [](unsigned) { return 0x401; });
  CHECK_THROWS_AS(w.run(of("LDS", "R0,[R2]")), sass::machine_fault);  // not aligned
}

TEST_CASE("generic addresses lead to shared and local memory, too") {
  lone_warp w;
  w.has_effects = true;
  w.set(2, [](unsigned l) { return 0x400 + 4 * (l % 16); }).set(3, [](unsigned) { return sass::shared_window; });
  w.set(4, [](unsigned l) { return 7 * l; });
  w.run(of("ST.E", "desc[UR6][R2.64],R4")).run(of("LD.E", "R0,desc[UR6][R2.64]"));
  CHECK(w.at(0, 3) == 7 * 19);  // the last one's
  CHECK(w.run(of("QSPC.E.S", "P0,RZ,[R2]")).state.predicates[0] == full_warp);
  w.set(3, [](unsigned l) { return l < 16 ? sass::shared_window : sass::local_window; });
  w.run(of("ST.E", "desc[UR6][R2.64],R4")).run(of("LD.E", "R0,desc[UR6][R2.64]"));
  CHECK(w.at(0, 3) == 7 * 3);
  CHECK(w.at(0, 19) == 7 * 19);
  CHECK(w.run(of("QSPC.E.S", "P0,RZ,[R2]")).state.predicates[0] == 0xffff);
  w.state.uniforms[4] = 0x400;  // an address of all lanes, as nvcc keeps it at -O1
  w.state.uniforms[5] = sass::shared_window;
  CHECK(w.run(of("QSPC.E.S", "P0,RZ,[RZ.U32+UR4]")).state.predicates[0] == full_warp);
  CHECK(w.run(of("QSPC.E.L", "P0,RZ,[RZ.U32+UR4]")).state.predicates[0] == 0);
}

TEST_CASE("atomic operations") {
  lone_warp w;
  w.has_effects = true;
  std::vector<std::uint32_t> a(8);
  const std::uint64_t begin = w.memory.give(a);
  w.set_wide(2, begin).set(4, [](unsigned l) { return l; });
  w.run(of("ATOMG.E.ADD.STRONG.GPU", "PT,R0,desc[UR4][R2.64],R4"));
  CHECK(a[0] == 31 * 16);
  CHECK(w.at(0, 3) == 0 + 1 + 2);
  w.run(of("REDG.E.MAX.S32.STRONG.GPU", "desc[UR4][R2.64+0x4],R4"));
  CHECK(a[1] == 31);
  w.run(of("ATOM.E.INC.STRONG.GPU", "PT,R0,desc[UR4][R2.64+0x8],R4"));
  w.run(of("ATOMG.E.EXCH.STRONG.GPU", "PT,R0,desc[UR4][R2.64+0xc],R4"));
  CHECK(a[3] == 31);
  CHECK(w.at(0, 31) == 30);
  w.set(5, [](unsigned l) { return 100 + l; }).set(4, [](unsigned) { return 31; });
  w.run(of("ATOMG.E.CAS.STRONG.GPU", "PT,R0,[R2+0xc],R4,R5"));
  CHECK(a[3] == 100);
  CHECK(w.at(0, 0) == 31);
  CHECK(w.at(0, 1) == 100);
  w.set_float(4, 0.5F).run(of("REDG.E.ADD.F32.FTZ.RN.STRONG.GPU", "desc[UR4][R2.64+0x10],R4"));
  CHECK(std::bit_cast<float>(a[4]) == 16);
  w.set_wide(4, 1ULL << 33).run(of("REDG.E.ADD.64.STRONG.GPU", "desc[UR4][R2.64+0x18],R4"));
  CHECK(a[7] == 64);
  w.set(2, [](unsigned l) { return 0x400 + 4 * (l & 1); });
  w.run(of("ATOMS.POPC.INC.32", "RZ,[R2+URZ]")).run(of("LDS", "R0,[R2]"));
  CHECK(w.at(0, 5) == 16);
  w.set(4, [](unsigned) { return 16; }).set(5, [](unsigned) { return 17; });
  w.run(of("ATOMS.CAST.SPIN", "R0,[R2],R4,R5"));
  CHECK(w.at(0, 0) == 1);  // whether it was swapped
  CHECK(w.at(0, 2) == 0);
}

namespace {

/// Keeps what it is told, in a line each.
class all_orders final : public sass::order_follower {
 public:
  void fence(site, std::uint32_t, lane_mask lanes, bool in_block) override {
    told.push_back((in_block ? "fence of the block " : "fence ") + std::to_string(std::popcount(lanes)));
  }
  void passes_nop(site, std::uint32_t, lane_mask) override { told.emplace_back("nop"); }
  void begins(const sass::followed_access& a) override {
    told.push_back(std::string(a.in_block ? "begins in the block " : "begins ") +
                   std::to_string(std::popcount(a.lanes)));
  }
  bool is_made(const sass::followed_access& a) override {
    told.push_back(a.compared == nullptr ? "made"
                                         : "found " + std::to_string(a.before[0]) + " for " +
                                               std::to_string(a.compared[0]) + ", left " + std::to_string(a.after[0]));
    return false;
  }
  std::vector<std::string> told;
};

}  // namespace

// As nvcc 13.0 makes fences and cuda::atomic's orders for sm_90.
TEST_CASE(
    "who follows the order of threads hears of fences with their scope, and of accesses before and when they are "
    "made") {
  lone_warp w;
  w.has_effects = true;
  all_orders order;
  w.context().follower = &order;
  std::vector<std::uint32_t> a{7, 0};
  w.set_wide(2, w.memory.give(a)).set(4, [](unsigned) { return 7; }).set(5, [](unsigned) { return 9; });
  w.run(of("MEMBAR.SC.GPU", "")).run(of("MEMBAR.ALL.CTA", "")).run(of("CCTL.IVALL", "")).run(of("NOP", ""));
  w.run(of("LD.E.STRONG.SM", "R0,desc[UR4][R2.64]")).run(of("ERRBAR", ""));
  w.run(of("ATOMG.E.CAS.STRONG.GPU", "PT,R0,[R2],R4,R5"));
  CHECK(order.told == std::vector<std::string>{"fence 32", "fence of the block 32", "fence 32", "nop",
                                               "begins in the block 32", "made", "begins 32", "found 7 for 7, left 9"});
}

// As the requests of an H200's atomicAdd of float and double on four words of a bank say: 32 and 17.
TEST_CASE("of a CAST.SPIN's lanes one swaps at each bank, whatever the word; of 64 bits one of each half of the warp") {
  const auto swapped = [](const std::string& opcode, unsigned from_word_to_word) {
    lone_warp w;
    w.has_effects = true;
    w.set(2, [&](unsigned l) { return 0x400 + 4 * from_word_to_word * (l % 2); });
    for (const unsigned zero : {4U, 5U, 7U}) w.set(zero, [](unsigned) { return 0; });
    w.set(6, [](unsigned) { return 1; }).run(of(opcode, "R0,[R2],R4,R6"));
    lane_mask lanes = 0;
    for (unsigned l = 0; l < warp_size; ++l) lanes |= w.at(0, l) << l;
    return lanes;
  };
  CHECK(swapped("ATOMS.CAST.SPIN", 1) == 3);
  CHECK(swapped("ATOMS.CAST.SPIN", 32) == 1);
  CHECK(swapped("ATOMS.CAST.SPIN.64", 32) == 1);  // lane 16 comes to what lane 0 has changed
}

TEST_CASE("an atomic operation that shared memory has not is done for global addresses, and its predicate says where") {
  lone_warp w;
  w.has_effects = true;
  std::vector<std::uint64_t> a(2);
  const std::uint64_t begin = w.memory.give(a);
  w.set(2, [&](unsigned l) { return l < 8 ? 0x400 : l < 12 ? 64 : static_cast<std::uint32_t>(begin); });
  w.set(3, [&](unsigned l) {
    return l < 8 ? sass::shared_window : l < 12 ? sass::local_window : static_cast<std::uint32_t>(begin >> 32);
  });
  w.set_wide(4, 1ULL << 32).set(6, [](unsigned) { return 77; });
  w.run(of("ATOM.E.MAX.64.STRONG.GPU", "P0,R6,desc[UR4][R2.64],R4"));
  CHECK(w.state.predicates[0] == 0xfffff000U);
  CHECK(a[0] == 1ULL << 32);
  CHECK(w.at(6, 3) == 77);
  CHECK(w.at(6, 13) == 0);
  CHECK(w.at(7, 13) == 1);
  CHECK(w.run(of("LD.E.64", "R8,desc[UR4][R2.64]")).wide_at(8, 3) == 0);
  CHECK(w.state.on == full_warp);

  // A sum of 64 bits it has, as an H200 does: the wavefronts of 3,072 such additions, and no read of the loop.
  w.run(of("ATOM.E.ADD.64.STRONG.GPU", "P0,R6,desc[UR4][R2.64],R4"));
  CHECK(w.state.predicates[0] == 0xfffff0ffU);
  CHECK(a[0] == 21ULL << 32);
  CHECK(w.run(of("LD.E.64", "R8,desc[UR4][R2.64]")).wide_at(8, 3) == 8ULL << 32);

  // Exchanges and swaps, too: behind them nvcc leaves a plain store, for local memory alone.
  w.run(of("ATOM.E.EXCH.64.STRONG.GPU", "P0,RZ,desc[UR4][R2.64],R4"));
  CHECK(w.state.predicates[0] == 0xfffff0ffU);
  CHECK(w.run(of("LD.E.64", "R8,desc[UR4][R2.64]")).wide_at(8, 3) == 1ULL << 32);
  w.set_wide(6, 5).run(of("ATOM.E.CAS.64.STRONG.GPU", "P0,RZ,[R2],R4,R6"));
  CHECK(w.state.predicates[0] == 0xfffff0ffU);
  CHECK(w.run(of("LD.E.64", "R8,desc[UR4][R2.64]")).wide_at(8, 3) == 5);
}

// As an H200 counts one warp's operations on addresses of any space: all lanes in global memory, in shared memory, or half of them in each.
TEST_CASE("an operation by an address of any space asks shared memory for each group of lanes, also in vain") {
  struct asked_for final : observer {
    void request(const warp_request& r) override {
      if (r.kind != access::atomic) return;
      (r.space == memory_space::global ? in_vain : of_shared) += r.space == memory_space::global ? r.vain_passes : 1U;
      probes += r.atomic == atomic_kind::probe;
    }
    unsigned in_vain = 0, of_shared = 0, probes = 0;
  };
  const auto asked = [](const std::string& opcode, const std::string& operands, unsigned lanes_in_shared) {
    asked_for seen;
    observer* const observers[] = {&seen};
    lone_warp w(full_warp, observers);
    w.has_effects = true;
    std::vector<std::uint64_t> a(4);
    const std::uint64_t begin = w.memory.give(a);
    w.set(2, [&](unsigned l) { return l < lanes_in_shared ? 0x400 : static_cast<std::uint32_t>(begin); });
    w.set(3, [&](unsigned l) {
      return l < lanes_in_shared ? sass::shared_window : static_cast<std::uint32_t>(begin >> 32);
    });
    w.set_wide(4, 0).set_wide(6, 0).run(of(opcode, operands));
    return std::array{seen.in_vain, seen.of_shared, seen.probes};
  };
  using counts = std::array<unsigned, 3>;
  CHECK(asked("ATOM.E.ADD.STRONG.GPU", "PT,R8,desc[UR4][R2.64],R4", 0) == counts{1, 0, 0});
  CHECK(asked("ATOM.E.ADD.STRONG.GPU", "PT,R8,desc[UR4][R2.64],R4", 16) == counts{0, 1, 0});
  CHECK(asked("ATOM.E.ADD.STRONG.GPU", "PT,R8,desc[UR4][R2.64],R4", 32) == counts{0, 1, 0});
  CHECK(asked("ATOM.E.ADD.64.STRONG.GPU", "P0,R8,desc[UR4][R2.64],R4", 0) == counts{2, 0, 0});
  CHECK(asked("ATOM.E.ADD.64.STRONG.GPU", "P0,R8,desc[UR4][R2.64],R4", 16) == counts{1, 1, 0});
  CHECK(asked("ATOM.E.CAS.64.STRONG.GPU", "P0,R8,[R2],R4,R6", 16) == counts{1, 1, 0});
  CHECK(asked("ATOM.E.ADD.F32.FTZ.RN.STRONG.GPU", "P0,R8,desc[UR4][R2.64],R4", 0) == counts{1, 0, 0});
  CHECK(asked("ATOM.E.ADD.F32.FTZ.RN.STRONG.GPU", "P0,R8,desc[UR4][R2.64],R4", 16) == counts{0, 1, 1});
  CHECK(asked("ATOM.E.ADD.F64.RN.STRONG.GPU", "P0,R8,desc[UR4][R2.64],R4", 16) == counts{1, 1, 1});
  CHECK(asked("ATOM.E.MAX.64.STRONG.GPU", "P0,R8,desc[UR4][R2.64],R4", 32) == counts{0, 1, 1});
  CHECK(asked("ATOMG.E.ADD.STRONG.GPU", "PT,R8,desc[UR4][R2.64],R4", 0) == counts{0, 0, 0});
}

TEST_CASE("a convergence barrier that a called function uses anew lets none of its caller's lanes go") {
  lone_warp w;
  w.has_effects = true;
  w.run(of("BSSY", "B6,0x100"));
  w.state.branch(0xffff0000U, 200);
  w.run(of("BSYNC", "B6"));  // lanes 0 to 15 wait
  CHECK(w.state.active == 0xffff0000U);
  w.run(of("BMOV.32.CLEAR", "R5,B6")).run(of("BSSY", "B6,0x200"));  // the others call
  w.state.branch(0xff000000U, 300);
  w.run(of("BSYNC", "B6"));
  CHECK(w.state.active == 0xff000000U);
  w.run(of("BSYNC", "B6"));
  CHECK(w.state.active == 0xffff0000U);
  w.run(of("BMOV.32", "B6,R5")).run(of("BSYNC", "B6"));
  CHECK(w.state.active == full_warp);
}

TEST_CASE("groups that a YIELD has joined wait at a BSYNC for their own lanes each") {
  lone_warp w;
  w.has_effects = true;
  w.state.branch(0xff000000U, 50);  // lanes 24 to 31 are elsewhere, and run first
  CHECK(w.state.active == 0xff000000U);
  auto& participants = w.state.participants[0];
  for (unsigned l = 0; l < 32; ++l) participants[l] = l < 8 ? 0xffU : 0xffffff00U;
  w.state.rotate();  // the others have passed different BSSYs, and met since
  CHECK(w.state.active == 0x00ffffffU);
  w.run(of("BSYNC", "B0"));
  CHECK(w.state.groups().size() == 3);  // of 0 to 7, which go on; of 8 to 23, which wait for the rest
  w.state.end_lanes(w.state.active);    // the rest runs first
  CHECK(w.state.active == 0xffU);
  w.state.end_lanes(0xffU);
  CHECK(w.state.active == 0x00ffff00U);
}

// As an H200 counts loads, stores and atomic operations of loops with a YIELD in a branch: lanes fall behind by a round, and join there.
TEST_CASE(
    "lanes that a BSYNC did not wait for because of a YIELD go on with those that yield in a later round of the BSSY") {
  constexpr lane_mask first = 0xff, second = 0xff00, ahead = ~(first | second);
  for (const std::uint32_t next_round : {5U, 6U}) {
    lone_warp w;
    const auto yield_at_50 = [&](lane_mask lanes) {
      w.state.branch(lanes, 50);
      CHECK(w.state.active == lanes);
      w.state.yield();
    };
    const auto go_to_bsync = [&] { w.state.put_on(w.state.active), w.state.converge(0); };
    w.state.put_on(full_warp);
    w.state.open_convergence(0, 5);
    yield_at_50(first);
    go_to_bsync();
    CHECK(w.state.active == (ahead | second));
    w.state.put_on(ahead | second);
    w.state.open_convergence(0, next_round);
    yield_at_50(second);
    go_to_bsync();
    CHECK(w.state.active == (next_round == 5 ? first | second : ahead));
    if (next_round != 5) continue;
    go_to_bsync();
    CHECK(w.state.active == full_warp);
  }
}

TEST_CASE("behind WARPSYNC.EXCLUSIVE parts of the warp go on by themselves") {
  lone_warp w;
  w.has_effects = true;
  w.set(1, [](unsigned l) { return l % 2 == 0 ? 0x55555555U : 0xaaaaaaaaU; }).set(2, [](unsigned l) { return l; });
  w.run(of("WARPSYNC.EXCLUSIVE", "R1"));
  CHECK(w.state.active == 0x55555555U);
  w.run(of("REDUX.SUM.S32", "UR6,R2"));
  CHECK(w.state.uniforms[6] == 240);
  w.state.end_lanes(0x55555555U);
  CHECK(w.state.active == 0xaaaaaaaaU);
  w.run(of("REDUX.SUM.S32", "UR6,R2"));
  CHECK(w.state.uniforms[6] == 256);
}

TEST_CASE("a branch by a table counts from the next instruction") {
  lone_warp w;
  w.has_effects = true;
  w.set(4, [](unsigned l) { return l < 8 ? 0x70 : 0x40; }).run(of("BRX", "R4,-0x10"));  // of an instruction at 0x0
  CHECK(w.state.active == 0xffffff00U);
  CHECK(w.state.pc == 1 + 4);
  w.state.end_lanes(0xffffff00U);
  CHECK(w.state.pc == 1 + 7);
}

TEST_CASE("a call through a pointer that is no function's names the instruction") {
  lone_warp w;
  w.has_effects = true;
  w.set(1, [](unsigned) { return 0x12345670; }).run(of("LDC.64", "R2,c[0x2][R1]"));
  CHECK(w.at(2) == sass::surroundings::no_function);
  w.memory.function_place = 0x40;
  CHECK(w.run(of("LDC.64", "R4,c[0x2][R1]")).at(4) == 0x40);
  CHECK_THROWS_AS(w.run(of("CALL.REL.NOINC", "R2")), sass::machine_fault);
  w.run(of("CALL.REL.NOINC", "R1"));  // a pointer without a table
  CHECK(w.state.pc == 1 + 0x40 / 16);
}

TEST_CASE("a NaN among the operands has the bits of the encoding, which a listing leaves out") {
  const auto none = [](std::string_view) { return std::nullopt; };
  sass::instruction_line line{"", "FSEL", "R0,R1,-QNAN ,P0", 0xffffffff01007808ULL};
  CHECK(sass::read_instruction(line, 1, 1, none).operands[2].value == 0xffffffffU);
  line = {"", "DADD", "R0,R2,+QNAN ", 0x7ff8000102007429ULL};
  CHECK(sass::read_instruction(line, 1, 1, none).operands[2].value == 0x7ff80001ULL << 32);
}

TEST_CASE("what is not known is refused by name") {
  const auto message = [](const std::string& json) -> std::string {
    try {
      static_cast<void>(sass::read_instruction(line_of(json), 1, 1, [](std::string_view) { return std::nullopt; }));
    } catch (const sass::unreadable_code& e) {
      return e.what();
    }
    return "";
  };
  CHECK(message(of("HMMA.16816.F32", "R4,R8,R10,R4")) == "an opcode that is not known: HMMA");
  CHECK(message(of("FADD.WONDER", "R4,R8,R10")) == "a modifier that is not known: .WONDER of FADD");
  CHECK(message(of("FADD.WIDE", "R4,R8,R10")) == "a modifier that is not known: .WIDE of FADD");
  CHECK(message(of("FADD", "R4,R8,X10")) == "an operand of a form that is not known: \"X10\"");
  CHECK(message(of("R2UR", "P0,UR4,R8")).find("nobody has measured") != std::string::npos);
}

// sm_75, of __shfl_down_sync behind a branch: BRA.DIV `(.L_x_9) and BRA.CONV `(.L_x_11).
TEST_CASE("BRA.CONV leads on where the warp is together, BRA.DIV where it is not") {
  for (const bool is_together : {true, false})
    for (const bool leads_together : {true, false}) {
      lone_warp w;
      w.has_effects = true;
      if (!is_together) w.state.branch(0xff, 200);
      const std::uint32_t before = w.state.pc;
      w.run(leads_together ? R"({"opcode":"BRA.CONV","operands":"0x320"})"
                           : R"({"opcode":"BRA.DIV","operands":"0x320"})");
      CHECK(w.state.pc == (is_together == leads_together ? 0x32 + 1 : before));
    }
}

// sm_80, of a call of malloc: LEPC R6, from which the place behind the call is computed.
TEST_CASE("the barrier of a cluster, which is one block, is the block's: an arrival holds nobody up, a wait does") {
  lone_warp w;
  w.run(of("UCGABAR_ARV", ""));
  CHECK(w.state.runs());
  w.run(of("UCGABAR_WAIT", ""));
  CHECK(!w.state.runs());
  w.state.release_barrier(15);
  CHECK(w.state.active == full_warp);
}

TEST_CASE("LEPC gives its own address, or the label's where one stands") {
  lone_warp w;
  CHECK(w.run(R"({"opcode":"LEPC","operands":"R6"})").wide_at(6) == 16);
  CHECK(w.run(R"({"opcode":"LEPC","operands":"R20,0x40"})").wide_at(20) == 80);
}

// sm_75, of __shfl_down_sync where the warp has parted: WARPSYNC 0xffffffff.
TEST_CASE("WARPSYNC waits for the lanes of a mask that is a number, too") {
  lone_warp w;
  w.has_effects = true;
  w.state.branch(0xff, 200);
  const lane_mask first = w.state.active;
  w.run(R"({"opcode":"WARPSYNC","operands":"0xffffffff"})");
  CHECK(w.state.active == ~first);
  CHECK(std::ranges::any_of(w.state.groups(),
                            [](const sass::lane_group& g) { return g.state == sass::group_state::at_warp_sync; }));
}

// sm_90, of shuffles and barriers where the warp has parted: the instruction that all run together stands behind, then ENDCOLLECTIVE.
TEST_CASE("WARPSYNC.COLLECTIVE goes on with what its lanes do together, not at its target") {
  for (const char* line : {R"({"opcode":"WARPSYNC.COLLECTIVE","operands":"R3,0x40"})",
                           R"({"opcode":"WARPSYNC.COLLECTIVE.ALL","operands":"0x40"})"}) {
    lone_warp w;
    w.has_effects = true;
    w.set(3, [](unsigned) { return ~0U; });
    const std::uint32_t before = w.state.pc;
    w.run(line);
    CHECK(w.state.active == full_warp);
    CHECK(w.state.pc == before);
  }
}

// sm_80, of __pipeline_memcpy_async: two addresses without a comma between.
TEST_CASE("LDGSTS copies from global to shared memory") {
  lone_warp w;
  w.has_effects = true;
  std::vector<std::uint32_t> from(32);
  std::iota(from.begin(), from.end(), 70);
  const address begin = w.memory.give(from);
  w.set(5, [](unsigned l) { return 0x400 + 4 * l; });
  for (unsigned l = 0; l < warp_size; ++l) {
    w.state.registers[8].lane[l] = static_cast<std::uint32_t>(begin + 4 * l);
    w.state.registers[9].lane[l] = static_cast<std::uint32_t>((begin + 4 * l) >> 32);
  }
  w.run(R"({"opcode":"LDGSTS.E","operands":"[R5][R8.64]"})");
  CHECK(std::memcmp(w.context().shared.data() + 0x400, from.data(), 128) == 0);
}

// sm_75, of a cuda::barrier in shared memory, whose generic address begins at c[0x0][0x18].
TEST_CASE("the constants of a launch say where the windows of shared and local memory lie") {
  lone_warp w;
  w.run(R"({"opcode":"MOV","operands":"R2,c[0x0][0x1c]"})").run(R"({"opcode":"MOV","operands":"R3,c[0x0][0x24]"})");
  CHECK(w.at(2) == sass::shared_window);
  CHECK(w.at(3) == sass::local_window);
}

// sm_75, of tex3D and tex2D: the handle stands in c[0x0], at four times the second number.
TEST_CASE("TEX.SCR takes its handle from the constants, and its third coordinate from the fourth operand") {
  lone_warp w;
  w.has_effects = true;
  for (unsigned r = 4; r < 12; ++r) w.set(r, [&](unsigned) { return 100 + r; });
  w.run(R"({"opcode":"TEX.SCR.LL","operands":"RZ,R5,R4,R9,0x0,0x3,3D,0x1"})");
  CHECK(w.at(5) == 43);
  CHECK(w.memory.texture == 5);  // the grid's width
  CHECK(w.memory.coordinates == std::array<std::uint32_t, 3>{104, 105, 109});
  w.run(R"({"opcode":"TLD.SCR.LZ","operands":"RZ,R7,R8,0x0,0x0,1D,0x1"})");
  CHECK(w.at(7) == 41);
  CHECK(w.memory.texture == 8);  // the block's
  CHECK(w.memory.coordinates[0] == 108);
}

}  // namespace simtlab::emulator::testing
