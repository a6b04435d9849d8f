// A floating-point type of 16 bits, a pair of them, and what CUDA does with both: included once for each format, by cuda_fp16.h and
// cuda_bf16.h, which name SIMTLAB_SMALL, SIMTLAB_PAIR, SIMTLAB_RAW, SIMTLAB_PAIR_RAW and SIMTLAB_FORMAT. Numbers are computed in float, which has
// more than twice the bits, so that sums, products, quotients and roots are rounded as if once.
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

struct SIMTLAB_RAW {
  unsigned short x;
};
struct alignas(4) SIMTLAB_PAIR_RAW {
  unsigned short x, y;
};

struct alignas(2) SIMTLAB_SMALL {
  unsigned short __x;

  SIMTLAB_SMALL() = default;
  SIMTLAB_HALF SIMTLAB_SMALL(SIMTLAB_RAW raw) : __x(raw.x) {}
  SIMTLAB_HALF SIMTLAB_SMALL(float value) : __x(simtlab::SIMTLAB_FORMAT::bits(static_cast<double>(value))) {}
  SIMTLAB_HALF SIMTLAB_SMALL(double value) : __x(simtlab::SIMTLAB_FORMAT::bits_of_double(value)) {}
  SIMTLAB_HALF SIMTLAB_SMALL(int value) : __x(simtlab::SIMTLAB_FORMAT::bits(value)) {}
  SIMTLAB_HALF SIMTLAB_SMALL(unsigned int value) : __x(simtlab::SIMTLAB_FORMAT::bits(value)) {}
  SIMTLAB_HALF SIMTLAB_SMALL(short value) : __x(simtlab::SIMTLAB_FORMAT::bits(value)) {}
  SIMTLAB_HALF SIMTLAB_SMALL(unsigned short value) : __x(simtlab::SIMTLAB_FORMAT::bits(value)) {}
  SIMTLAB_HALF SIMTLAB_SMALL(long value)
      : __x(simtlab::SIMTLAB_FORMAT::bits(simtlab::with_sticky_bit(static_cast<long long>(value)))) {}
  SIMTLAB_HALF SIMTLAB_SMALL(unsigned long value)
      : __x(simtlab::SIMTLAB_FORMAT::bits(simtlab::with_sticky_bit(static_cast<unsigned long long>(value)))) {}
  SIMTLAB_HALF SIMTLAB_SMALL(long long value) : __x(simtlab::SIMTLAB_FORMAT::bits(simtlab::with_sticky_bit(value))) {}
  SIMTLAB_HALF SIMTLAB_SMALL(unsigned long long value)
      : __x(simtlab::SIMTLAB_FORMAT::bits(simtlab::with_sticky_bit(value))) {}
  SIMTLAB_HALF operator float() const { return simtlab::SIMTLAB_FORMAT::number(__x); }
  SIMTLAB_HALF operator SIMTLAB_RAW() const { return {__x}; }
  SIMTLAB_HALF explicit operator bool() const { return (__x & 0x7fff) != 0; }
};

struct alignas(4) SIMTLAB_PAIR {
  SIMTLAB_SMALL x, y;

  SIMTLAB_PAIR() = default;
  SIMTLAB_HALF SIMTLAB_PAIR(SIMTLAB_SMALL a, SIMTLAB_SMALL b) : x(a), y(b) {}
  SIMTLAB_HALF SIMTLAB_PAIR(SIMTLAB_PAIR_RAW raw) : x(SIMTLAB_RAW{raw.x}), y(SIMTLAB_RAW{raw.y}) {}
  SIMTLAB_HALF operator SIMTLAB_PAIR_RAW() const { return {x.__x, y.__x}; }
};

namespace simtlab {

SIMTLAB_HALF SIMTLAB_SMALL of_bits(SIMTLAB_SMALL, unsigned bits) {
  return SIMTLAB_SMALL(SIMTLAB_RAW{static_cast<unsigned short>(bits)});
}
SIMTLAB_HALF SIMTLAB_SMALL truth(SIMTLAB_SMALL like, bool holds) {
  return of_bits(like, holds ? SIMTLAB_FORMAT::one : 0u);
}
/// The larger or the smaller one: -0 lies below 0, and of a number and a NaN it is the number.
SIMTLAB_HALF SIMTLAB_SMALL extreme(SIMTLAB_SMALL a, SIMTLAB_SMALL b, bool larger, bool keeps_nan) {
  const float x = a, y = b;
  if (x != x || y != y) return (x != x && y != y) || keeps_nan ? of_bits(a, 0x7fff) : x != x ? b : a;
  const bool below = x < y || (x == y && a.__x > b.__x);
  return below == larger ? b : a;
}

}  // namespace simtlab

