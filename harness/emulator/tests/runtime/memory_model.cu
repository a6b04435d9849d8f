// What orders threads where a program has fences: scopes, volatile accesses, observation. docs/internals/races.md has the
// rules and their sources.
#include "runtime/memory_model.h"

#include <doctest/doctest.h>

using simtlab::emulator::claims::marked_line;
using simtlab::emulator::tests::findings_of;
using simtlab::emulator::tests::findings_under;

namespace {

using names = std::set<std::string>;

std::string told(const char* rule_and_variable, const char* one, const char* other) {
  const auto [low, high] = std::minmax(marked_line(__FILE__, one), marked_line(__FILE__, other));
  return std::string(rule_and_variable) + " " + std::to_string(low) + "-" + std::to_string(high);
}

}  // namespace

// The programming guide's last block, which gives its ticket back by a plain store.
__global__ void last_block(int* ints, volatile int* out) {
  __shared__ bool is_last;
  auto* ticket = reinterpret_cast<unsigned*>(ints);
  if (threadIdx.x == 0) {
    out[blockIdx.x] = static_cast<int>(blockIdx.x);
    __threadfence();
    is_last = atomicInc(ticket, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += out[i];
    out[0] = sum;
    *ticket = 0;
  }
}

/// Another block gives it back before all have drawn.
__global__ void ticket_back_too_early(int* ints) {
  if (threadIdx.x != 0) return;
  const int drawn = atomicAdd(&ints[0], 1);  //@ draw
  if (drawn == 1) ints[0] = 0;               //@ back too early
}

TEST_CASE("the last reader of a ticket may reset it: what it has observed lies before") {
  CHECK(findings_of([](int* ints, int* out) { last_block<<<8, 64>>>(ints, out); }) == names{});
  CHECK(findings_of([](int* ints, int*) {
          ticket_back_too_early<<<4, 32>>>(ints);
        }).contains(told("global-race error ints", "draw", "back too early")));
}

__global__ void same_value_after_syncwarp(int* out) {
  __shared__ int cell;
  if (threadIdx.x == 0) cell = 5;
  __syncwarp();
  cell = 7;  //@ all sevens
  __syncwarp();
  out[threadIdx.x] = cell;
}

TEST_CASE("values are compared since the last barrier of any kind") {
  CHECK(findings_of([](int*, int* out) { same_value_after_syncwarp<<<1, 32>>>(out); }) ==
        names{told("same-value-race warning cell", "all sevens", "all sevens")});
}

__global__ void exchange_unread(int* out) {
  __shared__ int cell;
  __shared__ float real;
  __shared__ unsigned long long wide;
  atomicExch(&cell, 3);
  atomicExch(&real, 3.0f);
  atomicExch_block(&wide, 3ULL);
  atomicExch(&out[threadIdx.x], 4);
}
__global__ void exchange_read(int* out) {
  __shared__ int cell;
  out[threadIdx.x] = atomicExch(&cell, 3);  //@ exchanged
}

TEST_CASE("an exchange whose result nobody uses reads nothing") {
  CHECK(findings_of([](int*, int* out) { exchange_unread<<<2, 1>>>(out); }) == names{});
  CHECK(findings_of([](int*, int* out) { exchange_read<<<1, 1>>>(out); }) ==
        names{told("uninitialised-shared error cell", "exchanged", "exchanged")});
}

__global__ void look_beside_read(int* ints, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) out[0] = ints[0];
  if (blockIdx.x == 1) out[1] = atomicAdd(&ints[0], 0);
  if (blockIdx.x == 2) out[2] = atomicOr(&ints[0], 0);
  if (blockIdx.x == 3) out[3] = atomicCAS(&ints[0], 0, 0);
  if (blockIdx.x == 4) out[4] = atomicAnd(&ints[0], ~0);
}
__global__ void look_beside_write(int* ints, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) ints[0] = 1;                      //@ stored
  if (blockIdx.x == 1) out[1] = atomicAdd(&ints[0], 0);  //@ looked
}

