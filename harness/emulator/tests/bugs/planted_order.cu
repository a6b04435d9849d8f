// Planted bugs of threads that order one another by more than barriers, in the manner of planted_bugs.cu: fences left out
// or of the wrong kind, locks, flags and tickets, waits that never end.
#include <cooperative_groups.h>
#include <cuda/pipeline>

#include <cstdlib>

#include "bugs/planted_bug.h"
#include "claims/device_array.h"

using namespace simtlab::emulator;
using simtlab::emulator::claims::device_array;

namespace {

constexpr int blocks = 6, threads = 64;

// The block that draws the last ticket adds up what all blocks left.
__global__ void last_block_adds_without_fence(const int* in, int* partial, unsigned* ticket, int* out) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x];  //@ ticket-without-fence
    is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last || threadIdx.x != 0) return;
  int sum = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) sum += partial[i];  //@ ticket-without-fence, second
  *out = sum;
}

__global__ void last_block_adds_behind_block_fence(const int* in, int* partial, unsigned* ticket, int* out) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x];  //@ fence-of-the-block-only
    __threadfence_block();
    is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last || threadIdx.x != 0) return;
  int sum = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) sum += partial[i];  //@ fence-of-the-block-only, second
  *out = sum;
}

// The fence comes before the write that it should release.
__global__ void fence_before_the_write(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    __threadfence();
    data[0] = 7;  //@ fence-too-early
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    out[blockIdx.x] = data[0];  //@ fence-too-early, second
  }
}

// One thread of the block passes the fence, and others have written without a barrier before it.
__global__ void only_the_first_thread_fences(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 7;  //@ fence-of-another-thread
    if (threadIdx.x == 0) {
      __threadfence();
      atomicExch(flag, 1);
    }
  } else if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    int sum = 0;
    for (int i = 0; i < threads; ++i) sum += data[i];  //@ fence-of-another-thread, second
    out[blockIdx.x] = sum;
  }
}

__global__ void reader_without_fence(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 7;  //@ reader-without-fence
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    out[blockIdx.x] = data[0];  //@ reader-without-fence, second
  }
}

__global__ void reader_looks_plainly(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 7;
    __threadfence();
    atomicExch(flag, 1);  //@ plain-look-at-a-flag
  } else {
    int seen = 0;
    for (int tries = 0; tries < 3; ++tries) seen += *flag;  //@ plain-look-at-a-flag, second
    out[blockIdx.x] = seen;
  }
}

__global__ void count_behind_unfenced_lock(int* lock, int* count) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *count += 1;  //@ lock-without-fence
  atomicExch(lock, 0);
}

__global__ void lock_given_back_plainly(int* lock, int* count) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {  //@ lock-given-back-plainly
  }
  __threadfence();
  atomicAdd(count, 1);
  __threadfence();
  *lock = 0;  //@ lock-given-back-plainly, second
}

// Each lane adds to a shared count under a lock, which orders nothing without fences.
__global__ void count_behind_unfenced_shared_lock(int* out) {
  __shared__ int lock, count;
  if (threadIdx.x == 0) lock = count = 0;
  __syncthreads();
  for (bool done = false; !done;) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      count += 1;  //@ shared-lock-without-fence
      atomicExch(&lock, 0);
      done = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) *out = count;
}

// The lock is asked for by some, and another thread does not ask.
__global__ void one_thread_ignores_the_lock(int* lock, int* count) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *count += 1;  //@ lock-not-asked-for
    return;
  }
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *count += 1;  //@ lock-not-asked-for, second
  __threadfence();
  atomicExch(lock, 0);
}

// Numbers that one block hands on to another by a volatile flag; the fence between the two stores is missing.
__global__ void volatile_in_no_order(volatile int* data, volatile int* flag, volatile int* taken) {
  if (threadIdx.x != 0 || blockIdx.x > 1) return;
  for (int i = 1; i < 4; ++i) {
    if (blockIdx.x == 0) {
      while (taken[0] != i - 1) {
      }
      __threadfence();
      data[0] = 10 * i;  //@ volatile-without-fence
      flag[0] = i;
    } else {
      while (flag[0] != i) {
      }
      __threadfence();
      taken[i] = data[0];  //@ volatile-without-fence, second
      __threadfence();
      taken[0] = i;
    }
  }
}

