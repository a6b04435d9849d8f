// Copies that host code made too short, from their sizes and the arrays they touch.
#include "judge/decide/short_copies.h"

#include <doctest/doctest.h>

#include "emulator/core/copied_range.h"
#include "tests/judge/copied.h"

using namespace simtlab;
using example::copied;

namespace {

lab of_floats() {
  lab of;
  of.kind = entry_kind::host;
  of.arguments.push_back({"signal", argument_role::input, scalar_type::f32, 1, 4});
  of.arguments.push_back({"result", argument_role::output, scalar_type::f32, 1, 4});
  return of;
}

measurements with(std::vector<timed_operation> all) {
  measurements m;
  m.timeline = std::move(all);
  return m;
}

std::string said_of(std::vector<timed_operation> all) {
  const auto found = size_in_elements(of_floats(), with(std::move(all)));
  return found ? found->says : "";
}

output_values result_of(std::size_t count, std::size_t wrong_from) {
  output_values of{"result", {count}, std::vector<double>(count, 1), std::vector<double>(count, 1), {}, {}, false};
  of.wrong.resize(count);
  of.unwritten.resize(count);
  for (std::size_t i = wrong_from; i < count; ++i) of.wrong[i] = of.unwritten[i] = true;
  return of;
}

finding unset(const std::string& variable) {
  finding f;
  f.rule = "uninitialised-global";
  f.kernel = "k";
  f.variable = variable;
  f.message = "Nothing was ever stored here. A result is written with =.";
  return f;
}

}  // namespace

TEST_CASE("a copy of as many bytes as its array has elements is named, with its line") {
  CHECK(
      said_of({copied("to_device", 12, "signal", 76, 0, 19)}) ==
      "The copy at kernel.cu:12 moves 19 bytes of signal, which has 76: 19 is the number of its elements. The size of "
      "a copy counts bytes: multiply it by sizeof of an element, here by 4.");
  CHECK(said_of({copied("to_host", 12, "result", 4, 0, 1)}).find("moves 1 byte of result, which has 4:") !=
        std::string::npos);
}

TEST_CASE("pieces whose sizes are numbers of elements begin where the one before would have ended") {
  // Copies of each step again are the same ones.
  const std::string said =
      said_of({copied("to_device", 12, "signal", 76, 0, 3), copied("to_device", 12, "signal", 76, 12, 3),
               copied("to_device", 12, "signal", 76, 24, 3), copied("to_device", 12, "signal", 76, 0, 3)});
  CHECK(
      said.find("The 4 copies at kernel.cu:12 move 12 bytes of signal in all, which has 76: their sizes are numbers of "
                "elements.") != std::string::npos);
}

TEST_CASE("copies that are whole, of a part, or of bytes, are not accused") {
  CHECK(said_of({copied("to_device", 12, "signal", 76, 0, 76)}).empty());
  CHECK(said_of({copied("to_device", 12, "signal", 76, 0, 40), copied("to_device", 13, "signal", 76, 40, 36)}).empty());
  CHECK(said_of({copied("to_device", 12, "signal", 76, 0, 20)}).empty());
  CHECK(said_of({copied("to_device", 12, "signal", 76, 4, 18)}).empty());
  CHECK(said_of({copied("to_device", 12, "signal", 80, 0, 20), copied("to_device", 12, "signal", 80, 20, 20)}).empty());
  CHECK(said_of({copied("to_device", 12, "", 0, 0, 19)}).empty());
  lab of_bytes = of_floats();
  for (argument_description& a : of_bytes.arguments) a.element_bytes = 1;
  CHECK_FALSE(size_in_elements(of_bytes, with({copied("to_device", 12, "signal", 76, 0, 19)})));
}

TEST_CASE("where all that is wrong was never copied back, the copies are named") {
  const auto pieces = with({copied("to_host", 14, "result", 76, 0, 32), copied("to_host", 14, "result", 76, 32, 32)});
  const auto found = never_copied_back(result_of(19, 16), 4, pieces);
  REQUIRE(found);
  CHECK(
      found->says ==
      "The copies back to the host at kernel.cu:14 fill 64 of the 76 bytes of result; what they leave out begins at "
      "byte 64, result[16]. All that is wrong lies in what they leave out. Where do the last piece and its size end?");
  CHECK(found->how == certainty::certain);
  CHECK_FALSE(never_copied_back(result_of(19, 15), 4, pieces));  // that one was copied
  CHECK_FALSE(never_copied_back(result_of(19, 16), 4, with({copied("to_host", 14, "result", 76, 0, 76)})));
  CHECK_FALSE(never_copied_back(result_of(19, 16), 4, with({copied("to_host", 14, "other", 76, 0, 64)})));
  // By memory of the program's own it may have come, too.
  CHECK_FALSE(never_copied_back(
      result_of(19, 16), 4, with({copied("to_host", 14, "result", 76, 0, 64), copied("to_host", 15, "", 0, 0, 12)})));
}

TEST_CASE("of a read of memory that nobody set, the short copy to it is told instead of the kernel's part") {
  finding f = unset("signal");
  add_short_copy(f, of_floats(), with({copied("to_device", 12, "signal", 76, 0, 19)}));
  CHECK(f.message.find("The copy at kernel.cu:12 moves 19 bytes of signal") != std::string::npos);
  CHECK(f.message.find("A result is written") == std::string::npos);

  f = unset("signal");
  add_short_copy(f, of_floats(), with({copied("to_device", 12, "signal", 76, 0, 64)}));
  CHECK(f.message ==
        "Nothing was ever stored here, and cudaMalloc does not clear memory. The copy to the device at kernel.cu:12 "
        "fills 64 of the 76 bytes of signal; what it leaves out begins at byte 64, signal[16]. Where do the last piece "
        "and its size end?");

  for (const auto& whole :
       {copied("to_device", 12, "signal", 76, 0, 76), copied("to_device", 12, "gains", 76, 0, 19)}) {
    f = unset("signal");
    add_short_copy(f, of_floats(), with({whole}));
    CHECK(f.message == unset("signal").message);
  }
}
