// Loops whose lanes are done with a pass at different places: by `continue`, by `break`, by an `if` at the body's end, by
// `goto`. Where does a warp come together? Measured on a GPU and held against the emulator.
#include "launches.h"

constexpr int threads = 16 * 256;
constexpr int mask = 16383;
constexpr int trips = 24;

__device__ int thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }
/// What lane and pass find in `kind`: 0 to 16.
__device__ int drawn(const int* kind, int i, int k) { return kind[(i + 32 * k) & 4095]; }

__global__ void turns_in_a_while(const float* a, float* out) {
  const int i = thread_number(), lane = threadIdx.x % 32;
  int k = 0;
  while (k < 32) {
    if (k != lane) {
      ++k;
      continue;
    }
    out[i] = a[i] + k;
    ++k;
  }
}

__global__ void turns_in_an_endless_loop(const float* a, float* out) {
  const int i = thread_number(), lane = threadIdx.x % 32;
  int k = 0;
  while (true) {
    if (k >= 32) break;
    const int turn = k++;
    if (turn != lane) continue;
    out[i] = a[i] + k;
  }
}

__global__ void turns_counted_in_the_condition(const float* a, float* out) {
  const int i = thread_number(), lane = threadIdx.x % 32;
  int k = 0;
  while (k++ < 32) {
    if (k != lane + 1) continue;
    out[i] = a[i] + k;
  }
}

__global__ void turns_in_a_do(const float* a, float* out) {
  const int i = thread_number(), lane = threadIdx.x % 32;
  int k = -1;
  do {
    ++k;
    if (k != lane) continue;
    out[i] = a[i] + k;
  } while (k < 31);
}

__global__ void turns_by_goto(const float* a, float* out) {
  const int i = thread_number(), lane = threadIdx.x % 32;
  int k = 0;
again:
  if (k >= 32) goto end;
  if (k++ != lane) goto again;
  out[i] = a[i] + k;
  goto again;
end:;
}

__global__ void steps_of_two_lengths(const int* kind, const float* a, float* out) {
  const int i = thread_number();
  float sum = 0;
  int k = 0;
  while (k < trips) {
    if (drawn(kind, i, k) < 8) {
      k += 2;
      continue;
    }
    sum += a[(i + 32 * k) & mask];
    k += 1;
  }
  out[i] = sum;
}

__global__ void continue_and_break(const int* kind, const float* a, float* out) {
  const int i = thread_number();
  float sum = 0;
  int k = 0;
  while (true) {
    if (++k == trips) break;
    const int x = drawn(kind, i, k);
    if (x < 8) continue;
    if (x == 14) break;
    sum += a[(i + 32 * k) & mask];
  }
  out[i] = sum;
}

__global__ void continue_and_break_by_goto(const int* kind, const float* a, float* out) {
  const int i = thread_number();
  float sum = 0;
  int k = 0, x;
again:
  if (++k == trips) goto end;
  x = drawn(kind, i, k);
  if (x < 8) goto again;
  if (x == 14) goto end;
  sum += a[(i + 32 * k) & mask];
  goto again;
end:
  out[i] = sum;
}

__global__ void continue_and_return(const int* kind, const float* a, float* out) {
  const int i = thread_number();
  float sum = 0;
  int k = 0;
  while (true) {
    const int x = drawn(kind, i, k);
    if (x == 15) {
      out[i] = sum;
      return;
    }
    if (++k == trips) break;
    if (x % 2 == 1) continue;
    sum += a[(i + 32 * k) & mask];
  }
  out[i] = -sum;
}

__global__ void continue_at_two_places(const int* kind, const float* a, float* out) {
  const int i = thread_number();
  float sum = 0;
  int k = 0;
  while (k < trips) {
    const int x = drawn(kind, i, k++);
    if (x < 4) continue;
    sum += a[(i + 32 * k) & mask];
    if (x < 8) continue;
    sum += a[(3 * i + k) & mask];
  }
  out[i] = sum;
}

__global__ void steps_of_three_lengths(const float* a, float* out) {
  const int i = thread_number();
  float sum = 0;
  int k = i % 32;
  for (;;) {
    if (k > 100) break;
    if (k % 3 == 0) {
      k += 5;
      continue;
    }
    if (k % 5 == 0) {
      k += 3;
      sum += a[(i + k) & mask];
      continue;
    }
    sum += a[(2 * i + k) & mask];
    k += 7;
  }
  out[i] = sum;
}

__global__ void if_at_the_end(const int* kind, const float* a, float* out) {
  const int i = thread_number();
  float sum = 0;
  int k = -1;
  while (true) {
    if (++k == trips) break;
    if (drawn(kind, i, k) >= 8) sum += a[(i + 32 * k) & mask];
  }
  out[i] = sum;
}

__global__ void chain_of_ifs_at_the_end(const int* kind, const float* a, float* out) {
  const int i = thread_number();
  float sum = 0;
  int k = -1;
  while (true) {
    if (++k >= trips) break;
    const int x = drawn(kind, i, k);
    if (x < 4) {
      sum += a[(i + k) & mask];
    } else if (x < 8) {
      k += 1;
      sum += a[(i + 32 * k) & mask];
    } else if (x == 12) {
      sum *= 2;
    }
  }
  out[i] = sum;
}

__global__ void switch_that_continues(const int* kind, const float* a, float* out) {
  const int i = thread_number();
  float sum = 0;
  int k = 0;
  while (k < trips) {
    switch (drawn(kind, i, k) & 3) {
      case 0:
        ++k;
        continue;
      case 1:
        sum += a[(i + k) & mask];
        break;
      case 2:
        sum += a[(2 * i + k) & mask];
        k += 2;
        continue;
      default:
        break;
    }
    sum += a[(i + 32 * k) & mask];
    ++k;
  }
  out[i] = sum;
}

