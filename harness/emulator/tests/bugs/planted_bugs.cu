// One planted bug each: `planted_bugs NAME` runs it and prints the findings. The line at fault ends in `//@ NAME`, and
// a second line that takes part in `//@ NAME, second`. bugs_test.cpp says what must be found.
#include <cassert>
#include <cstdio>

#include "bugs/planted_bug.h"
#include "claims/device_array.h"

using namespace simtlab::emulator;
using simtlab::emulator::claims::device_array;

namespace {

constexpr int threads = 128;

__global__ void rotate_without_barrier(const float* in, float* out) {
  __shared__ float ring[threads];
  ring[threadIdx.x] = in[threadIdx.x];                    //@ missing-first-barrier
  out[threadIdx.x] = ring[(threadIdx.x + 40) % threads];  //@ missing-first-barrier, second
}

// Two rounds through one buffer: the second round overwrites what slow threads of the first still read.
__global__ void rounds_without_second_barrier(const float* in, float* out, int rounds) {
  __shared__ float buffer[threads];
  float sum = 0;
  for (int round = 0; round < rounds; ++round) {
    buffer[threadIdx.x] = in[(threadIdx.x + round) % threads];  //@ missing-second-barrier
    __syncthreads();
    sum += buffer[threads - 1 - threadIdx.x];  //@ missing-second-barrier, second
  }
  out[threadIdx.x] = sum;
}

__global__ void write_squares(float* squares) {
  squares[threadIdx.x] = threadIdx.x * threadIdx.x;  //@ managed-before-waiting, second
}

__global__ void difference_to_the_next(const float* values, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = values[i + 1] - values[i];  //@ read-past-the-end
}

__global__ void fill_inclusive(float* filled, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) filled[i] = 7.0f;  //@ write-past-the-end
}

__global__ void read_before_the_first(const float* values, float* out) {
  out[threadIdx.x] = values[static_cast<int>(threadIdx.x) - 1];  //@ read-before-the-start
}

__global__ void last_cell_never_set(const float* in, float* out) {
  __shared__ float cells[threads];
  if (threadIdx.x != threads - 1) cells[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = cells[threadIdx.x];  //@ uninitialised-shared
}

// The edge of a tile that hangs over the matrix is not cleared, yet takes part in the sum.
__global__ void sum_rows_of_ragged_tile(const float* matrix, float* out, int n) {
  __shared__ float tile[8][8];
  const int x = threadIdx.x, y = threadIdx.y;
  if (x < n && y < n) tile[y][x] = matrix[y * n + x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += tile[y][i];  //@ edge-not-cleared
  out[y * 8 + x] = sum;
}

__constant__ float weights[threads];
__device__ int counter;
__managed__ int managed_counter;
__global__ void count_threads(int* count) { atomicAdd(count, 1); }  //@ managed-variable-before-waiting, second

__global__ void square_all(int* squares) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  squares[i] = i * i;  //@ elements-for-bytes
}

__global__ void some_wait_at_the_end(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 40) __syncthreads();  //@ barrier-gone-around
}

__device__ int sum_of_warp(int v) {
  for (int distance = 16; distance > 0; distance /= 2)
    v += __shfl_down_sync(0xffffffff, v, distance);  //@ shuffle-of-a-helper
  return v;
}
__global__ void some_sum_up(const int* in, int* out, int count) {
  int v = in[threadIdx.x];
  if (static_cast<int>(threadIdx.x) < count) {
    v = sum_of_warp(v);
  }
  out[threadIdx.x] = v;
}

__global__ void half_of_the_block_waits(const float* in, float* out) {
  __shared__ float cells[threads];
  cells[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < threads / 2) {
    __syncthreads();  //@ divergent-barrier
  }
  out[threadIdx.x] = cells[threadIdx.x];
  __syncthreads();  //@ divergent-barrier, second
}

