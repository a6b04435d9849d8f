// What cuda::atomic orders: its order and its scope, each ordered program beside twins whose order or scope is too weak.
// docs/internals/races.md has the rules.
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>

#include <doctest/doctest.h>

#include "runtime/memory_model.h"

using simtlab::emulator::claims::marked_line;
using simtlab::emulator::tests::findings_of;
using simtlab::emulator::tests::findings_under;

namespace {

using names = std::set<std::string>;
constexpr auto relaxed = cuda::memory_order_relaxed, acquire = cuda::memory_order_acquire,
               release = cuda::memory_order_release, acq_rel = cuda::memory_order_acq_rel,
               seq_cst = cuda::memory_order_seq_cst;
constexpr auto device = cuda::thread_scope_device, of_block = cuda::thread_scope_block;

std::string race(const char* rule_and_variable, const char* one, const char* other) {
  const auto [low, high] = std::minmax(marked_line(__FILE__, one), marked_line(__FILE__, other));
  return std::string(rule_and_variable) + " " + std::to_string(low) + "-" + std::to_string(high);
}

}  // namespace

/// One block announces data by a flag, the others wait for it.
template <cuda::thread_scope Scope, cuda::memory_order Store, cuda::memory_order Load>
__global__ void announce(int* ints, int* out) {
  if (threadIdx.x != 0) return;
  cuda::atomic_ref<int, Scope> flag(ints[0]);
  if (blockIdx.x == 0) {
    ints[1] = 42;  //@ announced
    flag.store(1, Store);
    flag.notify_all();
  } else {
    while (flag.load(Load) == 0) continue;
    out[blockIdx.x] = ints[1];  //@ taken
  }
}
template <cuda::thread_scope Scope, cuda::memory_order Store, cuda::memory_order Load>
names findings_of_flag() {
  return findings_of([](int* ints, int* out) { announce<Scope, Store, Load><<<3, 32>>>(ints, out); });
}

TEST_CASE("a flag orders by release and acquire of a scope that holds both threads, and by nothing less") {
  const names unordered{race("global-race error ints", "announced", "taken")};
  CHECK(findings_of_flag<device, release, acquire>() == names{});
  CHECK(findings_of_flag<cuda::thread_scope_system, seq_cst, seq_cst>() == names{});
  CHECK(findings_of_flag<device, relaxed, acquire>() == unordered);
  CHECK(findings_of_flag<device, release, relaxed>() == unordered);
  CHECK(findings_of_flag<device, relaxed, relaxed>() == unordered);
  CHECK(findings_of_flag<of_block, release, acquire>().contains(*unordered.begin()));
}

/// The same inside a block.
template <cuda::thread_scope Scope, cuda::memory_order Store, cuda::memory_order Load>
__global__ void announce_in_block(const int* ints, int* out) {
  __shared__ cuda::atomic<int, Scope> flag;
  __shared__ int data;
  if (threadIdx.x == 0) flag.store(0, relaxed);
  __syncthreads();
  if (threadIdx.x == 0) {
    data = ints[0];  //@ announced in a block
    flag.store(1, Store);
  } else if (threadIdx.x == 32) {
    flag.wait(0, Load);
    out[0] = data;  //@ taken in a block
  }
}

TEST_CASE("block scope is enough inside a block") {
  CHECK(findings_of([](int* ints, int* out) { announce_in_block<of_block, release, acquire><<<1, 64>>>(ints, out); }) ==
        names{});
  CHECK(findings_of([](int* ints, int* out) { announce_in_block<of_block, relaxed, acquire><<<1, 64>>>(ints, out); }) ==
        names{race("shared-race error data", "announced in a block", "taken in a block")});
  CHECK(findings_of([](int* ints, int* out) { announce_in_block<of_block, release, relaxed><<<1, 64>>>(ints, out); }) ==
        names{race("shared-race error data", "announced in a block", "taken in a block")});
}

/// The block that draws the last ticket adds up.
template <cuda::thread_scope Scope, cuda::memory_order Order>
__global__ void last_block(int* ints, int* out) {
  if (threadIdx.x != 0) return;
  cuda::atomic_ref<int, Scope> ticket(ints[0]);
  ints[1 + blockIdx.x] = 1;  //@ part
  if (ticket.fetch_add(1, Order) != static_cast<int>(gridDim.x) - 1) return;
  int sum = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) sum += ints[1 + i];  //@ parts added
  out[0] = sum;
}
template <cuda::thread_scope Scope, cuda::memory_order Order>
names findings_of_ticket() {
  return findings_of([](int* ints, int* out) { last_block<Scope, Order><<<4, 32>>>(ints, out); });
}

