// The same rules in a program without a fence, which another detector checks.
#include "runtime/memory_model.h"

#include <doctest/doctest.h>

using simtlab::emulator::claims::marked_line;
using simtlab::emulator::tests::findings_of;

namespace {

using names = std::set<std::string>;

std::string told(const char* rule_and_variable, const char* one, const char* other) {
  const auto [low, high] = std::minmax(marked_line(__FILE__, one), marked_line(__FILE__, other));
  return std::string(rule_and_variable) + " " + std::to_string(low) + "-" + std::to_string(high);
}

}  // namespace

__global__ void sevens_in_shared(int* out) {
  __shared__ int cell;
  if (threadIdx.x == 0) cell = 5;
  __syncwarp();
  if (threadIdx.x < 32) cell = 7;  //@ shared sevens
  __syncthreads();
  out[64 * blockIdx.x + threadIdx.x] = cell;
}
__global__ void sevens_in_global(int* ints, int* out) {
  if (threadIdx.x == 0) ints[32 * blockIdx.x] = 5;
  __syncwarp();
  ints[32 * blockIdx.x] = 7;  //@ global sevens
  __syncwarp();
  out[32 * blockIdx.x + threadIdx.x] = ints[32 * blockIdx.x];
}
__global__ void five_beside_seven(int* out) {
  __shared__ int cell;
  if (threadIdx.x == 0) cell = 5;  //@ five
  __syncwarp();
  if (threadIdx.x == 1) cell = 7;
  if (threadIdx.x == 32) cell = 7;  //@ seven of another warp
  __syncthreads();
  out[threadIdx.x] = cell;
}

TEST_CASE("values are compared since the last barrier of any kind, and only with what it orders") {
  const names shared{told("same-value-race warning cell", "shared sevens", "shared sevens")};
  CHECK(findings_of([](int*, int* out) { sevens_in_shared<<<1, 32>>>(out); }) == shared);
  CHECK(findings_of([](int*, int* out) { sevens_in_shared<<<2, 64>>>(out); }) == shared);
  const names global{told("same-value-race warning ints", "global sevens", "global sevens")};
  CHECK(findings_of([](int* ints, int* out) { sevens_in_global<<<1, 32>>>(ints, out); }) == global);
  CHECK(findings_of([](int* ints, int* out) { sevens_in_global<<<4, 32>>>(ints, out); }) == global);
  CHECK(findings_of([](int*, int* out) {
          five_beside_seven<<<1, 64>>>(out);
        }).contains(told("shared-race error cell", "five", "seven of another warp")));
}

__global__ void look(int* ints, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) out[0] = ints[0];
  if (blockIdx.x == 1) out[1] = atomicAdd(&ints[0], 0);
}
__global__ void look_at_changes(int* ints, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) out[0] = ints[0];        //@ plain read
  if (blockIdx.x == 1) atomicAdd(&ints[0], 1);  //@ change
}
__global__ void in_block(int* ints) {
  atomicAdd_block(&ints[1 + blockIdx.x], 1);
  if (threadIdx.x == 0) atomicAdd_block(&ints[0], 1);  //@ of its block
}
__global__ void exchange(int* out) { atomicExch(&out[blockIdx.x], 1); }

TEST_CASE("scopes, looks and exchanges without a fence in the program") {
  CHECK(findings_of([](int* ints, int* out) { look<<<2, 32>>>(ints, out); }) == names{});
  CHECK(findings_of([](int* ints, int* out) { look_at_changes<<<2, 32>>>(ints, out); }) ==
        names{told("global-race error ints", "plain read", "change")});
  CHECK(findings_of([](int* ints, int*) { in_block<<<3, 64>>>(ints); }) ==
        names{told("global-race error ints", "of its block", "of its block")});
  CHECK(findings_of([](int*, int* out) { exchange<<<3, 1>>>(out); }) == names{});
}
