// CUB block and warp primitives inside own kernels.
#include <cub/cub.cuh>
#include <cuda/std/functional>
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <vector>

#define CHECK(x) do { cudaError_t err_ = (x); if (err_ != cudaSuccess) { fprintf(stderr, "%s, line %d\n", cudaGetErrorString(err_), __LINE__); exit(1); } } while (0)
constexpr int BT = 128, IPT = 4, TILE = BT * IPT;

__global__ void block_reduce_kernel(const int *in, int *sum, int *mx)
{
    using BR = cub::BlockReduce<int, BT>;
    __shared__ typename BR::TempStorage temp;
    int v = in[blockIdx.x * BT + threadIdx.x];
    int s = BR(temp).Sum(v);
    __syncthreads();
    int m = BR(temp).Reduce(v, [](int a, int b) { return a > b ? a : b; });
    if (threadIdx.x == 0) { sum[blockIdx.x] = s; mx[blockIdx.x] = m; }
}

__global__ void block_scan_kernel(const int *in, int *out, int *agg)
{
    using Load = cub::BlockLoad<int, BT, IPT, cub::BLOCK_LOAD_TRANSPOSE>;
    using Scan = cub::BlockScan<int, BT>;
    using Store = cub::BlockStore<int, BT, IPT, cub::BLOCK_STORE_TRANSPOSE>;
    __shared__ union { typename Load::TempStorage load; typename Scan::TempStorage scan; typename Store::TempStorage store; } sh;
    int items[IPT], total;
    Load(sh.load).Load(in + blockIdx.x * TILE, items);
    __syncthreads();
    Scan(sh.scan).ExclusiveSum(items, items, total);
    __syncthreads();
    Store(sh.store).Store(out + blockIdx.x * TILE, items);
    if (threadIdx.x == 0) agg[blockIdx.x] = total;
}

__global__ void block_radix_sort_kernel(const unsigned *in, unsigned *out)
{
    using Sort = cub::BlockRadixSort<unsigned, BT, IPT, unsigned short>;
    __shared__ typename Sort::TempStorage temp;
    unsigned keys[IPT]; unsigned short vals[IPT];
    for (int k = 0; k < IPT; ++k) {
        int t = threadIdx.x * IPT + k;
        keys[k] = in[blockIdx.x * TILE + t] >> 12;
        vals[k] = (unsigned short)t;
    }
    Sort(temp).SortBlockedToStriped(keys, vals);
    for (int k = 0; k < IPT; ++k) out[blockIdx.x * TILE + k * BT + threadIdx.x] = (keys[k] << 10) ^ vals[k];
}

__global__ void warp_primitives_kernel(const int *in, int *red, int *scan)
{
    using WR = cub::WarpReduce<int, 16>;
    using WS = cub::WarpScan<int>;
    __shared__ typename WR::TempStorage tr[BT / 16];
    __shared__ typename WS::TempStorage ts[BT / 32];
    int i = blockIdx.x * BT + threadIdx.x, v = in[i];
    int r = WR(tr[threadIdx.x / 16]).Sum(v);
    if (threadIdx.x % 16 == 0) red[i / 16] = r;
    int s;
    WS(ts[threadIdx.x / 32]).InclusiveSum(v, s);
    scan[i] = s;
}

__global__ void block_histogram_kernel(const unsigned char *in, unsigned *hist)
{
    using Hist = cub::BlockHistogram<unsigned char, BT, IPT, 64, cub::BLOCK_HISTO_ATOMIC>;
    __shared__ typename Hist::TempStorage temp;
    __shared__ unsigned bins[64];
    unsigned char v[IPT];
    cub::LoadDirectStriped<BT>(threadIdx.x, in + blockIdx.x * TILE, v);
    Hist(temp).Histogram(v, bins);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&hist[threadIdx.x], bins[threadIdx.x]);
}

__global__ void discontinuity_kernel(const int *in, int *heads)
{
    using Disc = cub::BlockDiscontinuity<int, BT>;
    using BR = cub::BlockReduce<int, BT>;
    __shared__ typename Disc::TempStorage td;
    __shared__ typename BR::TempStorage tr;
    int v[2], f[2];
    v[0] = in[blockIdx.x * 2 * BT + threadIdx.x * 2] / 256; v[1] = in[blockIdx.x * 2 * BT + threadIdx.x * 2 + 1] / 256;
    Disc(td).FlagHeads(f, v, ::cuda::std::not_equal_to<int>());
    int s = BR(tr).Sum(f[0] + f[1]);
    if (threadIdx.x == 0) heads[blockIdx.x] = s;
}

