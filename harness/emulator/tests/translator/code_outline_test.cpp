// What changes in a loop: registers by each form of instruction, and places in the frame.
#include "translator/code_outline.h"

#include <doctest/doctest.h>

#include <string>

using namespace simtlab::emulator;

namespace {

/// A bit for each register that the body of a loop changes, in the processor's numbers: %rax 0, %rcx 1, %rdx 2, %rbx 3.
unsigned changed_by(const std::string& body) {
  const std::string text = "f:\n.L2:\n" + body + "\n\tjne\t.L2\n\tret\n";
  const code_outline outline(text);
  return outline.changed_in(outline.loop_at(".L2")).registers;
}

}  // namespace

TEST_CASE("the last operand of an instruction is changed, whatever the first one is") {
  CHECK(changed_by("\tmovq\t(%rbx), %rcx") == 0b0010);
  CHECK(changed_by("\taddq\t%rbx, %rcx") == 0b0010);
  CHECK(changed_by("\tleaq\t16(%rsp,%rbx,4), %rcx") == 0b0010);
  CHECK(changed_by("\tmovl\t$1, %ecx") == 0b0010);
}

TEST_CASE("an exchange changes both operands") { CHECK((changed_by("\txchgq\t%rbx, %rcx") & 0b1010) == 0b1010); }

TEST_CASE("a comparison, and a store, change no register") {
  CHECK(changed_by("\tcmpq\t%rbx, %rcx") == 0);
  CHECK(changed_by("\ttestl\t%ecx, %ecx") == 0);
  CHECK(changed_by("\tmovq\t%rcx, 8(%rbx)") == 0);
}

TEST_CASE("an instruction of one operand may change what multiplications and divisions change") {
  CHECK(changed_by("\tidivl\t%ecx") == 0b0111);
}

TEST_CASE("a call changes what the caller has to save") { CHECK(changed_by("\tcall\tg") == 0x0fc7); }

TEST_CASE("what stands in front of a loop or behind it changes nothing in it") {
  const std::string text =
      "f:\n\tmovl\t$1, %ebx\n.L2:\n\tincl\t%ecx\n\tjne\t.L2\n\tmovl\t$2, %ebx\n\tmovl\t$3, 8(%rsp)\n\tret\n";
  const code_outline outline(text);
  CHECK((outline.changed_in(outline.loop_at(".L2")).registers & 0b1000) == 0);
  CHECK(outline.stores_in(outline.loop_at(".L2")).empty());
}
