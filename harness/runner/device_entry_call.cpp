#include <cuda_runtime.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "runner/cuda_check.h"
#include "runner/device_buffer.h"
#include "runner/entry_call.h"
#include "runner/entry_outcome.h"

namespace simtlab {
namespace {

// The arguments of a device entry in device memory, and the slots through which the entry is called.
class device_arguments {
 public:
  device_arguments(backend& on, const entry_round& r) : round_(r) {
    for (std::size_t i = 0; i < r.values.size(); ++i) {
      const request_argument& a = r.request.arguments[i];
      buffers_.push_back(nullptr);
      if (!is_array(a.role)) continue;
      const bool poison = a.role == argument_role::output && !on.fills_fresh_memory();
      buffers_.back() = std::make_unique<device_buffer>(r.values[i].size(), r.distance(on.guard_bytes()), poison);
      if (a.role != argument_role::output) buffers_.back()->upload(r.values[i]);
      if (a.role == argument_role::output && !r.has("poison"))
        buffers_.back()->upload(round_values::value_type(r.values[i].size()));
      on.name_memory(buffers_.back()->data(), r.values[i].size(), a.name);
    }
    for (std::size_t i = 0; i < r.values.size(); ++i) pointers_.push_back(buffers_[i] ? buffers_[i]->data() : nullptr);
    for (std::size_t i = 0; i < r.values.size(); ++i)
      slots_.push_back(buffers_[i] ? static_cast<void*>(&pointers_[i]) : const_cast<std::byte*>(r.values[i].data()));
  }

  [[nodiscard]] void* const* slots() const { return slots_.data(); }

  /// What host code did of the kernels' work, where the backend can tell.
  [[nodiscard]] std::vector<finding> host_work(const backend& on) const {
    std::vector<finding> found;
    const std::uint64_t allowed = most_read_back + table_bytes();
    if (const host_share read = on.read_by_host(); read.bytes > allowed) found.push_back(read_by_host(read, allowed));
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const request_argument& a = round_.request.arguments[i];
      if (!buffers_[i] || !is_written(a.role)) continue;
      const host_share share = on.stored_by_host(buffers_[i]->data(), round_.values[i].size());
      if (share.bytes > 0) found.push_back(stored_by_host(a.name, share));
    }
    return found;
  }

  void read_back(case_result& result) const {
    round_values& values = result.rounds.back();
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      if (!buffers_[i]) continue;
      const request_argument& a = round_.request.arguments[i];
      std::vector<std::byte> now = buffers_[i]->download();
      if (a.role == argument_role::input) {
        if (round_.has("inputs_hash")) look_at_input(a, first_difference(now, round_.values[i]), now.size(), result);
      } else {
        values[i] = std::move(now);
      }
      const auto damage = buffers_[i]->damage();
      if (damage.before + damage.after > 0)
        result.measured.findings.push_back(guard_band_damaged(a.name, damage.before, damage.after));
    }
  }

 private:
  // Bytes of the largest input that is a table.
  [[nodiscard]] std::uint64_t table_bytes() const {
    std::uint64_t largest = 0;
    for (std::size_t i = 0; i < buffers_.size(); ++i)
      if (buffers_[i] && round_.request.arguments[i].role == argument_role::input &&
          round_.values[i].size() <= largest_table)
        largest = std::max<std::uint64_t>(largest, round_.values[i].size());
    return largest;
  }

  static void look_at_input(const request_argument& a, std::size_t changed_at, std::size_t bytes, case_result& result) {
    std::vector<finding>& found = result.measured.findings;
    if (changed_at < bytes) return found.push_back(input_changed(a.name, changed_at, a.element_bytes));
    for (const launch_counters& l : result.measured.launches)
      for (const access_counters& c : l.accesses)
        if (c.array.given && c.variable == a.name && c.access != "read")
          return found.push_back(input_stored_to(a.name, {c.file, c.line}));
    for (const device_copies& c : result.measured.copies)
      if (c.to.given && c.to_name == a.name) return found.push_back(input_stored_to(a.name, {}));
  }

  const entry_round& round_;
  std::vector<std::unique_ptr<device_buffer>> buffers_;
  std::vector<void*> pointers_;
  std::vector<void*> slots_;
};

}  // namespace

case_result call_device_entry(backend& on, const lab& of, const entry_round& round) {
  const case_request& request = round.request;
  case_result result;
  result.rounds.emplace_back(round.values.size());
  {
    device_arguments arguments(on, round);
    SIMTLAB_CHECKED(cudaDeviceSynchronize());  // a stream of the entry's own need not wait for what we have begun
    static_cast<void>(on.take(false));         // our own calls are nobody's lesson
    call_entry(on, of, arguments.slots(), result);
    static_cast<void>(cudaDeviceSynchronize());
    const std::vector<finding> host_work =
        round.has("kernel_writes") && result.how == ending::returned ? arguments.host_work(on) : std::vector<finding>();
    // Before anybody asks for the last error: a backend that knows why a launch failed tells it of one never asked about.
    result.measured = on.take(false);
    join_device(result);
    if (result.how == ending::returned) std::ranges::copy(host_work, std::back_inserter(result.measured.findings));
    try {
      arguments.read_back(result);
    } catch (const cuda_failure& lost) {  // the submission has lost the context
      record_error(result, lost.code, false);
    }
    for (std::size_t i = 0; i < round.values.size(); ++i)
      if (is_written(request.arguments[i].role))
        result.rounds.back()[i].resize(round.values[i].size(), std::byte{poison_byte});
  }
  const measurements after = on.take(true);  // what the entry itself allocated and never freed
  for (const finding& f : after.findings)
    if (f.rule == "leak") result.measured.findings.push_back(f);
  result.measured.host.leaked_bytes += after.host.leaked_bytes;
  return result;
}

}  // namespace simtlab
