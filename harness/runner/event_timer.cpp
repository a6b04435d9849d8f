#include "runner/event_timer.h"

#include <utility>
#include <vector>

#include "runner/cuda_check.h"
#include "timing/sample_statistics.h"

namespace simtlab {
namespace {

using clock = std::chrono::steady_clock;
constexpr int joins_of_an_idle_device = 15;
constexpr double join_noise = 0.010;  // milliseconds by which joins of an idle device differ, on a busy host
// What such work may have had for nothing, in milliseconds: it began as the device was let go, some microseconds before the
// opening event, and went on while the host learned of the closing one. On an H200 5.6 microseconds of 152 were seen.
constexpr double unseen = 0.010;

double milliseconds_since(clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(clock::now() - begin).count();
}

}  // namespace

event_timer::event_timer(std::function<void()> hold) : hold_(std::move(hold)) {
  SIMTLAB_CHECKED(cudaEventCreate(&begin_));
  SIMTLAB_CHECKED(cudaEventCreate(&end_));
  std::vector<double> joins(joins_of_an_idle_device);
  for (double& one : joins) {  // as after a call that leaves nothing behind
    SIMTLAB_CHECKED(cudaEventRecord(end_));
    SIMTLAB_CHECKED(cudaEventSynchronize(end_));
    one = join();
  }
  idle_join_ = median(std::move(joins)).value_or(0);
}

event_timer::~event_timer() {
  cudaEventDestroy(begin_);
  cudaEventDestroy(end_);
}

double event_timer::join() {
  const auto begin = clock::now();
  SIMTLAB_CHECKED(cudaDeviceSynchronize());
  return milliseconds_since(begin);
}

void event_timer::start() {
  SIMTLAB_CHECKED(cudaDeviceSynchronize());
  host_begin_ = clock::now();
  hold_();
  SIMTLAB_CHECKED(cudaEventRecord(begin_));
}

double event_timer::stop() {
  SIMTLAB_CHECKED(cudaEventRecord(end_));
  SIMTLAB_CHECKED(cudaEventSynchronize(end_));
  const double joined = join();
  host_milliseconds_ = milliseconds_since(host_begin_);
  float milliseconds = 0;
  SIMTLAB_CHECKED(cudaEventElapsedTime(&milliseconds, begin_, end_));
  const bool outlasted = joined - idle_join_ > join_noise;
  return static_cast<double>(milliseconds) + (outlasted ? joined + unseen : 0);
}

}  // namespace simtlab
