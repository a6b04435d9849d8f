// simtlab-verifier: what a submission's finished object may not do, read from its code
// (docs/internals/finished-code.md).
//
// One line a problem, with tabs between: `forbidden`, `unread` or `unproven`, file, line, function, message. Exit code 0, whatever was
// found; 2: usage; 3: our fault.
#include <cxxabi.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>

#include "verifier/access_proof.h"
#include "verifier/code_check.h"
#include "verifier/source_lines.h"

using namespace simtlab::verifier;

namespace {

constexpr std::size_t most_told = 100;

std::string readable(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return name == nullptr ? symbol : std::string(name.get());
}

void verify(const char* path) {
  const object_code object(path);
  auto problems = check_code(object);
  const auto unproven = prove_accesses(object);
  problems.insert(problems.end(), unproven.begin(), unproven.end());
  if (problems.empty()) return;
  if (problems.size() > most_told) problems.resize(most_told);
  const source_lines lines(path);
  for (const problem& p : problems) {
    const source_line line = lines.of(p.where);
    constexpr const char* kinds[] = {"forbidden", "unread", "unproven"};
    std::cout << kinds[p.kind] << '\t' << line.file << '\t' << line.line << '\t' << readable(p.function) << '\t'
              << p.message << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') {
    std::cerr
        << "usage: simtlab-verifier OBJECT\n"
           "Reads an object file's code for x86-64, and prints a line for each instruction that reaches the system,\n"
           "and for each jump, call or address that leads into a function elsewhere than to its begin.\n";
    return 2;
  }
  try {
    verify(argv[1]);
    return std::cout.flush() ? 0 : 3;
  } catch (const std::exception& e) {
    std::cerr << "simtlab-verifier: " << e.what() << '\n';
    return 3;
  }
}
