// Kernels whose lanes part: loops of different lengths, early ends, switches, jumps, calls. Measured on a GPU and held
// against the emulator.
#include "launches.h"

constexpr int threads = 16 * 256;
constexpr int mask = 16383;

__device__ int thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void shrinking_while(const int* trips, const float* a, float* out) {
  const int i = thread_number();
  int left = trips[i];
  float sum = 0;
  while (left > 0) {
    sum += a[(3 * i + left) & mask];
    left = left % 2 ? left - 3 : left / 2;
  }
  out[i] = sum;
}

__global__ void loop_in_loop(const int* trips, const float* a, float* out) {
  const int i = thread_number();
  float sum = 0;
  for (int j = 0; j < 4; ++j) {
    const int inner = trips[(i + j) & 4095];
    for (int k = 0; k < inner; ++k) sum += a[(i + 32 * k) & mask];
    sum += a[(2 * i + j) & mask];
  }
  out[i] = sum;
}

__global__ void two_branches(const int* kind, const float* a, const float* b, float* out) {
  const int i = thread_number();
  float value;
  if (kind[i] % 2) {
    value = a[i];
    value += sinf(value) * a[i + 1];
  } else {
    value = b[2 * i];
    value += cosf(value) * b[i + 7];
  }
  out[i] = value + a[i + 3];
}

__global__ void switch_with_fall_through(const int* kind, const float* a, const float* b, float* out) {
  const int i = thread_number();
  float value = 0;
  switch (kind[i] % 4) {
    case 0:
      value = a[i];
      break;
    case 1:
      value = 2 * b[2 * i];
      [[fallthrough]];
    case 2:
      value += a[3 * i];
      break;
    default:
      value = b[i];
      for (int k = 0; k < kind[i] % 8; ++k) value += a[i + k];
  }
  out[i] = value;
}

__global__ void loop_that_continues(const int* kind, const float* a, float* out, int trips) {
  const int i = thread_number();
  float value = 0;
  for (int k = 0; k < trips; ++k) {
    const int drawn = kind[(i + k) & 4095];
    if (drawn % 3 == 0) continue;
    value += a[(i + drawn) & mask];
    if (drawn % 5 == 0) continue;
    value *= a[(2 * i + k) & mask];
  }
  out[i] = value;
}

__global__ void loop_that_breaks(const int* kind, const float* a, float* out, int trips) {
  const int i = thread_number();
  float value = 0;
  for (int k = 0; k < trips; ++k) {
    const int drawn = kind[(7 * i + k) & 4095];
    if (drawn == 9) {
      value += a[(5 * i + k) & mask];
      break;
    }
    value += drawn;
  }
  out[i] = value;
}

__global__ void early_returns(const int* kind, const float* a, float* out) {
  const int i = thread_number();
  if (kind[i] < 4) return;
  float value = a[i];
  if (kind[i] < 8) {
    out[i] = value;
    return;
  }
  value += a[2 * i];
  out[i] = value;
}

__device__ __noinline__ float sum_from(const float* a, int first, int count) {
  float sum = 0;
  for (int k = 0; k < count; ++k) sum += a[(first + k) & mask];
  return sum;
}

__global__ void calls_from_branches(const int* kind, const float* a, float* out) {
  const int i = thread_number();
  float value;
  if (kind[i] % 2) {
    value = sum_from(a, i, 3);
  } else {
    value = sum_from(a, 2 * i, kind[i] % 8) + 1;
  }
  value += sum_from(a, i, 1);
  out[i] = value;
}

__device__ int depth_below(const int* child, int node) { return node == 0 ? 0 : 1 + depth_below(child, child[node]); }

__global__ void recursion(const int* child, float* out) {
  const int i = thread_number();
  out[i] = depth_below(child, i & 1023);
}

__global__ void short_circuits(const int* kind, const float* a, float* out) {
  const int i = thread_number();
  float value = 1;
  if (kind[i] > 5 && a[i] > 0.0f && a[2 * i] < 0.3f) value = 2;
  if (kind[i] < 3 || a[i + 9] > 0.2f) value += a[i + 1];
  out[i] = value;
}