template <class T> std::vector<T> fetch(const T *p, int n)
{
    std::vector<T> v(n); CHECK(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost)); return v;
}

int main()
{
    const int n = 4096;
    std::vector<int> h(n); std::vector<unsigned char> hb(n);
    unsigned s = 8u; for (int i = 0; i < n; ++i) { s = s * 1664525u + 1013904223u; h[i] = (s >> 8) % 1024; hb[i] = (s >> 20) & 63; }
    int *d, *o, *o2, *o3, *o4, *o5, *o6, *o7; unsigned *ou, *hist; unsigned char *db;
    CHECK(cudaMalloc(&d, n * 4)); CHECK(cudaMalloc(&o, n * 4)); CHECK(cudaMalloc(&o2, n * 4)); CHECK(cudaMalloc(&o3, n * 4)); CHECK(cudaMalloc(&o4, n * 4));
    CHECK(cudaMalloc(&o5, n * 4)); CHECK(cudaMalloc(&o6, n * 4)); CHECK(cudaMalloc(&o7, n * 4)); CHECK(cudaMalloc(&ou, n * 4)); CHECK(cudaMalloc(&hist, 256)); CHECK(cudaMalloc(&db, n));
    CHECK(cudaMemcpy(d, h.data(), n * 4, cudaMemcpyHostToDevice)); CHECK(cudaMemcpy(db, hb.data(), n, cudaMemcpyHostToDevice)); CHECK(cudaMemset(hist, 0, 256));
    std::vector<unsigned> hk(n); for (int i = 0; i < n; ++i) hk[i] = (unsigned)(i * 2654435761u);
    unsigned *dk; CHECK(cudaMalloc(&dk, n * 4)); CHECK(cudaMemcpy(dk, hk.data(), n * 4, cudaMemcpyHostToDevice));
    block_reduce_kernel<<<n / BT, BT>>>(d, o, o2);
    block_scan_kernel<<<n / TILE, BT>>>(d, o3, o4);
    block_radix_sort_kernel<<<n / TILE, BT>>>(dk, ou);
    warp_primitives_kernel<<<n / BT, BT>>>(d, o5, o6);
    block_histogram_kernel<<<n / TILE, BT>>>(db, hist);
    discontinuity_kernel<<<n / BT / 2, BT>>>(d, o7);
    CHECK(cudaGetLastError()); CHECK(cudaDeviceSynchronize());
    auto sum = fetch(o, n / BT), mx = fetch(o2, n / BT), sc = fetch(o3, n), ag = fetch(o4, n / TILE), wr = fetch(o5, n / 16), ws = fetch(o6, n), hd = fetch(o7, n / BT / 2);
    auto so = fetch(ou, n), hi = fetch(hist, 64);
    int bad = 0, run = 0, wrun = 0, heads = 0, gh = 0; unsigned hash = 0; std::vector<unsigned> rh(64, 0);
    for (int i = 0; i < n; ++i) {
        if (i % TILE == 0) run = 0;
        bad += sc[i] != run; run += h[i];
        if (i % TILE == TILE - 1) bad += ag[i / TILE] != run;
        wrun = i % 32 ? wrun + h[i] : h[i]; bad += ws[i] != wrun;
        ++rh[hb[i]]; heads += i % (2 * BT) == 0 || h[i] / 256 != h[i - 1] / 256;
    }
    for (int b = 0; b < n / BT; ++b) {
        int t = 0, m = 0; for (int k = 0; k < BT; ++k) { t += h[b * BT + k]; m = std::max(m, h[b * BT + k]); }
        bad += sum[b] != t || mx[b] != m;
    }
    for (int w = 0; w < n / 16; ++w) { int t = 0; for (int k = 0; k < 16; ++k) t += h[w * 16 + k]; bad += wr[w] != t; }
    for (int b = 0; b < n / TILE; ++b) {
        std::vector<std::pair<unsigned, unsigned>> v;
        for (int k = 0; k < TILE; ++k) v.push_back({hk[b * TILE + k] >> 12, (unsigned)k});
        std::stable_sort(v.begin(), v.end(), [](auto &x, auto &y) { return x.first < y.first; });
        for (int k = 0; k < TILE; ++k) { bad += so[b * TILE + k] != ((v[k].first << 10) ^ v[k].second); hash = hash * 31 + so[b * TILE + k]; }
    }
    for (int v : hd) gh += v;
    bad += hi != rh; bad += gh != heads;
    printf("block0 sum %d max %d heads %d hash %08x\n%s\n", sum[0], mx[0], gh, hash, bad ? "FAILED" : "PASSED");
    return bad != 0;
}
