// The way back: CASE/result/.
//
//   started         made before any code of the submission runs
//   result.json     this struct
//   output-R-I.bin  the bytes of argument I, an output or inout, after the call of round R
//
// The judge trusts none of it: names are fixed, sizes must be the request's, the JSON is read with bounds.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "protocol/file.h"
#include "protocol/measurement.h"
#include "protocol/request.h"

namespace simtlab {

inline constexpr const char* started_file = "started";
/// Stands in what the runner prints where one call of the entry ends and a further one begins.
inline constexpr char end_of_call = '\x1e';

/// How the call of the entry ended.
enum class ending : std::uint8_t {
  returned,   ///< and no CUDA error was left
  error,      ///< the entry returned a cudaError_t, or one was found after it
  exception,  ///< a C++ exception left the entry
  fatal,      ///< the backend stopped the program: `findings` says why
  our_fault   ///< the runner itself failed: `text` says how
};

/// A CUDA error, or the text of an exception.
struct ending_detail {
  int code = 0;
  std::string name;       ///< cudaErrorInvalidConfiguration; the type of an exception
  std::string text;       ///< invalid configuration argument
  bool returned = false;  ///< by the entry itself
};

struct case_result {
  ending how = ending::returned;
  ending_detail detail;
  environment where;
  measurements measured;
  /// Of each round that was called, and nothing for an argument that is not written. All rounds when the entry
  /// returned; up to the round with the error otherwise.
  std::vector<round_values> rounds;
};

/// The name of the file with argument I's bytes after round R.
[[nodiscard]] std::string output_file(std::size_t round, std::size_t argument);
/// How many rounds' outputs come with a result: none but after `returned` and `error`.
[[nodiscard]] std::size_t rounds_with_outputs(const case_result&);
/// The text of result.json.
[[nodiscard]] std::string result_text(const case_result&);

/// The outputs first, then result.json, each whole or not at all.
void write_result(const folder_handle& result, const case_request&, const case_result&);

/// Throws protocol_error when anything is not as the request demands. Outputs are read only after `returned` or `error`.
[[nodiscard]] case_result read_result(const folder_handle& result, const case_request&);

}  // namespace simtlab
