// The face of a program with planted bugs: it runs the one that it is asked for, and prints what the emulator found.
#pragma once

#include <cstdio>
#include <cstring>

#include "bugs/findings_printer.h"

namespace simtlab::emulator::bugs {

struct planted_bug {
  const char* name;
  void (*run)();
};

/// `main` of the program; 2 when it is not asked for a bug that it has.
template <class Bugs>
int run_planted(const char* program, const Bugs& planted, int argc, char** argv) {
  on_fatal(print_findings);
  for (const planted_bug& bug : planted) {
    if (argc == 2 && std::strcmp(argv[1], bug.name) == 0) {
      bug.run();
      print_findings(take_report(true));
      return 0;
    }
  }
  std::fprintf(stderr, "usage: %s NAME, one of:\n", program);
  for (const planted_bug& bug : planted) std::fprintf(stderr, "  %s\n", bug.name);
  return 2;
}

}  // namespace simtlab::emulator::bugs
