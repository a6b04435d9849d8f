// simtlab-verifier: proves of a submission's finished object that its code does nothing unseen (docs/security.md).
//
// One line a problem, with tabs between: `forbidden` or `unproven`, file, line, function, message. Exit code 0, whatever was
// found; 2: usage; 3: our fault.
#include <cxxabi.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <set>

#include "verifier/debug_information.h"
#include "verifier/function_check.h"
#include "verifier/object_code.h"

using namespace simtlab::verifier;

namespace {

std::string readable(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  return name == nullptr ? symbol : std::string(name.get());
}

void verify(const char* path) {
  const object_code object(path);
  debug_information debug(path);
  const disassembler machine;
  const std::set<place> endless = endless_functions(object, machine);
  for (const function& f : object.functions()) {
    function_check one(object, f, machine, endless, [&] { return debug.arguments_end(f.begin); });
    for (const problem& p : one.run()) {
      const auto line = debug.line_of({f.begin.section, p.at});
      if (std::getenv("VDEBUG")) std::cout << std::hex << p.at << std::dec << " ";
      std::cout << (p.kind == problem::forbidden ? "forbidden" : "unproven") << '\t' << (line ? line->file : "") << '\t'
                << (line ? line->line : 0) << '\t' << readable(f.name) << '\t' << p.message << '\n';
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') {
    std::cerr << "usage: simtlab-verifier OBJECT\n"
                 "Proves that the code of an object file by simtcc accesses memory through its hooks and stays in its\n"
                 "functions; prints a line for each place where that is not so. For g++'s code for x86-64.\n";
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
