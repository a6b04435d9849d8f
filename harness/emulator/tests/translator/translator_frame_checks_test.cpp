// Looks at frames and at the stack's end: where they stand in the assembly, in the words of g++ 12.
#include <doctest/doctest.h>

#include <string>

#include "translator/frame_checks.h"

using simtlab::emulator::place_frame_checks;

namespace {

const std::string begin = "\tcall\tsimtlab_frame_begin\n", end = "\tcall\tsimtlab_frame_end\n",
                  look = "\tcall\tsimtlab_stack_to\n\tpopq\t%rdi\n\tpopq\t%rsi\n", init = "\tcall\tsimtlab_tsan_init\n";

/// The body of a function as it is rewritten, in a file with hooks.
std::string rewritten(const std::string& body) {
  const std::string front = "f:\n.LFB7:\n\t.cfi_startproc\n", behind = "\t.cfi_endproc\n" + init + "\tpopq\t%rsp\n";
  const std::string text = place_frame_checks(front + body + behind);
  return text.substr(front.size(), text.size() - front.size() - behind.size());
}

const std::string call = "\tcall\tg\n", ret = "\tret\n";

}  // namespace

TEST_CASE("a function that calls another or stores through a pointer has a record, and a look at it before it leaves") {
  for (const std::string& one :
       {call, std::string("\tcall\tsimtlab_indirect_call\n"), std::string("\tcall\tsimtlab_tsan_write4\n"),
        std::string("\tcall\tsimtlab_guard_write\n"), std::string("\tcall\tsimtlab_local_write\n"),
        std::string("\tcall\tsimtlab_tsan_atomic32_load\n"),
        std::string("\tcmpq\t%rdi, %fs:simtlab_hooks@tpoff+32\n")}) {
    CAPTURE(one);
    CHECK(rewritten(one + ret) == begin + one + end + ret);
  }
  CHECK(rewritten(call + "\tjmp\tg\n") == begin + call + end + "\tjmp\tg\n");
  CHECK(rewritten(call + "\tje\t.L2\n\tret\n.L2:\n\trep ret\n") ==
        begin + call + "\tje\t.L2\n" + end + "\tret\n.L2:\n" + end + "\trep ret\n");
}

TEST_CASE("a function that nothing can store into stays as it is") {
  for (const std::string one : {"\tcall\tsimtlab_tsan_read4\n\tmovl\t(%rbx), %eax\n", "\tmovl\t%eax, 8(%rsp)\n",
                                "\tcall\tsimtlab_guard_read\n", "\tcall\tsimtlab_ubsan_out_of_bounds\n"}) {
    CAPTURE(one);
    CHECK(rewritten(one + ret) == one + ret);
  }
  const std::string no_hooks = "f:\n\t.cfi_startproc\n" + call + "\tpopq\t%rsp\n\t.cfi_endproc\n";
  CHECK(place_frame_checks(no_hooks) == no_hooks);
}

TEST_CASE("the record is made once, behind the begin's mark and line, and in front of a loop") {
  CHECK(rewritten("\tendbr64\n" + call + ret) == "\tendbr64\n" + begin + call + end + ret);
  CHECK(rewritten("\t.loc 1 2 3\n.LVL4:\n.L5:\n" + call + "\tjmp\t.L5\n") ==
        "\t.loc 1 2 3\n.LVL4:\n" + begin + ".L5:\n" + call + "\tjmp\t.L5\n");
}

TEST_CASE(
    "the way back out of an aligned frame has a record where it is fresh, and is taken from a comparison with it") {
  const auto front = [](const std::string& r) {
    return "\tleaq\t8(%rsp), " + r + "\n\t.cfi_def_cfa 10, 0\n\tandq\t$-32, %rsp\n\tpushq\t-8(" + r + ")\n";
  };
  for (const std::string r : {"%r10", "%r13"}) {
    const std::string back = "\tleaq\t-8(" + r + "), %rsp\n";
    CHECK(rewritten(front(r) + call + back + ret) == begin + front(r) + "\tpushq\t" + r + "\n" + begin +
                                                         "\tleaq\t8(%rsp), %rsp\n" + call + "\tpushq\t" + r + "\n" +
                                                         end + "\tpopq\t" + r + "\n" + back + end + ret);
    CHECK(rewritten(front(r) + back + ret) == front(r) + back + ret);  // nothing can store into it
  }
  const std::string argument = "\tpushq\t-8(%r10)\n" + call + ret;
  CHECK(rewritten(argument) == begin + "\tpushq\t-8(%r10)\n" + call + end + ret);
}

TEST_CASE("the stack's end is looked at before the stack pointer goes far, or by a number in a register") {
  const std::string down = "\tpushq\t%rsi\n\tpushq\t%rdi\n\tleaq\t16(%rsp), %rsi\n\tmovq\t%rsi, %rdi\n";
  CHECK(rewritten("\tsubq\t$2048, %rsp\n" + ret) == "\tsubq\t$2048, %rsp\n" + ret);
  CHECK(rewritten("\tsubq\t$2056, %rsp\n" + ret) ==
        down + "\tsubq\t$2056, %rdi\n" + look + "\tsubq\t$2056, %rsp\n" + ret);
  CHECK(rewritten(call + "\tsubq\t%rdi, %rsp\n") ==
        begin + call + down + "\tsubq\t(%rsp), %rdi\n" + look + "\tsubq\t%rdi, %rsp\n");
  const std::string frame = "\tpushq\t%rbp\n\tmovq\t%rsp, %rbp\n\tpushq\t%rbx\n\tsubq\t$40, %rsp\n";
  CHECK(rewritten(frame + call + "\tmovq\t-24(%rbp), %rsp\n\tleaq\t-8(%rbp), %rsp\n") ==
        begin + frame + call + "\tpushq\t%rsi\n\tpushq\t%rdi\n\tmovq\t-24(%rbp), %rdi\n\tleaq\t-48(%rbp), %rsi\n" +
            look + "\tmovq\t-24(%rbp), %rsp\n\tleaq\t-8(%rbp), %rsp\n");
}
