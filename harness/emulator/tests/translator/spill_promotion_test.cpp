// Sums in registers beside their stack slots: one case for each rule, in the words of g++ 12.
#include "translator/spill_promotion.h"

#include <doctest/doctest.h>

#include <string>

using simtlab::emulator::promote_spills;

namespace {

const std::string sum = "\taddss\t4(%rsp), %xmm0\n\tmovss\t%xmm0, 4(%rsp)\n";
const std::string mirrored_sum = "\taddss\t%xmm15, %xmm0\n\tmovss\t%xmm0, 4(%rsp)\n\tmovaps\t%xmm0, %xmm15\n";
const std::string load = "\tmovss\t4(%rsp), %xmm15\n";

/// A function with a loop around `turn`, code behind it, and what lies in front of its first instruction.
std::string function(const std::string& turn, const std::string& behind = "", const std::string& in_front = "") {
  return "f:\n.LFB7:\n\t.cfi_startproc\n" + in_front +
         "\tpushq\t%rbx\n\t.cfi_def_cfa_offset 16\n\t.cfi_offset 3, -16\n\tsubq\t$48, %rsp\n\t.cfi_def_cfa_offset 64\n"
         ".Lsimtlab_begun1:\n.L3:\n" +
         turn + "\tjne\t.L3\n" + behind +
         "\taddq\t$48, %rsp\n\t.cfi_remember_state\n\t.cfi_def_cfa_offset 16\n\tpopq\t%rbx\n\t.cfi_def_cfa_offset "
         "8\n\tret\n"
         ".L9:\n\t.cfi_restore_state\n\tjmp\tg\n\t.cfi_endproc\n";
}

bool stays(const std::string& text) { return promote_spills(text) == text; }

}  // namespace

TEST_CASE("a sum that a loop keeps on the stack is read from a register, and the stack stays up to date") {
  CHECK(promote_spills(function(sum)) == function(mirrored_sum));
  CHECK(promote_spills(function("\tmulsd\t(%rsp), %xmm1\n\tmovsd\t%xmm1, (%rsp)\n")) ==
        function("\tmulsd\t%xmm15, %xmm1\n\tmovsd\t%xmm1, (%rsp)\n\tmovaps\t%xmm1, %xmm15\n"));
  // A report of an index out of bounds is a call that seldom comes.
  const std::string report = "\tcall\tsimtlab_ubsan_out_of_bounds\n";
  CHECK(promote_spills(function(report + sum)) == function(report + load + mirrored_sum));
}

TEST_CASE("a plain load clears the rest of its register, and so does the mirror's") {
  CHECK(
      promote_spills(function("\tmovss\t4(%rsp), %xmm0\n\tmovss\t%xmm0, 4(%rsp)\n")) ==
      function("\tmovaps\t%xmm15, %xmm0\n\tmovss\t%xmm0, 4(%rsp)\n\txorps\t%xmm15, %xmm15\n\tmovss\t%xmm0, %xmm15\n"));
  CHECK(promote_spills(function("\tmovsd\t8(%rsp), %xmm0\n\tmovsd\t%xmm0, 8(%rsp)\n")) ==
        function("\tmovaps\t%xmm15, %xmm0\n\tmovsd\t%xmm0, 8(%rsp)\n\tmovq\t%xmm0, %xmm15\n"));
  // Outside of such loops it reads the slot.
  const std::string read = "\tmovss\t4(%rsp), %xmm2\n";
  CHECK(promote_spills(function(sum, read)) == function(mirrored_sum, read));
}

TEST_CASE("the mirror is loaded behind calls, where exceptions land, and behind other stores to the slot") {
  const std::string call = "\tcall\tsimtlab_syncthreads\n.LVL5:\n";
  CHECK(promote_spills(function(sum, call + "\tnop\n")) == function(mirrored_sum, call + load + "\tnop\n"));
  const std::string table = "\t.section\t.gcc_except_table\n\t.uleb128 .L9-.LFB7\n";
  const std::string landed = promote_spills(function(sum) + table);
  CHECK(landed.find(".L9:\n\t.cfi_restore_state\n" + load + "\tjmp\tg\n") != std::string::npos);
  for (const char* const store :
       {"\tmovl\t$0, 4(%rsp)\n", "\tmovl\t%eax, 4(%rsp)\n", "\tmovq\t%rax, (%rsp)\n", "\tmovaps\t%xmm2, -8(%rsp)\n",
        "\tmovsd\t%xmm2, 4(%rsp)\n", "\tmovb\t$1, 7(%rsp)\n", "\tnegl\t4(%rsp)\n", "\tsetne\t5(%rsp)\n",
        "\txchgl\t4(%rsp), %eax\n", "\tlock cmpxchgl\t%ecx, 4(%rsp)\n", "\tfstps\t4(%rsp)\n",
        "\tcmpxchgl\t%ecx, 4(%rsp)\n", "\tmovlps\t%xmm2, (%rsp)\n", "\tshll\t4(%rsp)\n", "\tvmovss\t%xmm2, 4(%rsp)\n"})
    CHECK_MESSAGE(promote_spills(function(sum, store)) == function(mirrored_sum, store + load), store);
  for (const char* const other :
       {"\tmovl\t%eax, (%rsp)\n", "\tmovl\t%eax, 8(%rsp)\n", "\tmovss\t%xmm0, 8(%rsp)\n", "\tmovl\t4(%rsp), %eax\n",
        "\tcmpl\t$1, 4(%rsp)\n", "\tmovaps\t(%rsp), %xmm3\n", "\tmovd\t4(%rsp), %xmm3\n", "\tjmp\t*8(%rsp)\n"})
    CHECK_MESSAGE(promote_spills(function(sum, other)) == function(mirrored_sum, other), other);
}

