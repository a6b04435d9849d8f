// Random numbers of device code: XORWOW (G. Marsaglia, "Xorshift RNGs", 2003) and Philox 4x32-10 (J. Salmon and others,
// "Parallel Random Numbers: As Easy as 1, 2, 3", 2011), with cuRAND's names, seeds and order of draws, so that the numbers are
// a GPU's. Normal ones differ from a GPU's in their last digits, whose logarithm and sine are less exact.
#pragma once
#ifndef __clang__  // device_functions.h
#pragma GCC system_header
#endif
#define CURAND_KERNEL_H_  // the toolkit's guard, for headers that look for it

#include "cuda_runtime.h"
#include "simtlab/emulator_entry.h"

#define SIMTLAB_RANDOM __device__ inline __attribute__((always_inline, artificial))

/// `_extra`: the second normal number of a pair, kept for the next call.
struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  unsigned int _gap;  ///< named and set, so that a copy of the state copies nothing that nobody set
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;  ///< how many words of `output` are used up
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace simtlab::random {

constexpr unsigned weyl_step = 362437;
constexpr float unit = 0x1p-32f;
constexpr double fine_unit = 0x1p-53;

/// Past `count` draws, or, of whole sequences, 2^67 as many.
SIMTLAB_RANDOM void jump(unsigned long long count, bool sequences, curandStateXORWOW* state) {
  const simtlab_xorshift from = {{state->v[0], state->v[1], state->v[2], state->v[3], state->v[4]}};
  const simtlab_xorshift to = simtlab_jump_xorshift(from, count, sequences ? 67 : 0);
  for (int i = 0; i < 5; ++i) state->v[i] = to.word[i];
  if (!sequences) state->d += weyl_step * static_cast<unsigned>(count);
}

SIMTLAB_RANDOM void multiply(unsigned a, unsigned b, unsigned* high, unsigned* low) {
  const unsigned long long product = static_cast<unsigned long long>(a) * b;
  *high = static_cast<unsigned>(product >> 32);
  *low = static_cast<unsigned>(product);
}
/// Ten rounds; the key moves on by the golden ratio and by the square root of 3 minus 1, as fractions of 2^32.
SIMTLAB_RANDOM uint4 philox(uint4 c, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    unsigned high0, low0, high1, low1;
    multiply(0xD2511F53u, c.x, &high0, &low0);
    multiply(0xCD9E8D57u, c.z, &high1, &low1);
    c = uint4{high1 ^ c.y ^ key.x, low1, high0 ^ c.w ^ key.y, low0};
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return c;
}
SIMTLAB_RANDOM void count_on(unsigned long long by, unsigned* low, unsigned* next, unsigned long long* carry) {
  const unsigned long long before = static_cast<unsigned long long>(*next) << 32 | *low, sum = before + by;
  *low = static_cast<unsigned>(sum);
  *next = static_cast<unsigned>(sum >> 32);
  *carry = sum < before ? 1 : 0;
}
SIMTLAB_RANDOM void next_counter(unsigned long long by, curandStatePhilox4_32_10* state) {
  unsigned long long carry, lost;
  count_on(by, &state->ctr.x, &state->ctr.y, &carry);
  count_on(carry, &state->ctr.z, &state->ctr.w, &lost);
  state->output = philox(state->ctr, state->key);
}

SIMTLAB_RANDOM float uniform(unsigned x) { return static_cast<float>(x) * unit + unit / 2; }
SIMTLAB_RANDOM double uniform(unsigned x, unsigned y) {
  const unsigned long long bits = x ^ static_cast<unsigned long long>(y) << 21;
  return static_cast<double>(bits) * fine_unit + fine_unit / 2;
}
/// G. Box and M. Muller, "A Note on the Generation of Random Normal Deviates", 1958.
SIMTLAB_RANDOM float2 normals(unsigned x, unsigned y) {
  constexpr float turn = 0x1p-32f * 6.2831855f;
  const float radius = sqrtf(-2.0f * logf(uniform(x))), angle = static_cast<float>(y) * turn + turn / 2;
  return float2{radius * sinf(angle), radius * cosf(angle)};
}
SIMTLAB_RANDOM double2 normals(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  const double radius = sqrt(-2.0 * log(uniform(x0, x1))), half_turns = 2.0 * uniform(y0, y1);
  double sine, cosine;
  sincospi(half_turns, &sine, &cosine);
  return double2{radius * sine, radius * cosine};
}

}  // namespace simtlab::random

SIMTLAB_RANDOM void skipahead(unsigned long long n, curandStateXORWOW* state) {
  simtlab::random::jump(n, false, state);
}
SIMTLAB_RANDOM void skipahead_sequence(unsigned long long n, curandStateXORWOW* state) {
  simtlab::random::jump(n, true, state);
}
SIMTLAB_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                curandStateXORWOW* state) {
  const unsigned low = 1099087573u * (static_cast<unsigned>(seed) ^ 0xaad26b49u);
  const unsigned high = 2591861531u * (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu);
  state->d = 6615241u + high + low;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->_gap = 0;
  state->boxmuller_extra_double = 0;
}
SIMTLAB_RANDOM unsigned int curand(curandStateXORWOW* state) {
  const unsigned t = state->v[0] ^ state->v[0] >> 2, last = state->v[4];
  state->v[0] = state->v[1];
  state->v[1] = state->v[2];
  state->v[2] = state->v[3];
  state->v[3] = last;
  const unsigned next = last ^ last << 4 ^ t ^ t << 1, weyl = state->d + simtlab::random::weyl_step;
  state->v[4] = next;
  state->d = weyl;
  return next + weyl;
}

