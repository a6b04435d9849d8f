/*
 * scan_blelloch.cu
 *
 * The work-efficient exclusive scan (up-sweep and down-sweep in shared memory, with a
 * macro that pads the index to avoid bank conflicts), extended to any length by scanning
 * the block sums recursively.  The scan is then the building block of a stream compaction
 * and of a least-significant-digit radix sort that splits by one bit per pass.
 */
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include <vector>
#include <cuda_runtime.h>

#define CK(e) do { cudaError_t s = (e); if (s != cudaSuccess) { \
    fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(s)); exit(1); } } while (0)

#define LOG_BANKS 5
#define PAD(i) ((i) + ((i) >> LOG_BANKS))

#define SCAN_THREADS 128
#define SCAN_ITEMS (2 * SCAN_THREADS)

/* Exclusive scan of SCAN_ITEMS values per block; the block total goes to sums (if given). */
__global__ void scan_blocks(const unsigned *in, unsigned *out, unsigned *sums, int n) {
    __shared__ unsigned temp[PAD(SCAN_ITEMS - 1) + 1]; const int t = threadIdx.x;
    const int base = blockIdx.x * SCAN_ITEMS;
    const int ai = t, bi = t + SCAN_THREADS;
    temp[PAD(ai)] = base + ai < n ? in[base + ai] : 0u;
    temp[PAD(bi)] = base + bi < n ? in[base + bi] : 0u; int offset = 1;
    for (int d = SCAN_THREADS; d > 0; d >>= 1) {            /* up-sweep */
        __syncthreads();
        if (t < d) {
            int l = offset * (2 * t + 1) - 1, r = offset * (2 * t + 2) - 1;
            temp[PAD(r)] += temp[PAD(l)];
        }
        offset <<= 1;
    }
    if (t == 0) {                                           /* same thread wrote the root */
        if (sums) sums[blockIdx.x] = temp[PAD(SCAN_ITEMS - 1)];
        temp[PAD(SCAN_ITEMS - 1)] = 0;
    }
    for (int d = 1; d <= SCAN_THREADS; d <<= 1) {           /* down-sweep */
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int l = offset * (2 * t + 1) - 1, r = offset * (2 * t + 2) - 1;
            unsigned left = temp[PAD(l)]; temp[PAD(l)] = temp[PAD(r)];
            temp[PAD(r)] += left;
        }
    }
    __syncthreads();
    if (base + ai < n) out[base + ai] = temp[PAD(ai)];
    if (base + bi < n) out[base + bi] = temp[PAD(bi)];
}

__global__ void add_block_offsets(unsigned *data, const unsigned *offsets, int n) {
    const unsigned add = offsets[blockIdx.x];
    for (int k = threadIdx.x; k < SCAN_ITEMS; k += blockDim.x) {
        int i = blockIdx.x * SCAN_ITEMS + k;
        if (i < n) data[i] += add;
    }
}

__global__ void flag_interesting(const unsigned *in, unsigned *flags, int n, unsigned divisor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) flags[i] = in[i] % divisor == 0;
}

__global__ void compact(const unsigned *in, const unsigned *flags, const unsigned *where, unsigned *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && flags[i]) out[where[i]] = in[i];
}

__global__ void flag_zero_bit(const unsigned *keys, unsigned *flags, int n, int bit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) flags[i] = ((keys[i] >> bit) & 1u) ^ 1u;
}

__global__ void split(const unsigned *keys, const unsigned *payload, const unsigned *flags,
                      const unsigned *where, unsigned *keys_out, unsigned *payload_out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
    const unsigned zeros = where[n - 1] + flags[n - 1];
    const unsigned target = flags[i] ? where[i] : zeros + (i - where[i]);
    keys_out[target] = keys[i]; payload_out[target] = payload[i];
}

/* out = exclusive scan of in; recursion over the block sums. */
static void exclusive_scan(const unsigned *in, unsigned *out, int n) {
    const int blocks = (n + SCAN_ITEMS - 1) / SCAN_ITEMS;
    if (blocks == 1) {
        scan_blocks<<<1, SCAN_THREADS>>>(in, out, NULL, n); CK(cudaGetLastError());
        return;
    }
    unsigned *sums, *offsets; CK(cudaMalloc(&sums, blocks * sizeof(unsigned)));
    CK(cudaMalloc(&offsets, blocks * sizeof(unsigned)));
    scan_blocks<<<blocks, SCAN_THREADS>>>(in, out, sums, n); CK(cudaGetLastError());
    exclusive_scan(sums, offsets, blocks);
    add_block_offsets<<<blocks, SCAN_THREADS>>>(out, offsets, n);
    CK(cudaGetLastError());
    CK(cudaFree(sums));                                     /* waits for the kernels */
    CK(cudaFree(offsets));
}

