// The assembly rewrite, on the text that g++ 12 writes.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/has.h"
#include "translator/assembly_rewriter.h"
#include "translator/launch_bounds.h"

using namespace simtlab::emulator;

TEST_CASE("hooks and memory functions get the project's names") {
  const std::string text = rewrite_assembly(
      "\tcall\t__tsan_write4\n\tjmp\t__tsan_func_exit\n\tcall\t__tsan_volatile_read4\n\tcall\t__ubsan_handle_out_of_"
      "bounds\n"
      "\tcall\tmemcpy\n\tcall\tmemset@PLT\n\tmovl\t$memmove, %edi\n\tcall\t__assert_fail\n");
  CHECK(text ==
        "\tcall\tsimtlab_tsan_write4\n\tjmp\tsimtlab_tsan_func_exit\n\tcall\tsimtlab_tsan_volatile_read4\n"
        "\tcall\tsimtlab_ubsan_out_of_bounds\n\tcall\tsimtlab_memcpy\n\tcall\tsimtlab_memset@PLT\n"
        "\tmovl\t$simtlab_memmove, %edi\n\tcall\tsimtlab_assert_fail\n");
}

TEST_CASE("an atomic operation whose result is used calls another function") {
  const std::string used = "\t.set simtlab_result_used, 1\n", call = "\tcall\tsimtlab_atomic\n";
  const std::string marked = "\tcall\tsimtlab_atomic_used\n", other = "\tmovl\t%eax, 4(%rsp)\n";
  CHECK(rewrite_assembly(call + other + used + other) == marked + other + other);
  CHECK(rewrite_assembly(call + other + call + "#APP\n" + used + "#NO_APP\n") ==
        call + other + marked + "#APP\n#NO_APP\n");
  CHECK(rewrite_assembly("\tbl\tsimtlab_atomic\n" + used + used + other) == "\tbl\tsimtlab_atomic_used\n" + other);
  CHECK(rewrite_assembly("\tcall\tsimtlab_compare_and_swap\n" + used) == "\tcall\tsimtlab_compare_and_swap\n");
}

namespace {

/// An instruction that stores `bytes` bytes of `object` at `operand`, or loads them, as g++ -dP writes it.
std::string noted(bool store, const std::string& operand, const std::string& object, int bytes, int alignment) {
  const std::string memory = "(mem:DI (reg/f:DI 3 bx [orig:84 _3 ] [84]) [3 " + object + " S" + std::to_string(bytes) +
                             " A" + std::to_string(alignment) + "])";
  const std::string own = "(reg:DI 20 xmm0 [143])";
  return "#(insn 30 28 156 2 (set " + (store ? memory : own) + "\n#        " + (store ? own : memory) +
         ") \"a.cu\":23:19 80 {*movdi_internal}\n#     (nil))\n\tmovq\t" +
         (store ? "%xmm0, " + operand : operand + ", %xmm0") + "\t# 30\t[c=4 l=7]  *movdi_internal/16\n";
}
constexpr const char* entered = "\tcall\t__sanitizer_cov_trace_pc\t# 13\t[c=0 l=5]  *call\n";
constexpr const char* left = "\t.cfi_endproc\n";

}  // namespace

TEST_CASE("what g++ says of its instructions is cut away, and nothing else") {
  const std::string plain = "f:\n\tmovl\t$1, %eax\n\t.string\t\"\t# 1\t[c=\"\n# 1 \"a.cu\"\n";
  CHECK(rewrite_assembly(plain) == plain);
  CHECK(rewrite_assembly("f:\n#(jump_insn 66 65 67 2 (set (pc)\n#        (label_ref 292)) \"a.cu\":16:8 1012 {*jcc}\n"
                         "#     (nil)\n# -> 292)\n\tjbe\t.L7\t# 66\t[c=12 l=2]  *jcc\n") == "f:\n\tjbe\t.L7\n");
  CHECK(rewrite_assembly("f:\n" + noted(false, "(%rbx)", "*_3+0", 8, 64)) == "f:\n\tmovq\t(%rbx), %xmm0\n");
}