__global__ void barrier_in_each_branch(const float* in, float* out) {
  __shared__ float cells[threads];
  if (threadIdx.x % 2 == 0) {
    cells[threadIdx.x] = in[threadIdx.x];
    __syncthreads();  //@ two-barriers
  } else {
    cells[threadIdx.x] = -in[threadIdx.x];
    __syncthreads();  //@ two-barriers, second
  }
  out[threadIdx.x] = cells[threads - 1 - threadIdx.x];
}

__global__ void leave_early(const float* in, float* out, int n) {
  __shared__ float cells[threads];
  if (static_cast<int>(threadIdx.x) >= n) return;
  cells[threadIdx.x] = in[threadIdx.x];
  __syncthreads();  //@ return-before-barrier
  out[threadIdx.x] = cells[n - 1 - threadIdx.x];
}

__global__ void blocks_add_plainly(int* total) {
  if (threadIdx.x == 0) *total += 3;  //@ race-between-blocks
}

__global__ void smooth_in_place(float* signal) {
  const float right = signal[(threadIdx.x + 1) % threads];  //@ race-inside-a-block
  signal[threadIdx.x] += right;                             //@ race-inside-a-block, second
}

__global__ void atomic_and_plain(int* slot, int* out) {
  atomicAdd(slot, 1);        //@ plain-read-of-an-atomic
  out[threadIdx.x] = *slot;  //@ plain-read-of-an-atomic, second
}

// The loop of the programming guide: a wrong guess is found out by the swap.
__global__ void add_by_swaps(double* total, int* largest) {
  auto* bits = reinterpret_cast<unsigned long long*>(total);
  unsigned long long old = *bits, assumed;  //@ guess-before-swap
  do {
    assumed = old;
    const unsigned long long sum = __double_as_longlong(__longlong_as_double(assumed) + 1);
    old = atomicCAS(bits, assumed, sum);  //@ guess-before-swap, second
  } while (assumed != old);
  __shared__ int of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  for (;;) {
    const int seen = of_block;  //@ guess-in-shared
    const int greater = static_cast<int>(threadIdx.x) > seen ? static_cast<int>(threadIdx.x) : seen;
    if (atomicCAS(&of_block, seen, greater) == seen) break;  //@ guess-in-shared, second
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(largest, of_block);
}

__global__ void swap_if_free(int* lock, int* won) {
  if (*lock == 0) won[threadIdx.x] = atomicCAS(lock, 0, 1);  //@ look-before-swap
}

__global__ void swap_if_larger(int* largest, int value) {
  int seen = *largest;  //@ larger-before-swap
  while (value > seen) {
    const int before = atomicCAS(largest, seen, value);  //@ larger-before-swap, second
    if (before == seen) break;
    seen = before;
  }
}

__global__ void maximum_if_larger(int* largest, int value) {
  if (value > *largest)         //@ larger-before-maximum
    atomicMax(largest, value);  //@ larger-before-maximum, second
}

__global__ void keep_what_was_read(int* owner, int* seen) {
  seen[threadIdx.x] = *owner;                           //@ read-not-compared
  atomicCAS(owner, -1, static_cast<int>(threadIdx.x));  //@ read-not-compared, second
}

__global__ void swap_another(int* cells) {
  const int old = cells[0];                    //@ swap-of-another-element
  atomicCAS(&cells[threadIdx.x % 2], old, 7);  //@ swap-of-another-element, second
}

__global__ void guess_and_write(int* cell) {
  const int old = *cell;  //@ write-against-guess
  atomicCAS(cell, old, old + 1);
  if (threadIdx.x == 70) *cell = 5;  //@ write-against-guess, second
}

// Reader 0 is also the writer: a checker that remembers one reader only sees nothing.
__global__ void all_read_then_one_writes(int* seed, int* out) {
  out[threadIdx.x] = seed[0];            //@ many-readers-one-writer
  if (threadIdx.x == 0) seed[0] = 1234;  //@ many-readers-one-writer, second
}

__global__ void load_four_at_odd_words(const float* values, float* out) {
  const float4 four = *reinterpret_cast<const float4*>(values + 4 * threadIdx.x + 1);  //@ misaligned
  out[threadIdx.x] = four.x + four.y + four.z + four.w;
}

__global__ void copy(const float* values, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = values[i];  //@ read-by-copy
  }
}