int main(void) {
    int failures = 0;
    const int sizes[] = {1, 200, 256, 257, 5000, 70001};    /* the last needs three levels */
    for (int n : sizes) {
        std::vector<unsigned> h(n), got(n);
        for (int i = 0; i < n; i++) h[i] = (i * 29u + 3u) % 101u;
        unsigned *in, *out; CK(cudaMalloc(&in, n * sizeof(unsigned)));
        CK(cudaMalloc(&out, n * sizeof(unsigned)));
        CK(cudaMemcpy(in, h.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
        exclusive_scan(in, out, n);
        CK(cudaMemcpy(got.data(), out, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
        unsigned run = 0; int wrong = 0;
        for (int i = 0; i < n; i++) { wrong += got[i] != run; run += h[i]; }
        printf("scan n=%5d last=%u mismatches=%d\n", n, got[n - 1], wrong);
        failures += wrong; CK(cudaFree(in)); CK(cudaFree(out));
    }
    const int n = 20000, grid = (n + 255) / 256, bits = 12;
    const size_t bytes = n * sizeof(unsigned);
    std::vector<unsigned> keys(n), index(n), sorted(n), order(n), flags(n), where(n), kept;
    for (int i = 0; i < n; i++) { keys[i] = ((i * 2654435761u) >> 11) & ((1u << bits) - 1); index[i] = i; }
    unsigned *k0, *k1, *p0, *p1, *f, *w;
    CK(cudaMalloc(&k0, bytes)); CK(cudaMalloc(&k1, bytes)); CK(cudaMalloc(&p0, bytes));
    CK(cudaMalloc(&p1, bytes)); CK(cudaMalloc(&f, bytes));  CK(cudaMalloc(&w, bytes));
    CK(cudaMemcpy(k0, keys.data(), bytes, cudaMemcpyHostToDevice));
    CK(cudaMemcpy(p0, index.data(), bytes, cudaMemcpyHostToDevice));
    for (unsigned divisor : {2u, 7u, 100u, 5000u}) {        /* 5000: only zero keys */
        flag_interesting<<<grid, 256>>>(k0, f, n, divisor);
        exclusive_scan(f, w, n); compact<<<grid, 256>>>(k0, f, w, k1, n);
        CK(cudaGetLastError());
        CK(cudaMemcpy(flags.data(), f, bytes, cudaMemcpyDeviceToHost));
        CK(cudaMemcpy(where.data(), w, bytes, cudaMemcpyDeviceToHost));
        const unsigned count = where[n - 1] + flags[n - 1];
        kept.assign(count, 0);
        CK(cudaMemcpy(kept.data(), k1, count * sizeof(unsigned), cudaMemcpyDeviceToHost));
        unsigned at = 0;
        int wrong = 0;
        for (unsigned k : keys) if (k % divisor == 0) { wrong += at >= count || kept[at] != k; at++; }
        wrong += at != count;
        printf("multiples of %4u: %5u kept, last %u, mismatches %d\n", divisor, count, kept[count - 1], wrong);
        failures += wrong;
    }
    for (int bit = 0; bit < bits; bit++) {
        flag_zero_bit<<<grid, 256>>>(k0, f, n, bit);
        exclusive_scan(f, w, n);
        split<<<grid, 256>>>(k0, p0, f, w, k1, p1, n);
        CK(cudaGetLastError());
        std::swap(k0, k1);
        std::swap(p0, p1);
    }
    CK(cudaMemcpy(sorted.data(), k0, bytes, cudaMemcpyDeviceToHost));
    CK(cudaMemcpy(order.data(), p0, bytes, cudaMemcpyDeviceToHost));
    std::stable_sort(index.begin(), index.end(), [&](unsigned a, unsigned b) { return keys[a] < keys[b]; });
    int wrong = 0;
    unsigned long long check = 0;
    for (int i = 0; i < n; i++) {
        wrong += order[i] != index[i] || sorted[i] != keys[index[i]];
        check = check * 31 + order[i];
    }
    printf("radix sort: first %u (from %u), middle %u (from %u), last %u (from %u)\n", sorted[0], order[0],
           sorted[n / 2], order[n / 2], sorted[n - 1], order[n - 1]);
    printf("radix sort: order checksum %016llx, mismatches %d\n", check, wrong);
    failures += wrong;
    CK(cudaFree(k0)); CK(cudaFree(k1)); CK(cudaFree(p0)); CK(cudaFree(p1)); CK(cudaFree(f)); CK(cudaFree(w));
    puts(failures == 0 ? "PASS" : "FAIL");
    return 0;
}
