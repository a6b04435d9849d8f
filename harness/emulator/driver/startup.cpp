// Linked into every program that simtcc makes: speaks of what the emulator found when nobody else does.
//
// A program that takes its own reports (the runner, a test) has taken everything before it ends, and sets its own
// handler for faults; then nothing is left to say here.
//   SIMTLAB_WORKERS=N   host threads that run blocks
//   SIMTLAB_SCHEDULE=in-order|reverse|random:SEED   whose turn it is among blocks, warps and lanes that may all run
//   SIMTLAB_CHECKS=0    no checks
//   SIMTLAB_PROFILE=1   counters per line at the end
#include <cstdio>
#include <cstdlib>
#include <string>

#include "emulator.h"
#include "report/finding_text.h"

namespace {

using namespace simtlab::emulator;

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' && std::string(value) != "0";
}

const char* text_of(memory_space space) {
  switch (space) {
    case memory_space::global:
      return "global";
    case memory_space::shared:
      return "shared";
    case memory_space::constant:
      return "constant";
    case memory_space::local:
      return "local";
    default:
      return "other";
  }
}

const char* text_of(access kind) {
  switch (kind) {
    case access::read:
      return "read";
    case access::write:
      return "write";
    default:
      return "atomic";
  }
}

void print_counters(const report& r) {
  for (const launch_report& l : r.launches) {
    std::fprintf(stderr, "%s<<<(%u,%u,%u), (%u,%u,%u)>>>\n", l.kernel.c_str(), l.grid.x, l.grid.y, l.grid.z, l.block.x,
                 l.block.y, l.block.z);
    for (const access_counters& a : l.accesses) {
      const request_counters& c = a.counters;
      const double requests = c.requests == 0 ? 1 : static_cast<double>(c.requests);
      const bool shared = a.space == memory_space::shared;
      std::fprintf(stderr, "  %s:%d  %s %s %s: %llu requests, %.1f lanes and %.2f %s each\n", a.where.file.c_str(),
                   a.where.line, text_of(a.space), text_of(a.kind), a.variable.c_str(),
                   static_cast<unsigned long long>(c.requests), static_cast<double>(c.lanes) / requests,
                   static_cast<double>(shared ? c.wavefronts : c.sectors) / requests,
                   shared ? "wavefronts" : "sectors");
    }
  }
}

void print(const report& r) {
  std::fflush(stdout);
  if (is_set("SIMTLAB_PROFILE")) print_counters(r);
  std::fputs(findings_text(r.findings).c_str(), stderr);
}

void at_exit() {
  const report r = take_report();
  if (r.launches.empty() && r.findings.empty() && r.host.api_calls == 0) return;  // taken by the program itself
  print(r);
  print(take_report(true));
}

[[gnu::constructor]] void start() {
  options o;
  if (const char* workers = std::getenv("SIMTLAB_WORKERS"); workers != nullptr && std::atoi(workers) > 0)
    o.workers = static_cast<unsigned>(std::atoi(workers));
  if (const char* turns = std::getenv("SIMTLAB_SCHEDULE"); turns != nullptr && *turns != '\0') {
    const auto chosen = schedule_from(turns);
    if (!chosen) {
      std::fprintf(stderr, "SIMTLAB_SCHEDULE is \"%s\"; expected in-order, reverse or random:SEED, SEED a number.\n",
                   turns);
      std::_Exit(2);
    }
    o.turns = *chosen;
  }
  o.checks = std::getenv("SIMTLAB_CHECKS") == nullptr || is_set("SIMTLAB_CHECKS");
  configure(o);
  on_fatal(print);
  std::atexit(at_exit);
}

}  // namespace
