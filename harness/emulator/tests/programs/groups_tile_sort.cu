// Tiles of every width: bitonic sort in registers, merging of sorted runs, compaction by coalesced groups.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <vector>

using namespace cooperative_groups;

static void checkCuda(cudaError_t result, const char *what, int line) {
    if (result != cudaSuccess) {
        std::fprintf(stderr, "line %d: %s: %s (%s)\n", line, what, cudaGetErrorName(result), cudaGetErrorString(result));
        std::exit(1);
    }
}
#define CUDA(x) checkCuda(x, #x, __LINE__)

template <int Width>
__device__ unsigned sortInTile(const thread_block_tile<Width> &tile, unsigned key) {
#pragma unroll
    for (int size = 2; size <= Width; size *= 2) {
#pragma unroll
        for (int stride = size / 2; stride > 0; stride /= 2) {
            unsigned other = tile.shfl_xor(key, stride);
            bool up = (tile.thread_rank() & size) == 0 || size == Width;
            bool lower = (tile.thread_rank() & stride) == 0;
            key = (lower == up) ? min(key, other) : max(key, other);
        }
    }
    return key;
}

template <int Width>
__global__ void sortTiles(unsigned *keys, int n) {
    thread_block block = this_thread_block();
    thread_block_tile<Width> tile = tiled_partition<Width>(block);
    int i = block.group_index().x * block.size() + tile.meta_group_rank() * tile.size() + tile.thread_rank();
    unsigned key = i < n ? keys[i] : 0xffffffffu;
    key = sortInTile<Width>(tile, key);
    if (i < n) keys[i] = key;
}

// Each thread finds the place of its own key in the merged pair of runs by binary search in the other run.
__global__ void mergeRuns(const unsigned *in, unsigned *out, int run, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int pair = i / (2 * run) * (2 * run);
    bool left = i - pair < run;
    int other = left ? pair + run : pair;
    int length = max(0, min(run, n - other));
    int lo = 0, hi = length;
    unsigned key = in[i];
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        bool goesRight = left ? in[other + mid] < key : in[other + mid] <= key;
        if (goesRight) lo = mid + 1;
        else hi = mid;
    }
    int within = left ? i - pair : i - pair - run;
    out[pair + within + lo] = key;
}

__global__ void countOddByCoalesced(const unsigned *keys, int n, int *count, int *groups) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && (keys[i] & 1)) {
        coalesced_group active = coalesced_threads();
        if (active.thread_rank() == 0) {
            atomicAdd(count, (int)active.num_threads());
            atomicAdd(groups, 1);
        }
    }
}

__global__ void compactBlocks(const unsigned *keys, int n, unsigned below, unsigned *out, int *kept) {
    __shared__ int warpTotals[8];
    thread_block block = this_thread_block();
    auto warp = tiled_partition<32>(block);
    int i = block.group_index().x * block.num_threads() + block.thread_rank();
    int keep = i < n && keys[i] < below ? 1 : 0;
    int before = exclusive_scan(warp, keep, plus<int>());
    if (warp.thread_rank() == warp.num_threads() - 1) warpTotals[warp.meta_group_rank()] = before + keep;
    block.sync();
    int base = 0, total = 0;
    for (unsigned w = 0; w < warp.meta_group_size(); w++) {
        if (w < warp.meta_group_rank()) base += warpTotals[w];
        total += warpTotals[w];
    }
    if (keep) out[block.group_index().x * block.num_threads() + base + before] = keys[i];
    if (block.thread_rank() == 0) kept[block.group_index().x] = total;
}

__global__ void voteStatistics(const unsigned *keys, int n, int *anyCount, int *allCount, int *matches) {
    auto tile = tiled_partition<8>(this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned key = i < n ? keys[i] : 0;
    bool third = key % 3 == 0;
    int any = tile.any(third), all = tile.all(key % 64 != 0);
    unsigned same = tile.match_any(key % 4);
    unsigned ballot = tile.ballot(third);
    if (tile.thread_rank() == 0) {
        atomicAdd(anyCount, any);
        atomicAdd(allCount, all);
        atomicAdd(matches, __popc(same) * 10 + __popc(ballot));
    }
}

static unsigned checksum(const std::vector<unsigned> &v) {
    unsigned h = 0;
    for (size_t i = 0; i < v.size(); i++) h = h * 31 + v[i];
    return h;
}

template <int Width>
void sortAll(const std::vector<unsigned> &input, unsigned *a, unsigned *b) {
    int n = (int)input.size();
    CUDA(cudaMemcpy(a, input.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
    int blocks = (n + 255) / 256;
    sortTiles<Width><<<blocks, 256>>>(a, n);
    int passes = 0;
    for (int run = Width; run < n; run *= 2, passes++) {
        mergeRuns<<<blocks, 256>>>(a, b, run, n);
        std::swap(a, b);
    }
    CUDA(cudaGetLastError());
    std::vector<unsigned> got(n);
    CUDA(cudaMemcpy(got.data(), a, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    printf("width %2d: %2d passes, %s, checksum %08x, first %u, last %u\n", Width, passes,
           std::is_sorted(got.begin(), got.end()) ? "sorted" : "NOT SORTED", checksum(got), got.front(), got.back());
}

int main() {
    const int n = 5000;
    std::vector<unsigned> keys(n);
    unsigned state = 12345;
    for (auto &key : keys) {
        state = state * 1664525u + 1013904223u;
        key = state >> 12;
    }
    unsigned *a, *b;
    int *counters;
    const int blocks = (n + 255) / 256;
    CUDA(cudaMalloc(&a, n * sizeof(unsigned)));
    CUDA(cudaMalloc(&b, blocks * 256 * sizeof(unsigned)));
    CUDA(cudaMalloc(&counters, (8 + blocks) * sizeof(int)));
    CUDA(cudaMemset(counters, 0, (8 + blocks) * sizeof(int)));
    sortAll<4>(keys, a, b);
    sortAll<8>(keys, a, b);
    sortAll<16>(keys, a, b);
    sortAll<32>(keys, a, b);

    CUDA(cudaMemcpy(a, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
    countOddByCoalesced<<<blocks, 256>>>(a, n, counters, counters + 1);
    voteStatistics<<<blocks, 256>>>(a, n, counters + 2, counters + 3, counters + 4);
    compactBlocks<<<blocks, 256>>>(a, n, 1u << 18, b, counters + 8);
    CUDA(cudaGetLastError());
    std::vector<int> got(8 + blocks);
    CUDA(cudaMemcpy(got.data(), counters, got.size() * sizeof(int), cudaMemcpyDeviceToHost));
    printf("odd keys %d in %d groups\n", got[0], got[1]);
    printf("tiles with a third %d, without a 64th %d, matches %d\n", got[2], got[3], got[4]);
    std::vector<unsigned> kept;
    for (int block = 0; block < blocks; block++) {
        std::vector<unsigned> part(got[8 + block]);
        CUDA(cudaMemcpy(part.data(), b + block * 256, part.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
        kept.insert(kept.end(), part.begin(), part.end());
    }
    long expected = std::count_if(keys.begin(), keys.end(), [](unsigned k) { return k < 1u << 18; });
    printf("kept %zu of %d (expected %ld), checksum %08x\n", kept.size(), n, expected, checksum(kept));
    CUDA(cudaFree(a));
    CUDA(cudaFree(b));
    CUDA(cudaFree(counters));
    return 0;
}
