// An inserter that forgets: seeded mutations of what the rewrite of the assembly puts in front of calls and jumps that data decide.
// The verifier, which shares no code with it, tells of each. SIMTLAB_MUTATIONS: how many; a seed is its number.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "translator/assembly_rewriter.h"
#include "verifier/code_check.h"

namespace {

std::string rewritten() {
  std::ifstream in(SIMTLAB_ASSEMBLY);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return simtlab::emulator::rewrite_assembly(text);
}

std::vector<simtlab::verifier::problem> problems_of(const std::string& assembly) {
  const auto folder = std::filesystem::temp_directory_path() / ("simtlab-mutation-test-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "code.s") << assembly;
  const std::string command =
      SIMTLAB_ASSEMBLER " -c " + (folder / "code.s").string() + " -o " + (folder / "code.o").string();
  REQUIRE(std::system(command.c_str()) == 0);
  auto problems = simtlab::verifier::check_code(simtlab::verifier::object_code(folder / "code.o"));
  std::filesystem::remove_all(folder);
  return problems;
}

struct mutation {
  const char *name, *pattern, *instead;
};
// Of what the inserter writes: the text that it forgets, and what is left.
const mutation mutations[] = {
    {"a call without its check", "\tmovq\t(\\S+), %r11\n\tcall\tsimtlab_indirect_call\n", "\tcall\t*$1\n"},
    {"a call by memory without its check", "\tleaq\t(\\S+), %r11\n\tcall\tsimtlab_indirect_call_at\n", "\tcall\t*$1\n"},
    {"a table without its end", "\tcmpq\t\\S+ \\S+\n\tja\tsimtlab_jump_astray\n", ""},
    {"a comparison and no jump", "\tja\tsimtlab_jump_astray\n", ""},
    {"a jump and no comparison", "\tcmpq\t\\S+ \\S+(\n\tja\tsimtlab_jump_astray\n)", "\tnop$1"},
    {"a table's end too far", "\tcmpq\t\\$(\\d+)(, \\S+\n\tja\tsimtlab_jump_astray\n)", "\tcmpq\t$$$1$1$2"},
    {"another register compared", "\tcmpq\t(\\S+) \\S+(\n\tja\tsimtlab_jump_astray\n)", "\tcmpq\t$1 %r12$2"},
    {"half of the register compared", "\tcmpq\t(\\S+) %r(\\w+)(\n\tja\tsimtlab_jump_astray\n)", "\tcmpl\t$1 %e$2$3"},
    {"a jump for less instead of more", "\tja(\tsimtlab_jump_astray\n)", "\tjb$1"},
    {"an instruction between", "(\tja\tsimtlab_jump_astray\n)", "$1\tnop\n"},
    {"a function's middle in the table", "(simtlab_functions[^\n]*\n\t.balign 8\n\t.quad [^\n]*)", "$1+1"},
    {"a number in the table", "(simtlab_functions[^\n]*\n\t.balign 8\n\t.quad )[^\n]*", "$018192"},
};

}  // namespace

TEST_CASE("each check that is forgotten is told of, one by one and as a class") {
  const std::string whole = rewritten();
  REQUIRE(problems_of(whole).empty());
  const char* const asked = std::getenv("SIMTLAB_MUTATIONS");
  const int count = asked == nullptr ? 12 : std::atoi(asked);
  std::size_t tried = 0;
  for (int seed = 0; seed < count; ++seed) {
    CAPTURE(seed);
    const mutation& m = mutations[static_cast<std::size_t>(seed) % std::size(mutations)];
    CAPTURE(std::string(m.name));
    const std::regex pattern(m.pattern);
    const std::vector<std::smatch> places(std::sregex_iterator(whole.begin(), whole.end(), pattern), {});
    REQUIRE_FALSE(places.empty());
    std::mt19937 random(static_cast<unsigned>(seed));
    const bool is_class = random() % 4 == 0;
    const auto first = is_class ? 0 : random() % places.size();
    const auto last = is_class ? places.size() : first + 1;
    std::string mutant(whole.cbegin(), places[first][0].first);
    for (auto n = first; n < last; ++n) {
      mutant += places[n].format(m.instead);
      mutant.append(places[n][0].second, n + 1 < last ? places[n + 1][0].first : whole.cend());
    }
    CHECK_FALSE(problems_of(mutant).empty());
    ++tried;
  }
  CHECK(tried == static_cast<std::size_t>(count));
}