// Arithmetic
SIMTLAB_HALF SIMTLAB_SMALL __hadd(SIMTLAB_SMALL a, SIMTLAB_SMALL b) {
  return SIMTLAB_SMALL(static_cast<float>(a) + static_cast<float>(b));
}
SIMTLAB_HALF SIMTLAB_SMALL __hadd_rn(SIMTLAB_SMALL a, SIMTLAB_SMALL b) {
  return SIMTLAB_SMALL(static_cast<float>(a) + static_cast<float>(b));
}
SIMTLAB_HALF SIMTLAB_SMALL __hadd_sat(SIMTLAB_SMALL a, SIMTLAB_SMALL b) {
  return SIMTLAB_SMALL(__saturatef(static_cast<float>(a) + static_cast<float>(b)));
}
SIMTLAB_HALF SIMTLAB_PAIR __hadd2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(__hadd(a.x, b.x), __hadd(a.y, b.y));
}
SIMTLAB_HALF SIMTLAB_PAIR __hadd2_rn(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(__hadd_rn(a.x, b.x), __hadd_rn(a.y, b.y));
}
SIMTLAB_HALF SIMTLAB_PAIR __hadd2_sat(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y));
}
SIMTLAB_HALF SIMTLAB_SMALL __hsub(SIMTLAB_SMALL a, SIMTLAB_SMALL b) {
  return SIMTLAB_SMALL(static_cast<float>(a) - static_cast<float>(b));
}
SIMTLAB_HALF SIMTLAB_SMALL __hsub_rn(SIMTLAB_SMALL a, SIMTLAB_SMALL b) {
  return SIMTLAB_SMALL(static_cast<float>(a) - static_cast<float>(b));
}
SIMTLAB_HALF SIMTLAB_SMALL __hsub_sat(SIMTLAB_SMALL a, SIMTLAB_SMALL b) {
  return SIMTLAB_SMALL(__saturatef(static_cast<float>(a) - static_cast<float>(b)));
}
SIMTLAB_HALF SIMTLAB_PAIR __hsub2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(__hsub(a.x, b.x), __hsub(a.y, b.y));
}
SIMTLAB_HALF SIMTLAB_PAIR __hsub2_rn(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(__hsub_rn(a.x, b.x), __hsub_rn(a.y, b.y));
}
SIMTLAB_HALF SIMTLAB_PAIR __hsub2_sat(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y));
}
SIMTLAB_HALF SIMTLAB_SMALL __hmul(SIMTLAB_SMALL a, SIMTLAB_SMALL b) {
  return SIMTLAB_SMALL(static_cast<float>(a) * static_cast<float>(b));
}
SIMTLAB_HALF SIMTLAB_SMALL __hmul_rn(SIMTLAB_SMALL a, SIMTLAB_SMALL b) {
  return SIMTLAB_SMALL(static_cast<float>(a) * static_cast<float>(b));
}
SIMTLAB_HALF SIMTLAB_SMALL __hmul_sat(SIMTLAB_SMALL a, SIMTLAB_SMALL b) {
  return SIMTLAB_SMALL(__saturatef(static_cast<float>(a) * static_cast<float>(b)));
}
SIMTLAB_HALF SIMTLAB_PAIR __hmul2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(__hmul(a.x, b.x), __hmul(a.y, b.y));
}
SIMTLAB_HALF SIMTLAB_PAIR __hmul2_rn(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(__hmul_rn(a.x, b.x), __hmul_rn(a.y, b.y));
}
SIMTLAB_HALF SIMTLAB_PAIR __hmul2_sat(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y));
}
SIMTLAB_HALF SIMTLAB_SMALL __hdiv(SIMTLAB_SMALL a, SIMTLAB_SMALL b) {
  return SIMTLAB_SMALL(static_cast<float>(a) / static_cast<float>(b));
}
SIMTLAB_HALF SIMTLAB_PAIR __h2div(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}
SIMTLAB_HALF SIMTLAB_SMALL __hfma(SIMTLAB_SMALL a, SIMTLAB_SMALL b, SIMTLAB_SMALL c) {
  return SIMTLAB_SMALL(simtlab::fused_with_sticky_bit(a, b, c));
}
SIMTLAB_HALF SIMTLAB_SMALL __hfma_sat(SIMTLAB_SMALL a, SIMTLAB_SMALL b, SIMTLAB_SMALL c) {
  const float fused = __hfma(a, b, c);
  return SIMTLAB_SMALL(__saturatef(fused));
}
SIMTLAB_HALF SIMTLAB_SMALL __hfma_relu(SIMTLAB_SMALL a, SIMTLAB_SMALL b, SIMTLAB_SMALL c) {
  const SIMTLAB_SMALL fused = __hfma(a, b, c);
  return static_cast<float>(fused) <= 0 ? simtlab::of_bits(a, 0) : fused;
}
SIMTLAB_HALF SIMTLAB_PAIR __hfma2(SIMTLAB_PAIR a, SIMTLAB_PAIR b, SIMTLAB_PAIR c) {
  return SIMTLAB_PAIR(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
SIMTLAB_HALF SIMTLAB_PAIR __hfma2_sat(SIMTLAB_PAIR a, SIMTLAB_PAIR b, SIMTLAB_PAIR c) {
  return SIMTLAB_PAIR(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
SIMTLAB_HALF SIMTLAB_PAIR __hfma2_relu(SIMTLAB_PAIR a, SIMTLAB_PAIR b, SIMTLAB_PAIR c) {
  return SIMTLAB_PAIR(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));
}
SIMTLAB_HALF SIMTLAB_SMALL __hneg(SIMTLAB_SMALL a) { return simtlab::of_bits(a, a.__x ^ 0x8000u); }
SIMTLAB_HALF SIMTLAB_SMALL __habs(SIMTLAB_SMALL a) { return simtlab::of_bits(a, a.__x & 0x7fffu); }
SIMTLAB_HALF SIMTLAB_PAIR __hneg2(SIMTLAB_PAIR a) { return SIMTLAB_PAIR(__hneg(a.x), __hneg(a.y)); }
SIMTLAB_HALF SIMTLAB_PAIR __habs2(SIMTLAB_PAIR a) { return SIMTLAB_PAIR(__habs(a.x), __habs(a.y)); }
SIMTLAB_HALF SIMTLAB_SMALL __hmax(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return simtlab::extreme(a, b, true, false); }
SIMTLAB_HALF SIMTLAB_SMALL __hmax_nan(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return simtlab::extreme(a, b, true, true); }
SIMTLAB_HALF SIMTLAB_PAIR __hmax2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
SIMTLAB_HALF SIMTLAB_PAIR __hmax2_nan(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y));
}
SIMTLAB_HALF SIMTLAB_SMALL __hmin(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return simtlab::extreme(a, b, false, false); }
SIMTLAB_HALF SIMTLAB_SMALL __hmin_nan(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return simtlab::extreme(a, b, false, true); }
SIMTLAB_HALF SIMTLAB_PAIR __hmin2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
SIMTLAB_HALF SIMTLAB_PAIR __hmin2_nan(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y));
}

