// The way from judge to runner: one folder per case.
//
//   CASE/request/request.json   this struct, read-only for the runner
//   CASE/request/input-I.bin    the bytes of argument I: inputs, inouts and scalars
//   CASE/result/                empty; the runner writes here and nowhere else (result.h)
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "protocol/measurement.h"
#include "spec/argument.h"

namespace simtlab {

inline constexpr int protocol_version = 1;

/// What outputs and guard bands hold before the call: NaN as floating point, -1 as a signed integer.
inline constexpr unsigned char poison_byte = 0xff;

struct request_argument {
  std::string name;
  argument_role role = argument_role::scalar;
  std::size_t element_bytes = 0;
  std::size_t elements = 0;  ///< 1 for a scalar
};

struct case_request {
  std::string lab;
  entry_kind kind = entry_kind::device;
  std::vector<request_argument> arguments;
  unsigned workers = 1;
  bool counters = true;
  bool checks = true;
  std::uint64_t fail_api_call = 0;
  std::map<std::string, severity> severities;
  unsigned warm_ups = 0;  ///< calls before the timed ones
  unsigned samples = 0;   ///< timed calls; 0: the entry is called once and no time is taken
};

/// Writes `folder`/request and makes an empty `folder`/result. `values[i]` is empty for an output.
void write_request(const std::filesystem::path& folder, const case_request&,
                   const std::vector<std::vector<std::byte>>& values);

struct received_request {
  case_request request;
  std::vector<std::vector<std::byte>> values;  ///< as written; outputs: poison of the right size
};

/// Throws protocol_error.
[[nodiscard]] received_request read_request(const std::filesystem::path& folder);

}  // namespace simtlab
