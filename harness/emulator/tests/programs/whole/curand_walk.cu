/*
 * curand_walk.cu - Random walks and Monte Carlo counts with the device API of cuRAND.
 * Philox states are set up in one kernel, kept in global memory, and continued by
 * later kernels; XORWOW states get different seeds and offsets.  All decisions are
 * taken from the integer output of curand(), and the two generators are written out
 * on the host as well, so walks and counts can be compared exactly.  Uniform and
 * normal numbers are only tested for plausible counts and are not printed.
 */
#include <curand_kernel.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECKED(call) checked((call), __LINE__)
static void checked(cudaError_t e, int line)
{
    if (e != cudaSuccess) fprintf(stderr, "%d: %s\n", line, cudaGetErrorString(e)), exit(EXIT_FAILURE);
}
typedef unsigned int uint;
typedef curandStatePhilox4_32_10_t Philox;
#define SEED 20240611123ULL
enum { WALKERS = 512, BLOCK = 128, WORDS = 4, STEPS = 16 * WORDS, BINS = 12, DARTS = 40 };
struct Position { int x, y; };
__host__ __device__ inline void step(Position *p, uint two_bits)
{
    p->x += two_bits == 0 ? 1 : two_bits == 1 ? -1 : 0;
    p->y += two_bits == 2 ? 1 : two_bits == 3 ? -1 : 0;
}
__host__ __device__ inline int bin_of(Position p)
{
    int half = (abs(p.x) + abs(p.y)) / 2;
    return half < BINS ? half : BINS - 1;
}
__host__ __device__ inline bool dart_hits(uint bits)
{
    unsigned long long x = bits & 0xffff, y = bits >> 16;
    return x * x + y * y < (1ULL << 32);
}
__global__ void setup(Philox *state, unsigned long long seed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(seed, i, 0, &state[i]);
}

__global__ void walk(Philox *state, Position *where, uint *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Philox s = state[i];
    Position p = where[i];
    for (int w = 0; w < WORDS; w++) {
        uint bits = curand(&s);
        for (int k = 0; k < 32; k += 2) step(&p, bits >> k & 3);
    }
    where[i] = p;
    state[i] = s;
    atomicAdd(&bins[bin_of(p)], 1u);
}

__global__ void darts(unsigned long long seed, uint *hits, uint *sample)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandStateXORWOW_t s;
    curand_init(seed + i, 0, i % 5, &s);
    uint mine = dart_hits(sample[i] = curand(&s));
    for (int k = 1; k < DARTS; k++) mine += dart_hits(curand(&s));
    atomicAdd(hits, mine);
}

/* [0] [1] differences of curand4 and skipahead_sequence; [2] [3] uniform, [4] [5] normal counts */
__global__ void properties(unsigned long long seed, uint *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Philox a, b;
    curand_init(seed, i, 8, &a);
    curand_init(seed, i, 0, &b);
    skipahead(8, &b);
    uint4 four = curand4(&a);
    bool same = four.x == curand(&b) && four.y == curand(&b) && four.z == curand(&b) && four.w == curand(&b);
    if (!same) atomicAdd(&out[0], 1u);
    curandState c, d;
    curand_init(seed, i % 4, 0, &c);
    curand_init(seed, 0, 0, &d);
    skipahead_sequence(i % 4, &d);
    if (curand(&c) != curand(&d)) atomicAdd(&out[1], 1u);
    float4 u = curand_uniform4(&a);
    atomicAdd(&out[2], (u.x < 0.5f) + (u.y < 0.5f) + (u.z < 0.5f) + (u.w < 0.5f));
    float v = curand_uniform(&b);
    float2 n = curand_normal2(&a);
    if (!(v > 0.0f && v <= 1.0f)) atomicAdd(&out[3], 1u);
    atomicAdd(&out[4], (n.x > 0.0f) + (n.y > 0.0f));
    atomicAdd(&out[5], (fabsf(n.x) < 1.0f) + (fabsf(n.y) < 1.0f));
}

