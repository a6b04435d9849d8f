// Atomic functions of CUDA with the types of its table, and their _block and _system variants.
#pragma once       // IWYU pragma: private, include <cuda_runtime.h>
#ifndef __clang__  // device_functions.h
#pragma GCC system_header
#endif
#define __DEVICE_ATOMIC_FUNCTIONS_H__  // the toolkit's guard, for headers that look for it

#include "device_functions.h"

#define SIMTLAB_ATOMIC __device__ inline __attribute__((always_inline, artificial))
#define SIMTLAB_ANY_ATOMIC __host__ SIMTLAB_ATOMIC  // of simtlab/scoped_atomics.h, too

namespace simtlab {

/// Whether the compiler knows that the operation leaves what stands there, whatever that is.
template <class T>
SIMTLAB_ANY_ATOMIC bool changes_nothing(unsigned operation, T operand) {
  const uint64_t value = bits(operand);
  if (!__builtin_constant_p(value)) return false;
  if (operation == simtlab_atomic_and) return value == ~uint64_t{0} >> (64 - 8 * sizeof(T));
  return value == 0 && (operation == simtlab_atomic_add || operation == simtlab_atomic_subtract ||
                        operation == simtlab_atomic_or || operation == simtlab_atomic_xor);
}

// `traits`: of enum simtlab_atomic_trait.
template <class T>
SIMTLAB_ANY_ATOMIC T atomic(T* address, unsigned operation, unsigned type, T operand, unsigned traits = 0) {
  if (changes_nothing(operation, operand)) traits |= simtlab_atomic_changes_nothing;
  return from_bits<T>(simtlab_atomic(address, sizeof(T) | traits, operation, type, bits(operand)));
}

// An exchange reads nothing where nobody uses the result.
template <class T>
SIMTLAB_ANY_ATOMIC T exchange(T* address, T value, unsigned traits = 0) {
  T old = atomic(address, simtlab_atomic_exchange, simtlab_atomic_unsigned, value, traits);
  asm(".set simtlab_result_used, 1" : "+r"(old));  // left out with the result (translator/used_results.h)
  return old;
}

// Of 32-bit integers. An addition of the constant one whose result nobody uses is an instruction of its own on the device.
template <class T>
SIMTLAB_ANY_ATOMIC T atomic_add(T* address, unsigned type, T value, unsigned traits = 0) {
  // Not as a constant's initialiser: the compiler would decide before it knows the value.
  T old = atomic(address, __builtin_constant_p(value) && value == 1 ? simtlab_atomic_count : simtlab_atomic_add, type,
                 value, traits);
  asm(".set simtlab_result_used, 1" : "+r"(old));  // left out with the result (translator/used_results.h)
  return old;
}

template <class T>
SIMTLAB_ANY_ATOMIC T compare_and_swap(T* address, T compare, T value, unsigned traits = 0) {
  if (__builtin_constant_p(compare) && __builtin_constant_p(value) && compare == value)
    traits |= simtlab_atomic_changes_nothing;
  return from_bits<T>(simtlab_compare_and_swap(address, sizeof(T) | traits, bits(compare), bits(value)));
}

void is_double(double*);

}  // namespace simtlab