__global__ void store_one_further(const float* in, float* out) {
  __shared__ float cells[threads];
  cells[threadIdx.x + 1] = in[threadIdx.x];  //@ shared-out-of-bounds
  __syncthreads();
  out[threadIdx.x] = cells[threadIdx.x == 0 ? 1 : threadIdx.x];
}

// The warp folds its sums as if its lanes always moved in step.
__global__ void fold_without_syncwarp(const float* in, float* out) {
  __shared__ float sums[64];
  const int lane = threadIdx.x;
  sums[lane] = in[lane];
  sums[lane + 32] = in[lane + 32];
  __syncwarp();
  if (lane < 16) sums[lane] += sums[lane + 16];  //@ missing-syncwarp
  if (lane < 8) sums[lane] += sums[lane + 8];    //@ missing-syncwarp, second
  if (lane == 0) out[0] = sums[0];
}

__global__ void shuffle_from_absent_lanes(const int* in, int* out) {
  int value = in[threadIdx.x];
  if (threadIdx.x < 8) value = __shfl_down_sync(0xffu, value, 4);  //@ absent-lane
  out[threadIdx.x] = value;
}

__global__ void mask_leaves_caller_out(const int* in, int* out) {
  int value = in[threadIdx.x];
  value += __shfl_sync(0x0000ffffu, value, 0);  //@ mask-without-caller
  out[threadIdx.x] = value;
}

__global__ void waits_for_lanes_that_left(const int* in, int* out) {
  int value = in[threadIdx.x];
  if (threadIdx.x < 16)
    value += __shfl_xor_sync(0xffffffffu, value, 1);  //@ warp-deadlock
  else
    __syncthreads();
  out[threadIdx.x] = value;
}

__global__ void too_many_locals(const float* in, float* out, int count) {
  float locals[6];
  for (int i = 0; i < count; ++i) locals[i] = in[i + threadIdx.x];  //@ local-out-of-bounds
  float sum = 0;
  for (int i = 0; i < 6; ++i) sum += locals[(i * 5) % 6];
  out[threadIdx.x] = sum;
}

__global__ void follow_null(float* out, const float* nothing) {
  out[threadIdx.x] = nothing[threadIdx.x];  //@ null-pointer
}

__global__ void walk(int* cells, int n, int step) {
  for (int i = 0; i < n; i += step) cells[i] = i;  //@ endless-loop
}

__device__ int nested(volatile int* depth) {
  volatile int ballast[64];
  ballast[0] = *depth + 1;
  *depth = ballast[0];
  return ballast[0] < 0 ? 0 : nested(depth) + ballast[0];
}

__global__ void recurse_for_ever(int* depth) { *depth = nested(depth); }

__global__ void assert_small(const int* in) {
  assert(in[threadIdx.x] < 10);  //@ failed-assertion
}

constexpr int n = threads;

device_array<float> floats(const char* name, std::size_t count = n) { return {name, count, 1.0f}; }

