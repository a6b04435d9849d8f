#include "cuda/device_limits.h"

#include <functional>

#include "cuda/baselines/temporary_memory.h"
#include "cuda/device_kernels.h"
#include "runner/event_timer.h"
#include "timing/sample_statistics.h"

namespace simtlab {
namespace {

constexpr std::size_t bytes = std::size_t{256} << 20;  // far more than any L2 cache holds
constexpr int warm_ups = 3, repetitions = 15;
constexpr std::size_t multiply_add_threads = std::size_t{1} << 22;
constexpr int multiply_add_rounds = 64, multiply_adds_per_round = 64;

double median_milliseconds(cache_flush& flush, event_timer& timer, const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i < warm_ups + repetitions; ++i) {
    flush.run();
    timer.start();
    work();
    const double milliseconds = timer.stop();
    if (i >= warm_ups) times.push_back(milliseconds);
  }
  return median(std::move(times)).value_or(0);
}

}  // namespace

device_limits measure_device_limits(cache_flush& flush) {
  const temporary_memory from(bytes), to(bytes), sink(256);
  event_timer timer;
  fill_with_floats(from.data(), bytes / sizeof(float), 1);
  const double copy = median_milliseconds(flush, timer, [&] { copy_on_device(to.data(), from.data(), bytes); });
  const double read = median_milliseconds(flush, timer, [&] { read_on_device(from.data(), bytes, sink.data()); });
  const double add = median_milliseconds(
      flush, timer, [&] { multiply_add_on_device(multiply_add_threads, multiply_add_rounds, sink.data()); });
  constexpr double multiply_adds =
      static_cast<double>(multiply_add_threads) * multiply_add_rounds * multiply_adds_per_round;
  return {2.0 * bytes / (copy * 1e6), 1.0 * bytes / (read * 1e6), multiply_adds / (add * 1e6), flush.cache_bytes()};
}

}  // namespace simtlab
