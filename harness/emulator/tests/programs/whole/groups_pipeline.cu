/* groups_pipeline.cu
 *
 * Asynchronous copies from global to shared memory, in four forms: one bulk
 * cg::memcpy_async with cg::wait, two buffers with cg::wait_prior<1>, a two-stage
 * cuda::pipeline shared by the block, and a pair of cuda::barrier objects.  In the
 * three buffered kernels the next slice of the input travels while the current one
 * is summed or smoothed.  All results are integers and are verified on the host.
 */
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <vector>

#pragma nv_diag_suppress static_var_with_dynamic_init
namespace cg = cooperative_groups;

#define TRY(call)                                                                           \
    if (cudaError_t e = (call); e != cudaSuccess) {                                         \
        std::fprintf(stderr, "%s in line %d: %s\n", #call, __LINE__, cudaGetErrorString(e)); \
        std::exit(EXIT_FAILURE);                                                            \
    }

// SLICE elements per copy (one per thread), SLICES copies per block
constexpr int SLICE = 128, SLICES = 12, BLOCKS = 16, TOTAL = SLICE * SLICES * BLOCKS;

struct DeviceFree { void operator()(void *p) const { cudaFree(p); } };
template <typename T> using DevicePtr = std::unique_ptr<T[], DeviceFree>;

template <typename T> DevicePtr<T> device_array(size_t n)
{
    void *p = nullptr;
    TRY(cudaMalloc(&p, n * sizeof(T)));
    TRY(cudaMemset(p, 0, n * sizeof(T)));
    return DevicePtr<T>(static_cast<T *>(p));
}

template <typename T> std::vector<T> to_host(const DevicePtr<T> &p, size_t n)
{
    std::vector<T> v(n);
    TRY(cudaMemcpy(v.data(), p.get(), n * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
}

// Reverse each slice; the slice arrives in one collective copy.
__global__ void reverse_slices(const int *in, int *out)
{
    extern __shared__ int slice[];
    cg::thread_block block = cg::this_thread_block();
    for (int s = 0; s < SLICES; ++s) {
        const int first = (blockIdx.x * SLICES + s) * SLICE;
        cg::memcpy_async(block, slice, in + first, sizeof(int) * SLICE);
        cg::wait(block);
        out[first + threadIdx.x] = slice[SLICE - 1 - threadIdx.x];
        block.sync();                   // nobody may still read when the next copy starts
    }
}

// Column sums over the slices of a block, two buffers and wait_prior.
__global__ void column_sums(const int *in, int *out)
{
    __shared__ alignas(16) int buffer[2][SLICE];
    cg::thread_block block = cg::this_thread_block();
    const int *base = in + blockIdx.x * SLICES * SLICE;
    int sum = 0;
    cg::memcpy_async(block, buffer[0], base, sizeof(int) * SLICE);
    for (int s = 0; s < SLICES; ++s) {
        const bool more = s + 1 < SLICES;
        if (more) cg::memcpy_async(block, buffer[(s + 1) & 1], base + (s + 1) * SLICE, sizeof(int) * SLICE);
        if (more) cg::wait_prior<1>(block); else cg::wait(block);
        const int *now = buffer[s & 1];
        sum += now[threadIdx.x] * (s + 1) - now[(threadIdx.x + 1) % SLICE];
        block.sync();
    }
    out[blockIdx.x * SLICE + threadIdx.x] = sum;
}

// Circular three-point smoothing of each slice through a cuda::pipeline.
__global__ void smooth(const int *in, int *out)
{
    constexpr int STAGES = 2;
    __shared__ alignas(16) int buffer[STAGES][SLICE];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    cg::thread_block block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    const int *base = in + blockIdx.x * SLICES * SLICE;
    int fetched = 0;
    for (int s = 0; s < SLICES; ++s) {
        for (; fetched < SLICES && fetched < s + STAGES; ++fetched) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, buffer[fetched % STAGES], base + fetched * SLICE,
                               cuda::aligned_size_t<16>(sizeof(int) * SLICE), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        const int *now = buffer[s % STAGES], t = threadIdx.x;
        const int v = now[(t + SLICE - 1) % SLICE] + 2 * now[t] + now[(t + 1) % SLICE];
        pipe.consumer_release();
        out[(blockIdx.x * SLICES + s) * SLICE + t] = v;
    }
}

// Running maximum per column; one barrier for each of the two buffers.
__global__ void column_max(const int *in, int *out)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ barrier ready[2];
    __shared__ alignas(16) int buffer[2][SLICE];
    auto block = cg::this_thread_block();
    if (block.thread_rank() < 2) init(&ready[block.thread_rank()], block.size());
    block.sync();
    const int *base = in + blockIdx.x * SLICES * SLICE;
    cuda::memcpy_async(block, buffer[0], base, sizeof(int) * SLICE, ready[0]);
    int best = -1;
    for (int s = 0; s < SLICES; ++s) {
        if (s + 1 < SLICES)
            cuda::memcpy_async(block, buffer[(s + 1) & 1], base + (s + 1) * SLICE, sizeof(int) * SLICE,
                               ready[(s + 1) & 1]);
        ready[s & 1].arrive_and_wait();
        const int v = buffer[s & 1][SLICE - 1 - threadIdx.x];
        best = v > best ? v : best;
        block.sync();
    }
    out[blockIdx.x * SLICE + threadIdx.x] = best;
}

int main()
{
    std::vector<int> in(TOTAL);
    for (int i = 0; i < TOTAL; ++i) in[i] = static_cast<int>((i * 2654435761u) >> 22);
    auto d_in = device_array<int>(TOTAL), d_rev = device_array<int>(TOTAL), d_smooth = device_array<int>(TOTAL);
    auto d_sum = device_array<int>(BLOCKS * SLICE), d_max = device_array<int>(BLOCKS * SLICE);
    TRY(cudaMemcpy(d_in.get(), in.data(), TOTAL * sizeof(int), cudaMemcpyHostToDevice));

    reverse_slices<<<BLOCKS, SLICE, SLICE * sizeof(int)>>>(d_in.get(), d_rev.get());
    column_sums<<<BLOCKS, SLICE>>>(d_in.get(), d_sum.get());
    smooth<<<BLOCKS, SLICE>>>(d_in.get(), d_smooth.get());
    column_max<<<BLOCKS, SLICE>>>(d_in.get(), d_max.get());
    TRY(cudaGetLastError());
    TRY(cudaDeviceSynchronize());
    const auto rev = to_host(d_rev, TOTAL), smo = to_host(d_smooth, TOTAL);
    const auto sum = to_host(d_sum, BLOCKS * SLICE), top = to_host(d_max, BLOCKS * SLICE);
    int bad[4] = {0, 0, 0, 0};
    for (int b = 0; b < BLOCKS; ++b)
        for (int t = 0; t < SLICE; ++t) {
            int s = 0, m = -1;
            for (int k = 0; k < SLICES; ++k) {
                const int first = (b * SLICES + k) * SLICE, next = first + (t + 1) % SLICE;
                bad[0] += rev[first + t] != in[first + SLICE - 1 - t];
                bad[2] += smo[first + t] != in[first + (t + SLICE - 1) % SLICE] + 2 * in[first + t] + in[next];
                s += in[first + t] * (k + 1) - in[next];
                m = std::max(m, in[first + SLICE - 1 - t]);
            }
            bad[1] += sum[b * SLICE + t] != s;
            bad[3] += top[b * SLICE + t] != m;
        }
    for (int b = 0; b < BLOCKS; b += 2)
        std::printf("block %2d: reversed %4d sum %6d smooth %5d max %4d\n", b, rev[b * SLICES * SLICE], sum[b * SLICE],
                    smo[b * SLICES * SLICE], top[b * SLICE]);
    std::printf("totals: %lld %lld %lld\n", std::accumulate(sum.begin(), sum.end(), 0LL),
                std::accumulate(smo.begin(), smo.end(), 0LL), std::accumulate(top.begin(), top.end(), 0LL));
    const char *names[] = {"wait", "wait_prior", "pipeline", "barrier"};
    for (int k = 0; k < 4; ++k) std::printf("%-10s mismatches %d %s\n", names[k], bad[k], bad[k] ? "FAIL" : "PASS");
    return 0;
}
