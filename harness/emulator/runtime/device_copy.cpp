#include "runtime/device_copy.h"

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "checks/region_text.h"
#include "include/driver_types.h"

namespace simtlab::emulator {
namespace {

/// What a copy was asked to do.
struct direction {
  const void* to;
  const void* from;
  cudaMemcpyKind given;
};

/// One side of a copy.
struct side {
  const void* where;
  std::size_t bytes;
  const char* role;                    ///< "destination" or "source"
  const direction* of_copy = nullptr;  ///< null where there is no other side
};

cudaMemcpyKind resolved(device& d, const void* to, const void* from, cudaMemcpyKind kind) {
  if (kind != cudaMemcpyDefault) return kind;
  const bool to_device = d.is_device_address(to), from_device = d.is_device_address(from);
  return to_device ? (from_device ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice)
                   : (from_device ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost);
}

std::string kind_name(cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice     ? "cudaMemcpyHostToDevice"
         : kind == cudaMemcpyDeviceToHost   ? "cudaMemcpyDeviceToHost"
         : kind == cudaMemcpyDeviceToDevice ? "cudaMemcpyDeviceToDevice"
                                            : "cudaMemcpyHostToHost";
}

std::string pointer_kind(device& d, const void* where) {
  return d.is_device_address(where) ? "a device pointer" : "a host pointer";
}

/// Which kind fits the two pointers, when the one that was given does not. A pointer that was never set looks like the host's:
/// nobody is told to copy from host to host who asked for another direction.
std::string wrong_direction(device& d, const api_caller& caller, const direction& of, const side& s) {
  if (resolved(d, of.to, of.from, cudaMemcpyDefault) == cudaMemcpyHostToHost)
    return std::string(caller.function) + ": the " + s.role + " is no address that cudaMalloc returned, and " +
           kind_name(of.given) + " needs device memory there. " +
           d.unset_by_failure(
               "Is it a pointer of the host's, or one that "
               "was never set?");
  return std::string(caller.function) + ": the direction given is " + kind_name(of.given) +
         ", but the destination, which comes first, is " + pointer_kind(d, of.to) + " and the source " +
         pointer_kind(d, of.from) + ": write " + kind_name(resolved(d, of.to, of.from, cudaMemcpyDefault)) + ".";
}

/// Whether `s` is what host code gets by the name of a `__device__` or `__constant__` variable; then says so at `caller`. The calls
/// whose own names end in Symbol take that name.
bool is_shadow_of_symbol(device& d, const api_caller& caller, const side& s) {
  const memory_region* const symbol = d.unasked_symbol(reinterpret_cast<address>(s.where));
  if (symbol == nullptr || std::string_view(caller.function).find("Symbol") != std::string_view::npos) return false;
  d.report_host(rule::invalid_address, caller.where, symbol->name,
                std::string(caller.function) + ": the " + s.role + " is " + shadow_text(*symbol) +
                    ", which is no device pointer. Copy by cudaMemcpyToSymbol or cudaMemcpyFromSymbol, which take the "
                    "variable itself, or ask cudaGetSymbolAddress for its address on the device.");
  return true;
}

/// An address no further than this behind an allocation is meant to be of it.
constexpr std::uint64_t near_its_end = std::uint64_t{1} << 20;

bool is_negative(std::size_t bytes) { return static_cast<std::ptrdiff_t>(bytes) < 0; }

std::string negative_text(std::size_t bytes) {
  return "the size is " + std::to_string(static_cast<std::ptrdiff_t>(bytes)) + " bytes, which as a size_t is " +
         std::to_string(bytes) + ": a number of elements came out negative.";
}

/// Whether `s` lies in one live piece of device memory; otherwise says so at `caller`.
bool is_device_range(device& d, const api_caller& caller, const side& s) {
  if (is_shadow_of_symbol(d, caller, s)) return false;
  if (d.live_region(s.where, s.bytes) != nullptr) return true;
  const auto a = reinterpret_cast<address>(s.where);
  const memory_region* r = d.map.find(a);
  const memory_region* below = r == nullptr ? d.map.below(a) : nullptr;
  const std::string call = std::string(caller.function) + ": the " + s.role;
  if (r != nullptr && !r->live) {
    d.report_host(rule::use_after_free, caller.where, r->name, call + " was already freed.");
  } else if (r != nullptr) {
    d.report_host(
        rule::out_of_bounds, caller.where, r->name,
        call + " has " + bytes_text(r->begin + r->bytes - a) + " from this pointer on, but " +
            (is_negative(s.bytes)
                 ? negative_text(s.bytes)
                 : bytes_text(s.bytes) + " are asked for. Sizes are given in bytes, elements times sizeof, where the "
                                         "memory is allocated and where it is copied: which of the two is wrong?"),
        d.allocation_site(*r));
  } else if (s.where == nullptr) {
    d.report_host(rule::invalid_address, caller.where, "", call + " is a null pointer. Did cudaMalloc succeed?");
  } else if (below != nullptr && below->live && a - below->begin - below->bytes < near_its_end) {
    const std::uint64_t behind = a - below->begin - below->bytes;
    d.report_host(rule::out_of_bounds, caller.where, below->name,
                  call + " begins " + (behind == 0 ? "at the end" : bytes_text(behind) + " behind the end") + " of " +
                      region_name(*below) + (below->name.empty() ? "" : ", which has " + bytes_text(below->bytes)) +
                      "; " +
                      (is_negative(s.bytes) ? negative_text(s.bytes)
                                            : bytes_text(s.bytes) + " are asked for. Compare where the piece begins "
                                                                    "with the number of elements."),
                  d.allocation_site(*below));
  } else if (d.is_device_address(s.where)) {
    d.report_host(rule::out_of_bounds, caller.where, "", call + " is no address that cudaMalloc returned.");
  } else {
    d.report_host(rule::invalid_address, caller.where, "",
                  s.of_copy == nullptr ? call + " is a host pointer, where device memory is needed. Check the pointer."
                                       : wrong_direction(d, caller, *s.of_copy, s));
  }
  return false;
}

/// The same of host memory, for a copy.
bool is_host_range(device& d, const api_caller& caller, const side& s, bool is_write) {
  if (s.where == nullptr) {
    d.report_host(rule::invalid_address, caller.where, "",
                  std::string(caller.function) + ": the " + s.role + " is a null pointer.");
    return false;
  }
  const auto a = reinterpret_cast<address>(s.where);
  if (d.is_shared_with_host(a)) return is_device_range(d, caller, s);
  if (!d.is_device_address(s.where))
    return is_write ? caller.may_store(d, const_cast<void*>(s.where), s.bytes) : caller.may_read(d, s.where, s.bytes);
  const memory_region* r = d.map.find(a);
  d.report_host(rule::invalid_address, caller.where, r == nullptr ? "" : r->name,
                wrong_direction(d, caller, *s.of_copy, s));
  return false;
}

/// Either side may be memory that kernels share.
void copy_on_host(device& d, void* to, const void* from, std::size_t bytes, site caller) {
  const arena::access open(d.memory);
  const auto target = reinterpret_cast<address>(to), origin = reinterpret_cast<address>(from);
  if (d.is_shared_with_host(origin)) d.host_touches(origin, bytes, false, caller);
  std::memmove(to, from, bytes);
  if (d.is_shared_with_host(target)) d.host_touches(target, bytes, true, caller);
}

/// What all rows of a copy or a fill touch: one operation of the present stream.
class touched_rows {
 public:
  touched_rows(device& d, site where) : device_(d), where_(where) {}
  void add(access kind, const void* row, std::size_t bytes) {
    const auto at = reinterpret_cast<address>(row);
    is_shared_ = is_shared_ || device_.is_shared_with_host(at) || device_.is_registered(row, bytes);
    if (device_.is_managed(at)) device_.pages.touched(page_place::device, at, bytes);
    if (device_.compares_streams()) rows_.touched.add(where_, kind, at, bytes);
  }
  /// So many bytes crossed the bus.
  void end_copy(timed_operation_kind kind, std::uint64_t bytes, timed_copy copy) {
    rows_.kind = kind;
    rows_.copy = std::move(copy);
    rows_.copy.code_offset = where_;
    rows_.takes = timeline::over_the_bus(bytes);
    end(bytes);
  }
  /// So many bytes of the device's memory were read or stored.
  void end_on_device(std::uint64_t bytes) {
    rows_.takes = timeline::launch_ns + timeline::on_the_device(bytes);
    end(bytes);
  }
  [[nodiscard]] bool touched_shared() const { return is_shared_; }

