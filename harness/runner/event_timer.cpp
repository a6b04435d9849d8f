#include "runner/event_timer.h"

#include "runner/cuda_check.h"

namespace simtlab {

event_timer::event_timer() {
  SIMTLAB_CHECKED(cudaEventCreate(&begin_));
  SIMTLAB_CHECKED(cudaEventCreate(&end_));
}

event_timer::~event_timer() {
  cudaEventDestroy(begin_);
  cudaEventDestroy(end_);
}

void event_timer::start() {
  SIMTLAB_CHECKED(cudaDeviceSynchronize());
  SIMTLAB_CHECKED(cudaEventRecord(begin_));
}

double event_timer::stop() {
  SIMTLAB_CHECKED(cudaDeviceSynchronize());  // other streams' work is part of the call
  SIMTLAB_CHECKED(cudaEventRecord(end_));
  SIMTLAB_CHECKED(cudaEventSynchronize(end_));
  float milliseconds = 0;
  SIMTLAB_CHECKED(cudaEventElapsedTime(&milliseconds, begin_, end_));
  return static_cast<double>(milliseconds);
}

}  // namespace simtlab
