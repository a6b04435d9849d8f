#include "runtime/library_frames.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <new>
#include <span>

#include "core/closed_memory.h"
#include "core/memory_calls.h"
#include "runtime/unwinding.h"
#include "trace/hook_state.h"

extern "C" void simtlab_frame_begin();
extern "C" void simtlab_frame_end();

namespace simtlab::emulator {
namespace {

/// Lies behind the records, and opens and closes with them. Stacks grow down: what lies lowest comes last.
struct notes {
  bool are_open;
  std::size_t calls, callbacks;
  std::array<address, 200> call_places;  ///< of libraries, where the return addresses lie
  struct frames {
    address begin, end;
  };
  std::array<frames, 100> callback_frames;  ///< of libraries, from the return address of what they have called back
};

address records_begin, records_end;
notes* the_notes;

void protect_records(bool open) {
  if (!protect(reinterpret_cast<void*>(records_begin), records_end - records_begin,
               open ? PROT_READ | PROT_WRITE : PROT_READ))
    throw std::bad_alloc();
}

void open_records() {
  if (the_notes->are_open) return;
  protect_records(true);
  the_notes->are_open = true;
}

void close_records() {
  if (!the_notes->are_open) return;
  the_notes->are_open = false;
  protect_records(false);
}

/// Nothing of what lies lower than `place` is there any more.
void forget_below(address place) {
  notes& n = *the_notes;
  while (n.calls > 0 && n.call_places[n.calls - 1] < place) --n.calls;
  while (n.callbacks > 0 && n.callback_frames[n.callbacks - 1].begin < place) --n.callbacks;
}

bool is_watched() { return the_notes != nullptr && is_memory_closed(); }

}  // namespace

frame_records records_of_host(address begin, std::uint64_t bytes) { return {begin, bytes, sizeof(notes)}; }

void watch_library_frames(const frame_records& records) {
  the_notes = static_cast<notes*>(records.more());
  records_begin = records.stack().records / page_bytes * page_bytes;
  records_end = rounded_up(reinterpret_cast<address>(the_notes + 1), page_bytes);
  the_notes->are_open = true;
}

void note_library_call(address place) {
  if (!is_watched()) return;
  notes& n = *the_notes;
  if (n.calls == 0 || n.call_places[n.calls - 1] != place) {
    open_records();
    forget_below(place);
    const bool is_known = n.calls > 0 && n.call_places[n.calls - 1] == place;
    if (!is_known && n.calls < n.call_places.size()) n.call_places[n.calls++] = place;
  }
  close_records();
}

#ifdef __x86_64__
bool opens_records(address where, address instruction) {
  const auto begin = reinterpret_cast<address>(&simtlab_frame_begin),
             end = reinterpret_cast<address>(&simtlab_frame_end);
  if (the_notes == nullptr || where < records_begin || where >= records_end || instruction < begin ||
      instruction >= end)
    return false;
  open_records();
  return true;
}
#else
bool opens_records(address, address) { return false; }  // nothing keeps records (translator/frame_checks.h)
#endif

bool is_in_library_frame(address begin, std::uint32_t bytes) {
  if (!is_watched() || the_notes->callbacks == 0) return false;
  const std::span all(the_notes->callback_frames.data(), the_notes->callbacks);
  const auto found =
      std::ranges::find_if(all, [&](const notes::frames& f) { return begin < f.end && f.begin < begin + bytes; });
  return found != all.end() && is_running(found->begin);  // an exception may have left it
}

}  // namespace simtlab::emulator

using namespace simtlab::emulator;

extern "C" {

/// A function of the program's begins whose return address, at `place`, leads to a library.
void simtlab_frame_called_back(const void*, address place) {
  if (!is_watched()) return;
  open_records();
  forget_below(place + 1);
  notes& n = *the_notes;
  if (n.calls > 0 && n.callbacks < n.callback_frames.size())
    n.callback_frames[n.callbacks++] = {place, n.call_places[n.calls - 1] + sizeof(address)};
}

/// Such a function goes back.
void simtlab_frame_goes_back(const void*, address place) {
  if (!is_watched()) return;
  open_records();
  forget_below(place + 1);
  close_records();
}

}  // extern "C"
