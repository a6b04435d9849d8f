#include "spaces/device_library.h"

#include <algorithm>
#include <array>

namespace simtlab::emulator {
namespace {

using namespace std::string_view_literals;

constexpr std::array mathematics{"abs"sv,
                                 "acos"sv,
                                 "acosh"sv,
                                 "asin"sv,
                                 "asinh"sv,
                                 "atan"sv,
                                 "atan2"sv,
                                 "atanh"sv,
                                 "cbrt"sv,
                                 "ceil"sv,
                                 "copysign"sv,
                                 "cos"sv,
                                 "cosh"sv,
                                 "erf"sv,
                                 "erfc"sv,
                                 "exp"sv,
                                 "exp10"sv,
                                 "exp2"sv,
                                 "expm1"sv,
                                 "fabs"sv,
                                 "fdim"sv,
                                 "floor"sv,
                                 "fma"sv,
                                 "fmax"sv,
                                 "fmin"sv,
                                 "fmod"sv,
                                 "fpclassify"sv,
                                 "frexp"sv,
                                 "hypot"sv,
                                 "ilogb"sv,
                                 "isfinite"sv,
                                 "isgreater"sv,
                                 "isgreaterequal"sv,
                                 "isinf"sv,
                                 "isless"sv,
                                 "islessequal"sv,
                                 "islessgreater"sv,
                                 "isnan"sv,
                                 "isnormal"sv,
                                 "isunordered"sv,
                                 "j0"sv,
                                 "j1"sv,
                                 "jn"sv,
                                 "labs"sv,
                                 "ldexp"sv,
                                 "lgamma"sv,
                                 "llabs"sv,
                                 "llrint"sv,
                                 "llround"sv,
                                 "log"sv,
                                 "log10"sv,
                                 "log1p"sv,
                                 "log2"sv,
                                 "logb"sv,
                                 "lrint"sv,
                                 "lround"sv,
                                 "modf"sv,
                                 "nan"sv,
                                 "nearbyint"sv,
                                 "nextafter"sv,
                                 "pow"sv,
                                 "remainder"sv,
                                 "remquo"sv,
                                 "rint"sv,
                                 "round"sv,
                                 "scalbln"sv,
                                 "scalbn"sv,
                                 "signbit"sv,
                                 "sin"sv,
                                 "sincos"sv,
                                 "sinh"sv,
                                 "sqrt"sv,
                                 "tan"sv,
                                 "tanh"sv,
                                 "tgamma"sv,
                                 "trunc"sv,
                                 "y0"sv,
                                 "y1"sv,
                                 "yn"sv};
constexpr std::array c_library{"printf"sv, "vprintf"sv,       "malloc"sv, "free"sv,    "memcpy"sv, "memset"sv,
                               "assert"sv, "__assert_fail"sv, "clock"sv,  "clock64"sv, "alloca"sv};
constexpr std::array cpp_library{"move"sv,           "forward"sv,         "operator new"sv,
                                 "operator new[]"sv, "operator delete"sv, "operator delete[]"sv};
// What g++ writes where an array-new has no constant size, and where a function ends without its return; the emulator's own
// takes its place.
constexpr std::array of_the_compiler{"__cxa_throw_bad_array_new_length"sv, "__ubsan_handle_missing_return"sv};
constexpr std::array device_entries{"simtlab_syncthreads"sv};

template <class Array>
bool is_listed(const Array& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool has_device_version(std::string_view name, bool in_std) {
  if (is_listed(mathematics, name) || is_listed(cpp_library, name)) return true;
  if (!in_std && name.ends_with('f') && is_listed(mathematics, name.substr(0, name.size() - 1))) return true;
  return is_listed(c_library, name) || is_listed(of_the_compiler, name) || name.starts_with("__builtin_");
}

bool is_device_entry(std::string_view symbol) { return is_listed(device_entries, symbol); }

}  // namespace simtlab::emulator