// Two stages, filled one ahead of their use, without the wait for the threads that still use a stage.
__global__ void stages_without_acquire(const int* in, int* out) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int stage[2][threads];
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  const unsigned t = threadIdx.x;
  int sum = 0, filled = 0;
  for (int used = 0; used < blocks; ++used) {
    for (; filled < blocks && filled < used + 2; ++filled) {
      const int* const from = &in[filled * threads + t];
      cuda::memcpy_async(&stage[filled % 2][t], from, sizeof(int), pipe);  //@ stage-filled-too-early
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += stage[used % 2][threads - 1 - t];  //@ stage-filled-too-early, second
    pipe.consumer_release();
  }
  out[t] = sum;
}

// Two producers of neighbouring bytes are no race; the third writes the byte of the first.
__global__ void bytes_of_one_word(unsigned char* bytes) {
  __threadfence();
  if (threadIdx.x == 0 && blockIdx.x < 3)
    bytes[blockIdx.x % 2] = static_cast<unsigned char>(blockIdx.x + 1);  //@ byte-of-another-block
}

__global__ void half_a_warp_waits(const int* in, int* out) {
  __shared__ int cells[32];
  cells[threadIdx.x] = in[threadIdx.x];  //@ partial-syncwarp
  if (threadIdx.x < 16) {
    __syncwarp(0xffffu);
    out[threadIdx.x] = cells[threadIdx.x + 16];  //@ partial-syncwarp, second
  }
}

// Half of the warp means the whole warp, the other half itself.
__global__ void masks_that_differ(const int* in, int* out) {
  int value = in[threadIdx.x];
  if (threadIdx.x < 16)
    value += __shfl_xor_sync(0xffffffffu, value, 1);  //@ masks-that-differ
  else
    value += __shfl_xor_sync(0xffff0000u, value, 1);
  __syncwarp();  //@ masks-that-differ, second
  out[threadIdx.x] = value;
}

__global__ void wait_for_nobody(int* flag, int* out) {
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {  //@ wait-for-nobody
    }
  }
  __syncthreads();  //@ wait-for-nobody, second
  out[threadIdx.x] = 1;
}

// Block 0 takes one lock and then the other, block 1 the other way round; both have the first before they ask for the second.
__global__ void two_locks_crosswise(int* locks, int* holders) {
  if (threadIdx.x != 0) return;
  const int first = blockIdx.x % 2, second = 1 - first;
  while (atomicCAS(&locks[first], 0, 1) != 0) {
  }
  atomicAdd(holders, 1);
  while (atomicAdd(holders, 0) < 2) {
  }
  while (atomicCAS(&locks[second], 0, 1) != 0) {  //@ two-locks-crosswise
  }
  atomicExch(&locks[second], 0);
  atomicExch(&locks[first], 0);
}

// A lock is asked for by the lanes of a warp in a barrier's company: who holds it waits for who wants it.
__global__ void barrier_inside_a_lock(int* lock, int* out) {
  while (atomicCAS(lock, 0, 1) != 0) {  //@ barrier-inside-a-lock
  }
  __syncthreads();  //@ barrier-inside-a-lock, second
  out[threadIdx.x] = 1;
  atomicExch(lock, 0);
}

__global__ void each_undoes_the_other(int* turn) {
  const int wanted = static_cast<int>(threadIdx.x % 2);
  while (atomicExch(turn, 1 - wanted) != wanted + 5) {  //@ each-undoes-the-other
  }
}

__global__ void fill(int* values, int value) { values[threadIdx.x] = value; }  //@ streams-without-event
__global__ void sum_in_place(int* values) {
  values[threadIdx.x] += 1;  //@ streams-without-event, second
}

using ints = device_array<int>;

__global__ void guess_among_fences(int* lock, int* count) {
  int old = *count, assumed;  //@ guess-among-fences
  do {
    assumed = old;
    old = atomicCAS(count, assumed, assumed + 1);  //@ guess-among-fences, second
  } while (assumed != old);
  __threadfence();
  atomicAdd(lock, 1);
}

__global__ void look_among_fences(int* lock, int* count) {
  const int old = *count;                                  //@ look-among-fences
  if (old < 5 && atomicCAS(count, old, old + 1) == old) {  //@ look-among-fences, second
    __threadfence();
    atomicAdd(lock, 1);
  }
}

