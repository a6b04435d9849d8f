// What inline PTX becomes: simtcc turns the text of an `asm` statement in device code into C++ that calls these functions
// (translator/ptx_instructions.h). A register is a number of its width, and a memory instruction an access in the program's own line,
// so that checks, counters and findings are those of C++.
//
// Source of every rule: NVIDIA, "Parallel Thread Execution ISA", chapter "Instruction Set".
#pragma once       // IWYU pragma: private, include <cuda_runtime.h>
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include <math.h>
#include <stdint.h>

#include <type_traits>

#include "../device_atomic_functions.h"
#include "../device_functions.h"
#include "../device_launch_parameters.h"
#include "../math_functions.h"
#include "../vector_types.h"
#include "emulator_entry.h"
#include "ptx_halves.h"

#define SIMTLAB_PTX __device__ inline __attribute__((always_inline, artificial))

namespace simtlab::ptx {

using b16 = uint16_t;
using b32 = uint32_t;
using b64 = uint64_t;
/// A number of the text, or an operand `n`.
struct number {
  long long value;
};
struct real {
  double value;
};

template <size_t Bytes>
using bits_of = std::conditional_t<Bytes == 8, b64,
                                   std::conditional_t<Bytes == 4, b32, std::conditional_t<Bytes == 2, b16, uint8_t>>>;

// Operands of the `asm` statement

template <char Constraint>
constexpr size_t bytes_of = Constraint == 'h'                        ? 2
                            : Constraint == 'l' || Constraint == 'd' ? 8
                                                                     : 4;
template <char Constraint, class T>
constexpr void check_operand() {
  constexpr bool wants_floating = Constraint == 'f' || Constraint == 'd';
  static_assert(sizeof(T) == bytes_of<Constraint>,
                "an operand of asm has another size than its constraint: h takes 16 bits, r and f 32, l and d 64");
  static_assert(std::is_floating_point<T>::value == wants_floating,
                "an operand of asm is floating-point or not, unlike its constraint: f takes float, d double");
  static_assert(wants_floating || std::is_integral<T>::value || std::is_enum<T>::value || std::is_pointer<T>::value,
                "an operand of asm is a number or a pointer");
}
template <char Constraint, class T>
SIMTLAB_PTX bits_of<bytes_of<Constraint>> in(T value) {
  check_operand<Constraint, T>();
  return __builtin_bit_cast(bits_of<bytes_of<Constraint>>, value);
}
template <char Constraint, class T>
SIMTLAB_PTX void out(T& target, bits_of<bytes_of<Constraint>> value) {
  using plain = std::remove_volatile_t<T>;
  check_operand<Constraint, plain>();
  target = __builtin_bit_cast(plain, value);
}

// Registers: `as` reads one as an instruction's type, `put` writes one. `as_part` and `put_wide` are for instructions whose
// registers may be wider than their type: loads, stores and conversions.

template <class T>
SIMTLAB_PTX T as_part(number x) {
  static_assert(std::is_integral<T>::value,
                "a floating-point instruction takes a number with a point, or its bits: 0f3f800000");
  return static_cast<T>(x.value);
}
template <class T>
SIMTLAB_PTX T as_part(real x) {
  static_assert(std::is_floating_point<T>::value, "an integer instruction takes whole numbers");
  return static_cast<T>(x.value);
}
template <class T, class Register>
SIMTLAB_PTX T as_part(Register x) {
  static_assert(std::is_integral<Register>::value && sizeof(Register) >= sizeof(T),
                "a register is narrower than the instruction's type");
  return __builtin_bit_cast(T, static_cast<bits_of<sizeof(T)>>(x));
}
template <class T, class Register>
SIMTLAB_PTX T as(Register x) {
  static_assert(!std::is_integral<Register>::value || sizeof(Register) == sizeof(T),
                "a register of inline PTX has another width than the instruction's type");
  static_assert(!std::is_same<Register, bool>::value, "a predicate stands where a number is expected");
  return as_part<T>(x);
}
template <class T, class Register>
SIMTLAB_PTX void put_wide(Register& to, T value) {
  static_assert(sizeof(Register) >= sizeof(T), "a register is narrower than the instruction's type");
  static_assert(!std::is_same<Register, bool>::value, "a predicate stands where a register is expected");
  if constexpr (std::is_integral<T>::value)
    to = static_cast<Register>(value);  // with its sign
  else
    to = static_cast<Register>(__builtin_bit_cast(bits_of<sizeof(T)>, value));
}
template <class T, class Register>
SIMTLAB_PTX void put(Register& to, T value) {
  static_assert(sizeof(Register) == sizeof(T),
                "a register of inline PTX has another width than the instruction's type");
  put_wide<T>(to, value);
}
SIMTLAB_PTX bool is(bool predicate) { return predicate; }
template <class Register>
void is(Register) = delete;  // a predicate is expected
SIMTLAB_PTX void set(bool& predicate, bool value) { predicate = value; }

// Special registers

SIMTLAB_PTX b32 word(unsigned x) { return x; }
SIMTLAB_PTX b32 rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
SIMTLAB_PTX b32 laneid() { return rank() % 32; }
SIMTLAB_PTX b32 warpid() { return rank() / 32; }
SIMTLAB_PTX b32 nwarpid() { return 64; }  // of a multiprocessor
SIMTLAB_PTX b32 smid() { return simtlab_multiprocessor(); }
SIMTLAB_PTX b32 nsmid() { return simtlab_multiprocessors(); }
SIMTLAB_PTX b64 clock() { return static_cast<b64>(simtlab_clock()); }
SIMTLAB_PTX b32 clock32() { return static_cast<b32>(clock()); }
SIMTLAB_PTX b32 clock_high() { return static_cast<b32>(clock() >> 32); }
SIMTLAB_PTX b32 lanemask_eq() { return b32{1} << laneid(); }
SIMTLAB_PTX b32 lanemask_lt() { return lanemask_eq() - 1; }
SIMTLAB_PTX b32 lanemask_le() { return lanemask_lt() | lanemask_eq(); }
SIMTLAB_PTX b32 lanemask_gt() { return ~lanemask_le(); }
SIMTLAB_PTX b32 lanemask_ge() { return ~lanemask_lt(); }

// Whole numbers

template <class T>
using unsigned_of = std::make_unsigned_t<T>;
template <class T>
using wide_of = std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed<T>::value, int32_t, b32>,
                                   std::conditional_t<std::is_signed<T>::value, int64_t, b64>>;
template <class T>
SIMTLAB_PTX T wrapped(unsigned_of<T> x) {
  return static_cast<T>(x);
}
#define SIMTLAB_PTX_WRAPS(name, operation)                                                    \
  template <class T>                                                                          \
  SIMTLAB_PTX T name(T a, T b) {                                                              \
    if constexpr (std::is_floating_point<T>::value)                                           \
      return a operation b;                                                                   \
    else                                                                                      \
      return static_cast<T>(static_cast<bits_of<8>>(a) operation static_cast<bits_of<8>>(b)); \
  }
SIMTLAB_PTX_WRAPS(added, +)
SIMTLAB_PTX_WRAPS(subtracted, -)
SIMTLAB_PTX_WRAPS(multiplied, *)
#undef SIMTLAB_PTX_WRAPS
SIMTLAB_PTX int32_t added_saturated(int32_t a, int32_t b) {
  const int64_t sum = int64_t{a} + b;
  return static_cast<int32_t>(sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum);
}
SIMTLAB_PTX int32_t subtracted_saturated(int32_t a, int32_t b) {
  const int64_t difference = int64_t{a} - b;
  return static_cast<int32_t>(difference < INT32_MIN ? INT32_MIN : difference > INT32_MAX ? INT32_MAX : difference);
}
template <class T>
SIMTLAB_PTX T multiplied_high(T a, T b) {
  if constexpr (sizeof(T) == 8)
    return static_cast<T>(
        (static_cast<std::conditional_t<std::is_signed<T>::value, __int128, unsigned __int128>>(a) * b) >> 64);
  else
    return static_cast<T>((static_cast<wide_of<T>>(a) * b) >> 8 * sizeof(T));
}
template <class T>
SIMTLAB_PTX wide_of<T> multiplied_wide(T a, T b) {
  return static_cast<wide_of<T>>(a) * static_cast<wide_of<T>>(b);
}
template <class T>
SIMTLAB_PTX T multiplied_added(T a, T b, T c) {
  return added(multiplied(a, b), c);
}
template <class T>
SIMTLAB_PTX T multiplied_added_high(T a, T b, T c) {
  return added(multiplied_high(a, b), c);
}
template <class T>
SIMTLAB_PTX wide_of<T> multiplied_added_wide(T a, T b, wide_of<T> c) {
  return added(multiplied_wide(a, b), c);
}
SIMTLAB_PTX int32_t multiplied24(int32_t a, int32_t b) { return __mul24(a, b); }
SIMTLAB_PTX b32 multiplied24(b32 a, b32 b) { return __umul24(a, b); }
template <class T>
SIMTLAB_PTX T divided(T a, T b) {
  return a / b;
}
template <class T>
SIMTLAB_PTX T remainder(T a, T b) {
  return a % b;
}
/// Of floating-point numbers -0 lies below 0, and of a number and a NaN it is the number.
template <class T>
SIMTLAB_PTX T lesser(T a, T b) {
  if constexpr (std::is_floating_point<T>::value) {
    if (a != a) return b;
    if (a == b) return __builtin_signbit(a) ? a : b;
  }
  return b < a ? b : a;
}
template <class T>
SIMTLAB_PTX T greater(T a, T b) {
  if constexpr (std::is_floating_point<T>::value) {
    if (a != a) return b;
    if (a == b) return __builtin_signbit(a) ? b : a;
  }
  return a < b ? b : a;
}
SIMTLAB_PTX float lesser_or_nan(float a, float b) {
  return a != a || b != b ? __builtin_bit_cast(float, 0x7fffffff) : lesser(a, b);
}
SIMTLAB_PTX float greater_or_nan(float a, float b) {
  return a != a || b != b ? __builtin_bit_cast(float, 0x7fffffff) : greater(a, b);
}
template <class T>
SIMTLAB_PTX T negative(T a) {
  if constexpr (std::is_floating_point<T>::value)
    return -a;
  else
    return subtracted(T{0}, a);
}
template <class T>
SIMTLAB_PTX T magnitude(T a) {
  if constexpr (std::is_same<T, float>::value) return __builtin_fabsf(a);
  if constexpr (std::is_same<T, double>::value) return __builtin_fabs(a);
  return a < T{0} ? negative(a) : a;
}
template <class T>
SIMTLAB_PTX T both(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
SIMTLAB_PTX T either(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
SIMTLAB_PTX T exclusive(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <class T>
SIMTLAB_PTX T inverted(T a) {
  return static_cast<T>(~a);
}
SIMTLAB_PTX bool both(bool a, bool b) { return a && b; }
SIMTLAB_PTX bool either(bool a, bool b) { return a || b; }
SIMTLAB_PTX bool exclusive(bool a, bool b) { return a != b; }
SIMTLAB_PTX bool inverted(bool a) { return !a; }
/// By at most the width.
template <class T>
SIMTLAB_PTX T shifted_left(T a, b32 amount) {
  return amount >= 8 * sizeof(T) ? T{0} : static_cast<T>(static_cast<unsigned_of<T>>(a) << amount);
}
template <class T>
SIMTLAB_PTX T shifted_right(T a, b32 amount) {
  constexpr b32 most = 8 * sizeof(T) - 1;
  if constexpr (std::is_signed<T>::value)
    return static_cast<T>(a >> (amount > most ? most : amount));
  else
    return amount > most ? T{0} : static_cast<T>(a >> amount);
}
SIMTLAB_PTX b32 ones(b32 a) { return static_cast<b32>(__popc(a)); }
SIMTLAB_PTX b32 ones(b64 a) { return static_cast<b32>(__popcll(a)); }
SIMTLAB_PTX b32 leading_zeros(b32 a) { return static_cast<b32>(__clz(static_cast<int>(a))); }
SIMTLAB_PTX b32 leading_zeros(b64 a) { return static_cast<b32>(__clzll(static_cast<long long>(a))); }
SIMTLAB_PTX b32 reversed(b32 a) { return __brev(a); }
SIMTLAB_PTX b64 reversed(b64 a) { return __brevll(a); }
/// The place of the highest bit that is not a sign; all ones: there is none.
template <class T>
SIMTLAB_PTX b32 highest_bit(T a) {
  using word = unsigned_of<T>;
  const auto x = static_cast<word>(std::is_signed<T>::value && a < T{0} ? ~a : a);
  return x == 0 ? ~b32{0} : static_cast<b32>(8 * sizeof(T) - 1) - leading_zeros(x);
}
template <class T>
SIMTLAB_PTX b32 highest_bit_from_top(T a) {
  const b32 place = highest_bit(a);
  return place == ~b32{0} ? place : static_cast<b32>(8 * sizeof(T) - 1) - place;
}
/// `length` bits from `first` on; what lies beyond the register's top is the sign of what was extracted.
template <class T>
SIMTLAB_PTX T bit_field(T a, b32 first, b32 length) {
  using word = unsigned_of<T>;
  constexpr b32 width = 8 * sizeof(T);
  const b32 begin = first & 255, bits = length & 255;
  if (bits == 0) return T{0};
  const b32 last = begin + bits - 1 > width - 1 ? width - 1 : begin + bits - 1;
  const bool is_negative = std::is_signed<T>::value && (static_cast<word>(a) >> last & 1) != 0;
  const word field = begin >= width ? word{0} : static_cast<word>(a) >> begin;
  const word above = bits >= width ? word{0} : static_cast<word>(~word{0} << bits);
  const word beyond = begin == 0 ? word{0} : begin >= width ? ~word{0} : static_cast<word>(~word{0} << (width - begin));
  return static_cast<T>(is_negative ? field | above | beyond : field & ~above);
}
template <class T>
SIMTLAB_PTX T with_bit_field(T a, T b, b32 first, b32 length) {
  constexpr b32 width = 8 * sizeof(T);
  const b32 begin = first & 255, bits = length & 255;
  if (begin >= width || bits == 0) return b;
  const T field = bits >= width ? ~T{0} : static_cast<T>((T{1} << bits) - 1);
  const T mask = field << begin;
  return (b & ~mask) | ((a << begin) & mask);
}
/// With bit 3 of a selector's nibble the byte's sign, eight times.
SIMTLAB_PTX b32 permuted(b32 a, b32 b, b32 selector) {
  const b64 bytes = b64{b} << 32 | a;
  b32 result = 0;
  for (b32 index = 0; index < 4; ++index) {
    const b32 nibble = selector >> 4 * index & 15, byte = static_cast<b32>(bytes >> 8 * (nibble & 7)) & 255;
    result |= ((nibble & 8) == 0 ? byte : (byte & 128) != 0 ? 255u : 0u) << 8 * index;
  }
  return result;
}
/// `table`: bit 4a+2b+c is what comes out of the three bits.
SIMTLAB_PTX b32 by_table(b32 a, b32 b, b32 c, b32 table) {
  b32 result = 0;
  if ((table & 1) != 0) result |= ~a & ~b & ~c;
  if ((table & 2) != 0) result |= ~a & ~b & c;
  if ((table & 4) != 0) result |= ~a & b & ~c;
  if ((table & 8) != 0) result |= ~a & b & c;
  if ((table & 16) != 0) result |= a & ~b & ~c;
  if ((table & 32) != 0) result |= a & ~b & c;
  if ((table & 64) != 0) result |= a & b & ~c;
  if ((table & 128) != 0) result |= a & b & c;
  return result;
}
SIMTLAB_PTX b32 funnel_left(b32 low, b32 high, b32 amount) { return __funnelshift_l(low, high, amount); }
SIMTLAB_PTX b32 funnel_right(b32 low, b32 high, b32 amount) { return __funnelshift_r(low, high, amount); }
SIMTLAB_PTX b32 funnel_left_clamped(b32 low, b32 high, b32 amount) { return __funnelshift_lc(low, high, amount); }
SIMTLAB_PTX b32 funnel_right_clamped(b32 low, b32 high, b32 amount) { return __funnelshift_rc(low, high, amount); }
template <class T>
SIMTLAB_PTX T difference_added(T a, T b, T c) {
  return added(c, a < b ? subtracted(b, a) : subtracted(a, b));
}
/// Sums and differences with a carry in and out; of a difference the carry is what was borrowed.
template <class T>
SIMTLAB_PTX T added_with_carry(T a, T b, bool in, bool& carry) {
  using word = unsigned_of<T>;
  const word x = static_cast<word>(a), sum = x + static_cast<word>(b), result = sum + (in ? 1 : 0);
  carry = sum < x || result < sum;
  return static_cast<T>(result);
}
template <class T>
SIMTLAB_PTX T subtracted_with_borrow(T a, T b, bool in, bool& borrow) {
  using word = unsigned_of<T>;
  const word x = static_cast<word>(a), y = static_cast<word>(b), difference = x - y;
  borrow = x < y || (in && difference == 0);
  return static_cast<T>(difference - (in ? 1 : 0));
}

// Floating-point numbers

SIMTLAB_PTX float fused(float a, float b, float c) { return __fmaf_rn(a, b, c); }
SIMTLAB_PTX double fused(double a, double b, double c) { return __fma_rn(a, b, c); }
SIMTLAB_PTX float square_root(float a) { return sqrtf(a); }
SIMTLAB_PTX double square_root(double a) { return sqrt(a); }
template <class T>
SIMTLAB_PTX T reciprocal(T a) {
  return T{1} / a;
}
SIMTLAB_PTX float reciprocal_root(float a) { return __frsqrt_rn(a); }
SIMTLAB_PTX double reciprocal_root(double a) { return 1.0 / sqrt(a); }
SIMTLAB_PTX float power_of_two(float a) { return exp2f(a); }
SIMTLAB_PTX float binary_logarithm(float a) { return log2f(a); }
SIMTLAB_PTX float sine(float a) { return sinf(a); }
SIMTLAB_PTX float cosine(float a) { return cosf(a); }
SIMTLAB_PTX float hyperbolic_tangent(float a) { return tanhf(a); }
template <class T>
SIMTLAB_PTX T with_sign_of(T sign, T value) {
  if constexpr (sizeof(T) == 4)
    return __builtin_copysignf(value, sign);
  else
    return __builtin_copysign(value, sign);
}
/// Rounded to zero, up or down: `Operation` of enum simtlab_rounded_operation.
template <unsigned Operation, unsigned Rounding>
SIMTLAB_PTX float rounded(float a, float b = 0, float c = 0) {
  return simtlab_rounded_float(Operation, Rounding, a, b, c);
}
template <unsigned Operation, unsigned Rounding>
SIMTLAB_PTX double rounded(double a, double b = 0, double c = 0) {
  return simtlab_rounded_double(Operation, Rounding, a, b, c);
}
template <class T>
SIMTLAB_PTX T saturated(T a) {
  return a > T{0} ? (a < T{1} ? a : T{1}) : T{0};  // of a NaN 0
}
/// Subnormal numbers become zeros of their sign.
/// Of a product with .ftz, 2^64 times: it is too small where it is so with all bits of a normal number (an H200;
/// tests/programs/flushed_results.cu).
SIMTLAB_PTX float scaled(float a) { return a * 0x1p64f; }
SIMTLAB_PTX float flushed_product(float product, float scaled) {
  return __builtin_fabsf(scaled) < 0x1p-62f ? __builtin_copysignf(0.0f, product) : product;
}
SIMTLAB_PTX float flushed(float a) { return __builtin_fabsf(a) < 1.17549435e-38f ? __builtin_copysignf(0.0f, a) : a; }

/// Of NaNs: `lt` and its kin are false, `ltu` and its kin true.
enum comparison { equal, not_equal, less, less_equal, more, more_equal };
template <comparison Comparison, bool OfUnordered = false, class T>
SIMTLAB_PTX bool compared(T a, T b) {
  if constexpr (std::is_floating_point<T>::value)
    if (a != a || b != b) return OfUnordered;
  if constexpr (Comparison == equal) return a == b;
  if constexpr (Comparison == not_equal) return a != b;
  if constexpr (Comparison == less) return a < b;
  if constexpr (Comparison == less_equal) return a <= b;
  if constexpr (Comparison == more) return a > b;
  return a >= b;
}
template <class T>
SIMTLAB_PTX bool is_number(T a, T b) {
  return a == a && b == b;
}
template <class T>
SIMTLAB_PTX T selected(T a, T b, bool predicate) {
  return predicate ? a : b;
}

/// `Rounding` of enum simtlab_rounding. A GPU's conversions to whole numbers end at the type's limits; of a NaN comes 0.
template <class To, class From>
SIMTLAB_PTX To saturated_number(From x) {
  constexpr bool is_signed = std::is_signed<To>::value;
  constexpr To most =
      is_signed ? static_cast<To>(static_cast<unsigned_of<To>>(~unsigned_of<To>{0}) >> 1) : static_cast<To>(~To{0});
  constexpr To least = is_signed ? static_cast<To>(~most) : To{0};
  if constexpr (std::is_floating_point<From>::value) {
    if (x != x) return To{0};
    if (x <= static_cast<From>(least)) return least;
    return x >= static_cast<From>(most) ? most : static_cast<To>(x);
  } else {
    const auto wide = static_cast<__int128>(x);
    return wide < static_cast<__int128>(least) ? least : wide > static_cast<__int128>(most) ? most : static_cast<To>(x);
  }
}
template <unsigned Rounding, class From>
SIMTLAB_PTX From whole(From x) {
  const double wide = static_cast<double>(x);
  if constexpr (Rounding == simtlab_round_nearest) return static_cast<From>(rint(wide));
  if constexpr (Rounding == simtlab_round_to_zero) return static_cast<From>(trunc(wide));
  if constexpr (Rounding == simtlab_round_up) return static_cast<From>(ceil(wide));
  return static_cast<From>(floor(wide));
}
template <class T>
SIMTLAB_PTX T widened(T x) {
  return x;
}
/// As a number that rounds to 16 bits as `x` does.
template <class T>
SIMTLAB_PTX double exactly_enough(T x) {
  if constexpr (std::is_same<T, int64_t>::value)
    return with_sticky_bit(static_cast<long long>(x));
  else if constexpr (std::is_same<T, b64>::value)
    return with_sticky_bit(static_cast<unsigned long long>(x));
  else
    return static_cast<double>(x);
}
template <class To, unsigned Rounding, class From>
SIMTLAB_PTX To floating(From given) {
  const auto x = widened(given);
  using from = decltype(x);
  if constexpr (std::is_same<To, half>::value && std::is_same<From, double>::value) {
    return {half_format::bits_of_double(x)};
  } else if constexpr (std::is_same<To, half>::value) {
    return {half_format::bits(exactly_enough(x), Rounding)};
  } else if constexpr (std::is_same<To, bfloat>::value) {
    return {bfloat_format::bits(exactly_enough(x), Rounding)};
  } else if constexpr (Rounding == simtlab_round_nearest ||
                       (std::is_floating_point<from>::value && sizeof(x) <= sizeof(To))) {
    return static_cast<To>(x);
  } else if constexpr (std::is_floating_point<from>::value) {
    return simtlab_float_of_double(Rounding, x);
  } else if constexpr (std::is_signed<std::remove_const_t<from>>::value) {
    return static_cast<To>(sizeof(To) == 4 ? simtlab_float_of_signed(Rounding, x)
                                           : simtlab_double_of_signed(Rounding, x));
  } else {
    return static_cast<To>(sizeof(To) == 4 ? simtlab_float_of_unsigned(Rounding, x)
                                           : simtlab_double_of_unsigned(Rounding, x));
  }
}
/// Halves of a register, the low one first.
SIMTLAB_PTX b32 packed(b16 low, b16 high) { return b32{high} << 16 | low; }
SIMTLAB_PTX b64 packed(b32 low, b32 high) { return b64{high} << 32 | low; }
SIMTLAB_PTX b64 packed(b16 first, b16 second, b16 third, b16 fourth) {
  return packed(packed(first, second), packed(third, fourth));
}
template <class Part, class Register>
SIMTLAB_PTX Part part(Register x, unsigned index) {
  return static_cast<Part>(x >> 8 * sizeof(Part) * index);
}

// Memory

template <class T>
struct aliased {
  typedef T __attribute__((may_alias)) type;
};
/// What an instruction's address points to. Offsets in shared memory have 32 bits; a register of 64 bits may hold one, too.
template <class T, class Register>
SIMTLAB_PTX auto at(Register address, long long offset) {
  static_assert(sizeof(Register) == 8,
                "an address of global memory has 64 bits: give the asm statement an operand \"l\"");
  return reinterpret_cast<typename aliased<T>::type*>(static_cast<uintptr_t>(address) + static_cast<uintptr_t>(offset));
}
template <class T, class Register>
SIMTLAB_PTX auto at_shared(Register address, long long offset) {
  return static_cast<typename aliased<T>::type*>(
      simtlab_shared_address(static_cast<b32>(address) + static_cast<b32>(offset)));
}
template <class Register>
SIMTLAB_PTX b64 of_shared(Register offset) {
  return reinterpret_cast<b64>(simtlab_shared_address(static_cast<b32>(offset)));
}
template <class Register>
SIMTLAB_PTX b32 to_shared(Register address) {
  static_assert(sizeof(Register) == 8, "a generic address has 64 bits");
  return simtlab_shared_offset(reinterpret_cast<const void*>(static_cast<uintptr_t>(address)));
}
template <class Register>
SIMTLAB_PTX bool is_in(Register address, unsigned memory) {
  static_assert(sizeof(Register) == 8, "a generic address has 64 bits");
  return simtlab_memory_of(reinterpret_cast<const void*>(static_cast<uintptr_t>(address))) == memory;
}

template <unsigned Members, size_t Bytes>
struct vector_of;
#define SIMTLAB_PTX_VECTOR(members, bytes, vector) \
  template <>                                      \
  struct vector_of<members, bytes> {               \
    typedef vector type;                           \
  };
SIMTLAB_PTX_VECTOR(2, 1, uchar2)
SIMTLAB_PTX_VECTOR(4, 1, uchar4)
SIMTLAB_PTX_VECTOR(2, 2, ushort2)
SIMTLAB_PTX_VECTOR(4, 2, ushort4)
SIMTLAB_PTX_VECTOR(2, 4, uint2)
SIMTLAB_PTX_VECTOR(4, 4, uint4)
SIMTLAB_PTX_VECTOR(2, 8, ulonglong2)
#undef SIMTLAB_PTX_VECTOR
template <unsigned Members, class T>
using vector = typename vector_of<Members, sizeof(T)>::type;

/// Orders of `ld.acquire` and `st.release` are fences beside a strong access (scoped_atomics.h).
template <class T>
SIMTLAB_PTX T load_strong(const T* address, unsigned traits) {
  return __builtin_bit_cast(T, static_cast<bits_of<sizeof(T)>>(simtlab_atomic_load(address, sizeof(T) | traits)));
}
template <class T>
SIMTLAB_PTX void store_strong(T* address, T value, unsigned traits) {
  simtlab_atomic_store(address, sizeof(T) | traits, bits_of<sizeof(T)>(__builtin_bit_cast(bits_of<sizeof(T)>, value)));
}

/// A copy is made when it comes back, `from_bytes` of it from memory and zeros behind them.
template <unsigned Bytes, class To, class From>
SIMTLAB_PTX void copy_async(To to, From from, b32 from_bytes = Bytes) {
  using piece = std::conditional_t<Bytes == 16, uint4, std::conditional_t<Bytes == 8, uint2, b32>>;
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "cp.async copies 4, 8 or 16 bytes");
  auto* const target = at_shared<piece>(to, 0);
  if (from_bytes >= Bytes) {
    *target = *at<const piece>(from, 0);
  } else {
    piece kept{};
    for (b32 index = 0; index < from_bytes; ++index)
      reinterpret_cast<unsigned char*>(&kept)[index] = *at<const unsigned char>(from, index);
    *target = kept;
  }
  simtlab_copy_begins(target, Bytes, 0);
}

// Warps

struct shuffled {
  b32 value;
  bool in_range;
};
/// `clamp`: bits 0-4 the last lane, or the first for `up`, of a segment; bits 8-12 the mask of segments.
template <unsigned Kind>
SIMTLAB_PTX shuffled shuffle(b32 value, b32 source, b32 clamp, b32 mask) {
  const b32 lane = laneid(), segments = clamp >> 8 & 31, by = source & 31, width = 32 - segments;
  const b32 last = (lane & segments) | (clamp & 31 & ~segments), first = lane & segments;
  const b32 from = Kind == simtlab_shuffle_up     ? lane - by
                   : Kind == simtlab_shuffle_down ? lane + by
                   : Kind == simtlab_shuffle_xor  ? lane ^ by
                                                  : first | (by & ~segments);
  const bool in_range =
      Kind == simtlab_shuffle_up ? static_cast<int32_t>(from) >= static_cast<int32_t>(last) : from <= last;
  const bool is_usual = (width & (width - 1)) == 0 && (clamp & 31) == (Kind == simtlab_shuffle_up ? 0u : 31u);
  const auto got = is_usual ? simtlab_shuffle(mask, value, by, Kind, width)
                            : simtlab_shuffle(mask, value, in_range ? from : lane, simtlab_shuffle_index, 32);
  return {static_cast<b32>(got), in_range};
}

}  // namespace simtlab::ptx

SIMTLAB_PTX size_t __cvta_generic_to_shared(const void* address) { return simtlab_shared_offset(address); }
SIMTLAB_PTX void* __cvta_shared_to_generic(size_t offset) {
  return simtlab_shared_address(static_cast<unsigned>(offset));
}
SIMTLAB_PTX size_t __cvta_generic_to_global(const void* address) { return reinterpret_cast<size_t>(address); }
SIMTLAB_PTX size_t __cvta_generic_to_local(const void* address) { return reinterpret_cast<size_t>(address); }
SIMTLAB_PTX size_t __cvta_generic_to_constant(const void* address) { return reinterpret_cast<size_t>(address); }
SIMTLAB_PTX void* __cvta_global_to_generic(size_t address) { return reinterpret_cast<void*>(address); }
SIMTLAB_PTX void* __cvta_local_to_generic(size_t address) { return reinterpret_cast<void*>(address); }
SIMTLAB_PTX void* __cvta_constant_to_generic(size_t address) { return reinterpret_cast<void*>(address); }
SIMTLAB_PTX unsigned __isShared(const void* address) { return simtlab_memory_of(address) == simtlab_in_shared; }
SIMTLAB_PTX unsigned __isCtaShared(const void* address) { return __isShared(address); }
SIMTLAB_PTX unsigned __isGlobal(const void* address) { return simtlab_memory_of(address) == simtlab_in_global; }
SIMTLAB_PTX unsigned __isLocal(const void* address) { return simtlab_memory_of(address) == simtlab_in_local; }
SIMTLAB_PTX unsigned __isConstant(const void* address) { return simtlab_memory_of(address) == simtlab_in_constant; }

#undef SIMTLAB_PTX