TEST_CASE("the store of a result gets a hook for the whole structure") {
  const std::string text =
      rewrite_assembly(std::string("f:\n") + entered + "\tcall\t_Z1gv\n" + noted(true, "8(%rbx)", "*_3+8", 8, 32) +
                       noted(true, "(%rbx)", "*_3+0", 8, 32) + left);
  // 16 bytes from -8+8(%rbx) on, in pieces of 4.
  CHECK(has(text, "\tpushq\t%rdi\n\tleaq\t8-8(%rbx), %rdi\n\tpushq\t$" + std::to_string(16 | 4 << 20) +
                      "\n\tcall\tsimtlab_added_write\n\tleaq\t8(%rsp), %rsp\n\tpopq\t%rdi\n\tmovq\t%xmm0, 8(%rbx)\n"
                      "\tmovq\t%xmm0, (%rbx)\n"));
}

TEST_CASE("an argument gets a hook, an access that has one gets no second") {
  const auto added = [](const std::string& body) {
    const std::string text = rewrite_assembly("f:\n" + (entered + body) + left);
    std::size_t count = 0;
    for (std::size_t at = text.find("simtlab_added_"); at != std::string::npos;
         at = text.find("simtlab_added_", at + 1))
      ++count;
    return count;
  };
  const std::string load = noted(false, "(%rax)", "*_5+0", 8, 64), other = noted(false, "(%rbx)", "*_3+0", 8, 64);
  const std::string hook = "\tmovq\t%rbx, %rdi\n\tcall\t__tsan_read8\n", call = "\tcall\t_Z1gv\n";
  CHECK(added(load + call) == 1);
  CHECK(added(hook + other + call) == 0);
  CHECK(added(hook + load + other + call) == 1);  // the hook's place is spelled like the second
  CHECK(added(hook + load + call) == 0);          // the place is spelled otherwise
  CHECK(added(load) == 0);                        // no call: a variable of the thread
  CHECK(added(noted(false, "(%rsp)", "*_5+0", 8, 64) + call) == 0);
  CHECK(added(noted(false, "(%rax)", "MEM <char[1:8]> [(void *)_5]+0", 8, 8)) == 1);
  CHECK(added(noted(false, "(%rax)", "", 8, 8) + call) == 0);
  // The read is moved behind the call of a function that changes nothing.
  const std::string pure = "#(call_insn/u 34 33 35 2 (call (nil)) \"a.cu\":24:19 909 {*call}\n#    (nil))\n" + call;
  CHECK(added(hook + pure + other + call) == 0);
  CHECK(added(hook + call + other + call) == 1);
  CHECK(rewrite_assembly("f:\n" + load + call + left) ==
        "f:\n\tmovq\t(%rax), %xmm0\n" + call + left);  // g++ was told to leave the function alone
}

TEST_CASE("a structure's hook learns the alignment; its copy by a call has no hook of its own") {
  const std::string hooks =
      "\tmovq\t%rbx, %rdi\n\tcall\t__tsan_write_range\n\tmovq\t%rbp, %rdi\n\tcall\t__tsan_read_range\n";
  const std::string text = rewrite_assembly(entered + hooks + noted(false, "0(%rbp)", "*_5+0", 16, 64) +
                                            noted(true, "(%rbx)", "*_3+0", 16, 32) + left);
  CHECK(has(text, "\tmovl\t$4, %edx\n\tcall\tsimtlab_tsan_write_pieces\n"));
  CHECK(has(text, "\tmovl\t$8, %edx\n\tcall\tsimtlab_tsan_read_pieces\n"));
  const std::string large = entered + hooks + noted(false, "(%rsp)", "%sfp+8", 8, 64);
  CHECK(has(rewrite_assembly(large + "\tcall\tmemcpy\n" + left), "\tcall\tsimtlab_plain_memcpy\n"));
  CHECK(has(rewrite_assembly(large + "\tcall\t_Z1gv\n\tcall\tmemcpy\n" + left), "\tcall\tsimtlab_memcpy\n"));
  const std::string half = rewrite_assembly(entered + std::string("\tmovq\t%rbx, %rdi\n\tcall\t__tsan_write16\n") +
                                            noted(true, "(%rbx)", "*_3+0", 16, 64) + left);
  CHECK(has(half, "\tmovl\t$8, %edx\n\tmovl\t$16, %esi\n\tcall\tsimtlab_tsan_write_pieces\n"));
}

