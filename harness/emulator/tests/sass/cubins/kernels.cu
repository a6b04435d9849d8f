// What the tests of the machine run; kernels.cubin and kernels.json are made of it by make.sh, which needs nvcc and nvdisasm.
__constant__ float weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__device__ int counter;
__device__ float table[4] = {0.5f, 1.5f, 2.5f, 3.5f};

extern "C" __global__ void vector_add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

extern "C" __global__ void tiled_product(const float* a, const float* b, float* c, int n) {
  __shared__ float ta[16][16], tb[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    ta[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

extern "C" __global__ void sum_of_all(const int* a, int n, int* sum) {
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += a[i];
  for (int by = 16; by > 0; by /= 2) mine += __shfl_down_sync(0xffffffffu, mine, by);
  extern __shared__ int of_warp[];
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    int all = 0;
    for (int w = 0; w < blockDim.x / 32; ++w) all += of_warp[w];
    atomicAdd(sum, all);
    atomicAdd(&counter, 1);
  }
}

// Lanes take loops of different lengths, some leave early.
extern "C" __global__ void steps_to_one(const int* from, int* steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = from[i], count = 0;
  while (v != 1) {
    v = v % 2 == 0 ? v / 2 : 3 * v + 1;
    ++count;
    if (count > 1000) break;
  }
  steps[i] = count;
}

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
extern "C" __global__ void recursion(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x % 12); }

extern "C" __global__ void arithmetic(const double* x, const float* y, const long long* k, double* d, float* f,
                                      long long* l, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  d[3 * i] = x[i] / (x[i] * x[i] + 1.0);
  d[3 * i + 1] = sqrt(fabs(x[i]));
  d[3 * i + 2] = fma(x[i], 3.0, -0.125);
  f[4 * i] = y[i] / 3.0f;
  f[4 * i + 1] = sqrtf(fabsf(y[i]));
  f[4 * i + 2] = y[i] / (y[(i + 1) % n] + 1e-30f);
  f[4 * i + 3] = weights[i % 8] * table[i % 4];
  l[4 * i] = k[i] / 7;
  l[4 * i + 1] = (long long)((unsigned long long)k[i] % 1000003ull);
  l[4 * i + 2] = k[i] * k[(i + 1) % n] + __popcll(k[i]) - __clzll(k[i]);
  l[4 * i + 3] = (long long)x[i] + (k[i] >> (i % 64)) + (k[i] << (i % 64)) + __brev((unsigned)k[i]) % 17;
}

// An array whose place the program chooses lies in local memory.
extern "C" __global__ void local_array(const int* order, int* out) {
  int a[16];
  for (int i = 0; i < 16; ++i) a[i] = i * threadIdx.x;
  int sum = 0;
  for (int i = 0; i < 16; ++i) {
    a[order[i] & 15] += sum;
    sum += a[order[(i + threadIdx.x) & 15] & 15];
  }
  out[threadIdx.x] = sum;
}

extern "C" __global__ void histogram(const unsigned* values, unsigned* bins, int n) {
  __shared__ unsigned mine[64];
  for (int i = threadIdx.x; i < 64; i += blockDim.x) mine[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[values[i] % 64], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 64; i += blockDim.x) atomicAdd(&bins[i], mine[i]);
}

// Threads of one warp take a lock in turn.
extern "C" __global__ void lock(int* taken, int* total) {
  bool done = false;
  while (!done) {
    if (atomicCAS(taken, 0, 1) == 0) {
      *(volatile int*)total = *(volatile int*)total + 1;
      __threadfence();
      atomicExch(taken, 0);
      done = true;
    }
  }
}

extern "C" __global__ void out_of_bounds(int* a, int at) { a[at] = threadIdx.x; }

extern "C" __global__ void votes(const int* a, unsigned* out) {
  const int i = threadIdx.x;
  const unsigned ballot = __ballot_sync(0xffffffffu, a[i] > 3);
  out[i] = ballot + __popc(__match_any_sync(0xffffffffu, a[i])) + __any_sync(0xffffffffu, a[i] == 9) * 1000 +
           __reduce_add_sync(0xffffffffu, (unsigned)a[i]) + __shfl_xor_sync(0xffffffffu, a[i], 5, 8) +
           __syncthreads_count(a[i] > 1);
}

// Lanes leave the loop one by one, and meet behind it.
extern "C" __global__ void greatest(int* most, const float* a, unsigned* ballots) {
  int old = atomicAdd(most, 0), assumed;
  do {
    assumed = old;
    old = atomicCAS(most, assumed, __float_as_int(fmaxf(a[threadIdx.x], __int_as_float(assumed))));
  } while (assumed != old);
  ballots[threadIdx.x] = __ballot_sync(0xffffffffu, a[threadIdx.x] > 0);
}

// An atomic operation of 64 bits on either memory: one instruction for global addresses, a loop for shared ones.
extern "C" __global__ void generic_atomics(unsigned long long* sums) {
  __shared__ unsigned long long here[2];
  if (threadIdx.x < 2) here[threadIdx.x] = 0;
  __syncthreads();
  unsigned long long* const to = threadIdx.x % 3 == 0 ? here : sums;
  atomicAdd(to, threadIdx.x * 0x100000001ull);
  atomicMax(to + 1, threadIdx.x * 0x100000001ull);
  __syncthreads();
  if (threadIdx.x < 2) sums[2 + threadIdx.x] = here[threadIdx.x];
}

// Two functions by a table, which a program may have as its own variable.
typedef int (*operation)(int, int);
__device__ __noinline__ int sum(int a, int b) { return a + b; }
__device__ __noinline__ int difference(int a, int b) { return a - b; }
__device__ operation operations[2] = {sum, difference};
extern "C" __global__ void by_table(int* a) {
  a[threadIdx.x] = operations[threadIdx.x % 2](a[threadIdx.x], threadIdx.x);
}

// Lanes of one warp hand values on; nvcc makes nothing but a NOP of __syncwarp().
extern "C" __global__ void neighbours(int* a) {
  __shared__ int tile[64];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncwarp();
  a[threadIdx.x] = tile[threadIdx.x ^ 1];
}
