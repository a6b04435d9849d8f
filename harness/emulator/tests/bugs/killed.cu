// Programs that do not end: whoever ends them wants to know what was found, and where the kernel stood.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>

#include "bugs/planted_bug.h"
#include "claims/device_array.h"

using namespace simtlab::emulator;
using simtlab::emulator::claims::device_array;

namespace {

__global__ void race(int* cells) { cells[0] = static_cast<int>(threadIdx.x); }  //@ race before

// The first warp goes round for ever, the second waits for it.
__global__ void go_round(int* cells, int* out) {
  if (threadIdx.x < 32) {
    while (cells[threadIdx.x] >= 0) {
      out[threadIdx.x] += cells[32];  //@ round
      out[threadIdx.x] &= 0xffff;
    }
  }
  __syncthreads();
  out[threadIdx.x] += 1;
}

// Nothing is left of the loop but a jump to itself: what it looks at is read once.
__global__ void look_at_register(const int* cells, int* out) {
  while (cells[0] == 0) continue;  //@ register
  out[threadIdx.x] = 1;
}

/// The signal of the number in KILLED_BY comes after a second of processor time, when the kernel runs for long.
void arm() {
  const char* number = std::getenv("KILLED_BY");
  if (number == nullptr) return;
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = std::atoi(number);
  timer_t timer{};
  timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer);
  const itimerspec at{{0, 0}, {1, 0}};
  timer_settime(timer, 0, &at, nullptr);
}

void kernel_goes_round() {
  device_array<int> cells("cells", 64), out("out", 64);
  race<<<1, 64>>>(cells.data());
  cudaDeviceSynchronize();
  arm();
  go_round<<<1, 64>>>(cells.data(), out.data());
}

void kernel_looks() {
  device_array<int> cells("cells", 64), out("out", 64);
  arm();
  look_at_register<<<1, 64>>>(cells.data(), out.data());
}

void host_waits() {
  device_array<int> cells("cells", 64);
  race<<<1, 64>>>(cells.data());
  cudaDeviceSynchronize();
  raise(SIGTERM);
  for (;;) usleep(1000);
}

constexpr bugs::planted_bug planted[] = {
    {"kernel-goes-round", kernel_goes_round}, {"kernel-looks", kernel_looks}, {"host-waits", host_waits}};

}  // namespace

int main(int argc, char** argv) { return bugs::run_planted("killed", planted, argc, argv); }
