// Where a kernel's shared arrays lie, by the PTX of its cubin. The offsets are those that nvcc 13.0 gave these kernels for sm_90.
#include "sass/shared_layout.h"

#include <doctest/doctest.h>

#include <string>

using namespace simtlab::emulator::sass;

namespace {

constexpr std::uint64_t reserved = 0x400;

const std::string two_kernels =
    ".version 9.0\n"
    ".extern .func (.param .b32 func_retval0) vprintf\n(\n.param .b64 vprintf_param_0\n)\n;\n"
    ".extern .shared .align 16 .b8 dynamic[];\n"
    ".shared .align 4 .b8 of_file[32];\n"
    ".visible .entry _Z1aPf(\n.param .u64 _Z1aPf_param_0\n)\n{\n"
    ".shared .align 4 .b8 _ZZ1aPfE2td[400];\n"
    ".shared .align 1 .b8 _ZZ1aPfE2tc[5];\n"
    ".shared .align 4 .b8 _ZZ1aPfE2ta[1024];\n"
    ".shared .align 8 .b8 _ZZ1aPfE2tb[64];\n"
    "mov.u32 %r3, _ZZ1aPfE2ta;\n}\n"
    ".visible .entry _Z1ab(\n)\n{\n"
    ".shared .align 4 .b8 _ZZ1abE4tile[64];\n"
    "ld.shared.u32 %r6, [of_file+8];\nld.shared.u8 %rs2, [dynamic+5];\n}\n";

}  // namespace

TEST_CASE("arrays lie in the order in which the PTX declares them, each aligned") {
  const shared_layout found = shared_layout::of(two_kernels, "_Z1aPf", reserved, reserved + 0x5e0);
  REQUIRE(found.variables.size() == 4);
  CHECK(found.variables[0].name == "_ZZ1aPfE2td");
  CHECK(found.variables[0].begin == reserved);
  CHECK(found.variables[1].begin == reserved + 0x190);
  CHECK(found.variables[2].begin == reserved + 0x198);
  CHECK(found.variables[3].begin == reserved + 0x598);
  CHECK(found.variables[3].bytes == 64);
  CHECK(found.dynamic.empty());
}

TEST_CASE("variables that are no arrays have their place among them") {
  const std::string ptx =
      ".visible .entry k()\n{\n"
      ".shared .align 4 .b8 sums[12];\n.shared .align 4 .f32 mean;\n.shared .align 8 .f64 exact;\n"
      ".shared .align 16 .b8 v[16];\n.shared .align 1 .u8 flag;\n.shared .align 2 .u16 few;\n.shared .align 8 .u64 "
      "at;\n}\n";
  const shared_layout found = shared_layout::of(ptx, "k", reserved, reserved + 0x40);
  REQUIRE(found.variables.size() == 7);
  CHECK(found.variables[1].name == "mean");
  CHECK(found.variables[1].begin == reserved + 0x0c);
  CHECK(found.variables[1].bytes == 4);
  CHECK(found.variables[2].begin == reserved + 0x10);
  CHECK(found.variables[3].begin == reserved + 0x20);
  CHECK(found.variables[4].begin == reserved + 0x30);
  CHECK(found.variables[5].begin == reserved + 0x32);
  CHECK(found.variables[6].begin == reserved + 0x38);
}

TEST_CASE("what several kernels share lies before a kernel's own; dynamic shared memory has its name") {
  const shared_layout found = shared_layout::of(two_kernels, "_Z1ab", reserved, reserved + 96);
  REQUIRE(found.variables.size() == 2);
  CHECK(found.variables[0].name == "of_file");
  CHECK(found.variables[1].begin == reserved + 32);
  CHECK(found.dynamic == "dynamic");
}

TEST_CASE("a layout that does not come to the bytes of the cubin is none") {
  CHECK(shared_layout::of(two_kernels, "_Z1aPf", reserved, reserved + 4096).variables.empty());
}

TEST_CASE("lines may end with a zero, as a cubin has them") {
  std::string ptx = two_kernels;
  for (char& c : ptx)
    if (c == '\n') c = '\0';
  CHECK(shared_layout::of(ptx, "_Z1aPf", reserved, reserved + 0x5e0).variables.size() == 4);
}

TEST_CASE("no PTX, no layout; a kernel without shared arrays has none") {
  CHECK(shared_layout::of("", "_Z1aPf", reserved, reserved + 4).variables.empty());
  CHECK(shared_layout::of(".visible .entry k()\n{\n}\n", "k", reserved, reserved).variables.empty());
}