SIMTLAB_ATOMIC int atomicAdd(int* address, int value) {
  return simtlab::atomic_add(address, simtlab_atomic_signed, value);
}
SIMTLAB_ATOMIC unsigned int atomicAdd(unsigned int* address, unsigned int value) {
  return simtlab::atomic_add(address, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC unsigned long long int atomicAdd(unsigned long long int* address, unsigned long long int value) {
  return simtlab::atomic(address, simtlab_atomic_add, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC float atomicAdd(float* address, float value) {
  return simtlab::atomic(address, simtlab_atomic_add, simtlab_atomic_floating, value);
}
SIMTLAB_ATOMIC int atomicSub(int* address, int value) {
  return simtlab::atomic(address, simtlab_atomic_subtract, simtlab_atomic_signed, value);
}
SIMTLAB_ATOMIC unsigned int atomicSub(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_subtract, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC int atomicExch(int* address, int value) { return simtlab::exchange(address, value); }
SIMTLAB_ATOMIC unsigned int atomicExch(unsigned int* address, unsigned int value) {
  return simtlab::exchange(address, value);
}
SIMTLAB_ATOMIC unsigned long long int atomicExch(unsigned long long int* address, unsigned long long int value) {
  return simtlab::exchange(address, value);
}
SIMTLAB_ATOMIC float atomicExch(float* address, float value) { return simtlab::exchange(address, value); }
SIMTLAB_ATOMIC int atomicMin(int* address, int value) {
  return simtlab::atomic(address, simtlab_atomic_min, simtlab_atomic_signed, value);
}
SIMTLAB_ATOMIC unsigned int atomicMin(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_min, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC unsigned long long int atomicMin(unsigned long long int* address, unsigned long long int value) {
  return simtlab::atomic(address, simtlab_atomic_min, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC long long int atomicMin(long long int* address, long long int value) {
  return simtlab::atomic(address, simtlab_atomic_min, simtlab_atomic_signed, value);
}
SIMTLAB_ATOMIC int atomicMax(int* address, int value) {
  return simtlab::atomic(address, simtlab_atomic_max, simtlab_atomic_signed, value);
}
SIMTLAB_ATOMIC unsigned int atomicMax(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_max, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC unsigned long long int atomicMax(unsigned long long int* address, unsigned long long int value) {
  return simtlab::atomic(address, simtlab_atomic_max, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC long long int atomicMax(long long int* address, long long int value) {
  return simtlab::atomic(address, simtlab_atomic_max, simtlab_atomic_signed, value);
}
SIMTLAB_ATOMIC unsigned int atomicInc(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_increment, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC unsigned int atomicDec(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_decrement, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC int atomicAnd(int* address, int value) {
  return simtlab::atomic(address, simtlab_atomic_and, simtlab_atomic_signed, value);
}
SIMTLAB_ATOMIC unsigned int atomicAnd(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_and, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC unsigned long long int atomicAnd(unsigned long long int* address, unsigned long long int value) {
  return simtlab::atomic(address, simtlab_atomic_and, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC int atomicOr(int* address, int value) {
  return simtlab::atomic(address, simtlab_atomic_or, simtlab_atomic_signed, value);
}
SIMTLAB_ATOMIC unsigned int atomicOr(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_or, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC unsigned long long int atomicOr(unsigned long long int* address, unsigned long long int value) {
  return simtlab::atomic(address, simtlab_atomic_or, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC int atomicXor(int* address, int value) {
  return simtlab::atomic(address, simtlab_atomic_xor, simtlab_atomic_signed, value);
}
SIMTLAB_ATOMIC unsigned int atomicXor(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_xor, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC unsigned long long int atomicXor(unsigned long long int* address, unsigned long long int value) {
  return simtlab::atomic(address, simtlab_atomic_xor, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC int atomicCAS(int* address, int compare, int value) {
  return simtlab::compare_and_swap(address, compare, value);
}
SIMTLAB_ATOMIC unsigned int atomicCAS(unsigned int* address, unsigned int compare, unsigned int value) {
  return simtlab::compare_and_swap(address, compare, value);
}
SIMTLAB_ATOMIC unsigned long long int atomicCAS(unsigned long long int* address, unsigned long long int compare,
                                                unsigned long long int value) {
  return simtlab::compare_and_swap(address, compare, value);
}
SIMTLAB_ATOMIC unsigned short int atomicCAS(unsigned short int* address, unsigned short int compare,
                                            unsigned short int value) {
  return simtlab::compare_and_swap(address, compare, value);
}

// A template, so that a program may define its own atomicAdd(double*, double), as code for old GPUs does.
template <class T, class = decltype(simtlab::is_double(static_cast<T*>(nullptr)))>
SIMTLAB_ATOMIC T atomicAdd(T* address, double value) {
  return simtlab::atomic(address, simtlab_atomic_add, simtlab_atomic_floating, value);
}

SIMTLAB_ATOMIC int atomicAdd_block(int* address, int value) {
  return simtlab::atomic_add(address, simtlab_atomic_signed, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC unsigned int atomicAdd_block(unsigned int* address, unsigned int value) {
  return simtlab::atomic_add(address, simtlab_atomic_unsigned, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC unsigned long long int atomicAdd_block(unsigned long long int* address, unsigned long long int value) {
  return simtlab::atomic(address, simtlab_atomic_add, simtlab_atomic_unsigned, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC float atomicAdd_block(float* address, float value) {
  return simtlab::atomic(address, simtlab_atomic_add, simtlab_atomic_floating, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC int atomicSub_block(int* address, int value) {
  return simtlab::atomic(address, simtlab_atomic_subtract, simtlab_atomic_signed, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC unsigned int atomicSub_block(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_subtract, simtlab_atomic_unsigned, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC int atomicExch_block(int* address, int value) {
  return simtlab::exchange(address, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC unsigned int atomicExch_block(unsigned int* address, unsigned int value) {
  return simtlab::exchange(address, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC unsigned long long int atomicExch_block(unsigned long long int* address, unsigned long long int value) {
  return simtlab::exchange(address, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC float atomicExch_block(float* address, float value) {
  return simtlab::exchange(address, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC int atomicMin_block(int* address, int value) {
  return simtlab::atomic(address, simtlab_atomic_min, simtlab_atomic_signed, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC unsigned int atomicMin_block(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_min, simtlab_atomic_unsigned, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC unsigned long long int atomicMin_block(unsigned long long int* address, unsigned long long int value) {
  return simtlab::atomic(address, simtlab_atomic_min, simtlab_atomic_unsigned, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC long long int atomicMin_block(long long int* address, long long int value) {
  return simtlab::atomic(address, simtlab_atomic_min, simtlab_atomic_signed, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC int atomicMax_block(int* address, int value) {
  return simtlab::atomic(address, simtlab_atomic_max, simtlab_atomic_signed, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC unsigned int atomicMax_block(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_max, simtlab_atomic_unsigned, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC unsigned long long int atomicMax_block(unsigned long long int* address, unsigned long long int value) {
  return simtlab::atomic(address, simtlab_atomic_max, simtlab_atomic_unsigned, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC long long int atomicMax_block(long long int* address, long long int value) {
  return simtlab::atomic(address, simtlab_atomic_max, simtlab_atomic_signed, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC unsigned int atomicInc_block(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_increment, simtlab_atomic_unsigned, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC unsigned int atomicDec_block(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_decrement, simtlab_atomic_unsigned, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC int atomicAnd_block(int* address, int value) {
  return simtlab::atomic(address, simtlab_atomic_and, simtlab_atomic_signed, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC unsigned int atomicAnd_block(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_and, simtlab_atomic_unsigned, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC unsigned long long int atomicAnd_block(unsigned long long int* address, unsigned long long int value) {
  return simtlab::atomic(address, simtlab_atomic_and, simtlab_atomic_unsigned, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC int atomicOr_block(int* address, int value) {
  return simtlab::atomic(address, simtlab_atomic_or, simtlab_atomic_signed, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC unsigned int atomicOr_block(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_or, simtlab_atomic_unsigned, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC unsigned long long int atomicOr_block(unsigned long long int* address, unsigned long long int value) {
  return simtlab::atomic(address, simtlab_atomic_or, simtlab_atomic_unsigned, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC int atomicXor_block(int* address, int value) {
  return simtlab::atomic(address, simtlab_atomic_xor, simtlab_atomic_signed, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC unsigned int atomicXor_block(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_xor, simtlab_atomic_unsigned, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC unsigned long long int atomicXor_block(unsigned long long int* address, unsigned long long int value) {
  return simtlab::atomic(address, simtlab_atomic_xor, simtlab_atomic_unsigned, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC int atomicCAS_block(int* address, int compare, int value) {
  return simtlab::compare_and_swap(address, compare, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC unsigned int atomicCAS_block(unsigned int* address, unsigned int compare, unsigned int value) {
  return simtlab::compare_and_swap(address, compare, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC unsigned long long int atomicCAS_block(unsigned long long int* address, unsigned long long int compare,
                                                      unsigned long long int value) {
  return simtlab::compare_and_swap(address, compare, value, simtlab_atomic_in_block);
}
SIMTLAB_ATOMIC unsigned short int atomicCAS_block(unsigned short int* address, unsigned short int compare,
                                                  unsigned short int value) {
  return simtlab::compare_and_swap(address, compare, value, simtlab_atomic_in_block);
}
template <class T, class = decltype(simtlab::is_double(static_cast<T*>(nullptr)))>
SIMTLAB_ATOMIC T atomicAdd_block(T* address, double value) {
  return simtlab::atomic(address, simtlab_atomic_add, simtlab_atomic_floating, value, simtlab_atomic_in_block);
}

SIMTLAB_ATOMIC int atomicAdd_system(int* address, int value) {
  return simtlab::atomic_add(address, simtlab_atomic_signed, value);
}
SIMTLAB_ATOMIC unsigned int atomicAdd_system(unsigned int* address, unsigned int value) {
  return simtlab::atomic_add(address, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC unsigned long long int atomicAdd_system(unsigned long long int* address, unsigned long long int value) {
  return simtlab::atomic(address, simtlab_atomic_add, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC float atomicAdd_system(float* address, float value) {
  return simtlab::atomic(address, simtlab_atomic_add, simtlab_atomic_floating, value);
}
SIMTLAB_ATOMIC int atomicSub_system(int* address, int value) {
  return simtlab::atomic(address, simtlab_atomic_subtract, simtlab_atomic_signed, value);
}
SIMTLAB_ATOMIC unsigned int atomicSub_system(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_subtract, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC int atomicExch_system(int* address, int value) { return simtlab::exchange(address, value); }
SIMTLAB_ATOMIC unsigned int atomicExch_system(unsigned int* address, unsigned int value) {
  return simtlab::exchange(address, value);
}
SIMTLAB_ATOMIC unsigned long long int atomicExch_system(unsigned long long int* address, unsigned long long int value) {
  return simtlab::exchange(address, value);
}
SIMTLAB_ATOMIC float atomicExch_system(float* address, float value) { return simtlab::exchange(address, value); }
SIMTLAB_ATOMIC int atomicMin_system(int* address, int value) {
  return simtlab::atomic(address, simtlab_atomic_min, simtlab_atomic_signed, value);
}
SIMTLAB_ATOMIC unsigned int atomicMin_system(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_min, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC unsigned long long int atomicMin_system(unsigned long long int* address, unsigned long long int value) {
  return simtlab::atomic(address, simtlab_atomic_min, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC long long int atomicMin_system(long long int* address, long long int value) {
  return simtlab::atomic(address, simtlab_atomic_min, simtlab_atomic_signed, value);
}
SIMTLAB_ATOMIC int atomicMax_system(int* address, int value) {
  return simtlab::atomic(address, simtlab_atomic_max, simtlab_atomic_signed, value);
}
SIMTLAB_ATOMIC unsigned int atomicMax_system(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_max, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC unsigned long long int atomicMax_system(unsigned long long int* address, unsigned long long int value) {
  return simtlab::atomic(address, simtlab_atomic_max, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC long long int atomicMax_system(long long int* address, long long int value) {
  return simtlab::atomic(address, simtlab_atomic_max, simtlab_atomic_signed, value);
}
SIMTLAB_ATOMIC unsigned int atomicInc_system(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_increment, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC unsigned int atomicDec_system(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_decrement, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC int atomicAnd_system(int* address, int value) {
  return simtlab::atomic(address, simtlab_atomic_and, simtlab_atomic_signed, value);
}
SIMTLAB_ATOMIC unsigned int atomicAnd_system(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_and, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC unsigned long long int atomicAnd_system(unsigned long long int* address, unsigned long long int value) {
  return simtlab::atomic(address, simtlab_atomic_and, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC int atomicOr_system(int* address, int value) {
  return simtlab::atomic(address, simtlab_atomic_or, simtlab_atomic_signed, value);
}
SIMTLAB_ATOMIC unsigned int atomicOr_system(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_or, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC unsigned long long int atomicOr_system(unsigned long long int* address, unsigned long long int value) {
  return simtlab::atomic(address, simtlab_atomic_or, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC int atomicXor_system(int* address, int value) {
  return simtlab::atomic(address, simtlab_atomic_xor, simtlab_atomic_signed, value);
}
SIMTLAB_ATOMIC unsigned int atomicXor_system(unsigned int* address, unsigned int value) {
  return simtlab::atomic(address, simtlab_atomic_xor, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC unsigned long long int atomicXor_system(unsigned long long int* address, unsigned long long int value) {
  return simtlab::atomic(address, simtlab_atomic_xor, simtlab_atomic_unsigned, value);
}
SIMTLAB_ATOMIC int atomicCAS_system(int* address, int compare, int value) {
  return simtlab::compare_and_swap(address, compare, value);
}
SIMTLAB_ATOMIC unsigned int atomicCAS_system(unsigned int* address, unsigned int compare, unsigned int value) {
  return simtlab::compare_and_swap(address, compare, value);
}
SIMTLAB_ATOMIC unsigned long long int atomicCAS_system(unsigned long long int* address, unsigned long long int compare,
                                                       unsigned long long int value) {
  return simtlab::compare_and_swap(address, compare, value);
}
SIMTLAB_ATOMIC unsigned short int atomicCAS_system(unsigned short int* address, unsigned short int compare,
                                                   unsigned short int value) {
  return simtlab::compare_and_swap(address, compare, value);
}
template <class T, class = decltype(simtlab::is_double(static_cast<T*>(nullptr)))>
SIMTLAB_ATOMIC T atomicAdd_system(T* address, double value) {
  return simtlab::atomic(address, simtlab_atomic_add, simtlab_atomic_floating, value);
}

// Vectors are added component by component, each atomically, as the hardware does.
SIMTLAB_ATOMIC float2 atomicAdd(float2* address, float2 value) {
  return float2{atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)};
}
SIMTLAB_ATOMIC float4 atomicAdd(float4* address, float4 value) {
  return float4{atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y), atomicAdd(&address->z, value.z),
                atomicAdd(&address->w, value.w)};
}

#undef SIMTLAB_ATOMIC
#undef SIMTLAB_ANY_ATOMIC