namespace {

constexpr const char* entry = "\tcall\t__sanitizer_cov_trace_pc\n";
constexpr const char* read = "\tmovq\t%rbx, %rdi\n\tcall\t__tsan_read4\n\tmovl\t(%rbx), %eax\n";

/// The numbers of events of the bundles that `text` is cut into, in their order.
std::vector<int> bundles(const std::string& text) {
  const std::string rewritten = rewrite_assembly(text);
  std::vector<int> counts;
  const std::string table = ":\n\t.quad ";
  for (std::size_t at = rewritten.find(table); at != std::string::npos; at = rewritten.find(table, at + 1))
    counts.push_back(std::stoi(rewritten.substr(at + table.size())));
  return counts;
}

}  // namespace

TEST_CASE("a basic block's entry and the reads of its straight-line code are one bundle") {
  const std::string text = rewrite_assembly(entry + std::string(read) + ".LVL7:\n\t.loc 1 2 3\n" + read);
  CHECK_FALSE(has(text, "simtlab_cov_trace_pc"));
  CHECK(has(text, "\tmovq\t%rdi, -512(%r11)\n.Lsimtlab_site2:\n"));
  CHECK(has(text, "\tmovq\t%rdi, -256(%r11)\n.Lsimtlab_site3:\n"));
  CHECK(has(text,
            ".Lsimtlab_bundle1:\n\t.quad 3\n\t.long .Lsimtlab_site1\n\t.value 0\n\t.value 3\n"
            "\t.long .Lsimtlab_site2\n\t.value 4\n\t.value 0\n"));
}

TEST_CASE("a bundle ends where control may come or go, and with what else is logged") {
  const std::string two = entry + std::string(read);
  CHECK(bundles(two + read) == std::vector{3});
  CHECK(bundles(two + ".L5:\n" + read) == std::vector{2, 1});
  CHECK(bundles(two + "\tjne\t.L5\n" + read) == std::vector{2, 1});
  CHECK(bundles(two + "\tcall\tfoo\n" + read) == std::vector{2, 1});
  CHECK(bundles(two + "\tcall\t__tsan_write4\n" + read) == std::vector{2, 1});
  CHECK(bundles(two + entry + read) == std::vector{2, 2});
  std::string many = entry;
  for (int i = 0; i < 40; ++i) many += read;
  CHECK(bundles(many) == std::vector{32, 9});
}

TEST_CASE("a bundle reaches over the report of an index out of bounds, to which nothing else jumps") {
  const std::string check = "\tjbe\t.L5\n\tmovl\t$7, %edi\n\tcall\t__ubsan_handle_out_of_bounds\n.L5:\n";
  CHECK(bundles(entry + check + read) == std::vector{2});
  CHECK(bundles(entry + check + read + "\tjmp\t.L5\n") == std::vector{1, 1});
  CHECK(bundles(entry + std::string("\tjbe\t.L5\n\tcall\tfoo\n.L5:\n") + read) == std::vector{1, 1});
  CHECK(bundles(entry + std::string("\tjbe\t.L5\n\tjmp\t.L6\n.L5:\n") + read) == std::vector{1, 1});
}