 private:
  void end(std::uint64_t bytes) {
    rows_.bytes = bytes;
    device_.operate(std::move(rows_));
  }

  device& device_;
  site where_;
  bool is_shared_ = false;
  stream_order::operation rows_;
};

/// Whether the caller of a copy waits for it (CUDA Runtime API, "API synchronization behavior"). Asynchronous copies from the device
/// to memory that is not page-locked end before they return; those to the device have read it by then, if not stored it. Of managed
/// memory the manual promises less than it does of either side: nobody is accused there.
void wait_for_copy(device& d, bool crosses, bool from_device, bool is_shared, bool is_page_locked) {
  if (!d.is_asynchronous) {
    if (crosses || is_shared) d.streams.wait_for(d.stream);
  } else if (crosses && !is_page_locked) {
    if (from_device)
      d.streams.wait_for(d.stream);
    else
      d.streams.hold_host(d.stream);
  }
}

/// From the first row's begin to the last one's end; none when no memory is that large.
std::optional<std::size_t> extent(const copy_shape& shape, std::size_t pitch) {
  std::size_t before_last = 0, all = 0;
  if (__builtin_mul_overflow(shape.rows - 1, pitch, &before_last)) return std::nullopt;
  if (__builtin_add_overflow(before_last, shape.bytes, &all)) return std::nullopt;
  return all;
}

}  // namespace

error_code copy(device& d, const api_caller& caller, void* to, const void* from, const copy_shape& shape,
                cudaMemcpyKind kind) {
  if (shape.bytes == 0 || shape.rows == 0) return cudaSuccess;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  kind = resolved(d, to, from, kind);
  const auto to_extent = extent(shape, shape.to_pitch), from_extent = extent(shape, shape.from_pitch);
  if (!to_extent || !from_extent) return cudaErrorInvalidPitchValue;
  const direction asked{to, from, kind};
  const side target{to, *to_extent, "destination", &asked};
  const side origin{from, *from_extent, "source", &asked};
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (!(to_device ? is_device_range(d, caller, target) : is_host_range(d, caller, target, true)))
    return cudaErrorInvalidValue;
  if (!(from_device ? is_device_range(d, caller, origin) : is_host_range(d, caller, origin, false)))
    return cudaErrorInvalidValue;
  const arena::access open(d.memory);  // once: to open and to close costs as much as there is memory
  touched_rows touched(d, caller.where);
  const void* const on_host = to_device ? from : to;
  const bool is_page_locked = d.is_page_locked(reinterpret_cast<address>(on_host)) ||
                              d.is_registered(on_host, to_device ? *from_extent : *to_extent);
  for (std::size_t row = 0; row < shape.rows; ++row) {
    void* t = static_cast<char*>(to) + row * shape.to_pitch;
    const void* f = static_cast<const char*>(from) + row * shape.from_pitch;
    if (to_device) touched.add(access::write, t, shape.bytes);
    if (from_device) touched.add(access::read, f, shape.bytes);
    if (to_device != from_device && is_page_locked)
      touched.add(to_device ? access::read : access::write, to_device ? f : t, shape.bytes);
    if (to_device && from_device)
      d.copy_on_device(t, f, shape.bytes);
    else if (to_device)
      d.copy_to_device(t, f, shape.bytes, caller.where);
    else if (from_device)
      d.copy_to_host(t, f, shape.bytes, caller.where);
    else
      copy_on_host(d, t, f, shape.bytes, caller.where);
  }
  const std::uint64_t bytes = std::uint64_t{shape.bytes} * shape.rows;
  if (to_device != from_device) {
    timed_copy told;
    told.is_page_locked = is_page_locked;
    if (shape.rows == 1) {  // the rows of another copy lie apart, in no one range
      told.on_host = d.range_of(on_host);
      told.on_device = d.range_of(to_device ? to : from);
    }
    touched.end_copy(to_device ? timed_operation_kind::to_device : timed_operation_kind::to_host, bytes,
                     std::move(told));
  } else if (to_device) {
    touched.end_on_device(2 * bytes);
  }
  wait_for_copy(d, to_device != from_device, from_device, touched.touched_shared(),
                to_device == from_device || is_page_locked);
  return cudaSuccess;
}

error_code fill(device& d, const api_caller& caller, void* where, int value, const fill_shape& shape) {
  if (shape.bytes == 0) return cudaSuccess;
  const arena::access open(d.memory);
  touched_rows touched(d, caller.where);
  for (std::size_t row = 0; row < shape.rows; ++row) {
    void* at = static_cast<char*>(where) + row * shape.pitch;
    if (!is_device_range(d, caller, {at, shape.bytes, "destination"})) return cudaErrorInvalidValue;
    touched.add(access::write, at, shape.bytes);
    d.set(at, value, shape.bytes, caller.where);
  }
  touched.end_on_device(std::uint64_t{shape.bytes} * shape.rows);
  if (!d.is_asynchronous && touched.touched_shared()) d.streams.wait_for(d.stream);
  return cudaSuccess;
}

}  // namespace simtlab::emulator
