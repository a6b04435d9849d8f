// Arithmetic rounded as a GPU's instructions of that name round, by the processor's own rounding mode. Operands and results are
// volatile, or the compiler would compute before the mode is set.
#include <cfenv>
#include <cmath>

#include "include/simtlab/emulator_entry.h"

namespace {

class rounding_mode {
 public:
  explicit rounding_mode(unsigned mode) : before_(std::fegetround()) {
    std::fesetround(mode == simtlab_round_down      ? FE_DOWNWARD
                    : mode == simtlab_round_up      ? FE_UPWARD
                    : mode == simtlab_round_to_zero ? FE_TOWARDZERO
                                                    : FE_TONEAREST);
  }
  rounding_mode(const rounding_mode&) = delete;
  rounding_mode& operator=(const rounding_mode&) = delete;
  ~rounding_mode() { std::fesetround(before_); }

 private:
  int before_;
};

template <class T>
T rounded(unsigned operation, unsigned mode, T x, T y, T z) {
  volatile T a = x, b = y, c = z, result = 0;
  const rounding_mode set(mode);
  switch (operation) {
    case simtlab_rounded_add:
      result = a + b;
      break;
    case simtlab_rounded_subtract:
      result = a - b;
      break;
    case simtlab_rounded_multiply:
      result = a * b;
      break;
    case simtlab_rounded_divide:
      result = a / b;
      break;
    case simtlab_rounded_square_root:
      result = std::sqrt(a);
      break;
    default:
      result = std::fma(a, b, c);
  }
  return result;
}

template <class To, class From>
To converted(unsigned mode, From from) {
  volatile From given = from;
  const rounding_mode set(mode);
  volatile To result = static_cast<To>(given);
  return result;
}

}  // namespace

extern "C" {

float simtlab_rounded_float(unsigned operation, unsigned mode, float a, float b, float c) {
  return rounded(operation, mode, a, b, c);
}
double simtlab_rounded_double(unsigned operation, unsigned mode, double a, double b, double c) {
  return rounded(operation, mode, a, b, c);
}
float simtlab_float_of_double(unsigned mode, double x) { return converted<float>(mode, x); }
float simtlab_float_of_signed(unsigned mode, long long x) { return converted<float>(mode, x); }
float simtlab_float_of_unsigned(unsigned mode, unsigned long long x) { return converted<float>(mode, x); }
double simtlab_double_of_signed(unsigned mode, long long x) { return converted<double>(mode, x); }
double simtlab_double_of_unsigned(unsigned mode, unsigned long long x) { return converted<double>(mode, x); }

}  // extern "C"
