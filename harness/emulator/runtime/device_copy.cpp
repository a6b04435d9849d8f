#include "runtime/device_copy.h"

#include <cstring>
#include <string>

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

std::string bytes_text(std::size_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

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

/// Which kind fits the two pointers, when the one that was given does not.
std::string wrong_direction(device& d, const char* function, const direction& of) {
  return std::string(function) + ": the direction given is " + kind_name(of.given) +
         ", but the destination, which comes first, is " + pointer_kind(d, of.to) + " and the source " +
         pointer_kind(d, of.from) + ": write " + kind_name(resolved(d, of.to, of.from, cudaMemcpyDefault)) + ".";
}

/// Whether `s` lies in one live piece of device memory; otherwise says so at `caller`.
bool is_device_range(device& d, const char* function, const side& s, site caller) {
  if (d.live_region(s.where, s.bytes) != nullptr) return true;
  const auto a = reinterpret_cast<address>(s.where);
  const memory_region* r = d.map.find(a);
  const std::string call = std::string(function) + ": the " + s.role;
  if (r != nullptr && !r->live) {
    d.report_host(rule::use_after_free, caller, r->name, call + " was already freed.");
  } else if (r != nullptr) {
    d.report_host(
        rule::out_of_bounds, caller, r->name,
        call + " has " + bytes_text(r->begin + r->bytes - a) + " from this pointer on, but " + bytes_text(s.bytes) +
            " are asked for. Sizes are given in bytes, elements times sizeof, where the memory is allocated and "
            "where it is copied: which of the two is wrong?",
        d.allocation_site(*r));
  } else if (s.where == nullptr) {
    d.report_host(rule::invalid_address, caller, "", call + " is a null pointer. Did cudaMalloc succeed?");
  } else if (d.is_device_address(s.where)) {
    d.report_host(rule::out_of_bounds, caller, "", call + " is no address that cudaMalloc returned.");
  } else {
    d.report_host(rule::invalid_address, caller, "",
                  s.of_copy == nullptr ? call + " is a host pointer, where device memory is needed. Check the pointer."
                                       : wrong_direction(d, function, *s.of_copy));
  }
  return false;
}

/// The same of host memory, for a copy.
bool is_host_range(device& d, const char* function, const side& s, site caller) {
  if (s.where == nullptr) {
    d.report_host(rule::invalid_address, caller, "", std::string(function) + ": the " + s.role + " is a null pointer.");
    return false;
  }
  const auto a = reinterpret_cast<address>(s.where);
  if (!d.is_device_address(s.where) || d.is_managed(a)) return true;
  const memory_region* r = d.map.find(a);
  d.report_host(rule::invalid_address, caller, r == nullptr ? "" : r->name, wrong_direction(d, function, *s.of_copy));
  return false;
}

/// Either side may be managed memory.
void copy_on_host(device& d, void* to, const void* from, std::size_t bytes, site caller) {
  const auto target = reinterpret_cast<address>(to), origin = reinterpret_cast<address>(from);
  if (d.is_managed(origin)) d.work.accessed_managed(origin, bytes, false, caller);
  std::memmove(to, from, bytes);
  if (d.is_managed(target)) d.work.accessed_managed(target, bytes, true, caller);
}

}  // namespace

error_code copy(device& d, const char* function, void* to, const void* from, const copy_shape& shape,
                cudaMemcpyKind kind, site caller) {
  if (shape.bytes == 0 || shape.rows == 0) return cudaSuccess;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  kind = resolved(d, to, from, kind);
  const auto extent = [&](std::size_t pitch) { return (shape.rows - 1) * pitch + shape.bytes; };
  const direction asked{to, from, kind};
  const side target{to, extent(shape.to_pitch), "destination", &asked};
  const side origin{from, extent(shape.from_pitch), "source", &asked};
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (!(to_device ? is_device_range(d, function, target, caller) : is_host_range(d, function, target, caller)))
    return cudaErrorInvalidValue;
  if (!(from_device ? is_device_range(d, function, origin, caller) : is_host_range(d, function, origin, caller)))
    return cudaErrorInvalidValue;
  for (std::size_t row = 0; row < shape.rows; ++row) {
    void* t = static_cast<char*>(to) + row * shape.to_pitch;
    const void* f = static_cast<const char*>(from) + row * shape.from_pitch;
    if (to_device && from_device)
      d.copy_on_device(t, f, shape.bytes, caller);
    else if (to_device)
      d.copy_to_device(t, f, shape.bytes, caller);
    else if (from_device)
      d.copy_to_host(t, f, shape.bytes, caller);
    else
      copy_on_host(d, t, f, shape.bytes, caller);
  }
  return cudaSuccess;
}

error_code fill(device& d, const char* function, void* where, int value, std::size_t bytes, site caller) {
  if (bytes == 0) return cudaSuccess;
  if (!is_device_range(d, function, {where, bytes, "destination"}, caller)) return cudaErrorInvalidValue;
  d.set(where, value, bytes, caller);
  return cudaSuccess;
}

}  // namespace simtlab::emulator