TEST_CASE("each slot has a register of its own, which nothing in the function mentions") {
  const std::string two = sum + "\taddsd\t8(%rsp), %xmm1\n\tmovsd\t%xmm1, 8(%rsp)\n";
  const std::string mirrored_two =
      mirrored_sum + "\taddsd\t%xmm14, %xmm1\n\tmovsd\t%xmm1, 8(%rsp)\n\tmovaps\t%xmm1, %xmm14\n";
  CHECK(promote_spills(function(two)) == function(mirrored_two));
  CHECK(promote_spills(function(sum, "\tmovaps\t%xmm15, %xmm2\n")).find("\taddss\t%xmm14, %xmm0\n") !=
        std::string::npos);
  std::string all;
  for (int n = 8; n <= 15; ++n) all += "\tmovaps\t%xmm1, %xmm" + std::to_string(n) + "\n";
  CHECK(stays(function(sum, all)));
}

TEST_CASE("a slot is mirrored only where that pays") {
  CHECK(stays(function("\tnop\n", sum)));                                            // no loop around it
  CHECK(stays(function("\tcall\tsimtlab_tsan_write4\n" + sum)));                     // the loop calls
  CHECK(stays(function("\taddss\t4(%rsp), %xmm0\n", "\tmovss\t%xmm0, 4(%rsp)\n")));  // no sum
  CHECK(stays(function("\taddl\t4(%rsp), %eax\n\tmovl\t%eax, 4(%rsp)\n")));  // integers have registers of their own
  std::string without_hooks = function(sum);
  without_hooks.erase(without_hooks.find(".Lsimtlab_begun1:\n"), 18);
  CHECK(stays(without_hooks));
}

TEST_CASE("a function whose frame may be reached otherwise, or moves, stays as it is") {
  for (const char* const line :
       {"\tleaq\t16(%rsp), %rdi\n",
        "\tmovq\t%rsp, %rbp\n",
        "\tmovss\t(%rsp,%rax,4), %xmm2\n",
        "\tmovl\t%eax, table(%rsp)\n",
        "\tsubq\t%rax, %rsp\n",
        "\tandq\t$-32, %rsp\n",
        "\tleave\n",
        "\tsubq\t$16, %rsp\n",
        "\tpushq\t%rax\n",
        "\tpushq\t8(%rsp)\n\t.cfi_def_cfa_offset 72\n\tpopq\t%rax\n\t.cfi_def_cfa_offset 64\n",
        "\tpushq\t%rax\n\t.cfi_def_cfa_offset 72\n\tcall\tg\n\tpopq\t%rax\n\t.cfi_def_cfa_offset 64\n",
        "\tpushq\t%rax\n\t.cfi_def_cfa_offset 72\n\tmovl\t12(%rsp), %eax\n\tpopq\t%rax\n\t.cfi_def_cfa_offset 64\n",
        "\tpushq\t%rax\n\t.cfi_def_cfa_offset 80\n",
        "\t.cfi_def_cfa_register 6\n",
        "\t.cfi_def_cfa 10, 0\n",
        "\t.cfi_escape 0xf,0x3,0x76,0x78,0x6\n",
        "\t.cfi_restore_state\n",
        "#APP\n\tnop\n#NO_APP\n",
        "\tnop; nop\n",
        "\tbtsl\t%eax, 8(%rsp)\n",
        "\tvmovaps\t%ymm1, %ymm2\n",
        "\tfxsave\t8(%rsp)\n",
        "\tmovl\t%esp, %eax\n"})
    CHECK_MESSAGE(stays(function(sum, line)), line);
  // Above the frame lie the caller's arguments, below it nothing is kept.
  CHECK(stays(function("\taddss\t64(%rsp), %xmm0\n\tmovss\t%xmm0, 64(%rsp)\n")));
  CHECK(stays(function("\taddss\t56(%rsp), %xmm0\n\tmovss\t%xmm0, 56(%rsp)\n")));
  CHECK(stays(function("\taddss\t-8(%rsp), %xmm0\n\tmovss\t%xmm0, -8(%rsp)\n")));
  // A way in from the front of the frame.
  CHECK(stays(function(sum, "", "\tmovl\t8(%rsp), %eax\n")));
}

TEST_CASE("a jump between functions leaves the whole file as it is") {
  CHECK(promote_spills(function(sum) + "g:\n\t.cfi_startproc\n\tret\n\t.cfi_endproc\n") != function(sum));
  CHECK(stays(function(sum) + "f.cold:\n\t.cfi_startproc\n\tjmp\t.L3\n\t.cfi_endproc\n"));
  CHECK(stays(function(sum, "\tjmp\t.L80\n") + "f.cold:\n\t.cfi_startproc\n.L80:\n\tret\n\t.cfi_endproc\n"));
}

TEST_CASE("text that is no assembly stays") {
  CHECK(stays(""));
  CHECK(stays("\n\t.cfi_startproc\n"));
  CHECK(stays("\n\t.cfi_startproc\n.Lsimtlab_begun\n\t\n\tcall\n\tj\n:\n\t.cfi_\n\tmovss\n\n\t.cfi_endproc\n"));
}