__global__ void binary_search(const float* sorted, const float* keys, float* out, int count) {
  const int i = thread_number();
  const float key = keys[i];
  int low = 0, high = count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (sorted[middle] < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  out[i] = low;
}

__global__ void choice_between_addresses(const int* kind, const float* a, float* out) {
  const int i = thread_number();
  out[i] = kind[i] % 2 ? a[i] : a[2 * i + 1];
}

__global__ void jumps(const int* trips, const float* a, float* out) {
  const int i = thread_number();
  int left = trips[i];
  float sum = 0;
again:
  sum += a[(i + left) & mask];
  if (--left > 0) goto again;
  if (sum > 0) goto done;
  sum += a[(4 * i) & mask];
done:
  out[i] = sum;
}

__global__ void largest_of_row(const float* a, float* out, int rows) {
  const int i = thread_number();
  if (i >= rows) return;
  float largest = a[4 * i];
  for (int k = 1; k < 4; ++k) {
    if (a[4 * i + k] > largest) largest = a[4 * i + k];
  }
  out[i] = largest;
}

__global__ void counting_in_branches(const int* kind, int* bin) {
  const int i = thread_number();
  for (int k = 0; k < 4; ++k) {
    const int drawn = kind[(4 * i + k) & 4095];
    if (drawn > 2) atomicAdd(&bin[8 * drawn], 1);
  }
}

__global__ void shared_memory_in_loops(const int* trips, const float* a, float* out) {
  __shared__ float values[1024];
  const int t = threadIdx.x;
  for (int k = t; k < 1024; k += blockDim.x) values[k] = a[k];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < trips[thread_number()]; ++k) {
    sum += values[(t * (k + 1)) & 1023];
    if (k % 2) sum += values[(33 * t + k) & 1023];
  }
  out[thread_number()] = sum;
}

__global__ void list_walk(const int* next, const float* a, float* out) {
  const int i = thread_number();
  float sum = 0;
  int node = i & 1023;
  do {
    sum += a[node];
    node = next[node];
  } while (node != 0);
  out[i] = sum;
}

__global__ void neighbours_of_a_frontier(const int* first_edge, const int* target, const int* level, int* next_level,
                                         int depth) {
  const int node = thread_number();
  if (level[node] != depth) return;
  for (int edge = first_edge[node]; edge < first_edge[node + 1]; ++edge) {
    const int other = target[edge];
    if (level[other] > depth) atomicMin(&next_level[other], depth + 1);
  }
}

__global__ void state_machine(const int* input, const float* a, float* out) {
  const int i = thread_number();
  int state = 0;
  float value = 0;
  for (int k = 0; k < 8; ++k) {
    const int symbol = input[(i + 64 * k) & 4095];
    switch (state) {
      case 0:
        if (symbol < 6) state = 1;
        break;
      case 1:
        value += a[(i + symbol) & mask];
        state = symbol < 9 ? 2 : 0;
        break;
      default:
        value -= a[(8 * i) & mask];
        state = symbol % 3;
    }
  }
  out[i] = value;
}

__global__ void roles_of_warps(const float* a, const float* b, float* out) {
  const int i = thread_number();
  const int warp = threadIdx.x / 32;
  if (warp % 4 == 0) {
    out[i] = a[i];
  } else if (warp % 4 == 1) {
    out[i] = a[2 * i] + b[i];
  } else if (warp % 4 == 2) {
    out[i] = b[4 * i];
  }
}

__global__ void lane_by_lane(const float* a, float* out) {
  const int i = thread_number();
  float sum = 0;
  for (int k = 0; k < 32; ++k) {
    if (static_cast<int>(threadIdx.x % 32) == k) sum += a[i + k];
  }
  if (i % 2) {
    out[i] = 2 * sum;
  } else {
    out[i] = a[i] + sum;
  }
}

__global__ void leave_two_loops(const int* kind, const float* a, float* out) {
  const int i = thread_number();
  float sum = 0;
  bool found = false;
  for (int row = 0; row < 4 && !found; ++row) {
    for (int k = 0; k < 6; ++k) {
      const int drawn = kind[(i + 16 * row + k) & 4095];
      if (drawn == 3) {
        found = true;
        break;
      }
      sum += a[(i + 8 * drawn) & mask];
    }
  }
  out[i] = found ? sum : -sum;
}

