// An inserter that forgets: seeded mutations of what the rewrite of the assembly puts in front of accesses, and of calls and jumps
// that data decide. The verifier, which shares no code with it, tells of each. SIMTLAB_MUTATIONS: how many; a seed is its number.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "translator/assembly_rewriter.h"
#include "verifier/access_proof.h"
#include "verifier/code_check.h"

namespace {

std::string rewritten(const std::string& name) {
  std::ifstream in(std::string(SIMTLAB_ASSEMBLY) + "/" + name + ".s");
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
  const simtlab::verifier::object_code object(folder / "code.o");
  auto problems = simtlab::verifier::check_code(object);
  const auto unproven = simtlab::verifier::prove_accesses(object);
  problems.insert(problems.end(), unproven.begin(), unproven.end());
  std::filesystem::remove_all(folder);
  return problems;
}

struct mutation {
  const char *name, *pattern, *instead;
};
// Of what the inserter writes: the text that it forgets, and what is left.
const mutation of_calls[] = {
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
#define SIMTLAB_GUARD_BEGIN "\tpushq\t%rdi\n\tleaq\t\\S+ %rdi\n(?:\tpushq\t\\$\\d+\n)?\tpushq\t\\$\\d+\n"
#define SIMTLAB_GUARD_END "\tleaq\t\\d+\\(%rsp\\), %rsp\n\tpopq\t%rdi\n"
const mutation of_accesses[] = {
    {"a hook that is a call", "\tcall\tsimtlab_tsan_(?:unaligned_)?(?:volatile_)?(?:read|write|vptr_\\w+)\\w*\n", ""},
    {"a hook of a write for a read's", "(\tcall\tsimtlab_tsan_(?:unaligned_)?(?:volatile_)?)write(\\d+\n)", "$1read$2"},
    {"a hook for a byte", "(\tcall\tsimtlab_tsan_(?:unaligned_)?(?:volatile_)?(?:read|write))(?:2|4|8|16)\n", "$011\n"},
    {"a hook for another place", "(\tcall\tsimtlab_tsan_(?:unaligned_)?(?:volatile_)?(?:read|write)\\d)",
     "\taddq\t$$64, %rdi\n$1"},
    {"a read that is not told", "\tmovq\t%rdi, -\\d+\\(%r(?!bp)\\w+\\)\n", ""},
    {"a read told in another row", "(\tmovq\t%rdi, -)(\\d+\\(%r(?!bp)\\w+\\)\n)", "$015$2"},
    {"another read told", "(\tmovq\t)%rdi(, -\\d+\\(%r(?!bp)\\w+\\)\n)", "$1%rsi$2"},
    {"no look at the host", "\ttestq\t(%r\\w+), \\1\n\tje\t.Lsimtlab_host\\d+\n", ""},
    {"a host's read that is not told", "\tcall\tsimtlab_host_read\n", ""},
    {"rows that are not claimed", "\taddq\t\\$\\d+, %fs:simtlab_hooks@tpoff\\+8\n\tmovq", "\tmovq"},
    {"a token that is not claimed", "\taddq\t\\$\\d+, %fs:simtlab_hooks@tpoff\n", ""},
    {"rows claimed whatever the template", "\tjne\t.Lsimtlab_slow\\d+\n", ""},
    {"a bundle that is not begun", "\tcall\tsimtlab_log_bundle\n(\tmovq\t%fs:simtlab_hooks)", "$1"},
    {"a width of another read", "(\t.long .Lsimtlab_site\\d+\n\t.value )(?:2|4|8|16)(\n\t.value 0)", "$011$2"},
    {"a guard", SIMTLAB_GUARD_BEGIN "\tcall\tsimtlab_(?:guard|local)_\\w+\n" SIMTLAB_GUARD_END, ""},
    {"a guard's call", "\tcall\tsimtlab_(?:guard|local)_\\w+\n", ""},
    {"a guard of a write for a read's", "(\tcall\tsimtlab_(?:guard|local)_)write\n", "$1read\n"},
    {"a guard of no byte", "\tpushq\t\\$\\d+(\n\tcall\tsimtlab_(?:guard|local)_)", "\tpushq\t$$0$1"},
    {"a guard of another place", "(\tpushq\t\\$\\d+\n\tcall\tsimtlab_guard_)", "\taddq\t$$64, %rdi\n$1"},
    {"a guard of more than the frame", "\tpushq\t\\$(\\d+)(\n\tpushq\t\\$\\d+\n\tcall\tsimtlab_local_)",
     "\tpushq\t$$1$1$2"},
    {"a comparison whatever it says", "\tjne\t.Lsimtlab_other\\d+\n", ""},
    {"a comparison with another register", "(\tcmpq\t%rax, )%rdi(\n\tjne\t.Lsimtlab_other)", "$1%rsi$2"},
    {"a comparison with another word", "%fs:simtlab_hooks@tpoff\\+32\n", "%fs:simtlab_hooks@tpoff+16\n"},
    {"a comparison without the width", "\tcmpl\t\\$\\d+, %fs:simtlab_hooks@tpoff\\+40\n\tjb\t.Lsimtlab_other\\d+\n",
     ""},
    {"a width too small", "\tcmpl\t\\$\\d+(, %fs:simtlab_hooks@tpoff\\+40\n)", "\tcmpl\t$$0$1"},
    {"a comparison that jumps for more", "\tjb(\t.Lsimtlab_other\\d+\n)", "\tja$1"},
    {"an added hook", "\tcall\tsimtlab_added_\\w+\n", ""},
};

const mutation of_frames[] = {
    {"a frame without its record", "\tcall\tsimtlab_frame_begin\n", ""},
    {"a return without a look at the record", "\tcall\tsimtlab_frame_end\n(\tret)", "$1"},
    {"a look before the registers are back",
     "((?:\tpopq?\t%r\\w+\n(?:\t\\..*\n|\\.L.*\n)*)+)\tcall\tsimtlab_frame_end\n", "\tcall\tsimtlab_frame_end\n$1"},
    {"a record behind the first register saved",
     "\tcall\tsimtlab_frame_begin\n((?:\t\\..*\n|\\.L.*\n)*\tpushq\t%r\\w+\n)", "$1\tcall\tsimtlab_frame_begin\n"},
    {"a new record instead of a look at it", "\tcall\tsimtlab_frame_end\n", "\tcall\tsimtlab_frame_begin\n"},
    {"a look instead of a record", "\tcall\tsimtlab_frame_begin\n", "\tcall\tsimtlab_frame_end\n"},
};

const mutation of_ways_back[] = {
    {"a way back that nobody compares", "\tcall\tsimtlab_frame_end\n(\tpopq)", "$1"},
    {"a way back that is compared and not taken", "(\tcall\tsimtlab_frame_end\n\tpopq\t)%r1[03]\n", "$1%r11\n"},
    {"a way back without a record", "(\tpushq\t-8\\(%r1[03]\\)\n\tpushq\t%r1[03]\n)\tcall\tsimtlab_frame_begin\n",
     "$1"},
    {"another register in the record", "(\tpushq\t-8\\(%r1[03]\\)\n\tpushq\t)%r1[03](\n\tcall\tsimtlab_frame_begin)",
     "$1%rbx$2"},
};

const mutation of_stacks[] = {
    {"a stack that nobody looks at", "\tcall\tsimtlab_stack_to\n", ""},
    {"a look at another place of the stack", "(\tcall\tsimtlab_stack_to\n)", "\tsubq\t$$64, %rdi\n$1"},
    {"a look from above the frame", "\tleaq\t16\\(%rsp\\), %rsi\n", "\tleaq\t65536(%rsp), %rsi\n"},
};

/// Whether the place is in host code that launches kernels, or calls one with arguments that lie on the stack.
bool puts_arguments(const std::string& whole, std::size_t place) {
  const std::size_t begin = whole.rfind("\n_Z", place);
  if (begin == std::string::npos) return false;
  const std::string name = whole.substr(begin + 1, whole.find(':', begin) - begin - 1);
  return name.starts_with("_Z3run") ||
         (name.find("aligned_argument") != std::string::npos && name.ends_with("6invokeEPv"));
}

/// Whether it may be missed: no hook is needed for the frame's own places, where the host code of launches puts their arguments,
/// nor where a guard or a comparison looks at the access while the program runs.
bool is_needless(const std::string& whole, std::size_t begin, std::size_t end) {
  const std::string behind = whole.substr(end, 800);
  const std::string cut = whole.substr(begin, end - begin);
  if (puts_arguments(whole, begin) && cut.find("simtlab_frame_") == std::string::npos) return true;
  const bool is_row = cut.find("\tmovq\t%rdi, -") != std::string::npos;
  if (!is_row && cut.find("simtlab_tsan_") == std::string::npos) return false;
  const std::size_t guard = std::min(behind.find("tpoff+32"), behind.find("simtlab_guard_"));
  return guard != std::string::npos && guard < std::min(behind.find("simtlab_tsan_"), behind.find("\tmovq\t%rdi, -"));
}

template <std::size_t kinds>
void each_is_told(const std::string& file, const mutation (&mutations)[kinds]) {
  const std::string whole = rewritten(file);
  for (const auto& p : problems_of(whole)) FAIL((p.function + " " + p.message));
  const char* const asked = std::getenv("SIMTLAB_MUTATIONS");
  const int count = asked == nullptr ? 12 : std::atoi(asked);
  for (int seed = 0; seed < count; ++seed) {
    CAPTURE(seed);
    const mutation& m = mutations[static_cast<std::size_t>(seed) * 5 % kinds];
    CAPTURE(std::string(m.name));
    const std::regex pattern(m.pattern);
    std::vector<std::smatch> places(std::sregex_iterator(whole.begin(), whole.end(), pattern), {});
    std::erase_if(places, [&](const std::smatch& one) {
      const auto begin = static_cast<std::size_t>(one.position()), end = begin + static_cast<std::size_t>(one.length());
      return is_needless(whole, begin, end);
    });
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
    const auto line = std::count(whole.cbegin(), places[first][0].first, '\n') + 1;
    CAPTURE(line);
    CHECK_FALSE(problems_of(mutant).empty());
  }
}

}  // namespace

TEST_CASE("each check in front of a call or jump that is forgotten is told of, one by one and as a class") {
  each_is_told("pointers_and_switches", of_calls);
}

TEST_CASE("each look at a frame that is forgotten is told of, one by one and as a class") {
  each_is_told("accesses", of_frames);
  each_is_told("pointers_and_switches", of_frames);
  each_is_told("accesses", of_ways_back);
}

TEST_CASE("each look at the stack's end that is forgotten is told of, one by one and as a class") {
  each_is_told("accesses", of_stacks);
}

TEST_CASE("each hook and guard that is forgotten is told of, one by one and as a class") {
  each_is_told("accesses", of_accesses);
}