TEST_CASE("a register that the bundle's code leaves alone holds the place of its rows") {
  const std::string row = "\tmovq\t%fs:simtlab_hooks@tpoff+8, ";
  const auto claim = [&](const std::string& name) {
    return row + name + "\n\taddq\t$512, " + name + "\n\tmovq\t" + name + ", %fs:simtlab_hooks@tpoff+8\n";
  };
  CHECK(has(rewrite_assembly(entry + std::string(read)), claim("%r11") + ".Lsimtlab_begun1:\n"));
  const std::string one = rewrite_assembly(entry + std::string("\tmovl\t$1, %r11d\n") + read);
  CHECK(has(one, claim("%r10") + ".Lsimtlab_begun1:\n"));
  CHECK(has(one, "\tmovq\t%rdi, -256(%r10)\n"));
  // What comes behind the bundle may use it.
  CHECK(has(rewrite_assembly(entry + std::string(read) + "\tmovl\t$1, %r11d\n"), claim("%r11")));
  const std::string all = "\taddl\t%r11d, %r10d\n\taddl\t%r9d, %r8d\n";
  const std::string none = rewrite_assembly(entry + all + read);
  CHECK(has(none, "\taddq\t$512, %fs:simtlab_hooks@tpoff+8\n.Lsimtlab_begun1:\n"));
  CHECK(has(none, row + "%rax\n\ttestq\t%rax, %rax\n\tje\t.Lsimtlab_host2\n\tmovq\t%rdi, -256(%rax)\n"));
  // A call changes it.
  const std::string check = "\tjbe\t.L5\n\tcall\t__ubsan_handle_out_of_bounds\n.L5:\n";
  CHECK(has(rewrite_assembly(entry + check + read), "\tcall\tsimtlab_ubsan_out_of_bounds\n" + row + "%r11\n.L5:\n"));
  CHECK_FALSE(has(rewrite_assembly(entry + std::string(read) + check),
                  "\tcall\tsimtlab_ubsan_out_of_bounds\n" + row + "%r11\n"));
}

TEST_CASE("the cold paths of hooks lie behind the function, at their line and with the stack as it is there") {
  const std::string function =
      "\t.cfi_startproc\n\tsubq\t$24, %rsp\n\t.cfi_def_cfa_offset 32\n\t.loc 1 7 3 view .LVU5\n" + std::string(entry) +
      read + "\taddq\t$24, %rsp\n\t.cfi_def_cfa_offset 8\n\tret\n\t.cfi_endproc\n\t.size\tf, .-f\n";
  const std::string slow =
      "\tret\n\t.cfi_def_cfa 7, 8\n\t.cfi_def_cfa_offset 32\n\t.loc 1 7 "
      "3\n.Lsimtlab_slow1:\n\tcall\tsimtlab_log_bundle\n"
      "\tmovq\t%fs:simtlab_hooks@tpoff+8, %r11\n\tjmp\t.Lsimtlab_begun1\n\t.loc 1 7 3\n"
      ".Lsimtlab_host2:\n\tmovl\t$.Lsimtlab_site2, %esi\n\tmovl\t$4, "
      "%edx\n\tcall\tsimtlab_host_read\n\tmovq\t%fs:simtlab_hooks@tpoff+8, %r11\n"
      "\tjmp\t.Lsimtlab_site2\n\t.cfi_endproc\n";
  CHECK(has(rewrite_assembly(function), slow));
  // A table of jumps in the middle of a function is not its end.
  const std::string table = "\t.section\t.rodata\n.L4:\n\t.quad\t.L3\n\t.text\n.L3:\n";
  const std::string text = rewrite_assembly("\t.cfi_startproc\n" + std::string(entry) + "\tjmp\t*.L4(,%rax,8)\n" +
                                            table + "\tret\n\t.cfi_endproc\n");
  CHECK(has(text, "\tret\n.Lsimtlab_slow1:\n"));
  // A state that came back is the one in force, and code without such rules ends with its section.
  const std::string restored =
      "\t.cfi_startproc\n\t.cfi_def_cfa_offset 32\n\t.cfi_remember_state\n\t.cfi_def_cfa_offset 8\n"
      "\tret\n\t.cfi_restore_state\n";
  CHECK(has(rewrite_assembly(restored + entry + "\tjmp\tg\n\t.cfi_endproc\n"), "\tjmp\tg\n.Lsimtlab_slow1:\n"));
  CHECK(has(rewrite_assembly(entry + std::string("\tret\n\t.size\tf, .-f\n")), "\tret\n.Lsimtlab_slow1:\n"));
  CHECK(has(rewrite_assembly(entry + std::string("\tret\n")), "\tret\n.Lsimtlab_slow1:\n"));
}

