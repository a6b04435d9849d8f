#include "bugs/planted_program.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "claims/marked_line.h"

namespace simtlab::emulator::bugs {
namespace {

/// Fields 0 to 6 of one printed line; the line is no finding when it has fewer.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == '\t')
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

constexpr expectation expected[] = {
    {plain, "missing-first-barrier", "shared-race", "ring", "missing-first-barrier", true},
    {plain, "missing-second-barrier", "shared-race", "buffer", "missing-second-barrier", true},
    {plain, "read-past-the-end", "out-of-bounds", "values", "read-past-the-end"},
    {plain, "write-past-the-end", "out-of-bounds", "filled", "write-past-the-end"},
    {plain, "read-before-the-start", "out-of-bounds", "values", "read-before-the-start"},
    {plain, "uninitialised-shared", "uninitialised-shared", "cells", "uninitialised-shared"},
    {plain, "edge-not-cleared", "uninitialised-shared", "tile", "edge-not-cleared"},
    {plain, "divergent-barrier", "divergent-barrier", "", "divergent-barrier", true},
    {plain, "two-barriers", "divergent-barrier", "", "two-barriers", true},
    {plain, "return-before-barrier", "exited-before-barrier", "", "return-before-barrier"},
    {plain, "race-between-blocks", "global-race", "total", "race-between-blocks"},
    {plain, "race-inside-a-block", "global-race", "signal", "race-inside-a-block", true},
    {plain, "plain-read-of-an-atomic", "global-race", "slot", "plain-read-of-an-atomic", true},
    {plain, "guess-before-swap", "first-guess-race", "total", "guess-before-swap", true, "note"},
    {plain, "guess-in-shared", "first-guess-race", "of_block", "guess-in-shared", true, "note"},
    {plain, "look-before-swap", "global-race", "lock", "look-before-swap"},
    {plain, "larger-before-swap", "global-race", "largest", "larger-before-swap", true},
    {plain, "larger-before-maximum", "global-race", "largest", "larger-before-maximum", true},
    {plain, "read-not-compared", "global-race", "owner", "read-not-compared", true},
    {plain, "swap-of-another-element", "global-race", "cells", "swap-of-another-element", true},
    {plain, "write-against-guess", "global-race", "cell", "write-against-guess", true},
    {plain, "many-readers-one-writer", "global-race", "seed", "many-readers-one-writer", true},
    {plain, "misaligned", "misaligned", "values", "misaligned"},
    {plain, "use-after-free", "use-after-free", "values", "read-by-copy"},
    {plain, "double-free", "invalid-free", "values", "double-free"},
    {plain, "uninitialised-global", "uninitialised-global", "values", "read-by-copy"},
    {plain, "shared-out-of-bounds", "out-of-bounds", "cells", "shared-out-of-bounds"},
    {plain, "missing-syncwarp", "shared-race", "sums", "missing-syncwarp", true},
    {plain, "absent-lane", "inactive-lane", "", "absent-lane"},
    {plain, "mask-without-caller", "mask-without-caller", "", "mask-without-caller"},
    {plain, "warp-deadlock", "warp-deadlock", "", "warp-deadlock"},
    {plain, "local-out-of-bounds", "out-of-bounds", "locals", "local-out-of-bounds"},
    {plain, "host-pointer-in-a-kernel", "device-access-to-host", "values", "read-by-copy"},
    {plain, "device-pointer-on-the-host", "host-access-to-device", "values", "device-pointer-on-the-host"},
    {plain, "managed-before-waiting", "unsynchronised-host-access", "squares", "managed-before-waiting", true},
    {plain, "managed-variable-before-waiting", "unsynchronised-host-access", "managed_counter",
     "managed-variable-before-waiting", true},
    {plain, "managed-past-the-end", "out-of-bounds", "", "managed-past-the-end"},
    {plain, "null-pointer", "invalid-address", "", "null-pointer"},
    {plain, "endless-loop", "endless-loop", "", "endless-loop"},
    {plain, "stack-overflow", "stack-overflow", "", ""},
    {plain, "failed-assertion", "failed-assertion", "", "failed-assertion"},
    {plain, "leak", "leak", "forgotten", "", false, "warning"},
    {plain, "unchecked-error", "unchecked-error", "", "unchecked-error"},
    {plain, "two-launches-fail", "unchecked-error", "", "two-launches-fail"},
    {plain, "symbol-for-a-pointer", "device-access-to-host", "weights", "symbol-for-a-pointer"},
    {plain, "copy-by-the-symbols-name", "invalid-address", "weights", "copy-by-the-symbols-name"},
    {plain, "variable-for-a-pointer", "device-access-to-host", "counter", "variable-for-a-pointer"},
    {plain, "elements-for-bytes", "out-of-bounds", "squares", "elements-for-bytes"},
    {plain, "barrier-gone-around", "divergent-barrier", "", "barrier-gone-around"},
    {plain, "shuffle-of-a-helper", "inactive-lane", "", "shuffle-of-a-helper"},
    {ordered, "ticket-without-fence", "global-race", "partial", "ticket-without-fence", true},
    {ordered, "fence-of-the-block-only", "global-race", "partial", "fence-of-the-block-only", true},
    {ordered, "fence-too-early", "global-race", "data", "fence-too-early", true},
    {ordered, "fence-of-another-thread", "global-race", "data", "fence-of-another-thread", true},
    {ordered, "reader-without-fence", "global-race", "data", "reader-without-fence", true},
    {ordered, "plain-look-at-a-flag", "global-race", "flag", "plain-look-at-a-flag", true},
    {ordered, "guess-among-fences", "first-guess-race", "count", "guess-among-fences", true, "note"},
    {ordered, "look-among-fences", "global-race", "count", "look-among-fences", true},
    {ordered, "lock-without-fence", "global-race", "count", "lock-without-fence"},
    {ordered, "lock-given-back-plainly", "global-race", "lock", "lock-given-back-plainly", true},
    {ordered, "lock-not-asked-for", "global-race", "count", "lock-not-asked-for", true},
    {ordered, "shared-lock-without-fence", "shared-race", "count", "shared-lock-without-fence"},
    {ordered, "volatile-without-fence", "global-race", "data", "volatile-without-fence", true},
    {ordered, "stage-filled-too-early", "shared-race", "stage", "stage-filled-too-early", true},
    {ordered, "byte-of-another-block", "global-race", "bytes", "byte-of-another-block"},
    {ordered, "partial-syncwarp", "shared-race", "cells", "partial-syncwarp", true},
    {ordered, "masks-that-differ", "warp-deadlock", "", "masks-that-differ"},
    {ordered, "wait-for-nobody", "deadlock", "", "wait-for-nobody", true},
    {ordered, "two-locks-crosswise", "deadlock", "", "two-locks-crosswise"},
    {ordered, "barrier-inside-a-lock", "deadlock", "", "barrier-inside-a-lock", true},
    {ordered, "streams-without-event", "global-race", "values", "streams-without-event", true},
    {ordered, "copy-beside-kernel", "global-race", "values", ""},
    {ordered, "each-undoes-the-other", "livelock", "", "each-undoes-the-other"},
};

}  // namespace

program_run run(const program& of, const char* bug, const std::string& environment) {
  const std::string command = environment + " " + std::getenv(of.variable) + " " + bug + " 2>&1";
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start " + command);
  program_run result;
  std::array<char, 4096> piece{};
  while (fgets(piece.data(), piece.size(), pipe) != nullptr) result.output += piece.data();
  const int status = pclose(pipe);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  std::string line;
  for (const char c : result.output) {
    if (c != '\n') {
      line += c;
      continue;
    }
    const auto f = fields_of(line);
    if (f.size() == 7) result.findings.push_back({f[0], f[1], f[2], f[3], f[4], f[5], f[6]});
    line.clear();
  }
  return result;
}

std::span<const expectation> expectations() { return expected; }

std::string place(const program& of, const std::string& marker) {
  const std::string source = of.source;
  return source.substr(source.find_last_of('/') + 1) + ":" + std::to_string(claims::marked_line(of.source, marker));
}

}  // namespace simtlab::emulator::bugs