__global__ void insertion_sort(const int* keys, int* out) {
  __shared__ int own[8][256];
  const int t = threadIdx.x;
  for (int k = 0; k < 8; ++k) own[k][t] = keys[(8 * thread_number() + k) & 4095];
  for (int k = 1; k < 8; ++k) {
    const int key = own[k][t];
    int at = k;
    while (at > 0 && own[at - 1][t] > key) {
      own[at][t] = own[at - 1][t];
      --at;
    }
    own[at][t] = key;
  }
  for (int k = 0; k < 8; ++k) out[2048 * blockIdx.x + 256 * k + t] = own[k][t];
}

__global__ void half_of_a_warp(const float* a, float* out) {
  __shared__ float values[256];
  const int t = threadIdx.x;
  values[t] = a[thread_number()];
  __syncthreads();
  float sum = 0;
  if (t % 32 < 16) {
    for (int k = 0; k < 4; ++k) sum += values[(t * 4 + k) & 255];
  } else {
    sum = values[255 - t];
  }
  out[thread_number()] = sum;
}

int main() {
  numbers random(7);
  const device_array<int> drawn(random.list(threads, 17));
  const device_array<float> a(random.fractions(65536)), b(random.fractions(65536)), out(threads);
  std::vector<float> ascending(4096);
  for (int i = 0; i < 4096; ++i) ascending[i] = static_cast<float>(i) / 4096.0f - 0.5f;
  const device_array<float> sorted(ascending);
  std::vector<int> parents{0}, first_edge{0}, targets;
  for (int node = 1; node < 1024; ++node) parents.push_back(random.below(node));
  for (int node = 0; node < threads; ++node) {
    const int edges = random.below(9);
    for (int edge = 0; edge < edges; ++edge) targets.push_back(random.below(threads));
    first_edge.push_back(static_cast<int>(targets.size()));
  }
  const device_array<int> parent(parents), edges(first_edge), target(targets), level(random.list(threads, 4));
  const device_array<int> next_level(random.list(threads, 4)), bin(1024), sorted_keys(threads * 8);

  shrinking_while<<<16, 256>>>(drawn, a, out);
  launched("shrinking while");
  loop_in_loop<<<16, 256>>>(drawn, a, out);
  launched("loop in a loop");
  two_branches<<<16, 256>>>(drawn, a, b, out);
  launched("two branches");
  switch_with_fall_through<<<16, 256>>>(drawn, a, b, out);
  launched("switch with fall-through");
  loop_that_continues<<<16, 256>>>(drawn, a, out, 12);
  launched("loop that continues");
  loop_that_breaks<<<16, 256>>>(drawn, a, out, 20);
  launched("loop that breaks");
  early_returns<<<16, 256>>>(drawn, a, out);
  launched("early returns");
  calls_from_branches<<<16, 256>>>(drawn, a, out);
  launched("calls from branches");
  recursion<<<16, 256>>>(parent, out);
  launched("recursion");
  short_circuits<<<16, 256>>>(drawn, a, out);
  launched("short circuits");
  binary_search<<<16, 256>>>(sorted, a, out, 4096);
  launched("binary search");
  choice_between_addresses<<<16, 256>>>(drawn, a, out);
  launched("choice between addresses");
  jumps<<<16, 256>>>(drawn, a, out);
  launched("jumps");
  largest_of_row<<<16, 256>>>(a, out, 4000);
  launched("largest of a row");
  counting_in_branches<<<4, 256>>>(drawn, bin);
  launched("counting in branches");
  shared_memory_in_loops<<<16, 256>>>(drawn, a, out);
  launched("shared memory in loops");
  list_walk<<<16, 256>>>(parent, a, out);
  launched("list walk");
  neighbours_of_a_frontier<<<16, 256>>>(edges, target, level, next_level, 2);
  launched("neighbours of a frontier");
  state_machine<<<16, 256>>>(drawn, a, out);
  launched("state machine");
  roles_of_warps<<<16, 256>>>(a, b, out);
  launched("roles of warps");
  lane_by_lane<<<16, 256>>>(a, out);
  launched("lane by lane");
  leave_two_loops<<<16, 256>>>(drawn, a, out);
  launched("leaving two loops");
  insertion_sort<<<2, 256>>>(drawn, sorted_keys);
  launched("insertion sort");
  half_of_a_warp<<<16, 256>>>(a, out);
  launched("half of a warp");
}