TEST_CASE("an atomic operation that changes nothing, whatever stands there, is a read") {
  CHECK(findings_of([](int* ints, int* out) { look_beside_read<<<5, 32>>>(ints, out); }) == names{});
  CHECK(findings_of([](int* ints, int* out) { look_beside_write<<<2, 32>>>(ints, out); }) ==
        names{told("global-race error ints", "stored", "looked")});
}

__global__ void count_in_block(int* ints) {
  __shared__ int of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  atomicAdd_block(&of_block, 1);
  atomicAdd_block(&ints[1 + blockIdx.x], 1);
  if (threadIdx.x == 0) atomicAdd_block(&ints[0], 1);  //@ block scope
}
__global__ void mixed_scopes(int* ints) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) atomicAdd_block(&ints[0], 1);  //@ narrow
  if (blockIdx.x != 0) atomicAdd(&ints[0], 1);        //@ wide
}

TEST_CASE("atomic operations of block scope race with those of other blocks") {
  CHECK(findings_of([](int* ints, int*) { count_in_block<<<3, 64>>>(ints); }) ==
        names{told("global-race error ints", "block scope", "block scope")});
  CHECK(findings_of([](int* ints, int*) { mixed_scopes<<<3, 64>>>(ints); }) ==
        names{told("global-race error ints", "narrow", "wide")});
}

__global__ void flag_of_block_scope(int* ints, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    ints[1] = 5;  //@ data
    __threadfence();
    atomicExch_block(&ints[0], 1);  //@ flag
  } else {
    while (atomicAdd_block(&ints[0], 0) == 0) continue;  //@ flag looked at
    __threadfence();
    out[0] = ints[1];  //@ data read
  }
}

TEST_CASE("an atomic operation of block scope announces nothing to another block") {
  const names found = findings_of([](int* ints, int* out) { flag_of_block_scope<<<2, 32>>>(ints, out); });
  CHECK(found.contains(told("global-race error ints", "data", "data read")));
  CHECK(found.contains(told("global-race error ints", "flag", "flag looked at")));
}

__global__ void add_behind_block_fence(volatile int* ints) {
  if (threadIdx.x != 0) return;
  __threadfence_block();
  const int before = ints[0];  //@ update read
  ints[0] = before + 1;        //@ update written
}
__global__ void add_behind_fence(volatile int* ints) {
  if (threadIdx.x != 0) return;
  __threadfence();
  ints[1 + blockIdx.x] = 1;
  ints[0] = ints[0] + 1;  //@ whole update
}
__global__ void publish_behind_block_fence(volatile int* ints) {
  if (threadIdx.x != 0) return;
  __threadfence_block();
  if (blockIdx.x == 0) ints[0] = 1;  //@ narrow publication
  if (blockIdx.x == 1)
    while (ints[0] == 0) continue;  //@ seen
}

TEST_CASE("a volatile write is strong where it publishes: behind a fence wide enough, and not as an update") {
  const names found = findings_of([](int* ints, int*) { add_behind_block_fence<<<4, 32>>>(ints); });
  CHECK(found.contains(told("global-race error ints", "update written", "update written")));
  CHECK(found.contains(told("global-race error ints", "update read", "update written")));
  CHECK(findings_of([](int* ints, int*) { add_behind_fence<<<4, 32>>>(ints); }) ==
        names{told("global-race error ints", "whole update", "whole update")});
  CHECK(findings_of([](int* ints, int*) { publish_behind_block_fence<<<2, 32>>>(ints); }) ==
        names{told("global-race error ints", "narrow publication", "seen")});
}

// One block takes the lock without a fence, the others with one.
template <unsigned Without>
__global__ void lock_without_acquire(int* ints) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&ints[0], 0, 1) != 0) continue;
  if (blockIdx.x != Without) __threadfence();
  ints[1] += 1;  //@ under the lock
  __threadfence();
  atomicExch(&ints[0], 0);
}

