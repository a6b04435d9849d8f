// The program's line of an instruction that the toolkit's headers made, by what nvdisasm 13.5 printed.
#include "driver/inlined_calls.h"

#include <doctest/doctest.h>

using namespace simtlab::emulator;

namespace {

constexpr const char* listing =
    "\t.section\t.text._Z1kPi,\"ax\",@progbits\n"
    ".text._Z1kPi:\n"
    "\t//## File \"/home/me/k.cu\", line 20\n"
    "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
    "\t//## File \"/cuda/include/atomics.hpp\", line 107 inlined at \"/home/me/k.cu\", line 21\n"
    "\t//## File \"/home/me/k.cu\", line 21\n"
    "        /*0010*/                   S2R R0, SR_LANEID ;\n"
    "        /*0020*/               @P0 REDG.E.ADD.STRONG.GPU desc[UR8][R2.64], R13 ;\n"
    "\t//## File \"/home/me/k.cu\", line 22\n"
    "        /*0030*/                   EXIT ;\n"
    ".text._Z1mPi:\n"
    "\t//## File \"/cuda/include/a.hpp\", line 1 inlined at \"/cuda/include/b.hpp\", line 2\n"
    "\t//## File \"/cuda/include/b.hpp\", line 2 inlined at \"/home/me/m.cuh\", line 3\n"
    "\t//## File \"/home/me/m.cuh\", line 3\n"
    "        /*00f0*/                   SHFL.DOWN PT, R3, R2, 0x10, 0x1f ;\n";

std::string calls(bool own = false) {
  return inlined_calls(
      listing, [](const std::string& path) { return path.starts_with("/cuda/"); }, own);
}

}  // namespace

TEST_CASE("an inlined function of a header belongs to the line that calls it, through all headers") {
  CHECK(calls() ==
        "_Z1kPi 1 21 /home/me/k.cu\n"
        "_Z1kPi 2 21 /home/me/k.cu\n"
        "_Z1mPi 15 3 /home/me/m.cuh\n");
}

TEST_CASE("where the listing in JSON has no lines, the program's own instructions are told, too") {
  CHECK(calls(true) ==
        "_Z1kPi 0 20 /home/me/k.cu\n"
        "_Z1kPi 1 21 /home/me/k.cu\n"
        "_Z1kPi 2 21 /home/me/k.cu\n"
        "_Z1kPi 3 22 /home/me/k.cu\n"
        "_Z1mPi 15 3 /home/me/m.cuh\n");
}

TEST_CASE("where nothing is foreign nothing is told") {
  CHECK(inlined_calls(listing, [](const std::string&) { return false; }).empty());
  CHECK(inlined_calls("", [](const std::string&) { return true; }).empty());
}