// Comparisons; those with a `u` hold of a NaN, too
SIMTLAB_HALF bool __hisnan(SIMTLAB_SMALL a) { return (a.__x & 0x7fff) > simtlab::SIMTLAB_FORMAT::infinity; }
SIMTLAB_HALF int __hisinf(SIMTLAB_SMALL a) {
  return (a.__x & 0x7fff) == simtlab::SIMTLAB_FORMAT::infinity ? ((a.__x & 0x8000) != 0 ? -1 : 1) : 0;
}
SIMTLAB_HALF SIMTLAB_PAIR __hisnan2(SIMTLAB_PAIR a) {
  return SIMTLAB_PAIR(simtlab::truth(a.x, __hisnan(a.x)), simtlab::truth(a.y, __hisnan(a.y)));
}
SIMTLAB_HALF bool __hlt(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return static_cast<float>(a) < static_cast<float>(b); }
SIMTLAB_HALF bool __hltu(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return !(static_cast<float>(a) >= static_cast<float>(b)); }
SIMTLAB_HALF SIMTLAB_PAIR __hlt2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(simtlab::truth(a.x, __hlt(a.x, b.x)), simtlab::truth(a.y, __hlt(a.y, b.y)));
}
SIMTLAB_HALF bool __hblt2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __hlt(a.x, b.x) && __hlt(a.y, b.y); }
SIMTLAB_HALF unsigned __hlt2_mask(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return (__hlt(a.x, b.x) ? 0xffffu : 0u) | (__hlt(a.y, b.y) ? 0xffff0000u : 0u);
}
SIMTLAB_HALF SIMTLAB_PAIR __hltu2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(simtlab::truth(a.x, __hltu(a.x, b.x)), simtlab::truth(a.y, __hltu(a.y, b.y)));
}
SIMTLAB_HALF bool __hbltu2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __hltu(a.x, b.x) && __hltu(a.y, b.y); }
SIMTLAB_HALF unsigned __hltu2_mask(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return (__hltu(a.x, b.x) ? 0xffffu : 0u) | (__hltu(a.y, b.y) ? 0xffff0000u : 0u);
}
SIMTLAB_HALF bool __hgt(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return static_cast<float>(a) > static_cast<float>(b); }
SIMTLAB_HALF bool __hgtu(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return !(static_cast<float>(a) <= static_cast<float>(b)); }
SIMTLAB_HALF SIMTLAB_PAIR __hgt2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(simtlab::truth(a.x, __hgt(a.x, b.x)), simtlab::truth(a.y, __hgt(a.y, b.y)));
}
SIMTLAB_HALF bool __hbgt2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __hgt(a.x, b.x) && __hgt(a.y, b.y); }
SIMTLAB_HALF unsigned __hgt2_mask(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return (__hgt(a.x, b.x) ? 0xffffu : 0u) | (__hgt(a.y, b.y) ? 0xffff0000u : 0u);
}
SIMTLAB_HALF SIMTLAB_PAIR __hgtu2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(simtlab::truth(a.x, __hgtu(a.x, b.x)), simtlab::truth(a.y, __hgtu(a.y, b.y)));
}
SIMTLAB_HALF bool __hbgtu2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __hgtu(a.x, b.x) && __hgtu(a.y, b.y); }
SIMTLAB_HALF unsigned __hgtu2_mask(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return (__hgtu(a.x, b.x) ? 0xffffu : 0u) | (__hgtu(a.y, b.y) ? 0xffff0000u : 0u);
}
SIMTLAB_HALF bool __hle(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return static_cast<float>(a) <= static_cast<float>(b); }
SIMTLAB_HALF bool __hleu(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return !(static_cast<float>(a) > static_cast<float>(b)); }
SIMTLAB_HALF SIMTLAB_PAIR __hle2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(simtlab::truth(a.x, __hle(a.x, b.x)), simtlab::truth(a.y, __hle(a.y, b.y)));
}
SIMTLAB_HALF bool __hble2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __hle(a.x, b.x) && __hle(a.y, b.y); }
SIMTLAB_HALF unsigned __hle2_mask(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return (__hle(a.x, b.x) ? 0xffffu : 0u) | (__hle(a.y, b.y) ? 0xffff0000u : 0u);
}
SIMTLAB_HALF SIMTLAB_PAIR __hleu2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(simtlab::truth(a.x, __hleu(a.x, b.x)), simtlab::truth(a.y, __hleu(a.y, b.y)));
}
SIMTLAB_HALF bool __hbleu2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __hleu(a.x, b.x) && __hleu(a.y, b.y); }
SIMTLAB_HALF unsigned __hleu2_mask(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return (__hleu(a.x, b.x) ? 0xffffu : 0u) | (__hleu(a.y, b.y) ? 0xffff0000u : 0u);
}
SIMTLAB_HALF bool __hge(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return static_cast<float>(a) >= static_cast<float>(b); }
SIMTLAB_HALF bool __hgeu(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return !(static_cast<float>(a) < static_cast<float>(b)); }
SIMTLAB_HALF SIMTLAB_PAIR __hge2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(simtlab::truth(a.x, __hge(a.x, b.x)), simtlab::truth(a.y, __hge(a.y, b.y)));
}
SIMTLAB_HALF bool __hbge2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __hge(a.x, b.x) && __hge(a.y, b.y); }
SIMTLAB_HALF unsigned __hge2_mask(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return (__hge(a.x, b.x) ? 0xffffu : 0u) | (__hge(a.y, b.y) ? 0xffff0000u : 0u);
}
SIMTLAB_HALF SIMTLAB_PAIR __hgeu2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(simtlab::truth(a.x, __hgeu(a.x, b.x)), simtlab::truth(a.y, __hgeu(a.y, b.y)));
}
SIMTLAB_HALF bool __hbgeu2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __hgeu(a.x, b.x) && __hgeu(a.y, b.y); }
SIMTLAB_HALF unsigned __hgeu2_mask(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return (__hgeu(a.x, b.x) ? 0xffffu : 0u) | (__hgeu(a.y, b.y) ? 0xffff0000u : 0u);
}
SIMTLAB_HALF bool __heq(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return static_cast<float>(a) == static_cast<float>(b); }
SIMTLAB_HALF bool __hequ(SIMTLAB_SMALL a, SIMTLAB_SMALL b) {
  return !(static_cast<float>(a) < static_cast<float>(b) || static_cast<float>(a) > static_cast<float>(b));
}
SIMTLAB_HALF SIMTLAB_PAIR __heq2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(simtlab::truth(a.x, __heq(a.x, b.x)), simtlab::truth(a.y, __heq(a.y, b.y)));
}
SIMTLAB_HALF bool __hbeq2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __heq(a.x, b.x) && __heq(a.y, b.y); }
SIMTLAB_HALF unsigned __heq2_mask(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return (__heq(a.x, b.x) ? 0xffffu : 0u) | (__heq(a.y, b.y) ? 0xffff0000u : 0u);
}
SIMTLAB_HALF SIMTLAB_PAIR __hequ2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(simtlab::truth(a.x, __hequ(a.x, b.x)), simtlab::truth(a.y, __hequ(a.y, b.y)));
}
SIMTLAB_HALF bool __hbequ2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __hequ(a.x, b.x) && __hequ(a.y, b.y); }
SIMTLAB_HALF unsigned __hequ2_mask(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return (__hequ(a.x, b.x) ? 0xffffu : 0u) | (__hequ(a.y, b.y) ? 0xffff0000u : 0u);
}
SIMTLAB_HALF bool __hne(SIMTLAB_SMALL a, SIMTLAB_SMALL b) {
  return static_cast<float>(a) < static_cast<float>(b) || static_cast<float>(a) > static_cast<float>(b);
}
SIMTLAB_HALF bool __hneu(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return static_cast<float>(a) != static_cast<float>(b); }
SIMTLAB_HALF SIMTLAB_PAIR __hne2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(simtlab::truth(a.x, __hne(a.x, b.x)), simtlab::truth(a.y, __hne(a.y, b.y)));
}
SIMTLAB_HALF bool __hbne2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }
SIMTLAB_HALF unsigned __hne2_mask(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return (__hne(a.x, b.x) ? 0xffffu : 0u) | (__hne(a.y, b.y) ? 0xffff0000u : 0u);
}
SIMTLAB_HALF SIMTLAB_PAIR __hneu2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return SIMTLAB_PAIR(simtlab::truth(a.x, __hneu(a.x, b.x)), simtlab::truth(a.y, __hneu(a.y, b.y)));
}
SIMTLAB_HALF bool __hbneu2(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __hneu(a.x, b.x) && __hneu(a.y, b.y); }
SIMTLAB_HALF unsigned __hneu2_mask(SIMTLAB_PAIR a, SIMTLAB_PAIR b) {
  return (__hneu(a.x, b.x) ? 0xffffu : 0u) | (__hneu(a.y, b.y) ? 0xffff0000u : 0u);
}

