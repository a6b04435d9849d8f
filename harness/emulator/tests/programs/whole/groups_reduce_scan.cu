// groups_reduce_scan.cu - The collectives cg::reduce, cg::inclusive_scan and
// cg::exclusive_scan on tiles of 8, 16 and 32 threads with the operators plus,
// greater, less, bit_or and bit_xor.  The tile size is a template parameter of the
// kernels.  A separate device function takes the polymorphic cg::thread_group and
// is used with a whole block as well as with run-time sized tiles.  The input is
// managed memory, and each output array is checked by a loop on the host.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;
#define OK(call) check((call), __LINE__)
static void check(cudaError_t rc, int line) {
    if (rc == cudaSuccess) return;
    fprintf(stderr, "CUDA error '%s' at line %d\n", cudaGetErrorString(rc), line);
    exit(2);
}
static void finish() {
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
}

enum { N = 4096, BLOCK = 128 };
struct Outputs { int *sum, *largest, *bits, *inclusive, *exclusive, *running_max; };

// Managed block of integers with automatic release.
class Managed {
public:
    explicit Managed(size_t n) : count(n) {
        OK(cudaMallocManaged(&ptr, n * sizeof(int)));
    }
    ~Managed() { OK(cudaFree(ptr)); }
    int *get() const { return ptr; }
    int operator[](size_t i) const { return ptr[i]; }
    unsigned checksum() const {
        unsigned h = 2166136261u;
        for (size_t i = 0; i < count; ++i) h = (h ^ static_cast<unsigned>(ptr[i])) * 16777619u;
        return h;
    }
private:
    int *ptr = nullptr;
    size_t count;
};
__global__ void make_input(int *v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = (i * 7919 + (i >> 3) * 31) % 509 - 200;
}

template <int TILE>
__global__ __launch_bounds__(BLOCK) void tile_collectives(const int *__restrict__ in, Outputs o) {
    auto tile = cg::tiled_partition<TILE>(cg::this_thread_block());
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    const int v = in[i];
    o.inclusive[i] = cg::inclusive_scan(tile, v);
    o.exclusive[i] = cg::exclusive_scan(tile, v, cg::plus<int>());
    o.running_max[i] = cg::inclusive_scan(tile, v, cg::greater<int>());
    const int s = cg::reduce(tile, v, cg::plus<int>());
    const int m = cg::reduce(tile, v, cg::greater<int>());
    const int b = cg::reduce(tile, static_cast<int>(1u << (v & 31)), cg::bit_or<int>());
    if (tile.thread_rank() == 0) o.sum[i / TILE] = s, o.largest[i / TILE] = m, o.bits[i / TILE] = b;
}

// Tree reduction for any group that has its own slice of scratch memory.
__device__ int group_sum(const cg::thread_group &g, int *scratch, int value) {
    const unsigned lane = g.thread_rank(), threads = g.size();
    for (unsigned step = threads / 2; step > 0; step /= 2) {
        scratch[lane] = value;
        g.sync();
        if (lane < step) value += scratch[lane + step];
        g.sync();
    }
    return value;  // complete in rank 0 only
}

__global__ void polymorphic(const int *in, int *block_sum, int *tile_sum, unsigned tile_size) {
    __shared__ int scratch[BLOCK];
    cg::thread_block block = cg::this_thread_block();
    const int v = in[blockIdx.x * BLOCK + threadIdx.x];
    int s = group_sum(block, scratch, v);
    if (block.thread_rank() == 0) block_sum[blockIdx.x] = s;
    cg::thread_group part = cg::tiled_partition(block, tile_size);
    const unsigned first = threadIdx.x / tile_size * tile_size;
    s = group_sum(part, scratch + first, v);
    if (part.thread_rank() == 0) tile_sum[(blockIdx.x * BLOCK + first) / tile_size] = s;
}

