#include <doctest/doctest.h>

#include <filesystem>

#include "driver/machine_fault.h"
#include "tests/driver/workplace.h"

using namespace simtlab::emulator;

TEST_CASE("a full disk and a read-only folder are told with the file, the reason and the next step") {
  const std::vector<std::string> words{"g++", "-c", "a.s", "-MF", "a.d", "-o", "out/a.o"};
  CHECK_THROWS_WITH_AS(check_written(words, "/usr/bin/ld: final link failed: No space left on device\n"),
                       doctest::Contains("cannot write out/a.o: the disk is full. Free some space"), machine_fault);
  CHECK_THROWS_WITH_AS(check_written(words, "Fatal error: can't create out/a.o: Read-only file system\n"),
                       doctest::Contains("cannot write out/a.o: its folder is read-only. Write elsewhere"),
                       machine_fault);
  CHECK_THROWS_WITH_AS(check_written(words, "fatal error: opening dependency file a.d: Permission denied\n"),
                       doctest::Contains("cannot write a.d: you may not write there"), machine_fault);
  CHECK_THROWS_WITH_AS(check_written({"ar", "qcs", "l.a", "a.o"}, "ar: l.a: No space left on device\n"),
                       doctest::Contains("cannot write l.a: the disk is full"), machine_fault);
  CHECK_NOTHROW(check_written(words, "a.cu:1:1: error: #error No space left on device\n"));
}

TEST_CASE("what the system refuses to simtcc itself is told likewise") {
  const std::filesystem::filesystem_error removed("cannot remove", "l.so",
                                                  std::make_error_code(std::errc::read_only_file_system));
  CHECK(sentence_of(removed).starts_with("cannot write l.so: its folder is read-only."));
  CHECK(sentence_of(std::system_error(std::make_error_code(std::errc::invalid_argument), "x")).empty());
}

TEST_CASE("a limit on the size of files ends with a sentence about it") {
  const workplace here;
  here.write("a.cu", "int main() {}\n");
  const process_result built =
      run_process({"sh", "-c", "ulimit -f 1; trap '' XFSZ; exec " SIMTLAB_SIMTCC " a.cu -o program"});
  CHECK(built.exit_code == 3);
  CHECK_MESSAGE(has(built.errors, "a file may not become so large here. Raise the limit"), built.errors);
}

TEST_CASE("a compiler that is not installed is named, with its package") {
  const workplace here;
  here.write("a.cu", "int main() {}\n");
  here.write("simtcc.conf", "include /usr/include\ncompiler no-such-g++\n");
  const process_result built = run_process({"env", "SIMTLAB_EMULATOR_ROOT=.", SIMTLAB_SIMTCC, "a.cu"});
  CHECK(built.exit_code == 3);
  CHECK_MESSAGE(has(built.errors, "cannot run no-such-g++: No such file or directory. Programs are compiled by g++"),
                built.errors);
}