TEST_CASE("a bundle's table lives and dies with its function") {
  const std::string function = "\t.section\t.text._Z1fIiEvT_,\"axG\",@progbits,_Z1fIiEvT_,comdat\n";
  CHECK(has(rewrite_assembly(function + entry),
            ".pushsection .rodata.simtlab_bundles,\"aG\",@progbits,_Z1fIiEvT_,comdat\n"));
  CHECK(
      has(rewrite_assembly(function + "\t.text\n" + entry), ".pushsection .rodata.simtlab_bundles,\"a\",@progbits\n"));
}

TEST_CASE("names that only resemble them, and text, stay") {
  const std::string text =
      "\tcall\tmy_memcpy\n\tcall\tmemcpy2\n\tcall\tx__tsan_read4\n\t.string\t\"__tsan_read4 memcpy\"\n";
  CHECK(rewrite_assembly(text) == text);
}

TEST_CASE("shared variables are recorded and fenced") {
  const std::string text = rewrite_assembly(
      "\t.section\t.tbss,\"awTR\",@nobits\n\t.align 32\n\t.type\ttile, @object\n\t.size\ttile, 64\ntile:\n\t.zero\t64\n"
      "\t.align 4\n\t.type\tn, @object\n\t.size\tn, 4\nn:\n\t.zero\t4\n\t.text\n");
  CHECK(has(text, "@nobits\n\t.zero 256\n\t.align 32\n"));
  CHECK(has(text, "tile:\n\t.zero\t64\n\t.zero 256\n\t.pushsection simtlab_symbols,\"aw\",@progbits\n"));
  CHECK(has(text, "\t.quad 0\n\t.quad tile@dtpoff\n\t.quad 64\n"));
  CHECK(has(text, "\t.quad n@dtpoff\n\t.quad 4\n"));
  CHECK(has(text, "\t.size\ttile, 64\n"));
}

TEST_CASE("the host's thread-local variables are no shared variables") {
  const std::string text =
      "\t.section\t.tbss,\"awT\",@nobits\n\t.size\tcalls, 4\ncalls:\n\t.zero\t4\n"
      "\t.section\t.tdata,\"awT\",@progbits\n\t.size\tcounter, 4\ncounter:\n\t.long\t5\n"
      "\t.section\t.tdata.R,\"awT\",@progbits\n\t.size\tR, 4\nR:\n\t.long\t5\n\t.text\n";
  CHECK(rewrite_assembly(text) == text);
}

TEST_CASE("where the assembler has no offsets in thread-local memory, a function tells a shared variable's address") {
  const std::string text = rewrite_assembly(
      "\tmrs\tx0, tpidr_el0\n\t.section\t.tbss,\"awTR\",@nobits\n\t.size\tn, 4\nn:\n\t.zero\t4\n\t.text\n");
  CHECK(has(text, "\tadd\tx0, x0, #:tprel_hi12:n, lsl #12\n\tadd\tx0, x0, #:tprel_lo12_nc:n\n\tret\n"));
  CHECK(has(text, "\t.quad 4\n\t.quad .Lsimtlab_address0\n\t.quad 4\n"));
}

TEST_CASE("the record of a template's variable lives and dies with it") {
  const std::string text = rewrite_assembly(
      "\t.section\t.tbss._ZZ1kILi4EEvvE1s,\"awTGR\",@nobits,_ZZ1kILi4EEvvE1s,comdat\n\t.size\t_ZZ1kILi4EEvvE1s, 16\n"
      "_ZZ1kILi4EEvvE1s:\n\t.zero\t16\n\t.text\n");
  CHECK(has(text, ".pushsection simtlab_symbols,\"awG\",@progbits,_ZZ1kILi4EEvvE1s,comdat\n"));
}