// Lambda operator, xor and less on the coalesced group of all odd values.
__global__ void mixed_operators(const int *in, int *xors, int *smallest, int *product) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int i = blockIdx.x * BLOCK + threadIdx.x, w = i / 32;
    const int v = in[i];
    const int x = cg::reduce(warp, v, cg::bit_xor<int>());
    const int p = cg::reduce(warp, v % 7 + 7, [](int a, int b) { return a * b % 1009; });
    if (warp.thread_rank() == 0) { xors[w] = x; product[w] = p; smallest[w] = 1000; }
    warp.sync();
    if (v & 1) {
        cg::coalesced_group odd = cg::coalesced_threads();
        const int m = cg::reduce(odd, v, cg::less<int>());
        if (odd.thread_rank() == 0) smallest[w] = m;
    }
}
template <int TILE> int run_tiles(const Managed &in) {
    Managed sum(N / TILE), largest(N / TILE), bits(N / TILE), inc(N), exc(N), run(N);
    Outputs o{sum.get(), largest.get(), bits.get(), inc.get(), exc.get(), run.get()};
    tile_collectives<TILE><<<N / BLOCK, BLOCK>>>(in.get(), o);
    finish();
    int bad = 0;
    for (int g = 0; g < N / TILE; ++g) {
        int acc = 0, top = -100000;
        unsigned mask = 0;
        for (int k = g * TILE; k < (g + 1) * TILE; ++k) {
            bad += exc[k] != acc;
            acc += in[k];
            top = in[k] > top ? in[k] : top;
            mask |= 1u << (in[k] & 31);
            bad += (inc[k] != acc) + (run[k] != top);
        }
        bad += (sum[g] != acc) + (largest[g] != top) + (static_cast<unsigned>(bits[g]) != mask);
    }
    printf("tile %2d: sum %08x max %08x or %08x incl %08x excl %08x running %08x mismatches %d\n", TILE, sum.checksum(),
           largest.checksum(), bits.checksum(), inc.checksum(), exc.checksum(), run.checksum(), bad);
    return bad;
}

int main() {
    int failures = 0;
    {
        Managed in(N), xors(N / 32), least(N / 32), product(N / 32), blocks(N / BLOCK);
        make_input<<<N / 256, 256>>>(in.get(), N);
        finish();
        printf("input: %d %d %d ... %d\n", in[0], in[1], in[2], in[N - 1]);
        failures += run_tiles<8>(in) + run_tiles<16>(in) + run_tiles<32>(in);
        for (unsigned size : {4u, 8u, 16u, 32u}) {
            Managed tiles(N / size);
            polymorphic<<<N / BLOCK, BLOCK>>>(in.get(), blocks.get(), tiles.get(), size);
            finish();
            auto wrong = [&](const Managed &sums, int width) {
                int bad = 0;
                for (int k = 0, acc = 0; k < N; ++k) {
                    acc = k % width ? acc + in[k] : in[k];
                    if (k % width == width - 1) bad += acc != sums[k / width];
                }
                return bad;
            };
            const int bad = wrong(tiles, size) + wrong(blocks, BLOCK);
            printf("thread_group of %2u: first %d last %d, block 0 %d, mismatches %d\n", size, tiles[0],
                   tiles[N / size - 1], blocks[0], bad);
            failures += bad;
        }
        mixed_operators<<<N / BLOCK, BLOCK>>>(in.get(), xors.get(), least.get(), product.get());
        finish();
        int bad = 0, x = 0, m = 1000, p = 1;
        for (int k = 0; k < N; ++k) {
            x ^= in[k];
            if ((in[k] & 1) && in[k] < m) m = in[k];
            p = p * (in[k] % 7 + 7) % 1009;
            if (k % 32 < 31) continue;
            bad += (x != xors[k / 32]) + (m != least[k / 32]) + (p != product[k / 32]);
            x = 0, m = 1000, p = 1;
        }
        for (int w = 0; w < 4; ++w) printf("warp %d: xor %d least odd %d product %d\n", w, xors[w], least[w], product[w]);
        printf("mixed operators: mismatches %d\n", bad);
        failures += bad;
    }
    printf("%s\n", failures == 0 ? "PASS" : "FAIL");
    return 0;
}
