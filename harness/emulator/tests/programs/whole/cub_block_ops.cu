/* cub_block_ops.cu
 *
 * Block and warp level CUB inside own kernels: BlockLoad and BlockStore with a
 * transposed arrangement around a BlockScan, BlockReduce with sum, maximum and a
 * user-defined operator, WarpReduce and WarpScan on logical warps, BlockRadixSort of
 * keys with values, and BlockHistogram.  Temporary storage is shared in a union
 * where two primitives follow each other.  The host repeats each step block by block.
 */
#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>
#define GPU(call) gpu_check((call), #call, __LINE__)
inline void gpu_check(cudaError_t e, const char *text, int line)
{
    if (e == cudaSuccess) return;
    std::fprintf(stderr, "line %d, %s: %s\n", line, text, cudaGetErrorString(e));
    std::exit(3);
}

constexpr int THREADS = 128, ITEMS = 4, TILE = THREADS * ITEMS, BLOCKS = 12, TOTAL = TILE * BLOCKS;

// Pair of value and position; keeps the larger value, first position on a tie.
struct Peak { int value, at; };
struct HigherPeak {
    __host__ __device__ Peak operator()(const Peak &a, const Peak &b) const
    {
        if (a.value != b.value) return a.value > b.value ? a : b;
        return a.at < b.at ? a : b;
    }
};
struct Larger { __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; } };

template <int BLOCK_THREADS, int ITEMS_PER_THREAD>
__global__ __launch_bounds__(BLOCK_THREADS) void block_prefix(const int *in, int *out, int *totals)
{
    using Load = cub::BlockLoad<int, BLOCK_THREADS, ITEMS_PER_THREAD, cub::BLOCK_LOAD_TRANSPOSE>;
    using Store = cub::BlockStore<int, BLOCK_THREADS, ITEMS_PER_THREAD, cub::BLOCK_STORE_TRANSPOSE>;
    using Scan = cub::BlockScan<int, BLOCK_THREADS>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Scan::TempStorage scan;
        typename Store::TempStorage store;
    } temp;
    const int first = blockIdx.x * BLOCK_THREADS * ITEMS_PER_THREAD;
    int item[ITEMS_PER_THREAD], total;
    Load(temp.load).Load(in + first, item);
    __syncthreads();
    Scan(temp.scan).ExclusiveSum(item, item, total);
    __syncthreads();
    Store(temp.store).Store(out + first, item);
    if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

__global__ void block_statistics(const int *in, int *sum, int *largest, Peak *peak)
{
    using Reduce = cub::BlockReduce<int, TILE / 4>;
    using PeakReduce = cub::BlockReduce<Peak, TILE / 4, cub::BLOCK_REDUCE_RAKING>;
    __shared__ typename Reduce::TempStorage temp;
    __shared__ typename PeakReduce::TempStorage peak_temp;
    int item[ITEMS];
    Peak best = {-1, -1};
    for (int k = 0; k < ITEMS; ++k) {
        const int i = blockIdx.x * TILE + k * THREADS + threadIdx.x;
        item[k] = in[i];
        best = HigherPeak()(best, Peak{item[k], i});
    }
    const int s = Reduce(temp).Sum(item);
    __syncthreads();
    const int m = Reduce(temp).Reduce(item, Larger());
    const Peak p = PeakReduce(peak_temp).Reduce(best, HigherPeak());
    if (threadIdx.x > 0) return;
    sum[blockIdx.x] = s, largest[blockIdx.x] = m, peak[blockIdx.x] = p;
}

template <int WIDTH>
__global__ void warp_work(const int *in, int *sums, int *scanned)
{
    using Reduce = cub::WarpReduce<int, WIDTH>;
    using Scan = cub::WarpScan<int, WIDTH>;
    __shared__ typename Reduce::TempStorage r[THREADS / WIDTH];
    __shared__ typename Scan::TempStorage s[THREADS / WIDTH];
    const int w = threadIdx.x / WIDTH, i = blockIdx.x * THREADS + threadIdx.x, v = in[i];
    const int total = Reduce(r[w]).Sum(v);
    if (threadIdx.x % WIDTH == 0) sums[i / WIDTH] = total;
    int inclusive;
    Scan(s[w]).InclusiveSum(v, inclusive);
    scanned[i] = inclusive;
}

