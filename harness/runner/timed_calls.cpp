#include "runner/timed_calls.h"

#include <cuda_runtime.h>
#include <sys/random.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <utility>

#include "runner/cuda_check.h"
#include "runner/device_buffer.h"
#include "runner/entry_outcome.h"
#include "runner/event_timer.h"
#include "timing/fresh_values.h"

namespace simtlab {
namespace {

using clock = std::chrono::steady_clock;
using buffer_list = std::vector<std::unique_ptr<device_buffer>>;

// From the kernel, because nothing that the submission could have seen before may tell it.
std::uint64_t random_bits() {
  std::uint64_t bits = 0;
  if (getrandom(&bits, sizeof bits, 0) != static_cast<ssize_t>(sizeof bits))
    throw std::runtime_error("the kernel gives no random numbers (getrandom)");
  return bits;
}

// One set of values in device memory; nothing for outputs and scalars.
buffer_list uploaded(const case_request& request, const round_values& values) {
  buffer_list buffers;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const argument_role role = request.arguments[i].role;
    buffers.push_back(nullptr);
    if (role != argument_role::input && role != argument_role::in_out) continue;
    buffers.back() = std::make_unique<device_buffer>(values[i].size(), 0, false);
    buffers.back()->upload(values[i]);
  }
  return buffers;
}

// The arguments of one call.
class fresh_arguments {
 public:
  fresh_arguments(backend& on, const case_request& request, const round_values& first, const round_values& second,
                  const buffer_list& first_on_device, const buffer_list& second_on_device, std::uint64_t key,
                  unsigned call)
      : request_(request) {
    // Freed memory is often handed out again: the distance keeps the argument away from where it was.
    const std::size_t distance = on.guard_bytes() * (call + 1);
    for (std::size_t i = 0; i < request.arguments.size(); ++i) {
      const request_argument& a = request.arguments[i];
      buffers_.push_back(nullptr);
      if (!is_array(a.role)) continue;
      const bool poison = a.role == argument_role::output;
      buffers_.back() = std::make_unique<device_buffer>(first[i].size(), distance, poison);
      if (poison || first[i].empty()) continue;
      const bool mixed = on.mix(buffers_[i]->data(), first_on_device[i]->data(), second_on_device[i]->data(),
                                a.elements, a.element_bytes, key, i);
      if (!mixed) buffers_[i]->upload(mixed_values(first[i], second[i], a.element_bytes, key, i));
    }
    for (const auto& buffer : buffers_) pointers_.push_back(buffer ? buffer->data() : nullptr);
    for (std::size_t i = 0; i < buffers_.size(); ++i)
      slots_.push_back(buffers_[i] ? static_cast<void*>(&pointers_[i]) : const_cast<std::byte*>(first[i].data()));
  }

  [[nodiscard]] void* const* slots() const { return slots_.data(); }

  [[nodiscard]] round_values outputs() const {
    round_values values(buffers_.size());
    for (std::size_t i = 0; i < buffers_.size(); ++i)
      if (is_written(request_.arguments[i].role)) values[i] = buffers_[i]->download();
    return values;
  }

  void add_damage(std::vector<finding>& found) const {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      if (!buffers_[i]) continue;
      const auto damage = buffers_[i]->damage();
      if (damage.before + damage.after > 0)
        found.push_back(guard_band_damaged(request_.arguments[i].name, damage.before, damage.after));
    }
  }

 private:
  const case_request& request_;
  buffer_list buffers_;
  std::vector<void*> pointers_;
  std::vector<void*> slots_;
};

}  // namespace

case_result time_device_entry(backend& on, const lab& of, const case_request& request, const round_values& first,
                              const round_values& second) {
  case_result result;
  timed_calls timed;
  std::vector<double> host;
  stopping_rule rule(request.timing->until);
  const buffer_list first_on_device = uploaded(request, first), second_on_device = uploaded(request, second);
  event_timer timer;
  const auto begin = clock::now();
  bool enough = false;
  for (unsigned call = 0; !enough && result.how == ending::returned; ++call) {
    const std::uint64_t key = random_bits();
    const fresh_arguments arguments(on, request, first, second, first_on_device, second_on_device, key, call);
    on.flush_caches();
    try {
      timer.start();
      call_entry(on, of, arguments.slots(), result);
      const double milliseconds = timer.stop();
      join_device(result);
      if (call < request.timing->warm_ups || result.how != ending::returned) continue;
      rule.add(milliseconds);
      host.push_back(timer.host_milliseconds());
      const std::size_t so_far = rule.samples().size();
      if (random_bits() % so_far == 0) {  // each call so far is now the kept one with the same probability
        timed.checked = so_far - 1;
        timed.key = key;
        result.measured.findings.clear();
        result.rounds.assign(1, arguments.outputs());
        arguments.add_damage(result.measured.findings);
      }
      enough = rule.is_enough(std::chrono::duration<double>(clock::now() - begin).count());
    } catch (const cuda_failure& lost) {  // the submission has lost the context
      record_error(result, lost.code, false);
      if (result.how == ending::returned) throw;
    }
  }
  if (result.how != ending::returned) {
    result.rounds.assign(1, round_values(first.size()));
    for (std::size_t i = 0; i < first.size(); ++i)
      if (is_written(request.arguments[i].role))
        result.rounds[0][i].assign(first[i].size(), std::byte{poison_byte});
    return result;
  }
  timed.milliseconds = rule.samples();
  timed.host_milliseconds = median(std::move(host)).value_or(0);
  timed.state = rule.state();
  result.measured.timed = std::move(timed);
  return result;
}

}  // namespace simtlab
