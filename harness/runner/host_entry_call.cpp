#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>
#include <utility>

#include "runner/entry_call.h"
#include "runner/entry_outcome.h"

namespace simtlab {
namespace {

constexpr std::size_t guard = 4096;  // keeps the alignment of any element

// Host memory of one argument, between two guard bands.
class guarded_memory {
 public:
  guarded_memory(backend& on, const std::vector<std::byte>& value, std::size_t distance)
      : on_(on),
        distance_(distance),
        bytes_(value.size()),
        memory_(static_cast<std::byte*>(on.memory_for_submission(whole_size()))) {
    std::fill_n(memory_, whole_size(), std::byte{poison_byte});
    std::ranges::copy(value, data());
  }
  ~guarded_memory() { on_.release_for_submission(memory_, whole_size()); }
  guarded_memory(const guarded_memory&) = delete;  // it owns the memory
  guarded_memory& operator=(const guarded_memory&) = delete;
  [[nodiscard]] std::byte* data() { return memory_ + distance_; }
  [[nodiscard]] std::size_t size() const { return bytes_; }
  [[nodiscard]] std::vector<std::byte> now() { return {data(), data() + bytes_}; }
  [[nodiscard]] std::size_t damaged_ahead() { return damaged(memory_); }
  [[nodiscard]] std::size_t damaged_behind() { return damaged(data() + bytes_); }

 private:
  [[nodiscard]] std::size_t whole_size() const { return bytes_ + 2 * distance_; }
  [[nodiscard]] std::size_t damaged(const std::byte* band) const {
    return distance_ - static_cast<std::size_t>(std::count(band, band + distance_, std::byte{poison_byte}));
  }
  backend& on_;
  std::size_t distance_, bytes_;
  std::byte* memory_;
};

void read_back(const entry_round& round, std::size_t i, guarded_memory& memory, case_result& result) {
  const request_argument& a = round.request.arguments[i];
  const std::size_t ahead = memory.damaged_ahead(), behind = memory.damaged_behind();
  if (ahead + behind > 0) result.measured.findings.push_back(guard_band_damaged(a.name, ahead, behind));
  std::vector<std::byte> now = memory.now();
  if (is_written(a.role)) {
    result.rounds.back()[i] = std::move(now);
  } else if (const std::size_t at = first_difference(now, round.values[i]);
             at < now.size() && round.has("inputs_hash")) {
    result.measured.findings.push_back(input_changed(a.name, at, a.element_bytes));
  }
}

}  // namespace

case_result call_host_entry(backend& on, const lab& of, const entry_round& round) {
  const case_request& request = round.request;
  case_result result;
  result.rounds.emplace_back(round.values.size());
  std::deque<guarded_memory> memory;
  for (std::size_t i = 0; i < round.values.size(); ++i) {
    memory.emplace_back(on, round.values[i], round.distance(guard));
    if (request.arguments[i].role == argument_role::output && !round.has("poison"))
      std::fill_n(memory[i].data(), memory[i].size(), std::byte{0});
  }
  std::vector<void*> pointers, slots;
  for (guarded_memory& m : memory) pointers.push_back(m.data());
  for (std::size_t i = 0; i < memory.size(); ++i)
    slots.push_back(is_array(request.arguments[i].role) ? static_cast<void*>(&pointers[i]) : pointers[i]);

  for (std::size_t i = 0; i < memory.size(); ++i)
    if (is_array(request.arguments[i].role)) on.name_memory(pointers[i], memory[i].size(), request.arguments[i].name);
  call_entry(on, of, slots.data(), result);
  std::vector<finding> host_work;
  for (std::size_t i = 0; i < memory.size(); ++i) {
    if (!round.has("kernel_writes") || result.how != ending::returned) break;
    if (!is_written(request.arguments[i].role)) continue;
    const host_share share = on.stored_by_host(pointers[i], memory[i].size());
    if (share.bytes > 0) host_work.push_back(stored_by_host(request.arguments[i].name, share));
  }
  result.measured = on.take(true);
  std::ranges::move(host_work, std::back_inserter(result.measured.findings));
  // Only now: had we asked before, an error that the program never looked at would have been looked at.
  record_error(result, cudaGetLastError(), false);
  record_error(result, cudaDeviceSynchronize(), false);

  for (std::size_t i = 0; i < memory.size(); ++i) {
    if (is_array(request.arguments[i].role)) read_back(round, i, memory[i], result);
  }
  return result;
}

}  // namespace simtlab