TEST_CASE("constant, device and managed variables are recorded with their address") {
  for (const auto& [section, kind] :
       {std::pair{"simtlab_constant", "1"}, {"simtlab_device", "2"}, {"simtlab_managed", "3"}}) {
    const std::string text =
        rewrite_assembly(std::string("\t.section\t") + section +
                         ",\"aw\"\n\t.size\tc, 8\nc:\n\t.long\t1\n\t.long\t2\n\t.data\n\t.size\tx, 4\nx:\n\t.long 1\n");
    CHECK(has(text, "c:\n\t.long\t1\n\t.long\t2\n\t.zero 256\n"));
    CHECK(has(text, std::string("\t.quad ") + kind + "\n\t.quad c\n\t.quad 8\n"));
    CHECK_FALSE(has(text, "\t.quad x\n"));
  }
}

TEST_CASE("managed variables lie among the device variables") {
  CHECK(has(rewrite_assembly("\t.section\tsimtlab_managed,\"aw\"\n\t.size\tm, 4\nm:\n\t.long\t1\n"),
            "\t.section\tsimtlab_device,\"aw\"\n"));
}

TEST_CASE("text that is no assembly does no harm") {
  CHECK(rewrite_assembly("") == "");
  CHECK_NOTHROW(static_cast<void>(
      rewrite_assembly("\t.section\n\t.section ,\n\t.size\n:\n\t\n\t.section .tbss\nx:\n\t.size x\n\"\n")));
}

TEST_CASE("a read that leads to a compare-and-swap on every way is a guess") {
  const std::string swap = "\tcall\tsimtlab_compare_and_swap\n", leave = "\tret\n\t.cfi_endproc\n";
  const auto is_probe = [](const std::string& function) {
    return has(rewrite_assembly(function), "simtlab_tsan_probe4");
  };
  CHECK(is_probe(read + swap + leave));
  CHECK(is_probe(read + std::string(".L2:\n") + swap + "\tjne\t.L2\n" + leave));
  CHECK(is_probe(read + std::string("\tjmp\t.L3\n.L2:\n\tmovl\t%ebx, %ebp\n.L3:\n") + swap + "\tjne\t.L2\n" + leave));
  CHECK(is_probe(read + std::string("\tjle\t.L2\n\tmovl\t%ebx, %ebp\n.L2:\n") + swap + leave));
  CHECK(is_probe(read + std::string("\tcall\tfmaxf\n") + swap + leave));
  CHECK(is_probe(std::string(".L2:\n") + read + swap + "\tjne\t.L2\n" + leave));
  CHECK(is_probe("\tbl\t__tsan_read4\n\tcbz\tw0, .L2\n.L2:\n\tbl\tsimtlab_compare_and_swap\n" + leave));
  // A way out of the function, back to the read, or nobody knows where.
  CHECK_FALSE(is_probe(read + std::string("\tjle\t.L2\n") + swap + ".L2:\n" + leave));
  CHECK_FALSE(is_probe(std::string(".L1:\n") + read + "\tjne\t.L1\n" + swap + leave));
  CHECK_FALSE(is_probe(read + std::string("\tjmp\t*%rax\n") + swap + leave));
  CHECK_FALSE(is_probe(read + std::string("\tjne\tother\n") + swap + leave));
  CHECK_FALSE(is_probe(read + std::string("\tcbz\tw0, .L2\n") + swap + ".L2:\n" + leave));
  CHECK_FALSE(is_probe("\tbl\t__tsan_read4\n\tbgt\t.L2\n\tbl\tsimtlab_compare_and_swap\n.L2:\n" + leave));
  CHECK_FALSE(is_probe(read + leave + "other:\n" + swap + leave));
  CHECK_FALSE(is_probe(swap + read + leave));
  CHECK_FALSE(is_probe(read + std::string("\tcall\tsimtlab_atomic\n") + leave));
}