void missing_first_barrier() {
  auto in = floats("in"), out = floats("out");
  rotate_without_barrier<<<1, threads>>>(in.data(), out.data());
}
void missing_second_barrier() {
  auto in = floats("in"), out = floats("out");
  rounds_without_second_barrier<<<1, threads>>>(in.data(), out.data(), 3);
}
void read_past_the_end() {
  auto values = floats("values"), out = floats("out");
  difference_to_the_next<<<1, threads>>>(values.data(), out.data(), n);
}
void write_past_the_end() {
  auto filled = floats("filled");
  fill_inclusive<<<2, threads>>>(filled.data(), n);
}
void read_before_the_start() {
  auto values = floats("values"), out = floats("out");
  read_before_the_first<<<1, threads>>>(values.data(), out.data());
}
void uninitialised_shared() {
  auto in = floats("in"), out = floats("out");
  last_cell_never_set<<<1, threads>>>(in.data(), out.data());
}
void edge_not_cleared() {
  auto matrix = floats("matrix", 49), out = floats("out", 64);
  sum_rows_of_ragged_tile<<<1, dim3(8, 8)>>>(matrix.data(), out.data(), 7);
}
void divergent_barrier() {
  auto in = floats("in"), out = floats("out");
  half_of_the_block_waits<<<1, threads>>>(in.data(), out.data());
}
void two_barriers() {
  auto in = floats("in"), out = floats("out");
  barrier_in_each_branch<<<1, threads>>>(in.data(), out.data());
}
void return_before_barrier() {
  auto in = floats("in"), out = floats("out");
  leave_early<<<1, threads>>>(in.data(), out.data(), 70);
}
void race_between_blocks() {
  device_array<int> total("total", 1);
  blocks_add_plainly<<<8, 32>>>(total.data());
}
void race_inside_a_block() {
  auto signal = floats("signal");
  smooth_in_place<<<1, threads>>>(signal.data());
}
void plain_read_of_an_atomic() {
  device_array<int> slot("slot", 1), out("out", 64);
  atomic_and_plain<<<1, 64>>>(slot.data(), out.data());
}
void guess_before_swap() {
  device_array<double> total("total", 1);
  device_array<int> largest("largest", 1);
  add_by_swaps<<<3, 64>>>(total.data(), largest.data());
}
void look_before_swap() {
  device_array<int> lock("lock", 1), won("won", 64);
  swap_if_free<<<1, 64>>>(lock.data(), won.data());
}
void larger_before_swap() {
  device_array<int> largest("largest", 1);
  swap_if_larger<<<4, 1>>>(largest.data(), 9);
}
void larger_before_maximum() {
  device_array<int> largest("largest", 1);
  maximum_if_larger<<<2, 64>>>(largest.data(), 9);
}
void read_not_compared() {
  device_array<int> owner("owner", 1), seen("seen", 64);
  keep_what_was_read<<<1, 64>>>(owner.data(), seen.data());
}
void swap_of_another_element() {
  device_array<int> cells("cells", 2);
  swap_another<<<1, 64>>>(cells.data());
}
void write_against_guess() {
  device_array<int> cell("cell", 1);
  guess_and_write<<<1, 96>>>(cell.data());
}
void many_readers_one_writer() {
  device_array<int> seed("seed", 1), out("out", 64);
  all_read_then_one_writes<<<1, 64>>>(seed.data(), out.data());
}
void misaligned() {
  auto values = floats("values", 4 * 32 + 4), out = floats("out", 32);
  load_four_at_odd_words<<<1, 32>>>(values.data(), out.data());
}
void use_after_free() {
  float* values = nullptr;
  cudaMalloc(&values, n * sizeof(float));
  cudaMemset(values, 0, n * sizeof(float));
  name_memory(values, n * sizeof(float), "values");
  auto out = floats("out");
  cudaFree(values);
  copy<<<1, threads>>>(values, out.data(), n);
}
void double_free() {
  float* values = nullptr;
  cudaMalloc(&values, n * sizeof(float));
  name_memory(values, n * sizeof(float), "values");
  cudaFree(values);
  if (cudaFree(values) == cudaSuccess) std::puts("the second cudaFree succeeded");  //@ double-free
}
void uninitialised_global() {
  float* values = nullptr;
  cudaMalloc(&values, n * sizeof(float));
  name_memory(values, n * sizeof(float), "values");
  auto out = floats("out");
  copy<<<1, threads>>>(values, out.data(), n);
  cudaDeviceSynchronize();
  cudaFree(values);
}
void shared_out_of_bounds() {
  auto in = floats("in"), out = floats("out");
  store_one_further<<<1, threads>>>(in.data(), out.data());
}
void missing_syncwarp() {
  auto in = floats("in", 64), out = floats("out", 1);
  fold_without_syncwarp<<<1, 32>>>(in.data(), out.data());
}
void absent_lane() {
  device_array<int> in("in", 32), out("out", 32);
  shuffle_from_absent_lanes<<<1, 32>>>(in.data(), out.data());
}
void mask_without_caller() {
  device_array<int> in("in", 32), out("out", 32);
  mask_leaves_caller_out<<<1, 32>>>(in.data(), out.data());
}
void warp_deadlock() {
  device_array<int> in("in", 32), out("out", 32);
  waits_for_lanes_that_left<<<1, 32>>>(in.data(), out.data());
}
void local_out_of_bounds() {
  auto in = floats("in"), out = floats("out", 32);
  too_many_locals<<<1, 32>>>(in.data(), out.data(), 7);
}
void host_pointer_in_a_kernel() {
  static float values[n] = {1.0f};
  auto out = floats("out");
  copy<<<1, threads>>>(values, out.data(), n);
}
void device_pointer_on_the_host() {
  auto values = floats("values");
  const volatile float* pointer = values.data();
  const float first = *pointer;  //@ device-pointer-on-the-host
  std::printf("a correct-looking result: %g\n", first);
}
void managed_before_waiting() {
  float* squares = nullptr;
  cudaMallocManaged(&squares, threads * sizeof(float));
  write_squares<<<1, threads>>>(squares);
  std::printf("%g\n", squares[1]);  //@ managed-before-waiting
  cudaFree(squares);
}
void managed_variable_before_waiting() {
  count_threads<<<1, threads>>>(&managed_counter);
  std::printf("%d\n", managed_counter);  //@ managed-variable-before-waiting
  cudaDeviceSynchronize();
}
void managed_past_the_end() {
  float* cells = nullptr;
  cudaMallocManaged(&cells, threads * sizeof(float));
  for (int i = 0; i <= threads; ++i) cells[i] = 1;  //@ managed-past-the-end
  cudaFree(cells);
}
void null_pointer() {
  auto out = floats("out");
  follow_null<<<1, threads>>>(out.data(), nullptr);
}
void endless_loop() {
  device_array<int> cells("cells", 8);
  options short_patience;
  short_patience.events_per_thread = 100'000;
  configure(short_patience);
  walk<<<1, 1>>>(cells.data(), 8, 0);
}
void stack_overflow() {
  device_array<int> depth("depth", 1);
  recurse_for_ever<<<1, 1>>>(depth.data());
}
void failed_assertion() {
  device_array<int> in("in", 32, 10);
  assert_small<<<1, 32>>>(in.data());
}
void leak() {
  float* forgotten = nullptr;
  cudaMalloc(&forgotten, n * sizeof(float));
  name_memory(forgotten, n * sizeof(float), "forgotten");
}
void unchecked_error() {
  auto in = floats("in"), out = floats("out");
  copy<<<1, 2048>>>(in.data(), out.data(), n);  //@ unchecked-error
}