// Functions
SIMTLAB_HALF SIMTLAB_SMALL hsqrt(SIMTLAB_SMALL a) { return SIMTLAB_SMALL(sqrtf(a)); }
SIMTLAB_HALF SIMTLAB_PAIR h2sqrt(SIMTLAB_PAIR a) { return SIMTLAB_PAIR(hsqrt(a.x), hsqrt(a.y)); }
SIMTLAB_HALF SIMTLAB_SMALL hexp(SIMTLAB_SMALL a) { return SIMTLAB_SMALL(expf(a)); }
SIMTLAB_HALF SIMTLAB_PAIR h2exp(SIMTLAB_PAIR a) { return SIMTLAB_PAIR(hexp(a.x), hexp(a.y)); }
SIMTLAB_HALF SIMTLAB_SMALL hexp2(SIMTLAB_SMALL a) { return SIMTLAB_SMALL(exp2f(a)); }
SIMTLAB_HALF SIMTLAB_PAIR h2exp2(SIMTLAB_PAIR a) { return SIMTLAB_PAIR(hexp2(a.x), hexp2(a.y)); }
SIMTLAB_HALF SIMTLAB_SMALL hexp10(SIMTLAB_SMALL a) { return SIMTLAB_SMALL(exp10f(a)); }
SIMTLAB_HALF SIMTLAB_PAIR h2exp10(SIMTLAB_PAIR a) { return SIMTLAB_PAIR(hexp10(a.x), hexp10(a.y)); }
SIMTLAB_HALF SIMTLAB_SMALL hlog(SIMTLAB_SMALL a) { return SIMTLAB_SMALL(logf(a)); }
SIMTLAB_HALF SIMTLAB_PAIR h2log(SIMTLAB_PAIR a) { return SIMTLAB_PAIR(hlog(a.x), hlog(a.y)); }
SIMTLAB_HALF SIMTLAB_SMALL hlog2(SIMTLAB_SMALL a) { return SIMTLAB_SMALL(log2f(a)); }
SIMTLAB_HALF SIMTLAB_PAIR h2log2(SIMTLAB_PAIR a) { return SIMTLAB_PAIR(hlog2(a.x), hlog2(a.y)); }
SIMTLAB_HALF SIMTLAB_SMALL hlog10(SIMTLAB_SMALL a) { return SIMTLAB_SMALL(log10f(a)); }
SIMTLAB_HALF SIMTLAB_PAIR h2log10(SIMTLAB_PAIR a) { return SIMTLAB_PAIR(hlog10(a.x), hlog10(a.y)); }
SIMTLAB_HALF SIMTLAB_SMALL hsin(SIMTLAB_SMALL a) { return SIMTLAB_SMALL(sinf(a)); }
SIMTLAB_HALF SIMTLAB_PAIR h2sin(SIMTLAB_PAIR a) { return SIMTLAB_PAIR(hsin(a.x), hsin(a.y)); }
SIMTLAB_HALF SIMTLAB_SMALL hcos(SIMTLAB_SMALL a) { return SIMTLAB_SMALL(cosf(a)); }
SIMTLAB_HALF SIMTLAB_PAIR h2cos(SIMTLAB_PAIR a) { return SIMTLAB_PAIR(hcos(a.x), hcos(a.y)); }
SIMTLAB_HALF SIMTLAB_SMALL htanh(SIMTLAB_SMALL a) { return SIMTLAB_SMALL(tanhf(a)); }
SIMTLAB_HALF SIMTLAB_PAIR h2tanh(SIMTLAB_PAIR a) { return SIMTLAB_PAIR(htanh(a.x), htanh(a.y)); }
SIMTLAB_HALF SIMTLAB_SMALL hfloor(SIMTLAB_SMALL a) { return SIMTLAB_SMALL(floorf(a)); }
SIMTLAB_HALF SIMTLAB_PAIR h2floor(SIMTLAB_PAIR a) { return SIMTLAB_PAIR(hfloor(a.x), hfloor(a.y)); }
SIMTLAB_HALF SIMTLAB_SMALL hceil(SIMTLAB_SMALL a) { return SIMTLAB_SMALL(ceilf(a)); }
SIMTLAB_HALF SIMTLAB_PAIR h2ceil(SIMTLAB_PAIR a) { return SIMTLAB_PAIR(hceil(a.x), hceil(a.y)); }
SIMTLAB_HALF SIMTLAB_SMALL htrunc(SIMTLAB_SMALL a) { return SIMTLAB_SMALL(truncf(a)); }
SIMTLAB_HALF SIMTLAB_PAIR h2trunc(SIMTLAB_PAIR a) { return SIMTLAB_PAIR(htrunc(a.x), htrunc(a.y)); }
SIMTLAB_HALF SIMTLAB_SMALL hrint(SIMTLAB_SMALL a) { return SIMTLAB_SMALL(rintf(a)); }
SIMTLAB_HALF SIMTLAB_PAIR h2rint(SIMTLAB_PAIR a) { return SIMTLAB_PAIR(hrint(a.x), hrint(a.y)); }
SIMTLAB_HALF SIMTLAB_SMALL hrcp(SIMTLAB_SMALL a) { return SIMTLAB_SMALL(1.0f / static_cast<float>(a)); }
SIMTLAB_HALF SIMTLAB_PAIR h2rcp(SIMTLAB_PAIR a) { return SIMTLAB_PAIR(hrcp(a.x), hrcp(a.y)); }
SIMTLAB_HALF SIMTLAB_SMALL hrsqrt(SIMTLAB_SMALL a) { return SIMTLAB_SMALL(1.0f / sqrtf(a)); }
SIMTLAB_HALF SIMTLAB_PAIR h2rsqrt(SIMTLAB_PAIR a) { return SIMTLAB_PAIR(hrsqrt(a.x), hrsqrt(a.y)); }