__global__ void block_sort(const int *in, int *keys, int *values, unsigned *bins)
{
    using Sort = cub::BlockRadixSort<int, THREADS, ITEMS, int>;
    using Histogram = cub::BlockHistogram<unsigned char, THREADS, ITEMS, 16>;
    __shared__ union { typename Sort::TempStorage sort; typename Histogram::TempStorage histogram; } temp;
    __shared__ unsigned count[16];
    int key[ITEMS], value[ITEMS];
    unsigned char digit[ITEMS];
    const int first = blockIdx.x * TILE + threadIdx.x * ITEMS;
    for (int k = 0; k < ITEMS; ++k) {
        key[k] = in[value[k] = first + k];
        digit[k] = static_cast<unsigned char>(key[k] % 16);
    }
    Sort(temp.sort).SortDescending(key, value);
    __syncthreads();
    Histogram(temp.histogram).Histogram(digit, count);
    __syncthreads();
    for (int k = 0; k < ITEMS; ++k) { keys[first + k] = key[k]; values[first + k] = value[k]; }
    if (threadIdx.x < 16) bins[blockIdx.x * 16 + threadIdx.x] = count[threadIdx.x];
}

int main()
{
    std::vector<int> in(TOTAL);
    for (int i = 0; i < TOTAL; ++i) in[i] = static_cast<int>(((i + 3u) * 40503u >> 4) % 1000u);
    int *d;                                       // one managed arena: input and all results
    GPU(cudaMallocManaged(&d, (4 * TOTAL + 20 * BLOCKS) * sizeof(int)));
    int *src = d, *out = d + TOTAL, *keys = d + 2 * TOTAL, *vals = d + 3 * TOTAL;
    int *totals = d + 4 * TOTAL, *sum = totals + BLOCKS, *largest = sum + BLOCKS, *bins = largest + BLOCKS;
    Peak *peak;
    GPU(cudaMallocManaged(&peak, BLOCKS * sizeof(Peak)));
    std::copy(in.begin(), in.end(), src);

    block_prefix<THREADS, ITEMS><<<BLOCKS, THREADS>>>(src, out, totals);
    block_statistics<<<BLOCKS, THREADS>>>(src, sum, largest, peak);
    block_sort<<<BLOCKS, THREADS>>>(src, keys, vals, reinterpret_cast<unsigned *>(bins));
    GPU(cudaGetLastError());
    GPU(cudaDeviceSynchronize());
    int bad[5] = {0, 0, 0, 0, 0};
    for (int b = 0; b < BLOCKS; ++b) {
        int acc = 0, top = -1, count[16] = {0};
        std::vector<int> order(TILE);
        std::iota(order.begin(), order.end(), b * TILE);
        Peak best = {-1, -1};
        for (int i : order) {
            bad[0] += out[i] != acc;
            acc += in[i];
            top = std::max(top, in[i]);
            best = HigherPeak()(best, Peak{in[i], i});
            count[in[i] % 16]++;
        }
        bad[0] += totals[b] != acc;
        bad[1] += (sum[b] != acc) + (largest[b] != top) + (peak[b].value != best.value) + (peak[b].at != best.at);
        std::stable_sort(order.begin(), order.end(), [&](int x, int y) { return in[x] > in[y]; });
        for (int k = 0; k < TILE; ++k) bad[2] += vals[b * TILE + k] != order[k] || keys[b * TILE + k] != in[order[k]];
        for (int k = 0; k < 16; ++k) bad[3] += bins[b * 16 + k] != count[k];
        std::printf("block %2d: sum %d peak %d at %d, third key %d, zeros %d\n", b, sum[b], peak[b].value, peak[b].at,
                    keys[b * TILE + 2], bins[b * 16]);
    }
    for (int width : {8, 16, 32}) {
        if (width == 8) warp_work<8><<<TOTAL / THREADS, THREADS>>>(src, keys, out);
        if (width == 16) warp_work<16><<<TOTAL / THREADS, THREADS>>>(src, keys, out);
        if (width == 32) warp_work<32><<<TOTAL / THREADS, THREADS>>>(src, keys, out);
        GPU(cudaGetLastError());
        GPU(cudaDeviceSynchronize());
        for (int i = 0, acc = 0; i < TOTAL; ++i) {
            acc = i % width ? acc + in[i] : in[i];
            bad[4] += out[i] != acc;
            if (i % width == width - 1) bad[4] += keys[i / width] != acc;
        }
        std::printf("logical warps of %2d: first sum %d, last scan %d\n", width, keys[0], out[TOTAL - 1]);
    }
    const char *name[] = {"prefix", "statistics", "sort", "histogram", "warp"};
    for (int k = 0; k < 5; ++k) std::printf("%-10s mismatches %d %s\n", name[k], bad[k], bad[k] ? "FAIL" : "PASS");
    for (void *p : {static_cast<void *>(d), static_cast<void *>(peak)}) GPU(cudaFree(p));
    return 0;
}