TEST_CASE("a lock that one block takes without a fence is found, whichever block comes first") {
  const names expected{told("global-race error ints", "under the lock", "under the lock")};
  for (const char* turns : {"in-order", "reverse", "random:1", "random:2"}) {
    CAPTURE(turns);
    CHECK(findings_under(turns, [](int* ints, int*) { lock_without_acquire<0><<<4, 32>>>(ints); }) == expected);
    CHECK(findings_under(turns, [](int* ints, int*) { lock_without_acquire<3><<<4, 32>>>(ints); }) == expected);
    CHECK(findings_under(turns, [](int* ints, int*) { lock_without_acquire<9><<<4, 32>>>(ints); }) == names{});
  }
}

// A value and the flag that announces it, both volatile, over and over; `Fences`: 1 between the stores, 2 between the reads.
template <int Fences>
__global__ void handed_on_twice(volatile int* ints, int* out) {
  if (threadIdx.x != 0) return;
  for (int round = 1; round < 4; ++round) {
    if (blockIdx.x == 0) {
      while (ints[2] != round - 1) continue;
      __threadfence();
      ints[0] = 10 * round;  //@ value stored
      if (Fences & 1) __threadfence();
      ints[1] = round;
    } else {
      while (ints[1] != round) continue;
      if (Fences & 2) __threadfence();
      out[round] = ints[0];  //@ value read
      __threadfence();
      ints[2] = round;
    }
  }
}
/// The same between two warps of a block, in shared memory.
template <bool Fence>
__global__ void handed_on_in_block(int* out) {
  __shared__ volatile int value, number, taken;
  if (threadIdx.x == 0) {
    value = 0;
    number = 0;
    taken = 0;
  }
  __syncthreads();
  for (int round = 1; round < 4; ++round) {
    if (threadIdx.x == 0) {
      while (taken != round - 1) continue;
      __threadfence_block();
      value = 10 * round;  //@ shared value stored
      if (Fence) __threadfence_block();
      number = round;
    } else if (threadIdx.x == 32) {
      while (number != round) continue;
      __threadfence_block();
      out[round] = value;  //@ shared value read
      __threadfence_block();
      taken = round;
    }
  }
}
/// The same of a whole block: its threads store, one announces behind a barrier.
template <bool Fence>
__global__ void announced_by_one(volatile int* ints, int* out) {
  __threadfence();
  __syncthreads();
  if (blockIdx.x == 0) {
    ints[64 + threadIdx.x] = 1;  //@ part of all
    if (Fence) __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(const_cast<int*>(ints), 1);
  } else {
    if (threadIdx.x == 0)
      while (atomicAdd(const_cast<int*>(ints), 0) == 0) continue;
    __threadfence();
    __syncthreads();
    out[threadIdx.x] = ints[64 + 63 - threadIdx.x];  //@ others' part
  }
}
/// Each block adds up what the ones before it announce: its own sum first, the sum up to it later.
template <bool Fence>
__global__ void looks_back(volatile int* status, int* out) {
  if (threadIdx.x != 0) return;
  volatile int *own = status + 64, *up_to = status + 128;
  const int block = static_cast<int>(blockIdx.x);
  own[block] = block;
  __threadfence();
  status[block] = 1;
  int sum = block;
  for (int before = block - 1; before >= 0; --before) {
    int seen = 0;
    while ((seen = status[before]) == 0) continue;
    __threadfence();
    sum += seen == 1 ? own[before] : up_to[before];  //@ sum read
    if (seen == 2) break;
  }
  up_to[block] = sum;  //@ sum up to the block
  if (Fence) __threadfence();
  status[block] = 2;
  out[block] = sum;
}
/// Two flags behind one fence, each waited for on its own.
__global__ void flags_alone(volatile int* ints, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    __threadfence();
    ints[1] = 1;
    ints[2] = 1;
  } else {
    while (ints[blockIdx.x] == 0) continue;
    out[blockIdx.x] = 1;
  }
}

