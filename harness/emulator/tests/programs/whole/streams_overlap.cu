/*
 * streams_overlap.cu
 *
 * Shows how a batch of work is cut into four chunks, each with its own stream, so
 * that host-to-device copies, kernels and device-to-host copies of different chunks
 * may overlap.  The host side uses pinned memory (cudaHostAlloc for the data and
 * cudaMallocHost for the per-block sums).  The streams are not independent: chunk k
 * needs the scrambled form of its right neighbour, which is expressed with events and
 * cudaStreamWaitEvent.  Every stream ends in a host function that folds the partial
 * sums of its chunk, and a fifth stream joins all of them for a grand total.
 */
#include <cstdio>
#include <cstdlib>
#include <atomic>
#include <cuda_runtime.h>

#define CK(call)                                                                   \
    do {                                                                           \
        cudaError_t err_ = (call);                                                 \
        if (err_ != cudaSuccess) {                                                 \
            fprintf(stderr, "%s:%d: %s failed: %s\n", __FILE__, __LINE__, #call,   \
                    cudaGetErrorString(err_));                                     \
            exit(EXIT_FAILURE);                                                    \
        }                                                                          \
    } while (0)

enum { STREAMS = 4, CHUNK = 32768, TOTAL = STREAMS * CHUNK, THREADS = 256,
       BLOCKS = 64, ROUNDS = 2 };

typedef unsigned int u32;
typedef unsigned long long u64;

__host__ __device__ static inline u32 scramble_one(u32 x, u32 position, u32 seed) {
    x = x * 1664525u + 1013904223u + position; x ^= x >> 15;
    return x * (seed | 1u);
}

__host__ __device__ static inline u32 blend_one(u32 mine, u32 other) { return mine ^ ((other >> 3) | (other << 29)); }

__global__ void scramble(const u32 *in, u32 *out, int n, int base, u32 seed) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = scramble_one(in[i], (u32)(base + i), seed);
}

__global__ void blend(const u32 *mine, const u32 *neighbour, u32 *out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = blend_one(mine[i], neighbour[n - 1 - i]);
}