void symbol_for_a_pointer() {
  auto out = floats("out");
  const float host[threads] = {};
  cudaMemcpyToSymbol(weights, host, sizeof host);
  copy<<<1, threads>>>(weights, out.data(), threads);  //@ symbol-for-a-pointer
}
void variable_for_a_pointer() {
  count_threads<<<1, threads>>>(&counter);  //@ variable-for-a-pointer
}
void copy_by_the_symbols_name() {
  const float host[threads] = {};
  cudaMemcpy(weights, host, sizeof host, cudaMemcpyHostToDevice);  //@ copy-by-the-symbols-name
}
void address_of_symbol() {  // no bug
  auto out = floats("out");
  const float host[threads] = {};
  cudaMemcpyToSymbol(weights, host, sizeof host);
  void *from_weights = nullptr, *from_counter = nullptr;
  cudaGetSymbolAddress(&from_weights, weights);
  cudaGetSymbolAddress(&from_counter, counter);
  copy<<<1, threads>>>(static_cast<const float*>(from_weights), out.data(), threads);
  cudaMemcpy(from_weights, host, sizeof host, cudaMemcpyHostToDevice);
  count_threads<<<1, threads>>>(static_cast<int*>(from_counter));
  count_threads<<<1, threads>>>(&managed_counter);
}
void elements_for_bytes() {
  int* squares = nullptr;
  cudaMalloc(&squares, 2 * threads);
  square_all<<<2, threads>>>(squares);
  cudaDeviceSynchronize();
  cudaFree(squares);
}
void barrier_gone_around() {
  auto in = floats("in"), out = floats("out");
  some_wait_at_the_end<<<1, threads>>>(in.data(), out.data());
}
void shuffle_of_a_helper() {
  device_array<int> in("in", 32), out("out", 32);
  some_sum_up<<<1, 32>>>(in.data(), out.data(), 20);
}
void two_launches_fail() {
  auto in = floats("in"), out = floats("out");
  copy<<<1, 1025>>>(in.data(), out.data(), n);
  cudaDeviceSynchronize();
  copy<<<0, 32>>>(in.data(), out.data(), n);  //@ two-launches-fail
  cudaDeviceSynchronize();
}