TEST_CASE("two volatile stores are in order for a reader by fences alone, whatever was fenced before") {
  const names value{told("global-race error ints", "value stored", "value read")};
  const names part{told("global-race error ints", "part of all", "others' part")};
  for (const char* turns : {"in-order", "reverse", "random:1", "random:2"}) {
    CAPTURE(turns);
    CHECK(findings_under(turns, [](int* ints, int* out) { handed_on_twice<3><<<2, 32>>>(ints, out); }) == names{});
    CHECK(findings_under(turns, [](int* ints, int* out) { handed_on_twice<2><<<2, 32>>>(ints, out); }) == value);
    CHECK(findings_under(turns, [](int* ints, int* out) { handed_on_twice<1><<<2, 32>>>(ints, out); }) == value);
    CHECK(findings_under(turns, [](int*, int* out) { handed_on_in_block<true><<<1, 64>>>(out); }) == names{});
    CHECK(findings_under(turns, [](int*, int* out) { handed_on_in_block<false><<<1, 64>>>(out); }) ==
          names{told("shared-race error value", "shared value stored", "shared value read")});
    CHECK(findings_under(turns, [](int* ints, int* out) { announced_by_one<true><<<2, 64>>>(ints, out); }) == names{});
    CHECK(findings_under(turns, [](int* ints, int* out) { announced_by_one<false><<<2, 64>>>(ints, out); }) == part);
    CHECK(findings_under(turns, [](int* ints, int* out) { looks_back<true><<<12, 32>>>(ints, out); }) == names{});
    CHECK(findings_under(turns, [](int* ints, int* out) { flags_alone<<<3, 32>>>(ints, out); }) == names{});
  }
  CHECK(findings_of([](int* ints, int* out) {
          looks_back<false><<<12, 32>>>(ints, out);
        }).contains(told("global-race error ints", "sum up to the block", "sum read")));
}

// So many atomic operations on so few places that a look at each for each would never end.
__global__ void count_all(const int* ints, int* bins) {
  for (int i = 0; i < 64; ++i) atomicAdd(&bins[(ints[threadIdx.x] + i * 7 + threadIdx.x * 13) % 256], 1);
}

TEST_CASE("a histogram beside fences takes no longer than it has accesses") {
  CHECK(findings_of([](int* ints, int* out) {
          cudaMemset(out, 0, 4096);
          count_all<<<64, 256>>>(ints, out);
        }) == names{});
}

// One lane after the other, by fenced flags: with `Spread` each lane stands in a warp of its own.
template <int Spread>
__global__ void lane_after_lane(volatile int* flags, int* data) {
  if (threadIdx.x % Spread != 0) return;
  const unsigned lane = threadIdx.x / Spread;
  if (lane != 0)
    while (flags[lane - 1] == 0) continue;
  __threadfence();
  data[lane] = lane == 0 ? 42 : data[lane - 1] + 1;
  __threadfence();
  flags[lane] = 1;
}

__global__ void one_reads_anothers(volatile int* flag, int* data) {
  if (threadIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    *flag = 1;
  } else if (threadIdx.x == 1) {
    while (*flag == 0) continue;
    __threadfence();
    data[1] = data[0] + data[2];  //@ of which one is never stored
  }
}

TEST_CASE("what a lane reads behind another's fenced flag was stored, in whichever order requests are told") {
  for (const char* turns : {"in-order", "reverse", "random:1", "random:2"}) {
    CAPTURE(turns);
    CHECK(findings_under(turns, [](int* ints, int* out) { lane_after_lane<1><<<1, 32>>>(ints, out); }) == names{});
    CHECK(findings_under(turns, [](int* ints, int* out) { lane_after_lane<32><<<1, 128>>>(ints, out); }) == names{});
    const auto unset =
        told("uninitialised-global error out", "of which one is never stored", "of which one is never stored");
    CHECK(findings_under(turns, [](int* ints, int* out) { one_reads_anothers<<<1, 32>>>(ints, out); }) == names{unset});
  }
}
