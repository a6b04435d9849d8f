// Asynchronous copies of a thread to shared memory, and its wait for them (CUDA C++ Programming Guide, "Pipeline Primitives
// Interface"). A copy is made at once; the checks hold kernels to the wait.
#pragma once
#ifndef __clang__  // device_functions.h
#pragma GCC system_header
#endif
#define _CUDA_PIPELINE_PRIMITIVES_H_  // the toolkit's guard, for headers that look for it

#include <stddef.h>

#include "cooperative_groups/memcpy_async.h"

namespace simtlab {
template <size_t Bytes>
SIMTLAB_GROUP void copy_piece(void* to, const void* from, size_t kept) {
  typedef typename cooperative_groups::details::copied<Bytes>::type __attribute__((may_alias)) piece;
  if (kept == Bytes) {
    *static_cast<piece*>(to) = *static_cast<const piece*>(from);
    return;
  }
  union {
    unsigned char bytes[Bytes];
    typename cooperative_groups::details::copied<Bytes>::type whole;
  } value = {};
  for (size_t i = 0; i < kept; ++i) value.bytes[i] = static_cast<const unsigned char*>(from)[i];
  *static_cast<piece*>(to) = value.whole;
}
}  // namespace simtlab

/// 4, 8 or 16 bytes, of which both addresses are multiples; the last `zfill` of them are zeros and not read.
SIMTLAB_GROUP void __pipeline_memcpy_async(void* to, const void* from, size_t size_and_align, size_t zfill = 0) {
  if ((size_and_align != 4 && size_and_align != 8 && size_and_align != 16) || zfill > size_and_align)
    simtlab_assert_fail("__pipeline_memcpy_async copies 4, 8 or 16 bytes, and fills no more of them", "", 0,
                        "__pipeline_memcpy_async");
  const size_t kept = size_and_align - zfill;
  if (size_and_align == 16)
    simtlab::copy_piece<16>(to, from, kept);
  else if (size_and_align == 8)
    simtlab::copy_piece<8>(to, from, kept);
  else
    simtlab::copy_piece<4>(to, from, kept);
  simtlab_copy_begins(to, static_cast<unsigned>(size_and_align), 0);
}
SIMTLAB_GROUP void __pipeline_commit() { simtlab_copies_committed(); }
/// Until all groups of the thread but the last `prior` are complete.
SIMTLAB_GROUP void __pipeline_wait_prior(size_t prior) { simtlab_copies_waited(static_cast<unsigned>(prior)); }
