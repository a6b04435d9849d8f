/*
 * atomics_bank.cu
 *
 * A bank with a few accounts and many concurrent customers.  It uses every integer
 * atomic: add, sub, min, max, inc, dec, exch, cas, and, or, xor, in 32 and 64 bits, plus
 * a compare-and-swap loop, a spin lock with fences that protects a record of several
 * fields, and cuda::atomic_ref for a relaxed counter.  Only results that do not depend
 * on the order of the operations are printed; the host recomputes all of them.
 */
#include <cstdio>
#include <cstdlib>
#include <climits>
#include <cuda/atomic>
#include <cuda_runtime.h>

#define CHECK(call)                                                              \
    do {                                                                         \
        cudaError_t err = (call);                                                \
        if (err != cudaSuccess) {                                                \
            printf("CUDA failure: %s at line %d\n", cudaGetErrorString(err), __LINE__); \
            exit(1);                                                             \
        }                                                                        \
    } while (0)

typedef unsigned long long u64;
const int CUSTOMERS = 20000, ACCOUNTS = 16, BLOCK = 160;

struct Words {                       // 32-bit results
    int balance, withdrawn, smallest, largest;
    unsigned tickets, countdown, seenMask, commonMask, parity, lastBaton;
};
struct Wides {                       // 64-bit results
    u64 total, orMask, andMask, xorMask, batonSum, visits;
    long long low, high;
};
struct Bucket {                      // protected by its lock
    int lock, count;
    long long sum; unsigned hash;
};

__host__ __device__ inline unsigned amount_of(int c) {
    unsigned x = (unsigned)c * 747796405u + 2891336453u; x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return (x >> 22) ^ x;
}
__host__ __device__ inline u64 wide_of(int c) { return ((u64)amount_of(c) << 21) ^ amount_of(c + 77777); }

__global__ void simple_words(Words *w, int n) {
    int c = blockIdx.x * blockDim.x + threadIdx.x; if (c >= n) return;
    int v = (int)(amount_of(c) % 10001u) - 5000; atomicAdd(&w->balance, v);
    atomicSub(&w->withdrawn, v / 3); atomicMin(&w->smallest, v); atomicMax(&w->largest, v);
    atomicInc(&w->tickets, 99u);             // 0..99, then 0 again
    atomicDec(&w->countdown, 1000u);         // counts down, 0 wraps to 1000
    atomicOr(&w->seenMask, 1u << (amount_of(c) % 29u));
    atomicAnd(&w->commonMask, amount_of(c) | 0x00f00f00u); atomicXor(&w->parity, amount_of(c));
}

__global__ void wide_words(Wides *w, int n) {
    int c = blockIdx.x * blockDim.x + threadIdx.x; if (c >= n) return;
    u64 v = wide_of(c); long long s = (long long)(v % 2000003ull) - 1000000;
    atomicAdd(&w->total, v); atomicMin(&w->low, s); atomicMax(&w->high, s);
    atomicOr(&w->orMask, v & 0x0f0f0f0f0f0full);
    atomicAnd(&w->andMask, v | 0xff00000000ff0000ull); atomicXor(&w->xorMask, v);
    cuda::atomic_ref<u64, cuda::thread_scope_device> visits(w->visits);
    visits.fetch_add(v & 7u, cuda::std::memory_order_relaxed);
}

// Every thread swaps its number in and adds what it got to a sum: whatever the order,
// the sum plus the value left behind is the sum of all numbers.
__global__ void pass_the_baton(Words *w, Wides *wide, int n) {
    int c = blockIdx.x * blockDim.x + threadIdx.x; if (c >= n) return;
    unsigned got = atomicExch(&w->lastBaton, amount_of(c) >> 4);
    atomicAdd(&wide->batonSum, (u64)got);
}

// Deposits that saturate at a ceiling: a loop around atomicCAS.
__device__ int deposit_capped(int *account, int amount, int ceiling) {
    int seen = *(volatile int *)account, assumed;
    do {
        assumed = seen; int next = assumed + amount > ceiling ? ceiling : assumed + amount;
        seen = atomicCAS(account, assumed, next);
    } while (seen != assumed);
    return seen;
}

__global__ void capped(int *accounts, int n, int ceiling) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < n) deposit_capped(&accounts[c % ACCOUNTS], 1 + c % 5 + 20 * (c % ACCOUNTS == 3), ceiling);
}

__global__ void locked_records(Bucket *buckets, int n) {
    int c = blockIdx.x * blockDim.x + threadIdx.x; if (c >= n) return;
    Bucket *b = &buckets[amount_of(c) % ACCOUNTS]; bool done = false;
    while (!done) {                          // the release is inside the loop: no deadlock in a warp
        if (atomicCAS(&b->lock, 0, 1) == 0) {
            __threadfence(); volatile Bucket *v = b; v->count = v->count + 1;
            v->sum = v->sum + c; v->hash = v->hash ^ (amount_of(c) * 31u);
            __threadfence(); atomicExch(&b->lock, 0); done = true;
        }
    }
}

static int failures = 0;
template <typename T>
static void report(const char *name, T device, T host) {
    printf("%-10s %20lld %s\n", name, (long long)device, device == host ? "ok" : "WRONG");
    failures += device != host;
}

