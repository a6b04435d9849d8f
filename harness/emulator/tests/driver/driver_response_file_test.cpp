#include <doctest/doctest.h>

#include "driver/command_line.h"
#include "driver/response_file.h"
#include "tests/driver/workplace.h"

using namespace simtlab::emulator;
using words = std::vector<std::string>;

TEST_CASE("a file's words are a shell's") {
  CHECK(words_of("-I\"/a b/c\"  -DX='\"y\"'\n\t-D\\ Z \"\" end\\\\") ==
        words{"-I/a b/c", "-DX=\"y\"", "-D Z", "", "end\\"});
  CHECK(words_of(" \n").empty());
}

TEST_CASE("options from files stand where the file is named, and a file may name another") {
  const workplace here;
  here.write("a.rsp", "-Ia @b.rsp -Id");
  here.write("b.rsp", "-Ib -Ic");
  CHECK(with_response_files({"-x", "@a.rsp", "k.cu", "--options-file=b.rsp", "-optf", "b.rsp,b.rsp"}) ==
        words{"-x", "-Ia", "-Ib", "-Ic", "-Id", "k.cu", "-Ib", "-Ic", "-Ib", "-Ic", "-Ib", "-Ic"});
  here.write("endless.rsp", "@endless.rsp");
  CHECK_THROWS_WITH_AS(with_response_files({"@endless.rsp"}), doctest::Contains("without an end"), usage_error);
  CHECK_THROWS_WITH_AS(with_response_files({"--options-file", "none.rsp"}),
                       doctest::Contains("none.rsp cannot be read"), usage_error);
  CHECK_THROWS_AS(with_response_files({"--options-file"}), usage_error);
}