TEST_CASE("a ticket hands on what all have done by acq_rel, and not by half of it") {
  const names unordered{race("global-race error ints", "part", "parts added")};
  CHECK(findings_of_ticket<device, acq_rel>() == names{});
  CHECK(findings_of_ticket<device, seq_cst>() == names{});
  CHECK(findings_of_ticket<device, relaxed>() == unordered);
  CHECK(findings_of_ticket<device, release>() == unordered);
  CHECK(findings_of_ticket<device, acquire>() == unordered);
  CHECK(findings_of_ticket<of_block, acq_rel>().contains(*unordered.begin()));
}

/// A lock of compare-and-swap.
template <cuda::memory_order Take, cuda::memory_order Give>
__global__ void under_a_lock(int* ints) {
  if (threadIdx.x != 0) return;
  cuda::atomic_ref<int, device> lock(ints[0]);
  int free = 0;
  while (!lock.compare_exchange_weak(free, 1, Take, relaxed)) free = 0;
  ints[1] += 1;  //@ locked
  lock.store(0, Give);
}

TEST_CASE("a lock acquires when it is taken and releases when it is given back") {
  const names unordered{race("global-race error ints", "locked", "locked")};
  CHECK(findings_of([](int* ints, int*) { under_a_lock<acquire, release><<<4, 32>>>(ints); }) == names{});
  CHECK(findings_of([](int* ints, int*) { under_a_lock<relaxed, release><<<4, 32>>>(ints); }) == unordered);
  CHECK(findings_of([](int* ints, int*) { under_a_lock<acquire, relaxed><<<4, 32>>>(ints); }) == unordered);
}

/// Fences beside relaxed operations.
template <cuda::thread_scope Scope>
__global__ void fenced(int* ints, int* out) {
  if (threadIdx.x != 0) return;
  cuda::atomic_ref<int, device> flag(ints[0]);
  if (blockIdx.x == 0) {
    ints[1] = 42;  //@ before the fence
    cuda::atomic_thread_fence(release, Scope);
    flag.store(1, relaxed);
  } else {
    flag.wait(0, relaxed);
    cuda::atomic_thread_fence(acquire, Scope);
    out[0] = ints[1];  //@ behind the fence
  }
}

TEST_CASE("a fence orders what relaxed operations announce, as far as its scope reaches") {
  CHECK(findings_of([](int* ints, int* out) { fenced<device><<<2, 32>>>(ints, out); }) == names{});
  CHECK(findings_of([](int* ints, int* out) { fenced<of_block><<<2, 32>>>(ints, out); }) ==
        names{race("global-race error ints", "before the fence", "behind the fence")});
}

__global__ void relaxed_only(int* ints, int* out) {
  cuda::atomic_ref<int, device> counter(ints[0]);
  counter.fetch_add(1, relaxed);
  counter.fetch_max(3, relaxed);
  if (threadIdx.x == 0) out[blockIdx.x] = counter.load(relaxed);
}
__global__ void plain_beside(int* ints, int* out) {
  cuda::atomic_ref<int, device> counter(ints[0]);
  if (blockIdx.x == 0) counter.store(1, relaxed);   //@ stored atomically
  if (blockIdx.x == 1) out[threadIdx.x] = ints[0];  //@ read plainly
}
__global__ void in_block_beside(int* ints) {
  if (threadIdx.x == 0) cuda::atomic_ref<int, of_block>(ints[0]).fetch_add(1, relaxed);  //@ of a block
}

TEST_CASE("atomic operations do not race with one another, but with plain ones and beyond their scope") {
  CHECK(findings_of([](int* ints, int* out) { relaxed_only<<<3, 64>>>(ints, out); }) == names{});
  CHECK(findings_of([](int* ints, int* out) { plain_beside<<<2, 32>>>(ints, out); }) ==
        names{race("global-race error ints", "stored atomically", "read plainly")});
  CHECK(findings_of([](int* ints, int*) { in_block_beside<<<2, 32>>>(ints); }) ==
        names{race("global-race error ints", "of a block", "of a block")});
}

__global__ void wait_for_nobody(int* ints) {
  cuda::atomic_ref<int, device>(ints[0]).wait(0);  //@ nobody stores
}

TEST_CASE("a wait that nobody ends is a deadlock at its line") {
  const names found = findings_under("in-order", [](int* ints, int*) { wait_for_nobody<<<1, 32>>>(ints); });
  CHECK(found.contains(race("deadlock error ", "nobody stores", "nobody stores")));
  cudaDeviceReset();
}

