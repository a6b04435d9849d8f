#include <cuda_runtime.h>

#include <algorithm>
#include <utility>

#include "runner/entry_call.h"
#include "runner/entry_outcome.h"
#include "runner/event_timer.h"

namespace simtlab {
namespace {

constexpr std::size_t guard = 4096;  // keeps the alignment of any element

std::vector<std::byte> guarded(const std::vector<std::byte>& value) {
  std::vector<std::byte> memory(value.size() + 2 * guard, std::byte{poison_byte});
  std::copy(value.begin(), value.end(), memory.begin() + guard);
  return memory;
}

std::size_t damaged_bytes(const std::byte* band) {
  return guard - static_cast<std::size_t>(std::count(band, band + guard, std::byte{poison_byte}));
}

void read_back(const request_argument& a, const std::vector<std::byte>& before, const std::vector<std::byte>& memory,
               case_result& result) {
  std::vector<std::byte> now(memory.begin() + guard, memory.end() - guard);
  const std::size_t ahead = damaged_bytes(memory.data()), behind = damaged_bytes(memory.data() + guard + now.size());
  if (ahead + behind > 0) result.measured.findings.push_back(guard_band_damaged(a.name, ahead, behind));
  result.values.emplace_back();
  if (is_written(a.role)) {
    result.values.back() = std::move(now);
  } else if (const std::size_t at = first_difference(now, before); at < now.size()) {
    result.measured.findings.push_back(input_changed(a.name, at, a.element_bytes));
  }
}

}  // namespace

case_result call_host_entry(backend& on, const lab& of, received_request received) {
  case_result result;
  const case_request& request = received.request;
  std::vector<std::vector<std::byte>> memory;
  for (const auto& value : received.values) memory.push_back(guarded(value));
  std::vector<void*> pointers, slots;
  for (auto& bytes : memory) pointers.push_back(bytes.data() + guard);
  for (std::size_t i = 0; i < memory.size(); ++i)
    slots.push_back(is_array(request.arguments[i].role) ? static_cast<void*>(&pointers[i]) : pointers[i]);

  on.begin(request);
  for (std::size_t i = 0; i < memory.size(); ++i)
    if (is_array(request.arguments[i].role))
      on.name_memory(pointers[i], received.values[i].size(), request.arguments[i].name);
  call_entry(of, slots.data(), result);
  result.measured = on.take(true);
  // Only now: had we asked before, an error that the program never looked at would have been looked at.
  record_error(result, cudaGetLastError(), false);
  record_error(result, cudaDeviceSynchronize(), false);

  for (std::size_t i = 0; i < memory.size(); ++i) {
    if (is_array(request.arguments[i].role))
      read_back(request.arguments[i], received.values[i], memory[i], result);
    else
      result.values.emplace_back();
  }
  return result;
}

}  // namespace simtlab
