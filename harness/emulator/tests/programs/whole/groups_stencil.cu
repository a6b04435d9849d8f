/*
 * groups_stencil.cu - Cooperative groups on a heat plate.  A single cooperative
 * launch runs every Jacobi sweep and separates the sweeps with grid.sync(); the
 * number of cells that changed in a sweep is summed inside 32-wide tiles before
 * one atomic per tile.  A second cooperative kernel computes a grid-wide prefix
 * sum in three phases (block totals, offsets, output).  Ordinary kernels set up
 * the plate and compute row sums and the residual with thread_block and tiles.
 * Everything is compared with the same computation on the host.
 */
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;
#define CUDA_CHECK(expr)                                                                        \
    do {                                                                                        \
        cudaError_t status_ = (expr);                                                           \
        if (status_ != cudaSuccess) {                                                           \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_)); \
            std::exit(EXIT_FAILURE);                                                            \
        }                                                                                       \
    } while (0)

constexpr int W = 64, H = 48, SWEEPS = 40, BLOCKS = 8, THREADS = 128;

__host__ __device__ inline float start_value(int x, int y)
{
    if (x == 0) return 100.0f;
    if (y == H - 1) return 1.5f * x;
    if (x == W - 1) return 32.0f;
    return 0.0f;
}

__global__ void init_plate(float *a, float *b)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < W && y < H) a[y * W + x] = b[y * W + x] = start_value(x, y);
}

__global__ void jacobi(float *a, float *b, int sweeps, unsigned *changed)
{
    cg::grid_group grid = cg::this_grid();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
    float *src = a, *dst = b;
    const int interior = (W - 2) * (H - 2);
    for (int s = 0; s < sweeps; ++s) {
        unsigned mine = 0;
        for (int i = (int)grid.thread_rank(); i < interior; i += (int)grid.size()) {
            int c = (i / (W - 2) + 1) * W + i % (W - 2) + 1;
            float v = 0.25f * ((src[c - 1] + src[c + 1]) + (src[c - W] + src[c + W]));
            mine += (v != src[c]);
            dst[c] = v;
        }
        for (int d = tile.size() / 2; d > 0; d /= 2) mine += tile.shfl_down(mine, d);
        if (tile.thread_rank() == 0 && mine > 0) atomicAdd(&changed[s], mine);
        grid.sync();
        float *t = src; src = dst; dst = t;
    }
}

/* one tile per row: fixed-point sum of the row and number of warm cells */
__global__ void row_sums(const float *a, int *sums, int *warm, float limit)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
    if (row >= H) return;                        /* whole tile leaves together */
    int sum = 0, count = 0;
    for (int x = tile.thread_rank(); x < W; x += tile.size()) {
        sum += (int)(a[row * W + x] * 256.0f);
        count += __popc(tile.ballot(a[row * W + x] > limit));
    }
    for (int d = 16; d > 0; d >>= 1) sum += tile.shfl_xor(sum, d);
    if (tile.thread_rank() == 0) { sums[row] = sum; warm[row] = count; }
}

/* grid-wide exclusive prefix sum of n values, one value per thread */
__global__ void grid_scan(const int *in, int *out, int n, int *block_total)
{
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    __shared__ int part[THREADS];
    int r = block.thread_rank(), i = (int)grid.thread_rank();
    int v = i < n ? in[i] : 0;
    part[r] = v;
    block.sync();
    for (int d = 1; d < THREADS; d *= 2) {
        int add = r >= d ? part[r - d] : 0;
        block.sync();
        part[r] += add;
        block.sync();
    }
    if (r == THREADS - 1) block_total[blockIdx.x] = part[r];
    grid.sync();
    int base = 0;
    for (unsigned k = 0; k < blockIdx.x; ++k) base += block_total[k];
    if (i < n) out[i] = base + part[r] - v;
}