SIMTLAB_RANDOM void skipahead(unsigned long long n, curandStatePhilox4_32_10* state) {
  const unsigned used = state->STATE + static_cast<unsigned>(n & 3);
  state->STATE = used & 3;
  simtlab::random::next_counter(n / 4 + used / 4, state);
}
SIMTLAB_RANDOM void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* state) {
  unsigned long long lost;
  simtlab::random::count_on(n, &state->ctr.z, &state->ctr.w, &lost);
  state->output = simtlab::random::philox(state->ctr, state->key);
}
SIMTLAB_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                curandStatePhilox4_32_10* state) {
  state->ctr = uint4{0, 0, 0, 0};
  state->key = uint2{static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
  state->STATE = 0;
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}
SIMTLAB_RANDOM unsigned int curand(curandStatePhilox4_32_10* state) {
  const unsigned used = state->STATE;
  const unsigned result = used == 0   ? state->output.x
                          : used == 1 ? state->output.y
                          : used == 2 ? state->output.z
                                      : state->output.w;
  state->STATE = (used + 1) & 3;
  if (used == 3) simtlab::random::next_counter(1, state);
  return result;
}
/// The next four numbers, whatever has been drawn one by one.
SIMTLAB_RANDOM uint4 curand4(curandStatePhilox4_32_10* state) {
  const uint4 a = state->output;
  simtlab::random::next_counter(1, state);
  const uint4 b = state->output;
  const unsigned used = state->STATE;
  return used == 0   ? a
         : used == 1 ? uint4{a.y, a.z, a.w, b.x}
         : used == 2 ? uint4{a.z, a.w, b.x, b.y}
                     : uint4{a.w, b.x, b.y, b.z};
}

/// In (0, 1].
template <class State>
SIMTLAB_RANDOM float curand_uniform(State* state) {
  return simtlab::random::uniform(curand(state));
}
SIMTLAB_RANDOM double curand_uniform_double(curandStateXORWOW* state) {
  const unsigned x = curand(state), y = curand(state);
  return simtlab::random::uniform(x, y);
}
/// Of one draw, so of 32 bits; those of curand_uniform2_double have 53.
SIMTLAB_RANDOM double curand_uniform_double(curandStatePhilox4_32_10* state) {
  return curand(state) * 0x1p-32 + 0x1p-32;
}
SIMTLAB_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  return float4{simtlab::random::uniform(x.x), simtlab::random::uniform(x.y), simtlab::random::uniform(x.z),
                simtlab::random::uniform(x.w)};
}
SIMTLAB_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  return double2{simtlab::random::uniform(x.x, x.y), simtlab::random::uniform(x.z, x.w)};
}

/// Of mean 0 and standard deviation 1.
template <class State>
SIMTLAB_RANDOM float2 curand_normal2(State* state) {
  const unsigned x = curand(state), y = curand(state);
  return simtlab::random::normals(x, y);
}
template <class State>
SIMTLAB_RANDOM float curand_normal(State* state) {
  if (state->boxmuller_flag != 0) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  const float2 pair = curand_normal2(state);
  state->boxmuller_extra = pair.y;
  state->boxmuller_flag = 1;
  return pair.x;
}
template <class State>
SIMTLAB_RANDOM double2 curand_normal2_double(State* state) {
  const unsigned x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);
  return simtlab::random::normals(x0, x1, y0, y1);
}
template <class State>
SIMTLAB_RANDOM double curand_normal_double(State* state) {
  if (state->boxmuller_flag_double != 0) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  const double2 pair = curand_normal2_double(state);
  state->boxmuller_extra_double = pair.y;
  state->boxmuller_flag_double = 1;
  return pair.x;
}
SIMTLAB_RANDOM float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  const float2 a = simtlab::random::normals(x.x, x.y), b = simtlab::random::normals(x.z, x.w);
  return float4{a.x, a.y, b.x, b.y};
}

/// Numbers whose logarithm is normal with that mean and standard deviation.
template <class State>
SIMTLAB_RANDOM float curand_log_normal(State* state, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(state));
}
template <class State>
SIMTLAB_RANDOM float2 curand_log_normal2(State* state, float mean, float deviation) {
  const float2 pair = curand_normal2(state);
  return float2{expf(mean + deviation * pair.x), expf(mean + deviation * pair.y)};
}
template <class State>
SIMTLAB_RANDOM double curand_log_normal_double(State* state, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(state));
}
template <class State>
SIMTLAB_RANDOM double2 curand_log_normal2_double(State* state, double mean, double deviation) {
  const double2 pair = curand_normal2_double(state);
  return double2{exp(mean + deviation * pair.x), exp(mean + deviation * pair.y)};
}
SIMTLAB_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10* state, float mean, float deviation) {
  const float4 four = curand_normal4(state);
  return float4{expf(mean + deviation * four.x), expf(mean + deviation * four.y), expf(mean + deviation * four.z),
                expf(mean + deviation * four.w)};
}

#undef SIMTLAB_RANDOM
