// A number of the lectures beside the measured one: a check of the test it stands in, and a row of the table that
// `simtlab claims` prints. The programs write the rows with `--reporters=claims`.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

namespace simtlab::emulator::claims {

/// Keeps the row for the reporter. True when both are the same, up to a millionth.
bool record(const std::string& what, double lecture, double measured);
bool record(const std::string& what, bool lecture, bool measured);

/// "sectors: the lecture's 5, measured 4"
[[nodiscard]] std::string last_row();

/// Counters and other numbers of one kind; what is true or false stays so.
template <class Lecture, class Measured>
bool record_row(const std::string& what, Lecture lecture, Measured measured) {
  if constexpr (std::is_same_v<Measured, bool>)
    return record(what, static_cast<bool>(lecture), measured);
  else
    return record(what, static_cast<double>(lecture), static_cast<double>(measured));
}

}  // namespace simtlab::emulator::claims

/// The measured value comes last, as any expression, commas and all.
#define LECTURE_SAYS(what, lecture, ...)                                                   \
  do {                                                                                     \
    const bool agrees = simtlab::emulator::claims::record_row(what, lecture, __VA_ARGS__); \
    CHECK_MESSAGE(agrees, simtlab::emulator::claims::last_row());                          \
  } while (false)
