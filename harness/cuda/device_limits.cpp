#include "cuda/device_limits.h"

#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <vector>

#include "cuda/baselines/temporary_memory.h"
#include "cuda/device_hold.h"
#include "cuda/device_kernels.h"
#include "runner/event_timer.h"
#include "timing/sample_statistics.h"

namespace simtlab {
namespace {

constexpr std::size_t bytes = std::size_t{256} << 20;  // far more than any L2 cache holds
constexpr int warm_ups = 3, repetitions = 36;
constexpr std::size_t multiply_add_threads = std::size_t{1} << 22;
constexpr int multiply_add_rounds = 64, multiply_adds_per_round = 64;

double median_milliseconds(cache_flush& flush, event_timer& timer, const std::function<void(int)>& work) {
  std::vector<double> times;
  for (int i = 0; i < warm_ups + repetitions; ++i) {
    flush.run();
    timer.start();
    work(i);
    const double milliseconds = timer.stop();
    if (i >= warm_ups) times.push_back(milliseconds);
  }
  return median(std::move(times)).value_or(0);
}

// Where an allocation lies in the GPU's memory changes a copy's time by 1 % and more: each repetition takes another place.
class scattered_memory {
 public:
  scattered_memory() {
    std::size_t free = 0, total = 0;
    SIMTLAB_CHECKED(cudaMemGetInfo(&free, &total));
    do places_.push_back(std::make_unique<temporary_memory>(2 * bytes));
    while (places_.size() < most_places && (places_.size() + 1) * 2 * bytes < free / 4);
  }
  [[nodiscard]] char* at(int repetition) const {
    return static_cast<char*>(places_[static_cast<std::size_t>(repetition) % places_.size()]->data());
  }
  [[nodiscard]] std::size_t count() const { return places_.size(); }

 private:
  static constexpr std::size_t most_places = 12;
  std::vector<std::unique_ptr<temporary_memory>> places_;
};

}  // namespace

device_limits measure_device_limits(cache_flush& flush) {
  const temporary_memory sink(256);
  const scattered_memory memory;
  const device_hold hold;
  event_timer timer([&] { hold.run(); });
  for (std::size_t place = 0; place < memory.count(); ++place)
    fill_with_floats(memory.at(static_cast<int>(place)), bytes / sizeof(float), 1);
  const double copy =
      median_milliseconds(flush, timer, [&](int i) { copy_on_device(memory.at(i) + bytes, memory.at(i), bytes); });
  const double read =
      median_milliseconds(flush, timer, [&](int i) { read_on_device(memory.at(i), bytes, sink.data()); });
  const double add = median_milliseconds(
      flush, timer, [&](int) { multiply_add_on_device(multiply_add_threads, multiply_add_rounds, sink.data()); });
  constexpr double multiply_adds =
      static_cast<double>(multiply_add_threads) * multiply_add_rounds * multiply_adds_per_round;
  return {2.0 * bytes / (copy * 1e6), 1.0 * bytes / (read * 1e6), multiply_adds / (add * 1e6), flush.cache_bytes()};
}

}  // namespace simtlab