template <class Kernel>
void run_last_block(Kernel kernel) {
  ints in("in", blocks, 3), partial("partial", blocks), out("out", 1);
  device_array<unsigned> ticket("ticket", 1);
  kernel<<<blocks, threads>>>(in.data(), partial.data(), ticket.data(), out.data());
}
template <class Kernel>
void run_flag(Kernel kernel) {
  ints data("data", threads), flag("flag", 1), out("out", blocks);
  kernel<<<blocks, threads>>>(data.data(), flag.data(), out.data());
}
template <class Kernel>
void run_lock(Kernel kernel) {
  ints lock("lock", 1), count("count", 1);
  kernel<<<blocks, threads>>>(lock.data(), count.data());
}

void run_two_streams(bool with_copy) {
  ints values("values", threads);
  cudaStream_t one, two;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  static int on_host[threads];
  if (with_copy) {
    sum_in_place<<<1, threads, 0, one>>>(values.data());
    cudaMemcpyAsync(on_host, values.data(), sizeof on_host, cudaMemcpyDeviceToHost, two);  //@ copy-beside-kernel
  } else {
    fill<<<1, threads, 0, one>>>(values.data(), 1);
    sum_in_place<<<1, threads, 0, two>>>(values.data());
  }
  cudaDeviceSynchronize();
  cudaStreamDestroy(one);
  cudaStreamDestroy(two);
}

/// The watchdog bites early.
void have_short_patience() {
  options o;
  o.events_per_thread = 1'000'000;
  if (const char* turns = std::getenv("SIMTLAB_SCHEDULE")) o.turns = *schedule_from(turns);
  configure(o);
}

const bugs::planted_bug planted[] = {
    {"ticket-without-fence", [] { run_last_block(last_block_adds_without_fence); }},
    {"fence-of-the-block-only", [] { run_last_block(last_block_adds_behind_block_fence); }},
    {"fence-too-early", [] { run_flag(fence_before_the_write); }},
    {"fence-of-another-thread", [] { run_flag(only_the_first_thread_fences); }},
    {"reader-without-fence", [] { run_flag(reader_without_fence); }},
    {"plain-look-at-a-flag", [] { run_flag(reader_looks_plainly); }},
    {"guess-among-fences", [] { run_lock(guess_among_fences); }},
    {"look-among-fences", [] { run_lock(look_among_fences); }},
    {"lock-without-fence", [] { run_lock(count_behind_unfenced_lock); }},
    {"lock-given-back-plainly", [] { run_lock(lock_given_back_plainly); }},
    {"lock-not-asked-for", [] { run_lock(one_thread_ignores_the_lock); }},
    {"shared-lock-without-fence",
     [] {
       ints out("out", 1);
       count_behind_unfenced_shared_lock<<<1, threads>>>(out.data());
     }},
    {"volatile-without-fence", [] { run_flag(volatile_in_no_order); }},
    {"stage-filled-too-early",
     [] {
       ints in("in", blocks * threads, 1), out("out", threads);
       stages_without_acquire<<<1, threads>>>(in.data(), out.data());
     }},
    {"byte-of-another-block",
     [] {
       device_array<unsigned char> bytes("bytes", 4);
       bytes_of_one_word<<<blocks, 32>>>(bytes.data());
     }},
    {"partial-syncwarp",
     [] {
       ints in("in", 32), out("out", 32);
       half_a_warp_waits<<<1, 32>>>(in.data(), out.data());
     }},
    {"masks-that-differ",
     [] {
       ints in("in", 32), out("out", 32);
       masks_that_differ<<<1, 32>>>(in.data(), out.data());
     }},
    {"wait-for-nobody",
     [] {
       ints flag("flag", 1), out("out", threads);
       wait_for_nobody<<<1, threads>>>(flag.data(), out.data());
     }},
    {"two-locks-crosswise",
     [] {
       ints locks("locks", 2), holders("holders", 1);
       two_locks_crosswise<<<2, 32>>>(locks.data(), holders.data());
     }},
    {"barrier-inside-a-lock",
     [] {
       ints lock("lock", 1), out("out", threads);
       barrier_inside_a_lock<<<1, threads>>>(lock.data(), out.data());
     }},
    {"streams-without-event", [] { run_two_streams(false); }},
    {"copy-beside-kernel", [] { run_two_streams(true); }},
    {"each-undoes-the-other",
     [] {
       ints turn("turn", 1);
       have_short_patience();
       each_undoes_the_other<<<1, 32>>>(turn.data());
     }},
};

}  // namespace

int main(int argc, char** argv) { return bugs::run_planted("planted_order", planted, argc, argv); }
