// The judge's command line. docs/architecture.md fixes it; doctest's own options are passed on.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "spec/test_case.h"

namespace simtlab {

enum class backend_kind : std::uint8_t { emulator, cuda };
[[nodiscard]] const char* name_of(backend_kind);

struct judge_options {
  std::filesystem::path runner;
  /// Words; `{case}` in one stands for the case's folder, `{memory_mb}` for what all its processes together may take.
  std::vector<std::string> runner_prefix;
  backend_kind backend = backend_kind::emulator;
  std::filesystem::path facts;  ///< empty: doctest is the face
  bool changes = false;         ///< with `facts`: print the verdict and what changed since the facts that the file held
  std::string submission;
  std::filesystem::path hidden;  ///< JSON with more cases
  std::uint64_t seed = 1;        ///< by --seed, or else $SIMTLAB_SEED: other processes can read a command line
  unsigned workers = 1;
  bool as_compiled = false;  ///< kernels run as nvcc compiled them; the runner was built with simtcc --engine sass
  std::optional<double> limit_seconds;
  std::optional<int> limit_memory_mb;
  std::filesystem::path profile;                ///< the source to annotate
  std::filesystem::path page;                   ///< the same as a page, written there; empty: none
  std::array<std::uint64_t, 3> traced_block{};  ///< with `page`: the block of the first launch whose warps are drawn
  bool samples = false;  ///< with `profile`: the runner's result has a sample of what one block's threads accessed
  std::optional<std::array<std::uint64_t, 3>> launch_block;  ///< every launch gets blocks of this shape
  std::filesystem::path nsight_csv;  ///< the counters as `ncu --csv --page raw` has them, written there; empty: none
  std::filesystem::path input;       ///< the student's own input takes the place of all cases; run it
  sizes own_sizes;                   ///< with `input`: sizes that the file leaves out
  bool print = false;                ///< with `input`: print the arrays
  std::filesystem::path prepare;     ///< only make the folder of a case, for a runner under a debugger
  std::string case_name;             ///< which; empty: the first
  std::filesystem::path source;      ///< the submission's file, to quote lines from
  std::filesystem::path baselines;   ///< the program that times libraries; empty: none is built
  /// Runners of the lab's own kernels that times are compared with, by name: "solution", "unpadded".
  std::map<std::string, std::filesystem::path> references;
  std::filesystem::path timing_session;  ///< where baselines' times are kept from one submission to the next; or empty
  std::vector<std::string> baseline_prefix;  ///< words before those two: $SIMTLAB_RUNNER_PREFIX, and no sandbox
  std::filesystem::path counters;   ///< Nsight Compute's ncu, to count on a GPU; empty: nothing is counted there
  std::filesystem::path count;      ///< only run the benchmark and write its counters into this file
  std::filesystem::path sanitizer;  ///< compute-sanitizer, for every case on a GPU; empty: it is not asked
  std::string front_end;            ///< which CUDA front end read the submission, too; or empty
  std::vector<std::string> sandbox_layers;  ///< what the prefix provides, for the record
  /// For simtlab's own tests: layers of defence that are off, so that a test can prove which one caught a cheat.
  std::set<std::string> without;
  std::vector<std::string> for_doctest;
  std::filesystem::path together;  ///< where one part's program keeps what the other two say (kept_parts.h); or empty
  bool describe = false;           ///< print the specification and judge nothing: no runner is needed
  bool until_failure = false;      ///< what follows the first case that is not `pass` is not run: for mutants
  bool only_times = false;         ///< take the times of what has passed all cases before, and run none of them
  bool help = false;
};

/// What `without` may name: a second call with other values at other addresses; outputs must be what kernels stored; host
/// code is kept to its own memory; so is what libraries do for it; inputs are compared after the call; outputs are poisoned before it;
/// the process asks the system for nothing; criteria are read a second time over all work; threads keep to their own local memory;
/// outputs are compared with the reference.
inline constexpr std::array<std::string_view, 10> layers{
    "rounds", "kernel_writes", "host_accesses", "closed_memory", "inputs_hash",
    "poison", "system_calls",  "whole_work",    "local_memory",  "outputs"};

class usage_error : public std::runtime_error {
  using runtime_error::runtime_error;
};

/// Throws usage_error.
[[nodiscard]] judge_options parse_options(const std::vector<std::string>& words);
[[nodiscard]] std::string usage(const std::string& program);

}  // namespace simtlab