/// Neighbours' elements, read behind the wait or before it.
template <bool TooEarly>
__global__ void neighbours(int* out) {
  __shared__ cuda::barrier<of_block> bar;
  __shared__ int tile[64];
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  tile[threadIdx.x] = static_cast<int>(threadIdx.x);  //@ own element
  auto token = bar.arrive();
  int value = 0;
  if (TooEarly) value = tile[63 - threadIdx.x];  //@ before the wait
  bar.wait(std::move(token));
  if (!TooEarly) value = tile[63 - threadIdx.x];
  bar.arrive_and_wait();
  tile[threadIdx.x] = 0;
  out[threadIdx.x] = value;
}

TEST_CASE("what others did before they arrived is ordered behind the wait, and not before") {
  CHECK(findings_of([](int*, int* out) { neighbours<false><<<1, 64>>>(out); }) == names{});
  CHECK(findings_of([](int*, int* out) { neighbours<true><<<1, 64>>>(out); }) ==
        names{race("shared-race error tile", "own element", "before the wait")});
}

/// A block's copy, used behind the pipeline's wait or before it.
template <bool TooEarly>
__global__ void staged(const int* ints, int* out) {
  __shared__ cuda::pipeline_shared_state<of_block, 2> state;
  __shared__ int stage[64];
  const auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  pipe.producer_acquire();
  cuda::memcpy_async(block, stage, ints, sizeof(stage), pipe);  //@ copied
  pipe.producer_commit();
  if (TooEarly) out[threadIdx.x] = stage[63 - threadIdx.x];  //@ used too early
  pipe.consumer_wait();
  if (!TooEarly) out[threadIdx.x] = stage[63 - threadIdx.x];
  pipe.consumer_release();
}

TEST_CASE("a copy of others may be used behind the pipeline's wait, and not before") {
  CHECK(findings_of([](int* ints, int* out) { staged<false><<<1, 64>>>(ints, out); }) == names{});
  CHECK(findings_of([](int* ints, int* out) { staged<true><<<1, 64>>>(ints, out); }) ==
        names{race("shared-race error stage", "copied", "used too early")});
}

