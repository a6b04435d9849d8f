// Host code's address of a function with a version for the device leads there by a jump, which kernels may not take.
#include <doctest/doctest.h>

#include <string>

#include "tests/has.h"
#include "translator/host_addresses.h"

using namespace simtlab::emulator;

namespace {

std::string in(const std::string& function, const std::string& line) {
  return "\t.type\t" + function + ", @function\n" + function + ":\n" + line + "\n\t.size\t" + function + ", .-" +
         function + "\n";
}
std::string rewritten(const std::string& function, const std::string& line) {
  return with_host_addresses(in(function, line), {"main", "_Z4hostv"}, {"_Z5twicef"});
}

}  // namespace

TEST_CASE("in host code an address becomes that of the jump, however the instruction names it") {
  for (const char* line : {"\tmovl\t$_Z5twicef, %edi", "\tmovq\t$_Z5twicef, 16(%rsp)", "\tleaq\t_Z5twicef(%rip), %rax",
                           "\tpushq\t$_Z5twicef", "\tcmpq\t$_Z5twicef, %rax"}) {
    CAPTURE(line);
    std::string expected = line;
    expected.insert(expected.find("_Z5"), "simtlab_host_address_of_");
    for (const char* function : {"main", "_Z4hostv", "main.cold"})
      CHECK(rewritten(function, line).starts_with(in(function, expected)));
  }
}

TEST_CASE("the jump is defined once, in the table of functions for host code alone") {
  const std::string text = rewritten("main", "\tmovl\t$_Z5twicef, %edi\n\tmovl\t$_Z5twicef, %esi");
  const std::string jump = "simtlab_host_address_of__Z5twicef:\n\tjmp\t_Z5twicef\n";
  CHECK(has(text, jump));
  CHECK(text.find(jump) == text.rfind(jump));
  CHECK(has(text,
            "\t.pushsection simtlab_own_host_functions,\"a\",@progbits\n\t.balign 8\n\t.quad "
            "simtlab_host_address_of__Z5twicef\n"));
}

TEST_CASE("calls, jumps, tables, other names and device code stay") {
  for (const char* line :
       {"\tcall\t_Z5twicef", "\tjmp\t_Z5twicef", "\tjne\t_Z5twicef", "\t.quad\t_Z5twicef", "\tmovl\t$_Z5twicefi, %edi",
        "\tmovl\t$_Z5twicef.cold, %edi", "\tmovl\t_Z5twicef(%rax), %edi"}) {
    CAPTURE(line);
    CHECK(rewritten("main", line) == in("main", line));
  }
  CHECK(rewritten("_Z6kernelv", "\tmovl\t$_Z5twicef, %edi") == in("_Z6kernelv", "\tmovl\t$_Z5twicef, %edi"));
}

TEST_CASE("an object that host code makes points to a table of host code's addresses") {
  const std::string table =
      "\t.section\t.rodata._ZTV2Op,\"aG\",@progbits,_ZTV2Op,comdat\n\t.type\t_ZTV2Op, @object\n_ZTV2Op:\n\t.quad\t0\n"
      "\t.quad\t_ZTI2Op\n\t.quad\t_Z5twicef\n\t.quad\t_Z4hostv\n\t.ident\t\"g++\"\n";
  const auto with_table = [&](const std::string& function, const std::string& line) {
    return with_host_addresses(in(function, line) + table, {"main", "_Z4hostv"}, {"_Z5twicef"});
  };
  const std::string text = with_table("main", "\tmovq\t$_ZTV2Op+16, (%rsp)\n\tleaq\t_ZTV2Op+16(%rip), %rax");
  CHECK(has(text, "\tmovq\t$simtlab_host_table_of__ZTV2Op+16, (%rsp)\n"));
  CHECK(has(text, "\tleaq\tsimtlab_host_table_of__ZTV2Op+16(%rip), %rax\n"));
  CHECK(has(text, table));
  CHECK(has(text,
            "simtlab_host_table_of__ZTV2Op:\n\t.quad\t0\n\t.quad\t_ZTI2Op\n"
            "\t.quad\tsimtlab_host_address_of__Z5twicef\n\t.quad\t_Z4hostv\n\t.size\t"));
  CHECK(has(text, "simtlab_host_address_of__Z5twicef:\n\tjmp\t_Z5twicef\n"));
  CHECK_FALSE(has(with_table("_Z6kernelv", "\tmovq\t$_ZTV2Op+16, (%rdi)"), "simtlab_host_table_of_"));
  CHECK_FALSE(has(with_table("main", "\tmovq\t$_ZTV4Host+16, (%rdi)"), "simtlab_host_table_of_"));
}
