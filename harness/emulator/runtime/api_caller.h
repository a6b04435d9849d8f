// The program's call of a function of the runtime API, and what the function may do with the pointers and handles it is given.
//
// The functions carry no hooks, so they ask here, before they use anything: a pointer is followed only where host code itself
// may go (host_ranges.h), and a handle is looked up among those that were given out. A pointer that leads elsewhere ends the
// program as an access of its own would.
#pragma once

#include <cstddef>
#include <string>

#include "include/driver_types.h"
#include "runtime/device.h"
#include "runtime/emulator_call.h"
#include "trace/text_base.h"

namespace simtlab::emulator {

/// `1 byte`, `2 bytes`.
inline std::string bytes_text(std::size_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

class api_caller {
 public:
  /// `function` is what findings speak of. `frame`: where the caller's frame begins; what lies below is the API's own.
  api_caller(const char* name, const void* return_address, const void* frame)
      : function(name),
        where(site_at(return_address)),
        frame_(reinterpret_cast<address>(frame)),
        is_program_(emulator_call::program_calls()) {}

  /// Whether host memory may be read or stored to. Device memory may not, which is reported; managed memory may, and the
  /// access is the host's. No memory at all is always allowed.
  [[nodiscard]] bool may_read(device& d, const void* from, std::size_t bytes) const {
    return may_access(d, from, bytes, false);
  }
  [[nodiscard]] bool may_store(device& d, void* to, std::size_t bytes) const { return may_access(d, to, bytes, true); }
  /// The same of one object, which has to be there.
  template <class T>
  [[nodiscard]] bool may_load(device& d, const T* from) const {
    return from != nullptr && may_read(d, from, sizeof(T));
  }
  template <class T>
  [[nodiscard]] bool may_set(device& d, T* to) const {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): a result may be a pointer
    return to != nullptr && may_store(d, to, sizeof(T));
  }

  /// Whether the handle is a living stream's, or one of the streams that always are; reports it if not.
  [[nodiscard]] bool is_stream(device&, cudaStream_t) const;
  /// The living event; null after a report.
  [[nodiscard]] CUevent_st* event_of(device&, cudaEvent_t) const;
  /// Ends the program if no function begins at `target`.
  void look_at_callback(device&, const void* target) const;
  /// Stops the kernel whose thread calls, if one does.
  void refuse_in_kernel() const;

  const char* const function;
  const site where;

 private:
  bool may_access(device&, const void* begin, std::size_t bytes, bool is_write) const;
  void report_handle(device&, bool was_destroyed, const char* kind, const char* maker) const;

  address frame_;
  bool is_program_;  ///< the embedder may call, too, with pointers to memory of its own
};

/// In a function of the API itself: who calls it.
#define SIMTLAB_API_CALLER \
  ::simtlab::emulator::api_caller { __func__, __builtin_return_address(0), __builtin_dwarf_cfa() }

}  // namespace simtlab::emulator
