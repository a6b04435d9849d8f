// Threads that order one another by fences, flags, tickets and locks, as it should be done: each kernel gives the right
// answer and no finding at all, whoever has the first turn.
#include <doctest/doctest.h>

#include "claims/device_array.h"
#include "claims/measurement.h"

using namespace simtlab::emulator;
using namespace simtlab::emulator::claims;

namespace {

/// Runs `work` under three schedules and reports every finding; `check` looks at the answer.
template <class Work>
void expect_clean(Work work) {
  for (const char* turns : {"in-order", "reverse", "random:7"}) {
    CAPTURE(turns);
    options o;
    o.turns = *schedule_from(turns);
    configure(o);
    const measurement measured(work);
    for (const finding& f : measured.whole().findings)
      FAIL_CHECK(rule_name(f.what), " of ", f.variable, " in lines ", f.first.where.line, ", ", f.second.where.line,
                 ": ", f.message);
  }
  configure({});
}

using ints = device_array<int>;
constexpr int blocks = 12, threads = 64;

// The programming guide's example: the first thread of each block leaves a partial sum, and the last block adds them.
__global__ void sum_by_last_block(const int* in, int n, volatile int* partial, unsigned* ticket, int* out) {
  __shared__ int sums[threads];
  __shared__ bool is_last;
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sums[0];
    __threadfence();
    is_last = atomicInc(ticket, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last || threadIdx.x != 0) return;
  int total = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) total += partial[i];
  *out = total;
}

// Every thread leaves a value and passes the fence; one draws the ticket behind the barrier.
__global__ void rows_by_last_block(int* values, unsigned* ticket, int* out) {
  __shared__ bool is_last;
  values[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x + 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(ticket, 1) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  int sum = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) sum += values[i * blockDim.x + threadIdx.x];
  out[threadIdx.x] = sum;
}

// Each block waits for its left neighbour's running sum; blocks may begin in any order.
__global__ void chained_sums(const int* in, volatile int* sums, volatile int* flags) {
  if (threadIdx.x != 0) return;
  const int b = blockIdx.x;
  int before = 0;
  if (b > 0) {
    while (flags[b - 1] == 0) {
    }
    __threadfence();
    before = sums[b - 1];
  }
  sums[b] = before + in[b];
  __threadfence();
  flags[b] = 1;
}

// The flag lies beside its datum, so that g++ finds its address in two registers: the hook is told one, the load takes the other,
// and a guard stands before the load, whose lane has let others run since the hook.
__global__ void flag_beside_its_datum(int* cells, int* out) {
  const int t = threadIdx.x, b = blockIdx.x;
  int seen = 0;
  if (t == 0) {
    if (b == 0) {
      cells[0] = 5;
      __threadfence();
      ((volatile int*)cells)[1] = 1;
    } else {
      while (((volatile int*)cells)[1] == 0) continue;
      __threadfence();
      seen += cells[0];
    }
  }
  __syncthreads();
  out[b * 48 + t] = seen;
}

__device__ void take(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) __nanosleep(100);
  __threadfence();
}
__device__ void give_back(int* lock) {
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void count_under_lock(int* lock, int* count) {
  if (threadIdx.x % 32 != 0) return;
  for (int i = 0; i < 3; ++i) {
    take(lock);
    *count += 1;
    give_back(lock);
  }
}

__global__ void count_under_ticket_lock(unsigned* next, volatile unsigned* serving, int* count) {
  if (threadIdx.x != 0) return;
  const unsigned mine = atomicAdd(next, 1u);
  while (*serving != mine) {
  }
  __threadfence();
  *count += 1;
  __threadfence();
  *serving = mine + 1;
}

// All lanes of a warp want the lock: who has it must be let through.
__global__ void lanes_under_shared_lock(int* out) {
  __shared__ int lock, count;
  if (threadIdx.x == 0) lock = count = 0;
  __syncthreads();
  for (bool done = false; !done;) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence_block();
      count += 1;
      __threadfence_block();
      atomicExch(&lock, 0);
      done = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) *out = count;
}

__global__ void lanes_that_spin_before_the_lock(int* out) {
  __shared__ int lock, count;
  if (threadIdx.x == 0) lock = count = 0;
  __syncthreads();
  while (atomicExch(&lock, 1) != 0) {
  }
  __threadfence_block();
  count += 1;
  __threadfence_block();
  atomicExch(&lock, 0);
  __syncthreads();
  if (threadIdx.x == 0) *out = count;
}

// The last warp hands a value to the first, without a barrier.
__global__ void warp_waits_for_warp(int* out) {
  __shared__ volatile int flag;
  __shared__ int data[32];
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    while (flag == 0) {
    }
    __threadfence_block();
    out[lane] = data[31 - lane];
  } else if (threadIdx.x >= blockDim.x - 32) {
    data[lane] = lane;
    __syncwarp();
    if (lane == 0) {
      __threadfence_block();
      flag = 1;
    }
  }
}

// A barrier of the whole grid, twice; every block must be there at once.
__global__ void rounds_of_a_grid(int* cells, unsigned* arrived, int* out) {
  for (unsigned round = 1; round <= 2; ++round) {
    cells[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<int>(round * (blockIdx.x + 1));
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(arrived, 1u);
      while (atomicAdd(arrived, 0u) < (2 * round - 1) * gridDim.x) {
      }
      __threadfence();
    }
    __syncthreads();
    const unsigned neighbour = (blockIdx.x + 1) % gridDim.x;
    out[blockIdx.x * blockDim.x + threadIdx.x] = cells[neighbour * blockDim.x + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(arrived, 1u);
      while (atomicAdd(arrived, 0u) < 2 * round * gridDim.x) {
      }
      __threadfence();
    }
    __syncthreads();
  }
}