constexpr bugs::planted_bug planted[] = {
    {"symbol-for-a-pointer", symbol_for_a_pointer},
    {"variable-for-a-pointer", variable_for_a_pointer},
    {"copy-by-the-symbols-name", copy_by_the_symbols_name},
    {"address-of-symbol", address_of_symbol},
    {"elements-for-bytes", elements_for_bytes},
    {"barrier-gone-around", barrier_gone_around},
    {"shuffle-of-a-helper", shuffle_of_a_helper},
    {"two-launches-fail", two_launches_fail},
    {"missing-first-barrier", missing_first_barrier},
    {"missing-second-barrier", missing_second_barrier},
    {"read-past-the-end", read_past_the_end},
    {"write-past-the-end", write_past_the_end},
    {"read-before-the-start", read_before_the_start},
    {"uninitialised-shared", uninitialised_shared},
    {"edge-not-cleared", edge_not_cleared},
    {"divergent-barrier", divergent_barrier},
    {"two-barriers", two_barriers},
    {"return-before-barrier", return_before_barrier},
    {"race-between-blocks", race_between_blocks},
    {"race-inside-a-block", race_inside_a_block},
    {"plain-read-of-an-atomic", plain_read_of_an_atomic},
    {"guess-before-swap", guess_before_swap},
    {"guess-in-shared", guess_before_swap},
    {"look-before-swap", look_before_swap},
    {"larger-before-swap", larger_before_swap},
    {"larger-before-maximum", larger_before_maximum},
    {"read-not-compared", read_not_compared},
    {"swap-of-another-element", swap_of_another_element},
    {"write-against-guess", write_against_guess},
    {"many-readers-one-writer", many_readers_one_writer},
    {"misaligned", misaligned},
    {"use-after-free", use_after_free},
    {"double-free", double_free},
    {"uninitialised-global", uninitialised_global},
    {"shared-out-of-bounds", shared_out_of_bounds},
    {"missing-syncwarp", missing_syncwarp},
    {"absent-lane", absent_lane},
    {"mask-without-caller", mask_without_caller},
    {"warp-deadlock", warp_deadlock},
    {"local-out-of-bounds", local_out_of_bounds},
    {"host-pointer-in-a-kernel", host_pointer_in_a_kernel},
    {"device-pointer-on-the-host", device_pointer_on_the_host},
    {"managed-before-waiting", managed_before_waiting},
    {"managed-variable-before-waiting", managed_variable_before_waiting},
    {"managed-past-the-end", managed_past_the_end},
    {"null-pointer", null_pointer},
    {"endless-loop", endless_loop},
    {"stack-overflow", stack_overflow},
    {"failed-assertion", failed_assertion},
    {"leak", leak},
    {"unchecked-error", unchecked_error},
};

}  // namespace

int main(int argc, char** argv) { return bugs::run_planted("planted_bugs", planted, argc, argv); }
