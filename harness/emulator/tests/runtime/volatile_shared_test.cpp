// Shared variables that a kernel's PTX reads and writes by volatile accesses alone.
#include "runtime/volatile_shared.h"

#include <doctest/doctest.h>

using namespace simtlab::emulator;

namespace {

using names = std::set<std::string>;

const std::string ptx =
    ".visible .entry a(\n.param .u64 a_param_0\n)\n{\n.shared .align 4 .b8 flag[4];\n.shared .align 4 .b8 tile[256];\n"
    "mov.u32 \t%r1, %tid.x;\nshl.b32 \t%r2, %r1, 2;\nmov.u32 \t%r4, tile;\nadd.s32 \t%r5, %r4, %r2;\n"
    "st.volatile.shared.u32 \t[%r5], %r1;\nld.volatile.shared.u32 \t%r6, [flag];\n"
    "ld.shared.u32 \t%r7, [mixed+4];\nst.volatile.shared.u32 \t[mixed], %r7;\nret;\n}\n"
    ".visible .entry b(\n)\n{\nst.shared.u32 \t[flag], %r1;\nst.volatile.shared.u32 \t[other], 1;\n}\n";

}  // namespace

TEST_CASE("variables of one kernel, by name or through registers, and none that is accessed plainly, too") {
  CHECK(volatile_shared(ptx, "a") == names{"flag", "tile"});
  CHECK(volatile_shared(ptx, "b") == names{"other"});
}

TEST_CASE("lines may end with a zero, and a kernel that the PTX has not has none") {
  std::string zeros = ptx;
  for (char& c : zeros)
    if (c == '\n') c = '\0';
  CHECK(volatile_shared(zeros, "a") == names{"flag", "tile"});
  CHECK(volatile_shared(ptx, "c") == names{});
  CHECK(volatile_shared("", "a") == names{});
}
