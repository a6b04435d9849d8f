#include "runner/timed_calls.h"

#include <cuda_runtime.h>
#include <sys/random.h>

#include <algorithm>
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
buffer_list uploaded(const case_request& request, const round_view& values) {
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

// All arguments of a call in one piece of device memory that serves every call: each array between two guard bands, at a
// place of its own that differs from call to call (where two arrays lie to each other is worth 1 % of some kernels' time). One allocation, and places 64 KB apart: on an H200 a transpose took 7 %
// longer in memory that was allocated anew before each call, and in places 4 KB apart; a copy took 10 % longer in the former.
class argument_space {
 public:
  argument_space(const case_request& request, std::size_t guard) : request_(request), guard_(guard) {
    std::size_t free = 0, total = 0, all = 0;
    SIMTLAB_CHECKED(cudaMemGetInfo(&free, &total));
    for (const request_argument& a : request.arguments)
      if (is_array(a.role)) all += a.elements * a.element_bytes;
    places_ = std::clamp<std::size_t>((free - std::min(free, all)) / 32 / step, 2, most_places);
    std::size_t end = 0;
    for (const request_argument& a : request.arguments) {
      starts_.push_back(end + step);  // the guard bands are the ends of the gaps between arrays
      bytes_.push_back(a.elements * a.element_bytes);
      place_.push_back(0);
      if (is_array(a.role)) end += (bytes_.back() + guard + step - 1) / step * step + (places_ + 1) * step;
    }
    memory_ = std::make_unique<device_buffer>(end + step, 0, false);
  }

  /// Poisons everything and moves to other places.
  void renew() {
    memory_->poison();
    for (std::size_t& place : place_) {
      std::size_t next = random_bits() % places_;
      if (next == place) next = (next + 1) % places_;
      place = next;
    }
  }
  [[nodiscard]] void* at(std::size_t argument) const {
    return static_cast<char*>(memory_->data()) + starts_[argument] + place_[argument] * step;
  }
  [[nodiscard]] std::size_t bytes(std::size_t argument) const { return bytes_[argument]; }
  void add_damage(std::vector<finding>& found) const {
    const auto damaged = [](const std::vector<std::byte>& band) {
      return band.size() - static_cast<std::size_t>(std::ranges::count(band, std::byte{poison_byte}));
    };
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      if (!is_array(request_.arguments[i].role)) continue;
      char* begin = static_cast<char*>(at(i));
      const std::size_t before = damaged(bytes_at(begin - guard_, guard_)),
                        after = damaged(bytes_at(begin + bytes_[i], guard_));
      if (before + after > 0) found.push_back(guard_band_damaged(request_.arguments[i].name, before, after));
    }
  }

 private:
  static constexpr std::size_t step = 65536, most_places = 1024;

  static std::vector<std::byte> bytes_at(const void* from, std::size_t bytes) {
    std::vector<std::byte> to(bytes);
    if (bytes > 0) SIMTLAB_CHECKED(cudaMemcpy(to.data(), from, bytes, cudaMemcpyDeviceToHost));
    return to;
  }

  const case_request& request_;
  std::size_t guard_, places_ = 0;
  std::vector<std::size_t> starts_, bytes_, place_;
  std::unique_ptr<device_buffer> memory_;
};

// The arguments of one call.
class fresh_arguments {
 public:
  fresh_arguments(backend& on, const case_request& request, const round_view& first, const round_view& second,
                  const buffer_list& first_on_device, const buffer_list& second_on_device, std::uint64_t key,
                  argument_space& space) {
    space.renew();
    for (std::size_t i = 0; i < request.arguments.size(); ++i) {
      const request_argument& a = request.arguments[i];
      pointers_.push_back(is_array(a.role) ? space.at(i) : nullptr);
      if (!first_on_device[i] || first[i].empty()) continue;
      const bool mixed = on.mix(pointers_[i], first_on_device[i]->data(), second_on_device[i]->data(), a.elements,
                                a.element_bytes, key, i);
      if (mixed) continue;
      const std::vector<std::byte> values = mixed_values(first[i], second[i], a.element_bytes, key, i);
      SIMTLAB_CHECKED(cudaMemcpy(pointers_[i], values.data(), values.size(), cudaMemcpyHostToDevice));
    }
    for (std::size_t i = 0; i < pointers_.size(); ++i)
      slots_.push_back(is_array(request.arguments[i].role) ? static_cast<void*>(&pointers_[i])
                                                           : const_cast<std::byte*>(first[i].data()));
  }

  [[nodiscard]] void* const* slots() const { return slots_.data(); }

 private:
  std::vector<void*> pointers_;
  std::vector<void*> slots_;
};

// The outputs of one call, kept in device memory: a copy there costs a thousandth of one to the host.
class kept_outputs {
 public:
  kept_outputs(const case_request& request, const argument_space& space) : space_(space) {
    for (std::size_t i = 0; i < request.arguments.size(); ++i) {
      const bool written = is_written(request.arguments[i].role);
      buffers_.push_back(written ? std::make_unique<device_buffer>(space.bytes(i), 0, false) : nullptr);
    }
  }
  void keep() {
    for (std::size_t i = 0; i < buffers_.size(); ++i)
      if (buffers_[i] && space_.bytes(i) > 0)
        SIMTLAB_CHECKED(cudaMemcpy(buffers_[i]->data(), space_.at(i), space_.bytes(i), cudaMemcpyDeviceToDevice));
  }
  [[nodiscard]] round_values download() const {
    round_values values(buffers_.size());
    for (std::size_t i = 0; i < buffers_.size(); ++i)
      if (buffers_[i]) values[i] = buffers_[i]->download();
    return values;
  }

 private:
  const argument_space& space_;
  buffer_list buffers_;
};

}  // namespace

case_result time_device_entry(backend& on, const lab& of, const case_request& request, const round_view& first,
                              const round_view& second) {
  case_result result;
  timed_calls timed;
  std::vector<double> host;
  stopping_rule rule(request.timing->until);
  const buffer_list first_on_device = uploaded(request, first), second_on_device = uploaded(request, second);
  argument_space space(request, on.guard_bytes());
  kept_outputs kept(request, space);
  event_timer timer([&] { on.hold_device(); });
  const auto begin = clock::now();
  bool enough = false, entered = false;
  for (unsigned call = 0; !enough && result.how == ending::returned; ++call) {
    const std::uint64_t key = random_bits();
    try {
      const fresh_arguments arguments(on, request, first, second, first_on_device, second_on_device, key, space);
      on.flush_caches();
      timer.start();
      entered = true;
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
        kept.keep();
        space.add_damage(result.measured.findings);
      }
      enough = rule.is_enough(std::chrono::duration<double>(clock::now() - begin).count());
    } catch (const cuda_failure& lost) {  // the submission has lost the context
      if (call == 0 && !entered) throw;
      record_error(result, lost.code, false);
      if (result.how == ending::returned) throw;
    }
  }
  try {
    if (result.how == ending::returned) result.rounds.assign(1, kept.download());
  } catch (const cuda_failure& lost) {
    record_error(result, lost.code, false);
  }
  if (result.how != ending::returned) {
    result.rounds.assign(1, round_values(first.size()));
    for (std::size_t i = 0; i < first.size(); ++i)
      if (is_written(request.arguments[i].role)) result.rounds[0][i].assign(space.bytes(i), std::byte{poison_byte});
    return result;
  }
  timed.milliseconds = rule.samples();
  timed.host_milliseconds = median(std::move(host)).value_or(0);
  timed.state = rule.state();
  result.measured.timed = std::move(timed);
  return result;
}

}  // namespace simtlab
