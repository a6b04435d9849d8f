#include "predict/question.h"

#include <stdexcept>

namespace simtlab::predict {
namespace {

using emulator::access;
using emulator::report;
using emulator::request_counters;

request_counters counters_of(const report& of, access kind, std::string_view variable) {
  request_counters sum;
  for (const auto& launch : of.launches)
    for (const auto& place : launch.accesses)
      if (place.kind == kind && place.variable == variable) sum += place.counters;
  if (sum.requests == 0) {
    std::string message =
        "predict.cu: the snippet makes no such request to \"" + std::string(variable) + "\"; there are:";
    for (const auto& launch : of.launches)
      for (const auto& place : launch.accesses) message += " " + place.variable;
    throw std::runtime_error(message);
  }
  return sum;
}

double each(std::uint64_t sum, const request_counters& of) {
  return static_cast<double>(sum) / static_cast<double>(of.requests);
}

}  // namespace

request_counters reads_of(const report& of, std::string_view variable) {
  return counters_of(of, access::read, variable);
}
request_counters writes_of(const report& of, std::string_view variable) {
  return counters_of(of, access::write, variable);
}

std::function<double(const report&)> sectors_per_read(std::string variable) {
  return [v = std::move(variable)](const report& r) { return each(reads_of(r, v).sectors, reads_of(r, v)); };
}
std::function<double(const report&)> lines_per_read(std::string variable) {
  return [v = std::move(variable)](const report& r) { return each(reads_of(r, v).lines, reads_of(r, v)); };
}
std::function<double(const report&)> wavefronts_per_read(std::string variable) {
  return [v = std::move(variable)](const report& r) { return each(reads_of(r, v).wavefronts, reads_of(r, v)); };
}
std::function<double(const report&)> sectors_per_write(std::string variable) {
  return [v = std::move(variable)](const report& r) { return each(writes_of(r, v).sectors, writes_of(r, v)); };
}
std::function<double(const report&)> wavefronts_per_write(std::string variable) {
  return [v = std::move(variable)](const report& r) { return each(writes_of(r, v).wavefronts, writes_of(r, v)); };
}

}  // namespace simtlab::predict