__global__ void partial_sums(const u32 *data, u64 *sums, int n) {
    __shared__ u64 cache[THREADS]; u64 local = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        local += data[i];
    cache[threadIdx.x] = local; __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half >>= 1) {
        if (threadIdx.x < half)
            cache[threadIdx.x] += cache[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = cache[0];
}

__global__ void grand_total(const u64 *sums, int count, u64 *total) {
    __shared__ u64 cache[THREADS];
    cache[threadIdx.x] = threadIdx.x < count ? sums[threadIdx.x] : 0;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half >>= 1) {
        if (threadIdx.x < half)
            cache[threadIdx.x] += cache[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *total = cache[0];
}

struct ChunkReport {
    const u64 *sums; u64 folded; std::atomic<int> *finished;
};

static void CUDART_CB fold_on_host(void *user) {
    ChunkReport *report = (ChunkReport *)user; report->folded = 0;
    for (int b = 0; b < BLOCKS; b++)
        report->folded += report->sums[b];
    report->finished->fetch_add(1);
}

int main(void) {
    u32 *h_in, *h_out, *d_in, *d_mid, *d_out;
    u64 *h_sums, *h_total, *d_sums, *d_total;
    CK(cudaHostAlloc((void **)&h_in, TOTAL * sizeof(u32), cudaHostAllocDefault));
    CK(cudaHostAlloc((void **)&h_out, TOTAL * sizeof(u32), cudaHostAllocPortable));
    CK(cudaMallocHost((void **)&h_sums, STREAMS * BLOCKS * sizeof(u64)));
    CK(cudaMallocHost((void **)&h_total, sizeof(u64)));
    CK(cudaMalloc((void **)&d_in, TOTAL * sizeof(u32)));
    CK(cudaMalloc((void **)&d_mid, TOTAL * sizeof(u32)));
    CK(cudaMalloc((void **)&d_out, TOTAL * sizeof(u32)));
    CK(cudaMalloc((void **)&d_sums, STREAMS * BLOCKS * sizeof(u64)));
    CK(cudaMalloc((void **)&d_total, sizeof(u64)));
    cudaStream_t stream[STREAMS], join;
    cudaEvent_t scrambled[STREAMS], finished[STREAMS];
    for (int k = 0; k < STREAMS; k++) {
        CK(cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking));
        CK(cudaEventCreateWithFlags(&scrambled[k], cudaEventDisableTiming));
        CK(cudaEventCreateWithFlags(&finished[k], cudaEventDisableTiming));
    }
    CK(cudaStreamCreate(&join)); int bad_total = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const u32 seed = 77u + 1000u * round; std::atomic<int> done(0);
        ChunkReport report[STREAMS];
        for (int i = 0; i < TOTAL; i++)
            h_in[i] = (u32)i * 2654435761u + seed;
        for (int k = 0; k < STREAMS; k++) {         /* depth: copy and scramble */
            const int base = k * CHUNK;
            CK(cudaMemcpyAsync(d_in + base, h_in + base, CHUNK * sizeof(u32),
                               cudaMemcpyHostToDevice, stream[k]));
            scramble<<<BLOCKS, THREADS, 0, stream[k]>>>(d_in + base, d_mid + base, CHUNK, base, seed);
            CK(cudaGetLastError()); CK(cudaEventRecord(scrambled[k], stream[k]));
        }
        for (int k = 0; k < STREAMS; k++) {         /* neighbour exchange, reduce, copy back */
            const int base = k * CHUNK, right = (k + 1) % STREAMS;
            CK(cudaStreamWaitEvent(stream[k], scrambled[right], 0));
            blend<<<BLOCKS, THREADS, 0, stream[k]>>>(d_mid + base, d_mid + right * CHUNK, d_out + base, CHUNK);
            partial_sums<<<BLOCKS, THREADS, 0, stream[k]>>>(d_out + base, d_sums + k * BLOCKS, CHUNK);
            CK(cudaGetLastError());
            CK(cudaMemcpyAsync(h_out + base, d_out + base, CHUNK * sizeof(u32),
                               cudaMemcpyDeviceToHost, stream[k]));
            CK(cudaMemcpyAsync(h_sums + k * BLOCKS, d_sums + k * BLOCKS, BLOCKS * sizeof(u64),
                               cudaMemcpyDeviceToHost, stream[k]));
            report[k].sums = h_sums + k * BLOCKS; report[k].finished = &done;
            CK(cudaLaunchHostFunc(stream[k], fold_on_host, &report[k]));
            CK(cudaEventRecord(finished[k], stream[k]));
            CK(cudaStreamWaitEvent(join, finished[k], 0));
        }
        grand_total<<<1, THREADS, 0, join>>>(d_sums, STREAMS * BLOCKS, d_total);
        CK(cudaGetLastError());
        CK(cudaMemcpyAsync(h_total, d_total, sizeof(u64), cudaMemcpyDeviceToHost, join));
        CK(cudaStreamSynchronize(join));
        printf("round %d: host functions run: %d\n", round, done.load());
        u64 sum_of_chunks = 0, reference = 0;
        int bad = 0;
        for (int k = 0; k < STREAMS; k++) {
            const int base = k * CHUNK, other = ((k + 1) % STREAMS) * CHUNK;
            for (int i = 0; i < CHUNK; i++) {
                const int j = other + CHUNK - 1 - i;
                u32 want = blend_one(scramble_one(h_in[base + i], (u32)(base + i), seed),
                                     scramble_one(h_in[j], (u32)j, seed));
                reference += want;
                bad += want != h_out[base + i];
            }
            sum_of_chunks += report[k].folded;
            printf("  chunk %d: sum %llu first %08x last %08x\n", k, report[k].folded,
                   h_out[base], h_out[base + CHUNK - 1]);
        }
        printf("  grand total %llu, chunks agree: %s, reference agrees: %s, mismatches %d\n", *h_total,
               *h_total == sum_of_chunks ? "yes" : "no", *h_total == reference ? "yes" : "no", bad);
        bad_total += bad + (*h_total != reference) + (sum_of_chunks != reference);
    }
    for (int k = 0; k < STREAMS; k++) {
        CK(cudaStreamQuery(stream[k]));             /* everything was joined, so this is success */
        CK(cudaEventDestroy(scrambled[k]));
        CK(cudaEventDestroy(finished[k]));
        CK(cudaStreamDestroy(stream[k]));
    }
    CK(cudaStreamDestroy(join));
    CK(cudaFree(d_in)); CK(cudaFree(d_mid)); CK(cudaFree(d_out)); CK(cudaFree(d_sums)); CK(cudaFree(d_total));
    CK(cudaFreeHost(h_in)); CK(cudaFreeHost(h_out)); CK(cudaFreeHost(h_sums)); CK(cudaFreeHost(h_total));
    puts(bad_total == 0 ? "PASS" : "FAIL");
    return 0;
}
