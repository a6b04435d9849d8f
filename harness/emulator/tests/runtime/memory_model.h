// What a kernel is found to do wrong, by the lines' markers, under every schedule that a test asks for.
#pragma once

#include <algorithm>
#include <set>
#include <string>

#include "claims/marked_line.h"
#include "emulator.h"
#include "runtime/device_memory.h"

namespace simtlab::emulator::tests {

/// "rule severity variable line-line" of each finding of `launch(ints, out)`: 256 zeros, and 1024 numbers that nobody set.
template <class Launch>
std::set<std::string> findings_under(const char* turns, Launch&& launch) {
  options wanted;
  wanted.turns = *schedule_from(turns);
  configure(wanted);
  static_cast<void>(take_report());
  {
    device_memory<int> ints(256, 0);
    int* out = nullptr;
    cudaMalloc(&out, 1024 * sizeof(int));
    name_memory(ints.get(), 1024, "ints");
    name_memory(out, 4096, "out");
    launch(ints.get(), out);
    cudaDeviceSynchronize();
    cudaFree(out);
  }
  std::set<std::string> all;
  for (const finding& f : take_report().findings) {
    if (f.what == rule::not_as_compiled) continue;  // with mbarrier's instructions, by the engine sass
    const auto [low, high] = std::minmax(f.first.where.line, f.second.where.line);
    all.insert(std::string(rule_name(f.what)) + " " + severity_name(f.level) + " " + f.variable + " " +
               std::to_string(low == 0 ? high : low) + "-" + std::to_string(high));
  }
  configure({});
  return all;
}

/// The same in order and in reverse.
template <class Launch>
std::set<std::string> findings_of(Launch&& launch) {
  std::set<std::string> all = findings_under("in-order", launch);
  all.merge(findings_under("reverse", launch));
  return all;
}

}  // namespace simtlab::emulator::tests
