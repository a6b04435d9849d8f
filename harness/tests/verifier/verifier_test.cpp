// The verifier's rules, each on code in assembly that breaks it and on code beside it that does not; and objects of honest
// programs, of which nothing may be told.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "verifier/access_proof.h"
#include "verifier/code_check.h"

using namespace simtlab::verifier;

namespace {

std::vector<problem> checked(const std::string& assembly) {
  const auto folder = std::filesystem::temp_directory_path() / ("simtlab-verifier-test-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "code.s") << ".section .note.GNU-stack,\"\",@progbits\n.text\n" << assembly;
  const std::string command =
      SIMTLAB_ASSEMBLER " -c " + (folder / "code.s").string() + " -o " + (folder / "code.o").string();
  REQUIRE(std::system(command.c_str()) == 0);
  auto problems = check_code(object_code(folder / "code.o"));
  std::filesystem::remove_all(folder);
  return problems;
}

std::string body_of(const std::string& name, const std::string& body) {
  std::string text = ".type " + name + ", @function\n";
  return text.append(name)
      .append(":\n")
      .append(body)
      .append("\n.size ")
      .append(name)
      .append(", .-")
      .append(name)
      .append("\n");
}

/// The messages of the problems in a function `f` of that body, beside a function `g` of three instructions.
std::string told(const std::string& body, const std::string& more = "") {
  std::string all;
  for (const problem& p :
       checked(body_of("g", "nop\nmov $0xc3050f, %eax\n.Lend: ret") + body_of("f", body + "\nret") + more))
    all += (p.kind == problem::unread ? "unread " : "") + p.function + " " + p.message + "; ";
  return all;
}

}  // namespace

TEST_CASE("an instruction that reaches the system, or that hides from hooks, is told by its name") {
  for (const std::string one : {"syscall",
                                "sysenter",
                                "int $0x80",
                                "int3",
                                "hlt",
                                "cli",
                                "in %dx, %al",
                                "outb %al, %dx",
                                "iretq",
                                "cpuid",
                                "rdtsc",
                                "rdtscp",
                                "wrmsr",
                                "wrfsbase %rax",
                                "rdgsbase %rax",
                                "lgdt (%rax)",
                                "vmcall",
                                "lretq",
                                "movnti %eax, (%rdi)",
                                "fxsave64 (%rsp)",
                                "xsave64 (%rsp)",
                                "clflush (%rdi)"}) {
    CAPTURE(one);
    CHECK(told(one).find("f has the instruction `") == 0);
  }
}

TEST_CASE("instructions that compute, move or wait are not told") {
  for (const std::string one :
       {"ud2", "pause", "mfence", "lock xaddl %eax, (%rdi)", "rep movsq", "endbr64", "movaps %xmm0, (%rdi)", "fsqrt",
        "popcnt %rax, %rcx", "push %rbx", "leave", "mov %fs:0, %rax"}) {
    CAPTURE(one);
    CHECK(told(one).empty());
  }
}

TEST_CASE("jumps and calls lead to a function's begin, or to an instruction of the function itself") {
  CHECK(told("call g").empty());
  CHECK(told("jmp g").empty());
  CHECK(told("call memcpy").empty());
  CHECK(told("1: nop\njne 1b\njmp 2f\nnop\n2:").empty());
  CHECK(told("call *g@GOTPCREL(%rip)").empty());
  for (const std::string one : {"call g+1", "call g+2", "jmp g+2", "jne g+2", "call memcpy+4", "jmp .Lend",
                                "call 0x1234", "call numbers", "jmp f+1"}) {
    CAPTURE(one);
    CHECK(told("mov $1, %eax\n" + one, ".section .rodata\nnumbers: .quad 1\n").find("jumps to or calls a place") !=
          std::string::npos);
  }
}

TEST_CASE("a function's address is its begin's, in code and in data") {
  CHECK(told("mov $g, %eax\nlea f(%rip), %rcx\nmov $.Lhere, %edx\n.Lhere:").empty());
  CHECK(told("mov $numbers+3, %eax", ".section .rodata\nnumbers: .quad 1, g, .Lend\n").empty());
  for (const std::string one :
       {"mov $g+2, %eax", "mov $g+1, %eax", "movabs $g+2, %rax", "lea g+2(%rip), %rax", "movq $g+2, (%rax)"}) {
    CAPTURE(one);
    CHECK(told(one).find("f takes the address of a place") == 0);
  }
  CHECK(told("", ".section .rodata\n.quad g+2\n").find("g is, in data, named at a place") == 0);
  CHECK(told("", ".data\n.quad g+3\n").find("g is, in data, named at a place") == 0);
}

TEST_CASE("a jump or call through a pointer goes by the check of where it leads") {
  CHECK(told("mov %rax, %r11\ncall simtlab_indirect_call").empty());
  CHECK(told("lea 8(%rax), %r11\njmp simtlab_indirect_call_at").empty());
  for (const std::string one : {"call *%rax", "call *8(%rax)", "notrack jmp *%rax", "jmp *(%rdi,%rax,8)",
                                "call *numbers", "call *numbers(%rip)", "jmp *%fs:8"}) {
    CAPTURE(one);
    CHECK(told(one, ".data\nnumbers: .quad 1\n").find("f jumps or calls through a pointer") == 0);
  }
}

TEST_CASE("a jump by a table has the comparison with its length in front of it, and the table places of the function") {
  const std::string table = ".section .rodata\n.Ltable: .quad .La, .Lb, .La\n.Lother: .quad .Lend, .La\n.quad 1\n";
  const auto jumps = [&](const std::string& code) { return told(code + "\n.La: nop\n.Lb: nop", table); };
  CHECK(jumps("cmp $2, %rax\nja simtlab_jump_astray\njmp *.Ltable(,%rax,8)").empty());
  CHECK(jumps("cmp $1, %rax\nja simtlab_jump_astray\nnotrack jmp *.Ltable(,%rax,8)").empty());
  for (const std::string one :
       {"jmp *.Ltable(,%rax,8)", "cmp $3, %rax\nja simtlab_jump_astray\njmp *.Ltable(,%rax,8)",
        "cmp $2, %eax\nja simtlab_jump_astray\njmp *.Ltable(,%rax,8)",
        "cmp $2, %rcx\nja simtlab_jump_astray\njmp *.Ltable(,%rax,8)",
        "cmp $2, %rax\njg simtlab_jump_astray\njmp *.Ltable(,%rax,8)", "cmp $2, %rax\nja .Lb\njmp *.Ltable(,%rax,8)",
        "cmp $2, %rax\nja simtlab_jump_astray\nnop\njmp *.Ltable(,%rax,8)",
        "cmp $0, %rax\nja simtlab_jump_astray\njmp *.Ltable+4(,%rax,8)",
        "cmp $1, %rax\nja simtlab_jump_astray\njmp *.Lother(,%rax,8)"}) {
    CAPTURE(one);
    CHECK(jumps(one).find("f jumps by a table without a look") != std::string::npos);
  }
  CHECK(jumps("jmp 1f\ncmp $2, %rax\nja simtlab_jump_astray\n1: jmp *.Ltable(,%rax,8)")
            .find("jumps to or calls a place") != std::string::npos);
}

TEST_CASE("the table of functions holds begins of functions") {
  const auto listed = [](const std::string& entries) {
    return told("", ".section simtlab_functions,\"a\"\n" + entries + "\n");
  };
  CHECK(listed(".quad f, g, memcpy").empty());
  for (const std::string one : {".quad g+1", ".quad memcpy+4", ".quad f, 4096", ".long f, g"}) {
    CAPTURE(one);
    CHECK(listed(one).find("a table of functions has entries that are no") != std::string::npos);
  }
}

TEST_CASE("a function's rare part, which g++ puts elsewhere, belongs to it") {
  const auto both = [](const std::string& part) {
    return checked(body_of("f", "jmp .Lrare\n.Lback: ret") + ".section .text.unlikely,\"ax\"\n" +
                   body_of(part, "nop\n.Lrare: nop\njmp .Lback"));
  };
  CHECK(both("f.cold").empty());
  CHECK(both("g.cold").size() == 2);
}

TEST_CASE("all code is in one function and consists of instructions") {
  CHECK(told("", ".p2align 6\n" + body_of("h", "ret")).empty());
  CHECK(told("", "ret\n").find("f is followed by code that is in no function") == 0);
  CHECK(told("", body_of("h", ".type inner, @function\nnop\ninner: nop\n.size inner, 1\nret")).find("begins inside") !=
        std::string::npos);
  CHECK(told(".byte 0x06").find("unread f has bytes") == 0);
}

TEST_CASE("time grows with the code: a function of a million instructions, each of which is told of or jumped to") {
  const auto problems = checked(body_of("f", ".rept 300000\n1: jne 1b\nmov $f, %eax\nint3\n.endr\nret"));
  CHECK(problems.size() == 300000);
}

TEST_CASE("what is no object of x86-64 is our fault, and said") {
  CHECK_THROWS_WITH(object_code("/dev/null"), "/dev/null is no object file of x86-64");
  CHECK_THROWS_WITH(object_code("/nowhere"), "cannot read /nowhere");
}

TEST_CASE("nothing is told of the course's solutions, nor of every form of a launch") {
  int count = 0;
  for (const auto& one : std::filesystem::directory_iterator(SIMTLAB_OBJECTS)) {
    if (one.path().extension() != ".o") continue;
    ++count;
    CAPTURE(one.path().string());
    const object_code object(one.path());
    for (const problem& p : check_code(object)) FAIL_CHECK((p.function + " " + p.message));
    for (const problem& p : prove_accesses(object)) FAIL_CHECK((p.function + " " + p.message));
  }
  CHECK(count == SIMTLAB_OBJECT_COUNT);  // each lab, the forms of a launch, and ordinary code that is hard to follow
}
