// The source rewrite: turns CUDA C++ into C++ that g++ can parse together with `include/cuda_runtime.h`.
//
// Only what g++ cannot parse, or would take for something else, is touched:
//   kernel<<<grid, block>>>(a)     a chain of calls, see include/simtlab/launch.h
//   extern __shared__ T s[];       a reference to the block's dynamic shared memory
//   __device__, __constant__       of variables: another qualifier (functions keep theirs, which is empty)
//   static __shared__, __noinline__
//   asm("mov.u32 %0, %%laneid;" : "=r"(lane))  C++ that does the same, see include/simtlab/ptx.h
// shifts of device code whose amount is no number, and loops between whose passes nothing stands, so that a warp's lanes come together there.
// Lines and columns of everything else stay: where text must be inserted, a linemarker puts the rest of the line back
// into its place. Refused with a `refusal`: launches from device code, instructions of inline PTX that the emulator does not know, initialisers
// of __shared__.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "translator/refusal.h"
#include "translator/restrictions.h"

namespace simtlab::emulator {

/// What is changed of a program so that it runs as on a GPU, beyond what g++ cannot parse.
enum class shift_amounts : std::uint8_t {
  clamped,    ///< in device code, as a GPU clamps them (source_rewriter.h, `clamp_shift`)
  as_written  ///< for what g++ says about a program
};
enum class loop_passes : std::uint8_t {
  joined,     ///< a call stands between two passes of a loop (source_rewriter.h, `join_passes`)
  as_written  ///< for what g++ says about a program: it quotes the loop
};

/// Translates `text` (a source file, or the output of `g++ -E -fdirectives-only`), which begins in file `file`.
/// Throws `refusal`; never anything else, whatever the bytes.
[[nodiscard]] std::string translate_source(std::string_view text, std::string_view file,
                                           source_rules = source_rules::submission, loop_passes = loop_passes::joined,
                                           shift_amounts = shift_amounts::clamped);

}  // namespace simtlab::emulator
