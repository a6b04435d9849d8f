// Indices outside an array's declared size, found by the compiler's own check (-fsanitize=bounds-strict): the only check
// that sees local arrays, and rows of a two-dimensional array.
#include <cstdint>
#include <string>

#include "core/closed_memory.h"
#include "runtime/device.h"
#include "runtime/emulator_call.h"
#include "scheduler/worker.h"
#include "trace/text_base.h"

namespace {

// What g++ passes, laid out as its undefined-behaviour sanitizer documents.
struct type_descriptor {
  std::uint16_t kind;  // 0: integer; `information`: bit 0 signed, the rest log2 of the bits
  std::uint16_t information;
  char name[1];
};
struct out_of_bounds_data {
  const char* file;
  std::uint32_t line, column;
  const type_descriptor* array;
  const type_descriptor* index;
};

std::string index_text(const type_descriptor& type, std::uintptr_t value) {
  const unsigned bits = 1U << (type.information >> 1);
  if (type.kind != 0 || bits > 64) return "?";
  if ((type.information & 1) == 0) return std::to_string(value);
  const unsigned unused = 64 - bits;
  return std::to_string(static_cast<std::int64_t>(value << unused) >> unused);
}

}  // namespace

extern "C" void simtlab_ubsan_out_of_bounds(void* data, void* index) {
  using namespace simtlab::emulator;
  const auto& check = *static_cast<const out_of_bounds_data*>(data);
  const site where = site_at(__builtin_return_address(0));
  device& d = device::instance();
  std::string_view type = check.array->name;  // in quotation marks
  if (type.size() > 2) type = type.substr(1, type.size() - 2);
  const auto message = [&](const std::string& array) {
    return "Index " + index_text(*check.index, reinterpret_cast<std::uintptr_t>(index)) + " lies outside " +
           (array.empty() ? "the array's declared type " + std::string(check.array->name)
                          : array + ", which is declared as " + std::string(type)) +
           ".";
  };
  worker* w = worker::current();
  if (is_memory_closed() || w == nullptr || !w->in_lane()) {
    const emulator_call inside;
    const std::lock_guard guard(d.lock);
    if (!d.findings.first_time(rule::out_of_bounds, where, 0, 0)) return;  // a loop comes here often, a name takes long
    const std::string array = d.sources.array_at(where, type);
    return d.findings.add({rule::out_of_bounds, "", array, {where, false, {}, {}, ""}, {}, message(array)}, 0);
  }
  const sighting rank{w->launch().info.ordinal, w->block().index, w->thread_of(w->running())};
  if (!d.findings.first_time(rule::out_of_bounds, where, 0, 0, rank)) return;
  const std::string array = d.sources.array_at(where, type);
  const std::string action = "indexes " + (array.empty() ? std::string("an array") : array);
  d.findings.add(
      {rule::out_of_bounds, w->launch().info.kernel, array, w->place_of_running(where, action), {}, message(array)}, 0,
      rank);
}