TEST_CASE("a call or jump through a pointer goes by a look at where it leads, which knows the object's functions") {
  const std::string text = rewrite_assembly(
      "\t.text\n\t.type\town, @function\nown:\n\tsubq\t$8, %rsp\n\tcall\t*%rax\n\tcall\t*8(%rsp)\n\tjmp\t*16(%rdi)\n"
      "\tnotrack jmp\t*%rdx\n\tmovl\t$atexit, %edi\n\tmovl\t$memcpy, %edi\n\tmovl\t$kept, %esi\n\tcall\tputs\n"
      "\tmovq\tabs@GOTPCREL(%rip), %rax\n\tmovl\tnumber(%rip), %eax\n\t.local\tkept\n\t.comm\tkept,4,4\n");
  for (const std::string one : {"\tmovq\t%rax, %r11\n\tcall\tsimtlab_indirect_call\n",
                                "\tleaq\t8(%rsp), %r11\n\tcall\tsimtlab_indirect_call_at\n",
                                "\tleaq\t16(%rdi), %r11\n\tjmp\tsimtlab_indirect_call_at\n",
                                "\tmovq\t%rdx, %r11\n\tjmp\tsimtlab_indirect_call\n", "\t.quad own\n",
                                "\t.quad atexit\n", "\t.quad simtlab_memcpy\n", "\t.quad abs\n"}) {
    CAPTURE(one);
    CHECK(has(text, one));
  }
  for (const std::string one : {"\t.quad puts\n", "\t.quad kept\n", "\t.quad number\n", "*%r", "*8", "*16"}) {
    CAPTURE(one);
    CHECK_FALSE(has(text, one));
  }
  CHECK(has(rewrite_assembly(
                "\t.section\t.text._Z1fv,\"axG\",@progbits,_Z1fv,comdat\n\t.type\t_Z1fv, @function\n\tpushq\t%rsp\n"),
            "\t.pushsection simtlab_functions,\"aG\",@progbits,_Z1fv,comdat\n\t.balign 8\n\t.quad _Z1fv\n"));
}

TEST_CASE("a library's function that no GPU has is called by the look at who calls") {
  const std::string text = rewrite_assembly(
      "\t.type\town, "
      "@function\nown:\n\tpushq\t%rsp\n\tcall\t_ZSt11_Hash_bytesPKvmm\n\tcall\tcudaMemcpy@PLT\n\tcall\tsinf\n"
      "\tcall\tmemcpy\n\tcall\tmalloc\n\tcall\town\n\tcall\tsimtlab_vote\n\tcall\t__tsan_init\n\tcall\t__popcountdi2\n"
      "\tmovl\t$fabs, %eax\n\tcall\t_ZSt20__throw_length_errorPKc\n\tcall\t_Unwind_Resume\n\tjmp\tgetenv\n");
  for (const std::string one :
       {"\tleaq\t_ZSt11_Hash_bytesPKvmm(%rip), %r11\n\tcall\tsimtlab_indirect_call\n",
        "\tleaq\tcudaMemcpy(%rip), %r11\n\tcall\tsimtlab_indirect_call\n",
        "\tleaq\tgetenv(%rip), %r11\n\tjmp\tsimtlab_indirect_call\n", "\tcall\tsinf\n", "\tcall\tsimtlab_memcpy\n",
        "\tcall\tsimtlab_malloc\n", "\tcall\town\n", "\tcall\tsimtlab_vote\n", "\tcall\tsimtlab_tsan_init\n",
        "\tcall\t__popcountdi2\n", "\tcall\t_ZSt20__throw_length_errorPKc\n", "\tcall\t_Unwind_Resume\n",
        "\t.pushsection simtlab_host_functions,\"a\",@progbits\n\t.balign 8\n\t.quad getenv\n",
        "\t.pushsection simtlab_functions,\"a\",@progbits\n\t.balign 8\n\t.quad fabs\n"}) {
    CAPTURE(one);
    CHECK(has(text, one));
  }
}

TEST_CASE("a switch's table is entered behind a comparison with its length") {
  const std::string text = rewrite_assembly(
      "\tpushq\t%rsp\n\tja\t.L2\n\tjmp\t*.L4(,%rax,8)\n\t.section\t.rodata\n\t.align "
      "8\n.L4:\n\t.quad\t.L3\n\t.quad\t.L5\n"
      "\t.quad\t.L3\n\t.text\n.L3:\n");
  CHECK(has(text, "\tja\t.L2\n\tcmpq\t$2, %rax\n\tja\tsimtlab_jump_astray\n\tjmp\t*.L4(,%rax,8)\n"));
}

