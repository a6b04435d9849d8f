#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "driver/command_line.h"
#include "driver/compile_commands.h"
#include "driver/compiler.h"
#include "workplace.h"

using namespace simtlab::emulator;

TEST_CASE("entries are JSON whatever a file is called, one per line, and replace those of the same file") {
  const std::string odd = "/a \"b\\c\"\t.cu";
  std::string text = with_compile_commands("", {compile_command("/", odd, {"clang++", "-DN=\"1\""})});
  text = with_compile_commands(text, {compile_command("/", "/b.cu", {"clang++"})});
  text = with_compile_commands(text, {compile_command("/elsewhere", odd, {"clang++", "-w"})});
  const auto database = nlohmann::json::parse(text);
  REQUIRE(database.size() == 2);
  CHECK(database[0]["file"] == odd);
  CHECK(database[0]["directory"] == "/elsewhere");
  CHECK(database[0]["arguments"] == std::vector<std::string>{"clang++", "-w", odd});
  CHECK(database[1]["file"] == "/b.cu");
}

TEST_CASE("another program's database is left alone") {
  CHECK_THROWS_AS((void)with_compile_commands("[\n{\n  \"directory\": \"/\"\n}\n]\n", {}), std::invalid_argument);
}

TEST_CASE("an editor reads sources with the user's options before the emulator's headers, and is told of no object") {
  const workplace place;
  installation where;
  where.include = "/emulator/include";
  const auto database = place.folder / "compile_commands.json";
  command_line options = parse_command_line(
      {"--compile-commands", database.string(), "-Iown", "-Wall", "-std=c++20", "a.cu", "b.o", "c.cpp"});
  add_compile_commands(options, where);
  std::ifstream in(database);
  const auto entries = nlohmann::json::parse(in);
  REQUIRE(entries.size() == 1);
  const std::vector<std::string> words = entries[0]["arguments"];
  const auto place_of = [&words](const std::string& w) {
    return std::find(words.begin(), words.end(), w) - words.begin();
  };
  CHECK(place_of("-Iown") < place_of("/emulator/include"));
  CHECK(place_of("-std=c++20") < static_cast<std::ptrdiff_t>(words.size()));
  CHECK(place_of("-Wall") < static_cast<std::ptrdiff_t>(words.size()));
  CHECK(std::filesystem::path(std::string(entries[0]["file"])).is_absolute());
  std::ofstream(database) << "[{}]\n";
  CHECK_THROWS_WITH_AS(add_compile_commands(options, where), doctest::Contains("another program wrote"), program_error);
  options.compile_commands = (place.folder / "no" / "folder.json").string();
  CHECK_THROWS_WITH_AS(add_compile_commands(options, where), doctest::Contains("cannot be written"), program_error);
}