/// A ring of two stages that every thread fills and uses, with a fill ahead; and without the wait for those who still use the stage.
template <bool Acquires>
__global__ void ring(const int* ints, int* out) {
  __shared__ cuda::pipeline_shared_state<of_block, 2> state;
  __shared__ int stage[2][64];
  const auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0, filled = 0;
  for (int used = 0; used < 6; ++used) {
    for (; filled < 6 && filled < used + 2; ++filled) {
      if (Acquires) pipe.producer_acquire();
      cuda::memcpy_async(block, stage[filled % 2], ints + filled, 64 * sizeof(int), pipe);  //@ filled
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += stage[used % 2][63 - threadIdx.x];  //@ used
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

/// The same with warps that fill and warps that use, by loads and stores.
template <bool Acquires>
__global__ void divided_ring(const int* ints, int* out) {
  __shared__ cuda::pipeline_shared_state<of_block, 2> state;
  __shared__ int stage[2][64];
  const auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state, 64);
  int sum = 0;
  for (int round = 0; round < 6; ++round) {
    if (threadIdx.x < 64) {
      if (Acquires) pipe.producer_acquire();
      stage[round % 2][threadIdx.x] = ints[round];  //@ stored
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum += stage[round % 2][127 - threadIdx.x];  //@ loaded
      pipe.consumer_release();
    }
  }
  out[threadIdx.x] = sum;
}

/// The guide's pair of barriers: one says that a buffer is full, the other that it is free.
__global__ void full_and_free(const int* ints, int* out) {
  using barrier = cuda::barrier<of_block>;
  __shared__ barrier full[2], free[2];
  __shared__ int buffer[2][64];
  if (threadIdx.x < 2) {
    init(&full[threadIdx.x], 128);
    init(&free[threadIdx.x], 128);
  }
  __syncthreads();
  int sum = 0;
  if (threadIdx.x < 64) {
    for (int round = 0; round < 6; ++round) {
      free[round % 2].arrive_and_wait();
      buffer[round % 2][threadIdx.x] = ints[round];
      static_cast<void>(full[round % 2].arrive());
    }
  } else {
    static_cast<void>(free[0].arrive());
    static_cast<void>(free[1].arrive());
    for (int round = 0; round < 6; ++round) {
      full[round % 2].arrive_and_wait();
      sum += buffer[round % 2][127 - threadIdx.x];
      if (round + 2 < 6) static_cast<void>(free[round % 2].arrive());
    }
  }
  out[threadIdx.x] = sum;
}

TEST_CASE("a stage is filled again when its users have let it go, whichever of a block's warps comes first") {
  const names overwritten{race("shared-race error stage", "filled", "used")};
  CHECK(findings_of([](int* ints, int* out) { ring<true><<<1, 64>>>(ints, out); }) == names{});
  CHECK(findings_of([](int* ints, int* out) { ring<false><<<1, 64>>>(ints, out); }).contains(*overwritten.begin()));
  for (const char* turns : {"in-order", "reverse", "random:1", "random:2"}) {
    CAPTURE(turns);
    CHECK(findings_under(turns, [](int* ints, int* out) { divided_ring<true><<<1, 128>>>(ints, out); }) == names{});
    CHECK(findings_under(turns, [](int* ints, int* out) { divided_ring<false><<<1, 128>>>(ints, out); }) ==
          names{race("shared-race error stage", "stored", "loaded")});
    CHECK(findings_under(turns, [](int* ints, int* out) { full_and_free<<<1, 128>>>(ints, out); }) == names{});
  }
}

/// An arrival comes before the waits of later phases, too.
__global__ void waits_for_the_last(const int* ints, int* out) {
  __shared__ cuda::barrier<of_block> bar;
  __shared__ int parts[3][64];
  if (threadIdx.x == 0) init(&bar, 64);
  __syncthreads();
  for (int phase = 0; phase < 2; ++phase) {
    parts[phase][threadIdx.x] = ints[phase];
    if (phase == 0) bar.arrive_and_wait();
  }
  bar.arrive_and_wait();
  out[threadIdx.x] = parts[0][63 - threadIdx.x] + parts[1][63 - threadIdx.x];
}
template <bool Later>
__global__ void slow_to_wait(int* out) {
  __shared__ cuda::barrier<of_block> bar;
  __shared__ int cells[2];
  if (threadIdx.x == 0) init(&bar, 64);
  __syncthreads();
  auto first = bar.arrive();
  if (threadIdx.x == 0) {
    bar.wait(std::move(first));
    cells[Later] = 5;  //@ behind the first phase
    static_cast<void>(bar.arrive());
  } else if (threadIdx.x < 32) {
    bar.wait(std::move(first));
    static_cast<void>(bar.arrive());
  } else {
    bar.wait(std::move(first));
    if (Later) bar.wait(bar.arrive());
    if (threadIdx.x == 63) out[0] = cells[Later];  //@ of the next phase
    if (!Later) static_cast<void>(bar.arrive());
  }
}

TEST_CASE("a thread that is slow to wait for one phase learns nothing of those who have come for the next") {
  for (const char* turns : {"in-order", "reverse", "random:1", "random:2"}) {
    CAPTURE(turns);
    CHECK(findings_under(turns, [](int* ints, int* out) { waits_for_the_last<<<1, 64>>>(ints, out); }) == names{});
    CHECK(findings_under(turns, [](int*, int* out) { slow_to_wait<true><<<1, 64>>>(out); }) == names{});
    CHECK(findings_under(turns, [](int*, int* out) {
            slow_to_wait<false><<<1, 64>>>(out);
          }).contains(race("shared-race error cells", "behind the first phase", "of the next phase")));
  }
}

__global__ void too_few_arrive(int* ints) {
  __shared__ cuda::barrier<of_block> bar;
  if (threadIdx.x == 0) init(&bar, 33);
  __syncthreads();
  bar.arrive_and_wait();  //@ too few
  ints[threadIdx.x] = 1;
}

TEST_CASE("a barrier that expects more threads than come is a deadlock at the wait") {
  const names found = findings_under("in-order", [](int* ints, int*) { too_few_arrive<<<1, 32>>>(ints); });
  CHECK(found.contains(race("deadlock error ", "too few", "too few")));
  cudaDeviceReset();
}

TEST_CASE("host code uses atomics and fences, too") {
  cuda::std::atomic<int> counter{3};
  counter += 4;
  ++counter;
  int expected = 7;
  CHECK_FALSE(counter.compare_exchange_strong(expected, 9));
  CHECK(expected == 8);
  CHECK(counter.compare_exchange_strong(expected, 9, acq_rel, relaxed));
  CHECK(counter.exchange(1, acq_rel) == 9);
  cuda::atomic_thread_fence(seq_cst);
  cuda::std::atomic_flag flag;
  CHECK_FALSE(flag.test_and_set());
  CHECK(flag.test());
  flag.clear();
  CHECK_FALSE(flag.test());
  double number = 1.5;
  CHECK(cuda::atomic_ref<double>(number).fetch_add(2.0) == 1.5);
  CHECK(number == 3.5);
}