// Operators
SIMTLAB_HALF SIMTLAB_SMALL operator+(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return __hadd(a, b); }
SIMTLAB_HALF SIMTLAB_SMALL& operator+=(SIMTLAB_SMALL& a, SIMTLAB_SMALL b) { return a = __hadd(a, b); }
SIMTLAB_HALF SIMTLAB_PAIR operator+(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __hadd2(a, b); }
SIMTLAB_HALF SIMTLAB_PAIR& operator+=(SIMTLAB_PAIR& a, SIMTLAB_PAIR b) { return a = __hadd2(a, b); }
SIMTLAB_HALF SIMTLAB_SMALL operator-(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return __hsub(a, b); }
SIMTLAB_HALF SIMTLAB_SMALL& operator-=(SIMTLAB_SMALL& a, SIMTLAB_SMALL b) { return a = __hsub(a, b); }
SIMTLAB_HALF SIMTLAB_PAIR operator-(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __hsub2(a, b); }
SIMTLAB_HALF SIMTLAB_PAIR& operator-=(SIMTLAB_PAIR& a, SIMTLAB_PAIR b) { return a = __hsub2(a, b); }
SIMTLAB_HALF SIMTLAB_SMALL operator*(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return __hmul(a, b); }
SIMTLAB_HALF SIMTLAB_SMALL& operator*=(SIMTLAB_SMALL& a, SIMTLAB_SMALL b) { return a = __hmul(a, b); }
SIMTLAB_HALF SIMTLAB_PAIR operator*(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __hmul2(a, b); }
SIMTLAB_HALF SIMTLAB_PAIR& operator*=(SIMTLAB_PAIR& a, SIMTLAB_PAIR b) { return a = __hmul2(a, b); }
SIMTLAB_HALF SIMTLAB_SMALL operator/(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return __hdiv(a, b); }
SIMTLAB_HALF SIMTLAB_SMALL& operator/=(SIMTLAB_SMALL& a, SIMTLAB_SMALL b) { return a = __hdiv(a, b); }
SIMTLAB_HALF SIMTLAB_PAIR operator/(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __h2div(a, b); }
SIMTLAB_HALF SIMTLAB_PAIR& operator/=(SIMTLAB_PAIR& a, SIMTLAB_PAIR b) { return a = __h2div(a, b); }
SIMTLAB_HALF SIMTLAB_SMALL operator-(SIMTLAB_SMALL a) { return __hneg(a); }
SIMTLAB_HALF SIMTLAB_SMALL operator+(SIMTLAB_SMALL a) { return a; }
SIMTLAB_HALF SIMTLAB_PAIR operator-(SIMTLAB_PAIR a) { return __hneg2(a); }
SIMTLAB_HALF SIMTLAB_PAIR operator+(SIMTLAB_PAIR a) { return a; }
SIMTLAB_HALF SIMTLAB_SMALL& operator++(SIMTLAB_SMALL& a) { return a = __hadd(a, SIMTLAB_SMALL(1)); }
SIMTLAB_HALF SIMTLAB_SMALL operator++(SIMTLAB_SMALL& a, int) {
  const SIMTLAB_SMALL before = a;
  a = __hadd(a, SIMTLAB_SMALL(1));
  return before;
}
SIMTLAB_HALF SIMTLAB_SMALL& operator--(SIMTLAB_SMALL& a) { return a = __hsub(a, SIMTLAB_SMALL(1)); }
SIMTLAB_HALF SIMTLAB_SMALL operator--(SIMTLAB_SMALL& a, int) {
  const SIMTLAB_SMALL before = a;
  a = __hsub(a, SIMTLAB_SMALL(1));
  return before;
}
SIMTLAB_HALF bool operator<(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return __hlt(a, b); }
SIMTLAB_HALF bool operator<(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __hblt2(a, b); }
SIMTLAB_HALF bool operator>(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return __hgt(a, b); }
SIMTLAB_HALF bool operator>(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __hbgt2(a, b); }
SIMTLAB_HALF bool operator<=(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return __hle(a, b); }
SIMTLAB_HALF bool operator<=(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __hble2(a, b); }
SIMTLAB_HALF bool operator>=(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return __hge(a, b); }
SIMTLAB_HALF bool operator>=(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __hbge2(a, b); }
SIMTLAB_HALF bool operator==(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return __heq(a, b); }
SIMTLAB_HALF bool operator==(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __hbeq2(a, b); }
SIMTLAB_HALF bool operator!=(SIMTLAB_SMALL a, SIMTLAB_SMALL b) { return __hneu(a, b); }
SIMTLAB_HALF bool operator!=(SIMTLAB_PAIR a, SIMTLAB_PAIR b) { return __hbneu2(a, b); }

