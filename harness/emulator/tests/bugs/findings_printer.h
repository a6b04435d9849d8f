// Prints what the emulator found, one line a finding, for a test in another process to read: a program with a planted
// bug may well end in the middle.
#pragma once

#include <cstdio>
#include <string>

#include "emulator.h"

namespace simtlab::emulator::bugs {

inline std::string place_text(const finding_place& p) {
  if (p.where.line == 0) return "";
  return p.where.file.substr(p.where.file.find_last_of('/') + 1) + ":" + std::to_string(p.where.line);
}

/// rule, severity, variable, first place, second place, kernel, message: separated by tabs.
inline void print_findings(const report& of) {
  for (const finding& f : of.findings)
    std::printf("%s\t%s\t%s\t%s\t%s\t%s\t%s\n", rule_name(f.what), severity_name(f.level), f.variable.c_str(),
                place_text(f.first).c_str(), place_text(f.second).c_str(), f.kernel.c_str(), f.message.c_str());
  std::fflush(stdout);
}

}  // namespace simtlab::emulator::bugs