int main()
{
    int dev = 0, coop = 0, sms = 0, per_sm = 0;
    CUDA_CHECK(cudaGetDevice(&dev));
    CUDA_CHECK(cudaDeviceGetAttribute(&coop, cudaDevAttrCooperativeLaunch, dev));
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, dev));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, jacobi, THREADS, 0));
    std::printf("cooperative launch possible: %s\n", coop && sms * per_sm >= BLOCKS ? "yes" : "no");

    float *a, *b;
    unsigned *changed;
    int *sums, *warm, *prefix, *totals;
    for (float **plate : {&a, &b}) CUDA_CHECK(cudaMalloc(plate, W * H * sizeof(float)));
    for (int **row : {&sums, &warm, &prefix}) CUDA_CHECK(cudaMalloc(row, H * sizeof(int)));
    CUDA_CHECK(cudaMalloc(&changed, SWEEPS * sizeof(unsigned)));
    CUDA_CHECK(cudaMalloc(&totals, BLOCKS * sizeof(int)));
    CUDA_CHECK(cudaMemset(changed, 0, SWEEPS * sizeof(unsigned)));

    dim3 threads(16, 8), blocks((W + 15) / 16, (H + 7) / 8);
    init_plate<<<blocks, threads>>>(a, b);
    CUDA_CHECK(cudaGetLastError());
    int sweeps = SWEEPS, count = H;
    void *args[] = {&a, &b, &sweeps, &changed};
    CUDA_CHECK(cudaLaunchCooperativeKernel((void *)jacobi, dim3(BLOCKS), dim3(THREADS), args, 0, nullptr));
    float *result = SWEEPS % 2 ? b : a;
    row_sums<<<(H + 3) / 4, 128>>>(result, sums, warm, 20.0f);
    CUDA_CHECK(cudaGetLastError());
    void *scan_args[] = {&sums, &prefix, &count, &totals};
    CUDA_CHECK(cudaLaunchCooperativeKernel((void *)grid_scan, dim3(BLOCKS), dim3(THREADS), scan_args, 0, nullptr));
    CUDA_CHECK(cudaDeviceSynchronize());

    std::vector<float> out(W * H), p(W * H), q(W * H);
    std::vector<unsigned> ch(SWEEPS), ref_ch(SWEEPS, 0);
    std::vector<int> hs(H), hw(H), hp(H);
    auto fetch = [](auto &to, const void *from) {
        CUDA_CHECK(cudaMemcpy(to.data(), from, to.size() * sizeof(to[0]), cudaMemcpyDeviceToHost));
    };
    fetch(out, result); fetch(ch, changed); fetch(hs, sums); fetch(hw, warm); fetch(hp, prefix);
    for (int i = 0; i < W * H; ++i) p[i] = q[i] = start_value(i % W, i / W);
    for (int s = 0; s < SWEEPS; ++s) {
        for (int c = W; c < W * (H - 1); ++c)
            if (c % W > 0 && c % W < W - 1) {
                q[c] = 0.25f * ((p[c - 1] + p[c + 1]) + (p[c - W] + p[c + W]));
                ref_ch[s] += q[c] != p[c];
            }
        std::swap(p, q);
    }
    int bad_cells = 0, bad_changes = 0, bad_rows = 0, run = 0;
    for (int i = 0; i < W * H; ++i) bad_cells += out[i] != p[i];
    for (int s = 0; s < SWEEPS; ++s) bad_changes += ch[s] != ref_ch[s];
    for (int y = 0; y < H; ++y) {
        int sum = 0, hot = 0;
        for (int x = 0; x < W; ++x) { sum += (int)(p[y * W + x] * 256.0f); hot += p[y * W + x] > 20.0f; }
        bad_rows += sum != hs[y] || hot != hw[y] || run != hp[y];
        run += sum;
    }
    for (int s = 0; s < SWEEPS; s += 8) std::printf("sweep %2d changed %u cells\n", s, ch[s]);
    for (int y = 0; y < H; y += 6)
        std::printf("row %2d  fixed sum %7d  warm %2d  prefix %8d\n", y, hs[y], hw[y], hp[y]);
    std::printf("centre line: %.3f %.3f %.3f\n", out[24 * W + 4], out[24 * W + 8], out[40 * W + 32]);
    std::printf("mismatches: cells %d sweeps %d rows %d\n", bad_cells, bad_changes, bad_rows);
    std::printf("%s\n", bad_cells + bad_changes + bad_rows == 0 ? "PASS" : "FAIL");
    for (void *ptr : {(void *)a, (void *)b, (void *)changed, (void *)sums, (void *)warm, (void *)prefix, (void *)totals})
        CUDA_CHECK(cudaFree(ptr));
    return 0;
}