// Two blocks hand a ball to and fro; what it carries is plain.
__global__ void to_and_fro(int* ball, int* turn) {
  if (threadIdx.x != 0) return;
  const int me = blockIdx.x;
  for (int i = 0; i < 5; ++i) {
    while (atomicAdd(turn, 0) % 2 != me) {
    }
    __threadfence();
    *ball += 1;
    __threadfence();
    atomicAdd(turn, 1);
  }
}

// Neighbouring bytes of one word belong to different blocks.
__global__ void own_byte(unsigned char* bytes) {
  if (threadIdx.x == 0) bytes[blockIdx.x] = static_cast<unsigned char>(blockIdx.x);
  __threadfence();
}

__global__ void add_one(int* values) { values[threadIdx.x] += 1; }

}  // namespace

TEST_CASE("streams that wait for each other, or have nothing in common") {
  expect_clean([] {
    ints values("values", threads), others("others", 2 * threads);
    cudaStream_t one, two;
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaEvent_t done;
    cudaEventCreate(&done);
    add_one<<<1, threads, 0, one>>>(values.data());
    cudaEventRecord(done, one);
    add_one<<<1, threads, 0, two>>>(others.data());  // beside the first
    add_one<<<1, threads, 0, one>>>(others.data() + threads);
    cudaStreamWaitEvent(two, done, 0);
    add_one<<<1, threads, 0, two>>>(values.data());
    cudaStreamSynchronize(two);
    add_one<<<1, threads, 0, one>>>(values.data());
    add_one<<<1, threads>>>(values.data());  // the default stream waits for both
    CHECK(values.contents()[0] == 4);
    cudaEventDestroy(done);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
  });
}

TEST_CASE("the last block adds what the blocks left") {
  constexpr int n = 1000;
  expect_clean([] {
    ints in("in", n, 2), partial("partial", blocks), out("out", 1);
    device_array<unsigned> ticket("ticket", 1);
    sum_by_last_block<<<blocks, threads>>>(in.data(), n, partial.data(), ticket.data(), out.data());
    CHECK(out.contents()[0] == 2 * n);
  });
  expect_clean([] {
    ints values("values", blocks * threads), out("out", threads);
    device_array<unsigned> ticket("ticket", 1);
    rows_by_last_block<<<blocks, threads>>>(values.data(), ticket.data(), out.data());
    CHECK(out.contents()[threads - 1] == blocks * (blocks + 1) / 2);
  });
}

TEST_CASE("a chain of flags between blocks") {
  expect_clean([] {
    ints in("in", blocks, 1), sums("sums", blocks), flags("flags", blocks);
    chained_sums<<<blocks, 32>>>(in.data(), sums.data(), flags.data());
    CHECK(sums.contents()[blocks - 1] == blocks);
  });
}

TEST_CASE("a flag that waiting blocks look at before it is set") {
  expect_clean([] {
    ints cells("cells", 2), out("out", 3 * 48);
    flag_beside_its_datum<<<3, 48>>>(cells.data(), out.data());
    CHECK(out.contents()[2 * 48] == 5);
  });
}

TEST_CASE("locks between blocks") {
  expect_clean([] {
    ints lock("lock", 1), count("count", 1);
    count_under_lock<<<blocks, threads>>>(lock.data(), count.data());
    CHECK(count.contents()[0] == 3 * blocks * threads / 32);
  });
  expect_clean([] {
    device_array<unsigned> next("next", 1), serving("serving", 1);
    ints count("count", 1);
    count_under_ticket_lock<<<blocks, 32>>>(next.data(), serving.data(), count.data());
    CHECK(count.contents()[0] == blocks);
  });
}

TEST_CASE("locks between the lanes and warps of a block") {
  for (auto* const kernel : {lanes_under_shared_lock, lanes_that_spin_before_the_lock}) {
    expect_clean([kernel] {
      ints out("out", 1);
      kernel<<<1, threads>>>(out.data());
      CHECK(out.contents()[0] == threads);
    });
  }
}

TEST_CASE("a flag in shared memory between warps") {
  expect_clean([] {
    ints out("out", 32);
    warp_waits_for_warp<<<1, 96>>>(out.data());
    CHECK(out.contents()[0] == 31);
  });
}

TEST_CASE("a barrier of the grid") {
  expect_clean([] {
    ints cells("cells", blocks * threads), out("out", blocks * threads);
    device_array<unsigned> arrived("arrived", 1);
    rounds_of_a_grid<<<blocks, threads>>>(cells.data(), arrived.data(), out.data());
    CHECK(out.contents()[0] == 4);
    CHECK(out.contents()[blocks * threads - 1] == 2);
  });
}

TEST_CASE("two blocks take turns") {
  expect_clean([] {
    ints ball("ball", 1), turn("turn", 1);
    to_and_fro<<<2, 32>>>(ball.data(), turn.data());
    CHECK(ball.contents()[0] == 10);
  });
}

TEST_CASE("bytes of one word") {
  expect_clean([] {
    device_array<unsigned char> bytes("bytes", blocks);
    own_byte<<<blocks, 32>>>(bytes.data());
    CHECK(bytes.contents()[5] == 5);
  });
}
