// Draws of cuRAND's generators in kernels: raw numbers and uniform ones bit by bit, as hashes; normal ones against their
// formula in double precision, for a GPU's logarithm and sine have an error of their own.
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                \
  {                                                                                \
    const cudaError_t error = call;                                                \
    if (error != cudaSuccess) {                                                    \
      printf("Error: %s:%d, %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(1);                                                                     \
    }                                                                              \
  }

typedef unsigned long long word;
#define STREAMS 64
#define DRAWS 10000

__host__ __device__ word mixed(word hash, word value) { return (hash ^ value) * 0x100000001b3ull + 0x9e3779b97f4a7c15ull; }

template <class State>
__global__ void begin(State *states, const word *seeds, const word *sequences, const word *offsets) {
  const int i = threadIdx.x;
  curand_init(seeds[i], sequences[i], offsets[i], &states[i]);
}

template <class State>
__global__ void draw(State *states, word *hashes, unsigned int *first) {
  const int i = threadIdx.x;
  State state = states[i];
  word hash = 0;
  for (int k = 0; k < DRAWS; ++k) {
    const unsigned int x = curand(&state);
    if (k < 4) first[4 * i + k] = x;
    hash = mixed(hash, x);
  }
  for (int k = 0; k < 100; ++k) {
    hash = mixed(hash, __float_as_uint(curand_uniform(&state)));
    hash = mixed(hash, (word)__double_as_longlong(curand_uniform_double(&state)));
  }
  skipahead(1000003ull + i, &state);
  hash = mixed(hash, curand(&state));
  skipahead_sequence(3ull + i, &state);
  hash = mixed(hash, curand(&state));
  hashes[i] = hash;
  states[i] = state;
}

__global__ void drawFours(curandStatePhilox4_32_10_t *states, word *hashes) {
  const int i = threadIdx.x;
  curandStatePhilox4_32_10_t state = states[i];
  word hash = 0;
  for (int k = 0; k < 100; ++k) {
    const uint4 x = curand4(&state);
    hash = mixed(mixed(mixed(mixed(hash, x.x), x.y), x.z), x.w);
    const float4 u = curand_uniform4(&state);
    hash = mixed(mixed(hash, __float_as_uint(u.x)), __float_as_uint(u.w));
    const double2 d = curand_uniform2_double(&state);
    hash = mixed(mixed(hash, (word)__double_as_longlong(d.x)), (word)__double_as_longlong(d.y));
    if (k % 3 == 0) hash = mixed(hash, curand(&state));
  }
  hashes[i] = hash;
}

// How often a normal number is further than 1e-5 (1e-12 in double precision) from that of the same draws.
template <class State>
__global__ void normals(State *states, int *wrong, double *sums) {
  const int i = threadIdx.x;
  State state = states[i], copy = state;
  int far = 0;
  double sum = 0;
  for (int k = 0; k < 200; ++k) {
    const unsigned int x = curand(&copy), y = curand(&copy);
    const double u = (x + 0.5) / 4294967296.0, v = (y + 0.5) / 4294967296.0;
    const double radius = sqrt(-2 * log(u));
    const float a = curand_normal(&state), b = curand_normal(&state);
    far += fabs(a - radius * sinpi(2 * v)) > 1e-5 || fabs(b - radius * cospi(2 * v)) > 1e-5;
    sum += a + b;
    const unsigned int x0 = curand(&copy), x1 = curand(&copy), y0 = curand(&copy), y1 = curand(&copy);
    const double du = ((x0 ^ (word)x1 << 21) + 0.5) / 9007199254740992.0;
    const double dv = ((y0 ^ (word)y1 << 21) + 0.5) / 9007199254740992.0;
    const double wide = sqrt(-2 * log(du));
    const double2 pair = curand_normal2_double(&state);
    far += fabs(pair.x - wide * sinpi(2 * dv)) > 1e-12 || fabs(pair.y - wide * cospi(2 * dv)) > 1e-12;
    const unsigned int z = curand(&copy), w = curand(&copy);
    const double ru = sqrt(-2 * log((z + 0.5) / 4294967296.0)), rv = (w + 0.5) / 4294967296.0;
    const float2 logs = curand_log_normal2(&state, 0.5f, 0.25f);
    far += fabs(log((double)logs.x) - 0.5 - 0.25 * ru * sinpi(2 * rv)) > 1e-5;
  }
  wrong[i] = far;
  sums[i] = sum;
}

template <class State>
void report(const char *name, const word *seeds, const word *sequences, const word *offsets) {
  State *states;
  word *hashes, h_hashes[STREAMS];
  unsigned int *first, h_first[4 * STREAMS];
  int *wrong, h_wrong[STREAMS];
  double *sums, h_sums[STREAMS];
  CHECK(cudaMalloc(&states, STREAMS * sizeof(State)));
  CHECK(cudaMalloc(&hashes, sizeof(h_hashes)));
  CHECK(cudaMalloc(&first, sizeof(h_first)));
  CHECK(cudaMalloc(&wrong, sizeof(h_wrong)));
  CHECK(cudaMalloc(&sums, sizeof(h_sums)));
  begin<<<1, STREAMS>>>(states, seeds, sequences, offsets);
  draw<<<1, STREAMS>>>(states, hashes, first);
  CHECK(cudaMemcpy(h_hashes, hashes, sizeof(h_hashes), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(h_first, first, sizeof(h_first), cudaMemcpyDeviceToHost));
  normals<<<1, STREAMS>>>(states, wrong, sums);
  CHECK(cudaMemcpy(h_wrong, wrong, sizeof(h_wrong), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(h_sums, sums, sizeof(h_sums), cudaMemcpyDeviceToHost));
  word all = 0;
  int far = 0;
  double sum = 0;
  for (int i = 0; i < STREAMS; i++) {
    if (i < 20) printf("%s %d: %08x %08x %08x %08x, %016llx\n", name, i, h_first[4 * i], h_first[4 * i + 1], h_first[4 * i + 2], h_first[4 * i + 3], h_hashes[i]);
    all = mixed(all, h_hashes[i]);
    far += h_wrong[i];
    sum += h_sums[i];
  }
  printf("%s: %016llx, %d normal numbers far off, mean %s\n", name, all, far, fabs(sum / (400.0 * STREAMS)) < 0.03 ? "near 0" : "not near 0");
  CHECK(cudaFree(states));
  CHECK(cudaFree(hashes));
  CHECK(cudaFree(first));
  CHECK(cudaFree(wrong));
  CHECK(cudaFree(sums));
}

int main() {
  word h[3][STREAMS], *d[3], lcg = 20240229;
  for (int i = 0; i < STREAMS; i++) {
    for (int k = 0; k < 3; k++) {
      lcg = lcg * 6364136223846793005ull + 1442695040888963407ull;
      h[k][i] = lcg >> (i % 4 == 0 ? 60 : i % 4 == 1 ? 44 : 20);
    }
    if (i < 8) h[0][i] = 1234, h[1][i] = i, h[2][i] = 0;
    if (i == 8) h[0][i] = h[1][i] = h[2][i] = 0;
    if (i == 9) h[0][i] = h[1][i] = h[2][i] = ~0ull;
  }
  for (int k = 0; k < 3; k++) {
    CHECK(cudaMalloc(&d[k], sizeof(h[k])));
    CHECK(cudaMemcpy(d[k], h[k], sizeof(h[k]), cudaMemcpyHostToDevice));
  }
  report<curandState>("XORWOW", d[0], d[1], d[2]);
  report<curandStatePhilox4_32_10_t>("Philox", d[0], d[1], d[2]);

  curandStatePhilox4_32_10_t *states;
  word *hashes, h_hashes[STREAMS], all = 0;
  CHECK(cudaMalloc(&states, STREAMS * sizeof(*states)));
  CHECK(cudaMalloc(&hashes, sizeof(h_hashes)));
  begin<<<1, STREAMS>>>(states, d[0], d[1], d[2]);
  drawFours<<<1, STREAMS>>>(states, hashes);
  CHECK(cudaMemcpy(h_hashes, hashes, sizeof(h_hashes), cudaMemcpyDeviceToHost));
  for (int i = 0; i < STREAMS; i++) all = mixed(all, h_hashes[i]);
  printf("fours: %016llx\n", all);
  CHECK(cudaFree(states));
  CHECK(cudaFree(hashes));
  for (int k = 0; k < 3; k++) CHECK(cudaFree(d[k]));
  return 0;
}