TEST_CASE("the sections for debuggers are no code, unless code stands behind them") {
  const std::string code = "\t.text\nf:\n\tret\n";
  const std::string for_debuggers =
      "\t.section\t.debug_info,\"\",@progbits\n\t.long\t1\n\t.section\t.debug_str,\"MS\",@progbits,1\n\t.string "
      "\"x\"\n\t.ident\t\"GCC\"\n\t.section\t.note.GNU-stack,\"\",@progbits\n";
  CHECK(code_of(code) == code);
  CHECK(code_of(code + for_debuggers) == code);
  for (const std::string section :
       {"\t.text\n", "\t.data\n", "\t.bss\n", "\t.section\t.rodata\n", "\t.pushsection .text\n"})
    CHECK(code_of(code + for_debuggers + section) == code + for_debuggers + section);
}

namespace {

/// A function as g++ writes it that has `threads` `nop`s in front of its entry.
std::string bounded_function(const std::string& name, int threads, const std::string& section) {
  std::string text = section + "\t.globl\t" + name + "\n\t.section\t__patchable_function_entries,\"awo\",@progbits," +
                     name + "\n\t.align 8\n\t.quad\t.LPFE1\n" + section + ".LPFE1:\n";
  for (int i = 0; i < threads; ++i) text += "\tnop\n";
  return text + "\t.type\t" + name + ", @function\n" + name + ":\n\tret\n\t.size\t" + name + ", .-" + name + "\n";
}

std::string bounds_record(const std::string& name, int threads, const std::string& section) {
  return "\t.pushsection simtlab_launch_bounds," + section + "\n\t.balign 8\n\t.quad " + name + "\n\t.quad " +
         std::to_string(threads) + "\n\t.popsection\n";
}

std::string function_that(const std::string& does, const std::string& name) {
  return "\t.type\t" + name + ", @function\n" + name + ":\n\t" + does + "\n\t.size\t" + name + ", .-" + name + "\n";
}

}  // namespace

TEST_CASE("the nops of a launch bound become a record") {
  const std::string text = record_launch_bounds(bounded_function("k", 96, "\t.text\n"));
  CHECK(!has(text, "nop"));
  CHECK(!has(text, "patchable"));
  CHECK(has(text, bounds_record("k", 96, "\"a\",@progbits") + "\t.type\tk, @function\nk:\n\tret\n"));
}

TEST_CASE("a template's launch bound is recorded in the template's group") {
  const std::string section = "\t.section\t.text._Z1kILi4EEvv,\"axG\",@progbits,_Z1kILi4EEvv,comdat\n";
  CHECK(has(record_launch_bounds(bounded_function("_Z1kILi4EEvv", 4, section)),
            bounds_record("_Z1kILi4EEvv", 4, "\"aG\",@progbits,_Z1kILi4EEvv,comdat")));
}

TEST_CASE("who calls a kernel with a launch bound has the kernel's bound") {
  const std::string kernels = bounded_function("k", 8, "\t.text\n") + bounded_function("other", 16, "\t.text\n");
  const std::string text =
      record_launch_bounds(kernels + function_that("call\tk\t# 12", "invoke") + function_that("jmp\tother", "again") +
                           function_that("call\tinvoke", "outer") + function_that("call\tkk", "stranger"));
  CHECK(has(text, bounds_record("invoke", 8, "\"a\",@progbits")));
  CHECK(has(text, bounds_record("again", 16, "\"a\",@progbits")));
  CHECK(has(text, bounds_record("outer", 8, "\"a\",@progbits")));
  CHECK(!has(text, ".quad stranger"));
}

TEST_CASE("without launch bounds the assembly stays, its own nops too") {
  const std::string text = function_that("nop", "k") + "\tnop\n";
  CHECK(record_launch_bounds(text) == text);
  const std::string bounded = bounded_function("b", 2, "\t.text\n");
  CHECK(has(record_launch_bounds(bounded + text), text));
}
