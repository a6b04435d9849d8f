// What stands for an access and what does not, each in assembly of its own.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "verifier/access_proof.h"

using namespace simtlab::verifier;

namespace {

/// The messages about a function `f` of that code, beside data of every kind.
std::string told_of_function(const std::string& code) {
  const auto folder = std::filesystem::temp_directory_path() / ("simtlab-access-test-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "code.s")
      << ".section .note.GNU-stack,\"\",@progbits\n.section .rodata\nconstant: .quad 1, 2\n"
         ".data\nvariable: .quad 1, 2\n.section .tbss,\"awT\",@nobits\nshared: .zero 64\n"
         ".text\n.type f, @function\nf:\n"
      << code << "\n.size f, .-f\n";
  const std::string command =
      SIMTLAB_ASSEMBLER " -c " + (folder / "code.s").string() + " -o " + (folder / "code.o").string();
  REQUIRE(std::system(command.c_str()) == 0);
  std::string all;
  for (const problem& p : prove_accesses(object_code(folder / "code.o"))) all += p.function + " " + p.message + "; ";
  std::filesystem::remove_all(folder);
  return all;
}

/// About one whose frame has a record, so that its body has nothing but accesses to prove.
std::string told(const std::string& body) {
  return told_of_function("call simtlab_frame_begin\n" + body + "\ncall simtlab_frame_end\nret");
}

bool is_proven(const std::string& body) { return told(body).empty(); }
bool is_refused(const std::string& body) { return told(body).find("without a hook for it") != std::string::npos; }

const std::string keep = "mov %rdi, %rbx\n", hook = "call simtlab_tsan_read4\n",
                  write_hook = "call simtlab_tsan_write4\n";
std::string guard(const std::string& operand, const std::string& bytes, const std::string& name) {
  return "push %rdi\nlea " + operand + ", %rdi\npush $" + bytes + "\ncall simtlab_guard_" + name +
         "\nlea 8(%rsp), %rsp\npop %rdi\n";
}

}  // namespace

TEST_CASE("a hook stands for the bytes that it told, however they are spelled") {
  CHECK(is_proven(keep + hook + "mov (%rbx), %eax"));
  CHECK(is_proven(keep + "lea 8(%rdi,%rsi,4), %rdi\nmov %rsi, %r12\n" + hook + "mov 8(%rbx,%r12,4), %eax"));
  CHECK(is_proven(keep + "call simtlab_tsan_unaligned_write8\nmov %eax, 4(%rbx)"));
  CHECK(is_proven(keep + write_hook + "addl $1, (%rbx)"));
  CHECK(is_proven("mov %fs:0, %rbx\nadd $shared@tpoff, %rbx\nmov %rbx, %rdi\n" + hook + "mov %fs:shared@tpoff, %eax"));
  for (const std::string& one :
       {keep + "mov (%rbx), %eax", keep + hook + "mov 4(%rbx), %eax", keep + hook + "mov -1(%rbx), %eax",
        keep + hook + "mov (%rbx), %rax", keep + hook + "mov %eax, (%rbx)", keep + hook + "addl $1, (%rbx)",
        keep + hook + "mov (%r12), %eax", keep + hook + "add $4, %rbx\nmov (%rbx), %eax", hook + "mov (%rdi), %eax"}) {
    CAPTURE(one);
    CHECK(is_refused(one));
  }
}

TEST_CASE("a hook stands for one access, on every way to it, and not beyond a call") {
  CHECK(is_refused(keep + hook + "mov (%rbx), %eax\nmov %r12, %rdi\n" + hook + "mov (%rbx), %eax"));
  CHECK(is_refused(keep + hook + "call g\nmov (%rbx), %eax"));
  CHECK(is_proven(keep + "test %esi, %esi\nje 1f\n" + hook + "jmp 2f\n1: " + hook + "2: mov (%rbx), %eax"));
  CHECK(is_refused(keep + "test %esi, %esi\nje 1f\n" + hook + "1: mov (%rbx), %eax"));
  CHECK(is_proven(keep + "1: mov %rbx, %rdi\n" + hook + "add (%rbx), %r12d\nadd $4, %rbx\ncmp %r13, %rbx\njne 1b"));
  CHECK(is_refused(keep + hook + "1: add (%rbx), %r12d\nadd $4, %rbx\ncmp %r13, %rbx\njne 1b"));
  CHECK(is_refused(keep + "1: mov (%rbx), %r12d\nmov %rbx, %rdi\n" + hook + "cmp %r13, %r12\njne 1b"));
}

TEST_CASE("what an inner loop leaves alone is known in it, although the loop around it changes that") {
  const std::string inner =
      "mov %rbx, %r12\n2: mov %r12, %rdi\ncall simtlab_tsan_read8\nmov (%rbx), %rax\ntest %al, %al\nje 2b\n";
  CHECK(is_proven("nop\n1: add $8, %rbx\n" + inner + "cmp %r13, %rbx\njne 1b"));
  CHECK_FALSE(
      is_proven("mov %rbx, %r12\n1: add $8, %rbx\n2: mov %r12, %rdi\ncall simtlab_tsan_read8\nmov (%rbx), %rax\n"
                "mov %rbx, %r12\ntest %al, %al\nje 2b\ncmp %r13, %rbx\njne 1b"));
}

TEST_CASE("a guard stands for the operand that it was told of") {
  CHECK(is_proven(guard("(%rsi,%rax,4)", "4", "write") + "mov %ecx, (%rsi,%rax,4)"));
  CHECK(is_proven(guard("8(%rsp)", "4", "read") + "mov (%rsp), %eax"));
  CHECK(is_proven(guard("shared@tpoff(,%rax,4)", "0x40000004", "write") + "mov %ecx, %fs:shared@tpoff(,%rax,4)"));
  CHECK(is_refused(guard("(%rsi,%rax,4)", "4", "read") + "mov %ecx, (%rsi,%rax,4)"));
  CHECK(is_refused(guard("(%rsi,%rax,4)", "4", "write") + "mov %ecx, (%rsi,%rax,8)"));
  CHECK(is_refused(guard("(%rsi,%rax,4)", "2", "write") + "mov %ecx, (%rsi,%rax,4)"));
  CHECK(is_refused(guard("shared@tpoff(,%rax,4)", "4", "write") + "mov %ecx, %fs:shared@tpoff(,%rax,4)"));
  CHECK(is_refused(guard("(%rsi)", "4", "read") + "mov (%rsi), %rsi\nmov (%rsi), %eax"));
}

TEST_CASE("a call through memory reads its target as every other access is made") {
  const std::string target = "lea 16(%rbx), %r11\n", call = "call simtlab_indirect_call_at\n";
  CHECK(is_proven("sub $8, %rsp\nlea 16(%rdi), %rbx\nlea 16(%rbx), %rdi\ncall simtlab_tsan_read8\n" + target + call +
                  "add $8, %rsp"));
  CHECK(is_proven("sub $8, %rsp\n" + target + guard("(%r11)", "8", "read") + call + "\nadd $8, %rsp"));
  CHECK(is_proven("test %esi, %esi\nje 1f\n" + target + guard("(%r11)", "8", "read") +
                  "jmp simtlab_indirect_call_at\n1:"));
  CHECK(is_proven("sub $8, %rsp\nmov %rdi, %r11\ncall simtlab_indirect_call\nadd $8, %rsp"));
  for (const std::string& one :
       {target + call, "test %esi, %esi\nje 1f\n" + target + "jmp simtlab_indirect_call_at\n1:",
        target + guard("(%r11)", "4", "read") + call,
        target + guard("(%r11)", "8", "read") + "lea 8(%r11), %r11\n" + call,
        "lea 16(%rbx), %rdi\ncall simtlab_tsan_read8\ncall g\n" + target + call}) {
    CAPTURE(one);
    CHECK(is_refused(one));
  }
}

TEST_CASE("a comparison with what hooks told stands for an access where both are the same") {
  const std::string last = "%fs:simtlab_hooks@tpoff+32", width = "%fs:simtlab_hooks@tpoff+40";
  CHECK(
      is_proven("mov %rsi, %rdi\ncmp %rdi, " + last + "\njne 1f\ncmpl $4, " + width + "\njb 1f\nmov %eax, (%rsi)\n1:"));
  CHECK(is_refused("mov %rsi, %rdi\ncmp %rdi, " + last + "\njne 1f\nmov %eax, (%rsi)\n1:"));
  CHECK(is_refused("mov %rsi, %rdi\ncmp %rdi, " + last + "\njne 1f\ncmpl $2, " + width +
                   "\njb 1f\nmov %eax, (%rsi)\n1:"));
  CHECK(
      is_refused("mov %rsi, %rdi\ncmp %rdi, " + last + "\nje 1f\ncmpl $4, " + width + "\njb 1f\nmov %eax, (%rsi)\n1:"));
  CHECK(is_refused("cmpl $4, " + width + "\njb 1f\nmov %eax, (%rsi)\n1:"));
  CHECK(is_proven(keep + "call simtlab_tsan_read8\nlea 8(%rsi), %rax\ncmp %rax, %rbx\njne 1f\nmov 8(%rsi), %rcx\n1:"));
  CHECK(is_refused(keep +
                   "call simtlab_tsan_read8\nlea 8(%rsi), %rax\ncmp %rax, %rbx\njne 1f\nnop\n1:mov 8(%rsi), %rcx"));
}

TEST_CASE("a function's own frame is its own, and nothing else of the stack") {
  CHECK(is_proven("sub $24, %rsp\nmov %eax, 8(%rsp)\nmov 16(%rsp), %rcx\nadd $24, %rsp"));
  CHECK(is_proven("push %rbp\nmov %rsp, %rbp\nsub $64, %rsp\nmov %eax, -4(%rbp)\nleave"));
  for (const std::string one : {"mov %eax, 24(%rsp)", "mov %rax, 20(%rsp)", "mov 32(%rsp), %eax", "mov %eax, -8(%rsp)",
                                "mov %eax, (%rsp,%rcx,4)", "mov (%rsp,%rcx,4), %eax"}) {
    CAPTURE(one);
    CHECK_FALSE(is_proven("sub $24, %rsp\n" + one + "\nadd $24, %rsp"));
  }
  const auto indexed = [](const std::string& places) {
    return "sub $24, %rsp\npush %rdi\nlea 8(%rsp,%rcx,4), %rdi\npush $" + places +
           "\npush $4\ncall simtlab_local_write\nlea 16(%rsp), %rsp\npop %rdi\nmov %eax, (%rsp,%rcx,4)\nadd $24, %rsp";
  };
  CHECK(is_proven(indexed("21")));
  CHECK_FALSE(is_proven(indexed("22")));
  CHECK_FALSE(is_proven("sub $24, %rsp\nret\nadd $24, %rsp"));
}

TEST_CASE("a frame that is aligned beyond what calls do is the function's own as well, without the gap") {
  const std::string begin = "push %rbp\nmov %rsp, %rbp\npush %rbx\nand $-64, %rsp\nsub $64, %rsp\n",
                    end = "\nlea -8(%rbp), %rsp\npop %rbx\npop %rbp";
  const std::string by_register =
      "lea 8(%rsp), %r10\nand $-32, %rsp\npush -8(%r10)\npush %rbp\nmov %rsp, %rbp\npush %r10\nsub $40, %rsp\n";
  CHECK(is_proven(begin + "mov %eax, (%rsp)\nmov 56(%rsp), %rcx\nmov -8(%rbp), %rdx\ncall g" + end));
  CHECK(is_proven(begin + "mov %rdi, 8(%rsp)\n" + hook + "mov 8(%rsp), %rcx\nmov (%rcx), %eax" + end));
  CHECK(is_proven(by_register + "mov %eax, (%rsp)\nmov -8(%rbp), %r10\nleave\nlea -8(%r10), %rsp"));
  for (const std::string& one :
       {std::string("mov %rax, 64(%rsp)"), std::string("mov 60(%rsp), %rcx"), std::string("mov %eax, -8(%rsp)"),
        std::string("mov %rax, -16(%rbp)"), std::string("mov -16(%rbp), %eax"), std::string("mov %eax, (%rsp,%rcx,4)"),
        "mov %rdi, -16(%rbp)\n" + hook + "mov (%rsp), %rcx\nmov (%rcx), %eax",
        std::string("add $64, %rsp\nmov (%rsp), %eax"), std::string("and $-64, %rsp\nmov (%rsp), %eax"),
        std::string("lea -8(%rbp), %rsp\nmov -8(%rsp), %eax")}) {
    CAPTURE(one);
    CHECK_FALSE(is_proven(begin + one + end));
  }
  CHECK_FALSE(is_proven(begin + "mov %eax, (%rsp)\nadd $64, %rsp\npop %rbx\npop %rbp"));
  CHECK_FALSE(is_proven("and $-32, %rsp"));
  CHECK_FALSE(is_proven(by_register + "leave\nadd $8, %rsp"));
  for (const std::string by : {"$-1048576", "$-33", "%rax", "$32"}) {
    CAPTURE(by);
    CHECK_FALSE(is_proven("push %rbp\nmov %rsp, %rbp\nand " + by +
                          ", %rsp\nsub $64, %rsp\nmov %eax, (%rsp)\nlea (%rbp), %rsp\npop %rbp"));
  }
  const auto indexed = [&](const std::string& places) {
    return begin + "push %rdi\nlea 8(%rsp,%rcx,4), %rdi\npush $" + places +
           "\npush $4\ncall simtlab_local_write\nlea 16(%rsp), %rsp\npop %rdi\nmov %eax, (%rsp,%rcx,4)" + end;
  };
  CHECK(is_proven(indexed("61")));
  CHECK_FALSE(is_proven(indexed("62")));
}

TEST_CASE("what a place of the frame holds is forgotten where somebody may have stored to it") {
  const std::string begin = "sub $24, %rsp\nmov %rdi, 8(%rsp)\n",
                    end = "mov 8(%rsp), %rcx\nmov (%rcx), %eax\nadd $24, %rsp";
  CHECK(is_proven(begin + hook + end));
  CHECK(is_proven(begin + hook + "mov %eax, 16(%rsp)\n" + end));
  CHECK_FALSE(is_proven(begin + hook + "mov %eax, 12(%rsp)\n" + end));
  CHECK_FALSE(
      is_proven(begin + "mov %rsi, %rbx\n" + hook + guard("(%rbx)", "4", "write") + "mov %eax, (%rbx)\n" + end));
}

TEST_CASE("constants are read by anybody, variables are not, and where a thread is may be asked") {
  CHECK(
      is_proven("mov constant(%rip), %rax\naddsd constant+8, %xmm0\nmov simtlab_thread_index@gottpoff(%rip), %rcx\n"
                "mov %fs:8(%rcx), %eax"));
  for (const std::string one :
       {"mov variable(%rip), %rax", "mov %rax, variable", "mov %rax, constant(%rip)", "mov constant+16(%rip), %rax",
        "mov %fs:shared@tpoff, %eax", "mov %eax, %fs:shared@tpoff",
        "mov simtlab_thread_index@gottpoff(%rip), %rcx\nmov %fs:12(%rcx), %eax",
        "mov elsewhere@gottpoff(%rip), %rcx\nmov %fs:8(%rcx), %eax",
        "mov elsewhere@GOTPCREL(%rip), %rcx\nmov (%rcx), %eax", "mov %gs:0, %rax"}) {
    CAPTURE(one);
    CHECK_FALSE(is_proven(one));
  }
}

TEST_CASE("the hooks' own words are changed by a hook alone, and instructions are of a list") {
  for (const std::string one : {"addq $8, %fs:simtlab_hooks@tpoff", "movq $0, %fs:simtlab_hooks@tpoff+8",
                                "mov %fs:simtlab_hooks@tpoff+8, %r11\nmov %rdi, -256(%r11)"}) {
    CAPTURE(one);
    CHECK_FALSE(is_proven(one));
  }
  for (const std::string one :
       {"lock xaddl %eax, (%rsp)", "xlat", "vmovaps %ymm0, %ymm1", "rep movsb", "xsave64 (%rsp)"}) {
    CAPTURE(one);
    CHECK_FALSE(is_proven(one));
  }
  for (const std::string one : {"fcomip %st(1), %st", "fucomip %st(1), %st", "fldpi", "fcmovb %st(1), %st"}) {
    CAPTURE(one);
    CHECK(is_proven(one));
  }
  CHECK(is_proven("sub $24, %rsp\nmov %rsp, %rdi\nmov $3, %ecx\nrep stosq\nadd $24, %rsp"));
  CHECK_FALSE(is_proven("sub $24, %rsp\nmov %rsp, %rdi\nmov $4, %ecx\nrep stosq\nadd $24, %rsp"));
}

TEST_CASE("an inline hook claims the rows of its reads, in memory or by way of a register, and no others") {
  const auto read_with = [](const std::string& claim) {
    return "mov %rdi, %rbx\nmov %fs:simtlab_hooks@tpoff+16, %rdx\nmov %fs:simtlab_hooks@tpoff, %rax\n"
           "add $bundle, %rdx\ncmp %rdx, simtlab_no_template(%rax)\njne 3f\naddq $8, %fs:simtlab_hooks@tpoff\n" +
           claim +
           "1: test %r11, %r11\nje 4f\nmov %rdi, -256(%r11)\nsite: mov (%rbx), %eax\njmp 6f\n"
           "3: call simtlab_log_bundle\nmov %fs:simtlab_hooks@tpoff+8, %r11\njmp 1b\n"
           "4: mov $site, %esi\nmov $4, %edx\ncall simtlab_host_read\nmov %fs:simtlab_hooks@tpoff+8, %r11\njmp site\n"
           ".pushsection .rodata\n.balign 8\nbundle: .quad 1\n.long site\n.value 4\n.value 0\n.popsection\n6:";
  };
  const std::string load = "mov %fs:simtlab_hooks@tpoff+8, %r11\n", store = "mov %r11, %fs:simtlab_hooks@tpoff+8\n";
  CHECK(told(read_with("addq $256, %fs:simtlab_hooks@tpoff+8\n" + load)) == "");
  CHECK(told(read_with(load + "add $256, %r11\n" + store)) == "");
  for (const std::string& claim :
       {load + "add $512, %r11\n" + store, load + store, load + "sub $256, %r11\n" + store,
        "mov %rsi, %r11\nadd $256, %r11\n" + store, load + "add $256, %r11\n",
        load + "add $256, %r11\nmov %r10, %fs:simtlab_hooks@tpoff+8\n",
        load + "add $256, %r11\nmov %r11d, %fs:simtlab_hooks@tpoff+8\n", load + "add $256, %r11\n" + store + store}) {
    CAPTURE(claim);
    CHECK(told(read_with(claim)) != "");
  }
}

TEST_CASE(
    "a function that stores through a pointer, or calls others, compares its frame with a record before it leaves") {
  const std::string begin = "call simtlab_frame_begin\n", end = "call simtlab_frame_end\n", saves = "push %rbx\n",
                    restores = "pop %rbx\n", store = "mov %rdi, %rbx\n" + write_hook + "mov %eax, (%rbx)\n",
                    exposing = saves + store + restores;
  const auto holds = [](const std::string& code) { return told_of_function(code).empty(); };
  CHECK(holds(begin + exposing + end + "ret"));
  CHECK(holds(begin + saves + "call g\n" + restores + end + "ret"));
  CHECK(holds(begin + exposing + end + "jmp g"));
  CHECK(holds(begin + "test %edi, %edi\nje 1f\n" + end + "ret\n1:" + exposing + end + "ret"));
  CHECK(holds("endbr64\n" + begin + exposing + end + "ret"));
  // Nothing gets to the frame: its own places are known, and hooks leave it alone.
  CHECK(holds(saves + keep + hook + "mov (%rbx), %eax\n" + restores + "ret"));
  CHECK(holds("push %rbp\nmov %rsp, %rbp\nsub $16, %rsp\nmov %eax, -4(%rbp)\nleave\nret"));
  for (const std::string& one :
       {exposing + "ret", begin + exposing + "ret", exposing + end + "ret",
        saves + begin + store + restores + end + "ret", "mov %rdi, %rbx\n" + begin + exposing + end + "ret",
        begin + saves + store + end + restores + "ret", begin + saves + end + store + restores + "ret",
        begin + end + exposing + "ret", begin + exposing + "jmp g",
        begin + exposing + "mov %rdi, %r11\njmp simtlab_indirect_call", begin + saves + "call g\n" + restores + "ret",
        begin + "test %edi, %edi\nje 1f\n" + end + "ret\n1:" + exposing + "ret",
        "test %edi, %edi\nje 1f\n" + begin + "1:" + exposing + end + "ret",
        begin + exposing + end + "mov %rdi, %rbx\nret", begin + "call g\n" + end + "ret",
        exposing + begin + end + "ret"}) {
    CAPTURE(one);
    CHECK_FALSE(holds(one));
  }
}

TEST_CASE("a function that nothing stores into gives its caller's registers back") {
  CHECK(told_of_function("push %rbx\nmov %rdi, %rbx\npop %rbx\nret").empty());
  CHECK(told_of_function("mov %rbx, %rcx\nmov %rdi, %rbx\nmov %rcx, %rbx\nret").empty());
  for (const std::string one : {"mov %rdi, %rbx\nret", "push %rbx\nmov %rdi, (%rsp)\npop %rbx\nret",
                                "push %rbx\npush %rbp\npop %rbx\npop %rbp\nret", "xor %r15d, %r15d\njmp g"}) {
    CAPTURE(one);
    CHECK_FALSE(told_of_function(one).empty());
  }
}

TEST_CASE(
    "the stack pointer goes far, or by a number that is not known, only where a look has said that the stack has "
    "room") {
  const std::string pushes = "push %rsi\npush %rdi\n", look = "call simtlab_stack_to\n", pops = "pop %rdi\npop %rsi\n",
                    down = pushes + "lea 16(%rsp), %rsi\nmov %rsi, %rdi\n",
                    frame = "push %rbp\nmov %rsp, %rbp\nsub $16, %rsp\n",
                    by_rax = down + "sub %rax, %rdi\n" + look + pops + "sub %rax, %rsp\n";
  CHECK(is_proven("sub $2048, %rsp\nmov %eax, (%rsp)\nadd $2048, %rsp"));
  CHECK(is_proven(down + "sub $8000, %rdi\n" + look + pops +
                  "sub $8000, %rsp\nmov %eax, (%rsp)\npush %rax\npop %rax\n"
                  "add $8000, %rsp"));
  CHECK(is_proven(frame + by_rax + "call g\nmov %eax, -8(%rbp)\nleave"));
  CHECK(is_proven(frame + by_rax + by_rax + "leave"));
  const std::string up = pushes + "mov -8(%rbp), %rdi\nlea -16(%rbp), %rsi\n";
  const std::string in_a_loop = frame + "1: mov %rsp, -8(%rbp)\n" + by_rax + "call g\n" + up + look + pops +
                                "mov -8(%rbp), %rsp\ntest %eax, %eax\njne 1b\nleave";
  CHECK(is_proven(in_a_loop));
  for (const std::string& one :
       {std::string("sub $8000, %rsp\nadd $8000, %rsp"), frame + "sub %rax, %rsp\nleave",
        frame + "sub %rax, %rsp\ncall g\nleave",
        frame + down + "sub %rcx, %rdi\n" + look + pops + "sub %rax, %rsp\nleave",
        frame + down + "sub %rax, %rdi\n" + look + pops + "add $1, %rax\nsub %rax, %rsp\nleave",
        frame + pushes + "mov %rcx, %rsi\nmov %rsi, %rdi\nsub %rax, %rdi\n" + look + pops + "sub %rax, %rsp\nleave",
        down + "sub $4000, %rdi\n" + look + pops + "sub $8000, %rsp\nadd $8000, %rsp",
        std::string("add $8, %rsp\nsub $8, %rsp"), frame + "mov -8(%rbp), %rsp\nleave", frame + "add %rax, %rsp\nleave",
        frame + by_rax + "mov -24(%rbp), %eax\nleave", frame + by_rax + "mov %eax, -24(%rbp)\nleave",
        frame + by_rax + up + look + pops + "mov -16(%rbp), %rsp\nleave",
        frame + by_rax + pushes + "mov -8(%rbp), %rdi\nlea 8(%rbp), %rsi\n" + look + pops + "mov %rdi, %rsp\nleave",
        std::string("push %rbp\nmov %rsp, %rbp\nand $-4096, %rsp\nleave")}) {
    CAPTURE(one);
    CHECK_FALSE(is_proven(one));
  }
}

TEST_CASE("a guard stands for its operand as well where the stack pointer is at an unknown distance from the frame") {
  const std::string frame =
      "push %rbp\nmov %rsp, %rbp\nsub $16, %rsp\npush %rsi\npush %rdi\nlea 16(%rsp), %rsi\nmov %rsi, %rdi\n"
      "sub %rax, %rdi\ncall simtlab_stack_to\npop %rdi\npop %rsi\nsub %rax, %rsp\n";
  const std::string begin = "push %rdi\nlea (%rsi,%rdx), %rdi\n", code = "push $4\n",
                    call = "call simtlab_guard_write\n", end = "lea 8(%rsp), %rsp\npop %rdi\n",
                    store = "mov %ecx, (%rsi,%rdx)\nleave";
  CHECK(is_proven(frame + guard("(%rsi,%rdx)", "4", "write") + store));
  CHECK(is_proven(frame + begin + "cmp %rax, %rcx\njne 1f\nnop\n1:" + code + call + end + store));
  CHECK(is_proven(frame + "push %rdi\ncmp %rax, %rcx\njne 1f\nnop\n1: pop %rdi\nleave"));
  // The arguments of a call.
  CHECK(is_proven(frame + "sub $40, %rsp\npush %rcx\nmovups %xmm0, 8(%rsp)\nmov %rax, 40(%rsp)\ncall g\nleave"));
  for (const std::string& one :
       {frame + store, frame + begin + code + "push %rax\n" + call + "pop %rax\n" + end + store,
        frame + begin + code + "lea 8(%rsp), %rsp\nlea -8(%rsp), %rsp\n" + call + end + store,
        frame + begin + code + write_hook + "lea 8(%rsp), %rsp\ncall g\nlea -8(%rsp), %rsp\n" + call + end + store,
        frame + begin + "push $2\n" + call + end + store,
        frame + begin + code + "mov %ecx, (%rsp)\n" + call + end + store,
        frame + begin + "cmp %rax, %rcx\njne 1f\n" + code + "jmp 2f\n1: push $1\n2: " + call + end + store,
        frame + "sub $40, %rsp\nmov %rax, 40(%rsp)\nleave", frame + "sub $40, %rsp\nmov %rax, 36(%rsp)\nleave",
        frame + "sub $40, %rsp\nmov %rax, -8(%rsp)\nleave", frame + "mov %rax, (%rsp)\nleave",
        frame + "sub $40, %rsp\nmov %rax, (%rsp,%rcx)\nleave",
        frame + begin + code + "movl $1, (%rsp)\n" + call + end + store, frame + "pop %rdi\nleave",
        frame + "push %rdi\npop %rdi\npop %rdi\nleave"}) {
    CAPTURE(one);
    CHECK_FALSE(is_proven(one));
  }
}

TEST_CASE("the way back out of an aligned frame is what a second record, made where it was fresh, was compared with") {
  const std::string first = "call simtlab_frame_begin\n", last = "call simtlab_frame_end\n",
                    aligned = "lea 8(%rsp), %r10\nand $-64, %rsp\npush -8(%r10)\n",
                    note = "push %r10\ncall simtlab_frame_begin\nlea 8(%rsp), %rsp\n",
                    body = "push %rbp\nmov %rsp, %rbp\npush %r10\nsub $40, %rsp\ncall g\nmov -8(%rbp), %r10\nleave\n",
                    compared = "push %r10\ncall simtlab_frame_end\npop %r10\n",
                    back = "lea -8(%r10), %rsp\n" + last + "ret";
  const auto holds = [](const std::string& code) { return told_of_function(code).empty(); };
  CHECK(holds(first + aligned + note + body + compared + back));
  CHECK(
      holds(first + aligned + note + "test %edi, %edi\nje 1f\n" + compared + back + "\n1: " + body + compared + back));
  for (const std::string& one :
       {first + aligned + body + back, first + aligned + note + body + back, first + aligned + body + compared + back,
        first + aligned + note + body + compared + "add $8, %r10\n" + back,
        first + aligned + note + body + "push %r10\ncall simtlab_frame_end\nlea 8(%rsp), %rsp\n" + back,
        first + aligned + note + body + "push %r10\ncall simtlab_frame_end\ncall g\npop %r10\n" + back,
        first + aligned + note + body + "sub $8, %rsp\n" + compared + "add $8, %rsp\n" + back,
        first + aligned + "push %rdi\ncall simtlab_frame_begin\nlea 8(%rsp), %rsp\n" + body + compared + back,
        first + aligned + note + body + note + "pop %r10\nsub $8, %rsp\n" + back,
        first + aligned + note + "call g\n" + body + compared + back,  // its record would overlap
        aligned + note + body + compared + back,
        first + aligned + "test %edi, %edi\nje 1f\n" + note + "1: " + body + compared + back}) {
    CAPTURE(one);
    CHECK_FALSE(holds(one));
  }
}

TEST_CASE("what has lain below the stack pointer is not known when it lies above again") {
  CHECK(is_proven("push %rdi\npush $4\nlea 8(%rsp), %rsp\npop %rdi"));
  CHECK(
      is_refused("push %rdi\nmov %rsi, %rdi\npush $4\npop %rax\nsub $8, %rsp\ncall simtlab_guard_write\n"
                 "lea 8(%rsp), %rsp\npop %rdi\nmov %ecx, (%rsi)"));
}
