// Local arrays whose index the compiler cannot know. A GPU's compiler keeps an array in registers where every index is known once
// loops are unrolled; else the whole array lies in local memory. g++ does not log what only one thread can reach, so behind the
// declaration of such an array a call makes its address known (`::simtlab::watch_local`). Whether lanes then do ask for different
// places is seen at run time (request_emitter.h).
#pragma once

#include "translator/source_rewriter.h"

namespace simtlab::emulator {

/// The `[` at token `i` of a statement that begins at `statement`, in the body of a device function that ends at `function_end`: where
/// it declares an array whose elements are not only asked for by counters of `for` loops and constants, the array is watched.
void watch_local_array(const rewrite_context&, std::size_t i, std::size_t statement, std::size_t function_end);

/// The `[` at token `i` in the body of a device function that ends at `function_end`: where it stands behind `object.member`, the
/// index is not known and the body declares the object, the object is watched if the member is an array (`::simtlab::watch_member`).
void watch_member_array(const rewrite_context&, std::size_t i, std::size_t function_end);

}  // namespace simtlab::emulator