// Pairs
SIMTLAB_HALF float __low2float(SIMTLAB_PAIR a) { return a.x; }
SIMTLAB_HALF float __high2float(SIMTLAB_PAIR a) { return a.y; }
SIMTLAB_HALF SIMTLAB_PAIR __lowhigh2highlow(SIMTLAB_PAIR a) { return SIMTLAB_PAIR(a.y, a.x); }

// Shuffles and atomic operations
SIMTLAB_HALF SIMTLAB_SMALL __shfl_sync(unsigned mask, SIMTLAB_SMALL value, int source, int width = 32) {
  return simtlab::of_bits(value, __shfl_sync(mask, static_cast<unsigned>(value.__x), source, width));
}
SIMTLAB_HALF SIMTLAB_PAIR __shfl_sync(unsigned mask, SIMTLAB_PAIR value, int source, int width = 32) {
  return __builtin_bit_cast(SIMTLAB_PAIR, __shfl_sync(mask, __builtin_bit_cast(unsigned, value), source, width));
}
SIMTLAB_HALF SIMTLAB_SMALL __shfl_up_sync(unsigned mask, SIMTLAB_SMALL value, unsigned delta, int width = 32) {
  return simtlab::of_bits(value, __shfl_up_sync(mask, static_cast<unsigned>(value.__x), delta, width));
}
SIMTLAB_HALF SIMTLAB_PAIR __shfl_up_sync(unsigned mask, SIMTLAB_PAIR value, unsigned delta, int width = 32) {
  return __builtin_bit_cast(SIMTLAB_PAIR, __shfl_up_sync(mask, __builtin_bit_cast(unsigned, value), delta, width));
}
SIMTLAB_HALF SIMTLAB_SMALL __shfl_down_sync(unsigned mask, SIMTLAB_SMALL value, unsigned delta, int width = 32) {
  return simtlab::of_bits(value, __shfl_down_sync(mask, static_cast<unsigned>(value.__x), delta, width));
}
SIMTLAB_HALF SIMTLAB_PAIR __shfl_down_sync(unsigned mask, SIMTLAB_PAIR value, unsigned delta, int width = 32) {
  return __builtin_bit_cast(SIMTLAB_PAIR, __shfl_down_sync(mask, __builtin_bit_cast(unsigned, value), delta, width));
}
SIMTLAB_HALF SIMTLAB_SMALL __shfl_xor_sync(unsigned mask, SIMTLAB_SMALL value, int lane_mask, int width = 32) {
  return simtlab::of_bits(value, __shfl_xor_sync(mask, static_cast<unsigned>(value.__x), lane_mask, width));
}
SIMTLAB_HALF SIMTLAB_PAIR __shfl_xor_sync(unsigned mask, SIMTLAB_PAIR value, int lane_mask, int width = 32) {
  return __builtin_bit_cast(SIMTLAB_PAIR, __shfl_xor_sync(mask, __builtin_bit_cast(unsigned, value), lane_mask, width));
}
SIMTLAB_HALF SIMTLAB_SMALL atomicAdd(SIMTLAB_SMALL* address, SIMTLAB_SMALL value) {
  auto* const word = reinterpret_cast<unsigned short*>(address);
  unsigned short now = atomicCAS(word, 0, 0), assumed;
  do {
    assumed = now;
    now = atomicCAS(word, assumed, __hadd(simtlab::of_bits(value, assumed), value).__x);
  } while (now != assumed);
  return simtlab::of_bits(value, now);
}
SIMTLAB_HALF SIMTLAB_PAIR atomicAdd(SIMTLAB_PAIR* address, SIMTLAB_PAIR value) {
  return SIMTLAB_PAIR(atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y));
}