int main() {
    Words hw = {0, 0, INT_MAX, INT_MIN, 0, 500, 0, 0xffffffffu, 0, 123456};
    Wides hd = {0, 0, ~0ull, 0, 0, 0, LLONG_MAX, LLONG_MIN}; Words rw = hw, *dw;
    Wides rd = hd, *dd; int *dAccounts, hAccounts[ACCOUNTS];
    Bucket *dBuckets, hBuckets[ACCOUNTS], rBuckets[ACCOUNTS] = {};
    CHECK(cudaMalloc(&dw, sizeof(Words))); CHECK(cudaMalloc(&dd, sizeof(Wides)));
    CHECK(cudaMalloc(&dAccounts, sizeof(hAccounts)));
    CHECK(cudaMalloc(&dBuckets, sizeof(hBuckets)));
    CHECK(cudaMemcpy(dw, &hw, sizeof(hw), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dd, &hd, sizeof(hd), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(dAccounts, 0, sizeof(hAccounts)));
    CHECK(cudaMemset(dBuckets, 0, sizeof(hBuckets)));
    const int grid = (CUSTOMERS + BLOCK - 1) / BLOCK, ceiling = 4000;
    simple_words<<<grid, BLOCK>>>(dw, CUSTOMERS); wide_words<<<grid, BLOCK>>>(dd, CUSTOMERS);
    pass_the_baton<<<grid, BLOCK>>>(dw, dd, CUSTOMERS);
    capped<<<grid, BLOCK>>>(dAccounts, CUSTOMERS, ceiling);
    locked_records<<<20, BLOCK>>>(dBuckets, 20 * BLOCK); CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&hw, dw, sizeof(hw), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&hd, dd, sizeof(hd), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(hAccounts, dAccounts, sizeof(hAccounts), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(hBuckets, dBuckets, sizeof(hBuckets), cudaMemcpyDeviceToHost));
    int rAccounts[ACCOUNTS] = {}; u64 batons = rw.lastBaton;
    for (int c = 0; c < CUSTOMERS; ++c) {            // the same on the host, in order
        unsigned a = amount_of(c);
        int v = (int)(a % 10001u) - 5000; rw.balance += v; rw.withdrawn -= v / 3;
        rw.smallest = v < rw.smallest ? v : rw.smallest;
        rw.largest = v > rw.largest ? v : rw.largest;
        rw.tickets = rw.tickets >= 99u ? 0u : rw.tickets + 1u;
        rw.countdown = (rw.countdown == 0u || rw.countdown > 1000u) ? 1000u : rw.countdown - 1u;
        rw.seenMask |= 1u << (a % 29u); rw.commonMask &= a | 0x00f00f00u;
        rw.parity ^= a; u64 w = wide_of(c);
        long long s = (long long)(w % 2000003ull) - 1000000; rd.total += w;
        rd.low = s < rd.low ? s : rd.low; rd.high = s > rd.high ? s : rd.high;
        rd.orMask |= w & 0x0f0f0f0f0f0full; rd.andMask &= w | 0xff00000000ff0000ull;
        rd.xorMask ^= w; rd.visits += w & 7u; batons += a >> 4;
        int k = c % ACCOUNTS, sum = rAccounts[k] + 1 + c % 5 + 20 * (k == 3);
        rAccounts[k] = sum > ceiling ? ceiling : sum;
    }
    for (int c = 0; c < 20 * BLOCK; ++c) {
        Bucket &b = rBuckets[amount_of(c) % ACCOUNTS];
        b.count += 1; b.sum += c; b.hash ^= amount_of(c) * 31u;
    }
    report("add", hw.balance, rw.balance);        report("sub", hw.withdrawn, rw.withdrawn);
    report("min", hw.smallest, rw.smallest);      report("max", hw.largest, rw.largest);
    report("inc", hw.tickets, rw.tickets);        report("dec", hw.countdown, rw.countdown);
    report("or", hw.seenMask, rw.seenMask);       report("and", hw.commonMask, rw.commonMask);
    report("xor", hw.parity, rw.parity);          report("add64", hd.total, rd.total);
    report("min64", hd.low, rd.low);              report("max64", hd.high, rd.high);
    report("or64", hd.orMask, rd.orMask);         report("and64", hd.andMask, rd.andMask);
    report("xor64", hd.xorMask, rd.xorMask);      report("ref", hd.visits, rd.visits);
    report("exch", hd.batonSum + hw.lastBaton, batons);
    for (int k = 0; k < ACCOUNTS; ++k) {
        bool same = hBuckets[k].count == rBuckets[k].count && hBuckets[k].sum == rBuckets[k].sum &&
                    hBuckets[k].hash == rBuckets[k].hash && hBuckets[k].lock == 0;
        printf("account %2d: %4d; bucket count %3d sum %7lld hash %08x %s\n", k, hAccounts[k], hBuckets[k].count,
               hBuckets[k].sum, hBuckets[k].hash, same && hAccounts[k] == rAccounts[k] ? "ok" : "WRONG");
        failures += !same || hAccounts[k] != rAccounts[k];
    }
    CHECK(cudaFree(dw)); CHECK(cudaFree(dd)); CHECK(cudaFree(dAccounts)); CHECK(cudaFree(dBuckets));
    puts(failures == 0 ? "PASS" : "FAIL");
    return 0;
}
