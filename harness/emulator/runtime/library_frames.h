// What a library's code may do to frames of host code while the program calls it, and what the program may do to its frames.
//
// A library has no hooks and follows the pointers that it is handed, so it could store to a record of a frame (core/frame_records.h)
// as well as to the frame. So the records of host code close when it calls a library, and open when one of its functions begins or
// goes back to none of a library's. A function that a library calls back finds that library's frames between its own and the one
// that called the library: there it stores nothing.
//
// All of this is for the thread that runs host code, while memory is closed (core/closed_memory.h).
#pragma once

#include "core/frame_records.h"
#include "core/types.h"
#include "trace/hook_state.h"  // note_library_call

namespace simtlab::emulator {

/// Records of host code's frames, and behind them what is noted here.
[[nodiscard]] frame_records records_of_host(address begin, std::uint64_t bytes);
void watch_library_frames(const frame_records&);

/// In a signal's handler: whether a frame's record is to be made at `where`, which is possible now.
[[nodiscard]] bool opens_records(address where, address instruction);
/// Whether any of these bytes lies in a frame of a library that has called the program back.
[[nodiscard]] bool is_in_library_frame(address begin, std::uint32_t bytes);

}  // namespace simtlab::emulator