__global__ void endless_loop_in_an_endless_loop(const int* kind, const float* a, float* out) {
  const int i = thread_number();
  float sum = 0;
  int k = 0;
  for (;;) {
    int left = drawn(kind, i, k) & 3;
    while (true) {
      if (left-- == 0) break;
      if (left & 1) continue;
      sum += a[(i + 32 * left) & mask];
    }
    if (++k >= trips) break;
    if (drawn(kind, i, k) & 4) continue;
    sum += a[(i + 32 * k) & mask];
  }
  out[i] = sum;
}

__global__ void while_in_a_while(const int* kind, const float* a, float* out) {
  const int i = thread_number();
  float sum = 0;
  int k = 0;
  while (k < trips) {
    int left = drawn(kind, i, k) & 7;
    while (left > 0) {
      if (left & 1) {
        --left;
        continue;
      }
      sum += a[(i + 32 * left) & mask];
      left -= 2;
    }
    ++k;
    if (left == 0 && (k & 1)) continue;
    sum += a[(3 * i + k) & mask];
  }
  out[i] = sum;
}

__global__ void while_in_a_do(const int* kind, const float* a, float* out) {
  const int i = thread_number();
  float sum = 0;
  int k = 0;
  do {
    while (k < trips - 1 && drawn(kind, i, k) < 8) ++k;
    sum += a[(i + 32 * k) & mask];
  } while (++k < trips);
  out[i] = sum;
}

__global__ void jump_to_the_outer_loop(const int* kind, const float* a, float* out) {
  const int i = thread_number();
  float sum = 0;
  for (int j = 0; j < 8; ++j) {
    int k = 0;
    while (k < 8) {
      if (drawn(kind, i, 8 * j + k) == 3) goto next;
      sum += a[(i + 32 * k) & mask];
      ++k;
    }
    sum += 1;
  next:;
  }
  out[i] = sum;
}

__global__ void tries_again(const int* kind, const float* a, float* out) {
  const int i = thread_number();
  float sum = 0;
  int k = 0, tries = 0;
  while (k < trips) {
    if (((drawn(kind, i, k) + tries) & 3) != 0) {
      ++tries;
      continue;
    }
    sum += a[(i + 32 * k) & mask];
    tries = 0;
    ++k;
  }
  out[i] = sum;
}

__global__ void tree_by_a_stack(const int* kind, const float* a, float* out) {
  const int i = thread_number();
  float sum = 0;
  unsigned long long stack = 1;
  while (stack != 0) {
    const int node = static_cast<int>(stack & 63);
    stack >>= 6;
    if (node >= 31 || drawn(kind, i, node) < 6) {
      sum += a[(i + 32 * node) & mask];
      continue;
    }
    stack =
        stack << 12 | static_cast<unsigned long long>(2 * node) << 6 | static_cast<unsigned long long>(2 * node + 1);
  }
  out[i] = sum;
}

__global__ void work_from_a_counter(int* next, const int* kind, const float* a, float* out) {
  const int i = thread_number();
  float sum = 0;
  while (true) {
    const int task = atomicAdd(&next[i], 1);
    if (task >= trips) break;
    if (drawn(kind, i, task) % 3 == 0) continue;
    sum += a[(i + 32 * task) & mask];
  }
  out[i] = sum;
}

int main() {
  numbers random(11);
  const device_array<int> kind(random.list(threads, 17)), next(threads);
  const device_array<float> a(random.fractions(65536)), out(threads);

  turns_in_a_while<<<16, 256>>>(a, out);
  launched("turns in a while");
  turns_in_an_endless_loop<<<16, 256>>>(a, out);
  launched("turns in an endless loop");
  turns_counted_in_the_condition<<<16, 256>>>(a, out);
  launched("turns counted in the condition");
  turns_in_a_do<<<16, 256>>>(a, out);
  launched("turns in a do");
  turns_by_goto<<<16, 256>>>(a, out);
  launched("turns by goto");
  steps_of_two_lengths<<<16, 256>>>(kind, a, out);
  launched("steps of two lengths");
  continue_and_break<<<16, 256>>>(kind, a, out);
  launched("continue and break");
  continue_and_break_by_goto<<<16, 256>>>(kind, a, out);
  launched("continue and break by goto");
  continue_and_return<<<16, 256>>>(kind, a, out);
  launched("continue and return");
  continue_at_two_places<<<16, 256>>>(kind, a, out);
  launched("continue at two places");
  steps_of_three_lengths<<<16, 256>>>(a, out);
  launched("steps of three lengths");
  if_at_the_end<<<16, 256>>>(kind, a, out);
  launched("if at the end");
  chain_of_ifs_at_the_end<<<16, 256>>>(kind, a, out);
  launched("chain of ifs at the end");
  switch_that_continues<<<16, 256>>>(kind, a, out);
  launched("switch that continues");
  endless_loop_in_an_endless_loop<<<16, 256>>>(kind, a, out);
  launched("endless loop in an endless loop");
  while_in_a_while<<<16, 256>>>(kind, a, out);
  launched("while in a while");
  while_in_a_do<<<16, 256>>>(kind, a, out);
  launched("while in a do");
  jump_to_the_outer_loop<<<16, 256>>>(kind, a, out);
  launched("jump to the outer loop");
  tries_again<<<16, 256>>>(kind, a, out);
  launched("tries again");
  tree_by_a_stack<<<16, 256>>>(kind, a, out);
  launched("tree by a stack");
  work_from_a_counter<<<16, 256>>>(next, kind, a, out);
  launched("work from a counter");
}
