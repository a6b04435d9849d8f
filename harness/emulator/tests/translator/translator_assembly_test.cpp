// The assembly rewrite, on the text that g++ 12 writes, and clang 16.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "translator/assembly_rewriter.h"

using namespace simtlab::emulator;

namespace {

bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

}  // namespace

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
  CHECK(has(text, "\tmovq\t%rdi, -512(%rax)\n.Lsimtlab_site2:\n"));
  CHECK(has(text, "\tmovq\t%rdi, -256(%rax)\n.Lsimtlab_site3:\n"));
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
      "\t.section\t.tbss,\"awT\",@nobits\n\t.align 32\n\t.type\ttile, @object\n\t.size\ttile, 64\ntile:\n\t.zero\t64\n"
      "\t.align 4\n\t.type\tn, @object\n\t.size\tn, 4\nn:\n\t.zero\t4\n\t.text\n");
  CHECK(has(text, "@nobits\n\t.zero 256\n\t.align 32\n"));
  CHECK(has(text, "tile:\n\t.zero\t64\n\t.zero 256\n\t.pushsection simtlab_symbols,\"aw\",@progbits\n"));
  CHECK(has(text, "\t.quad 0\n\t.quad tile@dtpoff\n\t.quad 64\n"));
  CHECK(has(text, "\t.quad n@dtpoff\n\t.quad 4\n"));
  CHECK(has(text, "\t.size\ttile, 64\n"));
}

TEST_CASE("clang's hooks stay calls, and its reads are sorted out where they arrive") {
  const auto rewritten = [](const std::string& text) { return rewrite_assembly(text, compiler_family::clang); };
  CHECK(rewritten("\tcallq\t__tsan_read4@PLT\n\tcallq\t__tsan_unaligned_read8@PLT\n\tcallq\t__tsan_write4@PLT\n") ==
        "\tcallq\tsimtlab_clang_read4\n\tcallq\tsimtlab_clang_unaligned_read8\n\tcallq\tsimtlab_tsan_write4\n");
  CHECK(rewritten("\tcallq\t__tsan_memcpy@PLT\n\tcallq\t__tsan_memset@PLT\n\tcallq\t__sanitizer_cov_trace_pc@PLT\n") ==
        "\tcallq\tsimtlab_clang_memcpy\n\tcallq\tsimtlab_memset\n\tcallq\tsimtlab_cov_trace_pc\n");
  CHECK(rewritten("\tcallq\t__tsan_volatile_read4@PLT\n") == "\tcallq\tsimtlab_tsan_volatile_read4\n");
  CHECK(has(rewritten("\tcallq\t__tsan_read4@PLT\n.LBB0_1:\n\tcallq\tsimtlab_compare_and_swap\n\tretq\n"),
            "simtlab_clang_guess4"));
}

TEST_CASE("a variable whose size follows it is recorded, too") {
  const std::string text = rewrite_assembly(
      "\t.section\t.tbss,\"awT\",@nobits\n\t.p2align\t2, 0x0\nn:\n\t.long\t0\n\t.size\tn, 4\n", compiler_family::clang);
  CHECK(has(text, "n:\n\t.long\t0\n\t.zero 256\n"));
  CHECK(has(text, "\t.quad n@dtpoff\n\t.quad 4\n"));
}

TEST_CASE("where the assembler has no offsets in thread-local memory, a function tells a shared variable's address") {
  const std::string text = rewrite_assembly(
      "\tmrs\tx0, tpidr_el0\n\t.section\t.tbss,\"awT\",@nobits\n\t.size\tn, 4\nn:\n\t.zero\t4\n\t.text\n");
  CHECK(has(text, "\tadd\tx0, x0, #:tprel_hi12:n, lsl #12\n\tadd\tx0, x0, #:tprel_lo12_nc:n\n\tret\n"));
  CHECK(has(text, "\t.quad 4\n\t.quad .Lsimtlab_address0\n\t.quad 4\n"));
}

TEST_CASE("the record of a template's variable lives and dies with it") {
  const std::string text = rewrite_assembly(
      "\t.section\t.tbss._ZZ1kILi4EEvvE1s,\"awGT\",@nobits,_ZZ1kILi4EEvvE1s,comdat\n\t.size\t_ZZ1kILi4EEvvE1s, 16\n"
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
  CHECK_NOTHROW(rewrite_assembly("\t.section\n\t.section ,\n\t.size\n:\n\t\n\t.section .tbss\nx:\n\t.size x\n\"\n"));
}

TEST_CASE("a read that leads to a compare-and-swap on every way is a guess") {
  const std::string swap = "\tcall\tsimtlab_compare_and_swap\n", leave = "\tret\n\t.cfi_endproc\n";
  const auto is_guess = [](const std::string& function) {
    return has(rewrite_assembly(function), "simtlab_tsan_guess4");
  };
  CHECK(is_guess(read + swap + leave));
  CHECK(is_guess(read + std::string(".L2:\n") + swap + "\tjne\t.L2\n" + leave));
  CHECK(is_guess(read + std::string("\tjmp\t.L3\n.L2:\n\tmovl\t%ebx, %ebp\n.L3:\n") + swap + "\tjne\t.L2\n" + leave));
  CHECK(is_guess(read + std::string("\tjle\t.L2\n\tmovl\t%ebx, %ebp\n.L2:\n") + swap + leave));
  CHECK(is_guess(read + std::string("\tcall\tfmaxf\n") + swap + leave));
  CHECK(is_guess(std::string(".L2:\n") + read + swap + "\tjne\t.L2\n" + leave));
  CHECK(is_guess("\tbl\t__tsan_read4\n\tcbz\tw0, .L2\n.L2:\n\tbl\tsimtlab_compare_and_swap\n" + leave));
  // A way out of the function, back to the read, or nobody knows where.
  CHECK_FALSE(is_guess(read + std::string("\tjle\t.L2\n") + swap + ".L2:\n" + leave));
  CHECK_FALSE(is_guess(std::string(".L1:\n") + read + "\tjne\t.L1\n" + swap + leave));
  CHECK_FALSE(is_guess(read + std::string("\tjmp\t*%rax\n") + swap + leave));
  CHECK_FALSE(is_guess(read + std::string("\tjne\tother\n") + swap + leave));
  CHECK_FALSE(is_guess(read + std::string("\tcbz\tw0, .L2\n") + swap + ".L2:\n" + leave));
  CHECK_FALSE(is_guess(read + leave + "other:\n" + swap + leave));
  CHECK_FALSE(is_guess(swap + read + leave));
  CHECK_FALSE(is_guess(read + std::string("\tcall\tsimtlab_atomic\n") + leave));
}
