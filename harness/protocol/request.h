// The way from judge to runner: one folder per case.
//
//   CASE/request/request.json   this struct, read-only for the runner
//   CASE/request/input-R-I.bin  the bytes of argument I in round R: inputs, inouts and scalars
//   CASE/result/                empty; the runner writes here and nowhere else (result.h)
//
// Several cases for one process are folders CASE/request/cases/0, 1, …, each with a `request` of its own; their results go to
// CASE/result/0, 1, … .
//
// A case is called in rounds, one after the other in one process: each has values of its own, in memory at other
// addresses than the rounds before, so that nothing kept from one round is of use in the next. The seed that the values
// come from is nowhere in here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "protocol/file.h"
#include "protocol/measurement.h"
#include "spec/argument.h"
#include "timing/stopping_rule.h"

namespace simtlab {

inline constexpr int protocol_version = 3;

/// What outputs and guard bands hold before the call: NaN as floating point, -1 as a signed integer.
inline constexpr unsigned char poison_byte = 0xff;

struct request_argument {
  std::string name;
  argument_role role = argument_role::scalar;
  std::size_t element_bytes = 0;
  std::size_t elements = 0;  ///< 1 for a scalar
  scalar_type scalar = scalar_type::f32;
  std::vector<std::size_t> extents = {};  ///< slowest first; empty for a scalar
};

/// The bytes of one round, one entry per argument.
using round_values = std::vector<std::vector<std::byte>>;
/// The same where they lie.
using round_view = std::vector<std::span<const std::byte>>;

struct timing_request {
  unsigned warm_ups = 3;  ///< calls before the timed ones
  stopping_limits until;
};

struct case_request {
  std::string lab;
  entry_kind kind = entry_kind::device;
  std::vector<request_argument> arguments;
  unsigned rounds = 1;
  unsigned workers = 1;
  bool counters = true;
  bool checks = true;
  bool foreign_reads = false;               ///< counted, too: a criterion asks for it
  bool examples = false;                    ///< of requests are kept: for pictures
  std::optional<coordinates> traced_block;  ///< what its warps do is kept, in the first launch: for a picture
  std::string traced_kernel;                ///< in its first launch, not in the program's
  bool names_racing_threads = false;        ///< also of two blocks
  bool samples = false;                     ///< of one block's accesses are kept: for questions
  std::optional<coordinates> launch_block;  ///< every launch gets blocks of this shape, and not the submission's
  bool as_compiled = false;                 ///< kernels run as nvcc compiled them, not as g++ did
  std::uint64_t fail_api_call = 0;
  std::map<std::string, severity> severities;
  /// Calls are timed, with values mixed from the first two rounds (timing/fresh_values.h); only one call's outputs return.
  std::optional<timing_request> timing;
  std::set<std::string> without;  ///< layers that a test of the project has switched off (judge/options.h)
};

/// Writes `folder`/request, all but the values, and makes an empty `folder`/result.
void begin_request(const std::filesystem::path& folder, const case_request&);
/// The files of one round's values, into `folder` itself. `values[i]` is empty for an output.
void write_values(const std::filesystem::path& folder, const case_request&, unsigned round, const round_view&);
/// Puts what `write_values` has left in `values` where a runner of `folder` looks for it; links, where the file system can.
void link_values(const std::filesystem::path& values, const std::filesystem::path& folder);

/// Where the n-th of several cases is asked, and where it is answered. The latter is open to every user, because the runner
/// may be another; the folder above it is not.
[[nodiscard]] std::filesystem::path nth_case(const std::filesystem::path& folder, std::size_t n);
[[nodiscard]] std::filesystem::path nth_result(const std::filesystem::path& folder, std::size_t n);
/// Makes both, empty.
void make_nth_case(const std::filesystem::path& folder, std::size_t n);

/// The name of the file with argument I's bytes in round R.
[[nodiscard]] std::string input_file(unsigned round, std::size_t argument);

/// Throws protocol_error.
[[nodiscard]] case_request read_request(const std::filesystem::path& folder);

/// The values of one round in files that stay where they are; nothing for an output.
class mapped_round {
 public:
  /// Throws protocol_error.
  mapped_round(const std::filesystem::path& folder, const case_request&, unsigned round);
  [[nodiscard]] const round_view& values() const { return values_; }

 private:
  std::vector<mapped_file> files_;
  round_view values_;
};

}  // namespace simtlab