/* The generators on the host. */
static void philox_block(unsigned long long seed, unsigned long long sequence, uint block, uint out[4])
{
    uint c[4] = {block, 0, (uint)sequence, (uint)(sequence >> 32)}, k0 = (uint)seed, k1 = (uint)(seed >> 32);
    for (int round = 0; round < 10; round++, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u) {
        unsigned long long p = 0xD2511F53ULL * c[0], q = 0xCD9E8D57ULL * c[2];
        uint n0 = (uint)(q >> 32) ^ c[1] ^ k0, n2 = (uint)(p >> 32) ^ c[3] ^ k1;
        c[0] = n0, c[1] = (uint)q, c[2] = n2, c[3] = (uint)p;
    }
    for (int k = 0; k < 4; k++) out[k] = c[k];
}
struct Xorwow {
    uint t0, t1, v[5], d;
    explicit Xorwow(unsigned long long seed)
        : t0(1099087573u * ((uint)seed ^ 0xaad26b49u)), t1(2591861531u * ((uint)(seed >> 32) ^ 0xf7dcefddu)),
          v{123456789u + t0, 362436069u ^ t0, 521288629u + t1, 88675123u ^ t1, 5783321u + t0}, d(6615241u + t1 + t0) {}
    uint next()
    {
        uint t = v[0] ^ (v[0] >> 2);
        for (int k = 0; k < 4; k++) v[k] = v[k + 1];
        v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
        d += 362437u;
        return v[4] + d;
    }
};
int main()
{
    Philox *state;
    Position *where;
    uint *counts, *sample, hits = 0, bins[2][BINS] = {}, got[2 * BINS + 7], bad = 0, bad_darts = 0;
    CHECKED(cudaMalloc(&state, WALKERS * sizeof(Philox)));
    CHECKED(cudaMalloc(&where, WALKERS * sizeof(Position)));
    CHECKED(cudaMalloc(&counts, sizeof got));       /* bins of two walks, dart hits, six properties */
    CHECKED(cudaMalloc(&sample, WALKERS * sizeof(uint)));
    CHECKED(cudaMemset(where, 0, WALKERS * sizeof(Position)));
    CHECKED(cudaMemset(counts, 0, sizeof got));
    setup<<<WALKERS / BLOCK, BLOCK>>>(state, SEED);
    walk<<<WALKERS / BLOCK, BLOCK>>>(state, where, counts);
    walk<<<WALKERS / BLOCK, BLOCK>>>(state, where, counts + BINS);
    darts<<<WALKERS / BLOCK, BLOCK>>>(SEED, counts + 2 * BINS, sample);
    properties<<<WALKERS / BLOCK, BLOCK>>>(SEED, counts + 2 * BINS + 1);
    CHECKED(cudaGetLastError());
    std::vector<Position> end(WALKERS);
    std::vector<uint> first(WALKERS);
    CHECKED(cudaMemcpy(end.data(), where, WALKERS * sizeof(Position), cudaMemcpyDeviceToHost));
    CHECKED(cudaMemcpy(first.data(), sample, WALKERS * sizeof(uint), cudaMemcpyDeviceToHost));
    CHECKED(cudaMemcpy(got, counts, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < WALKERS; i++) {
        uint words[WORDS];
        Position p = {0, 0};
        for (uint leg = 0; leg < 2; leg++) {
            philox_block(SEED, i, leg, words);
            for (int k = 0; k < STEPS; k++) step(&p, words[k / 16] >> (2 * (k % 16)) & 3);
            bins[leg][bin_of(p)]++;
        }
        bad += p.x != end[i].x || p.y != end[i].y;
        Xorwow x(SEED + i);
        for (int k = 0; k < i % 5; k++) x.next();
        uint bits = x.next();
        bad_darts += bits != first[i];
        for (int k = 0; k < DARTS; k++, bits = x.next()) hits += dart_hits(bits);
    }
    for (int i = 0; i < WALKERS; i += 64) printf("walker %3d ends at %3d %3d, dart %08x\n", i, end[i].x, end[i].y, first[i]);
    for (int leg = 0; leg < 2; leg++) {
        printf("distances after leg %d:", leg + 1);
        for (int k = 0; k < BINS; k++) printf(" %u%s", got[leg * BINS + k], k < BINS - 1 ? "" : "\n");
        for (int k = 0; k < BINS; k++) bad += got[leg * BINS + k] != bins[leg][k];
    }
    const uint *p = got + 2 * BINS + 1;
    bad_darts += hits != p[-1];
    bool plausible = p[2] > 900 && p[2] < 1150 && p[3] == 0 && p[4] > 430 && p[4] < 600 && p[5] > 640 && p[5] < 760;
    printf("dart hits %u of %d\n", p[-1], WALKERS * DARTS);
    printf("differences of curand4 %u, of subsequences %u, plausible: %s\n", p[0], p[1], plausible ? "yes" : "no");
    printf("walk mismatches %u, dart mismatches %u\n", bad, bad_darts);
    printf("%s\n", bad + bad_darts + p[0] + p[1] == 0 && plausible ? "PASS" : "FAIL");
    for (void *m : {(void *)state, (void *)where, (void *)counts, (void *)sample}) CHECKED(cudaFree(m));
    return 0;
}
