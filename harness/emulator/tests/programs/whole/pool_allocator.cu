/*
 * pool_allocator.cu
 *
 * Stream-ordered allocation: temporary buffers come from cudaMallocAsync and return to
 * the pool with cudaFreeAsync in stream order, without synchronising the host.  The
 * default pool is told to keep its memory (release threshold), a second pool is created
 * explicitly and used with cudaMallocFromPoolAsync, and two streams of different
 * priority work on a sequence of jobs.  A small RAII type ties a buffer to its stream;
 * pool statistics are checked as relations, never printed as hardware-dependent sizes.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>
#include <cuda_runtime.h>

#define TRY(expr)                                                                        \
    do {                                                                                 \
        const cudaError_t status_ = (expr);                                              \
        if (status_ != cudaSuccess)                                                      \
            throw std::runtime_error(std::string(#expr) + ": " + cudaGetErrorString(status_)); \
    } while (false)

// A device array whose lifetime is ordered with one stream.
template <typename T>
class StreamArray {
public:
    StreamArray(std::size_t n, cudaStream_t s) : stream_(s)
    {
        TRY(cudaMallocAsync(reinterpret_cast<void **>(&data_), n * sizeof(T), s));
    }
    StreamArray(std::size_t n, cudaStream_t s, cudaMemPool_t pool) : stream_(s)
    {
        TRY(cudaMallocFromPoolAsync(reinterpret_cast<void **>(&data_), n * sizeof(T), pool, s));
    }
    StreamArray(StreamArray &&o) noexcept : data_(o.data_), stream_(o.stream_) { o.data_ = nullptr; }
    StreamArray(const StreamArray &) = delete;
    ~StreamArray() { if (data_) cudaFreeAsync(data_, stream_); }
    T *get() const { return data_; }
private:
    T *data_ = nullptr; cudaStream_t stream_;
};

__global__ void iota_squares(std::uint32_t *out, std::uint32_t n, std::uint32_t start) {
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = (start + i) * (start + i);
}

__global__ void sliding_xor(const std::uint32_t *__restrict__ in, std::uint32_t *__restrict__ out, std::uint32_t n) {
    extern __shared__ std::uint32_t tile[];                  // blockDim.x + 4 words
    const std::uint32_t base = blockIdx.x * blockDim.x;
    for (std::uint32_t t = threadIdx.x; t < blockDim.x + 4; t += blockDim.x)
        tile[t] = base + t < n ? in[base + t] : 0u;
    __syncthreads(); const std::uint32_t i = base + threadIdx.x;
    if (i < n) {
        std::uint32_t x = 0;
        for (int k = 0; k < 5; ++k) x ^= tile[threadIdx.x + k];
        out[i] = x;
    }
}

__global__ void checksum(const std::uint32_t *in, std::uint32_t n, unsigned long long *result) {
    unsigned long long local = 0;
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        local += static_cast<unsigned long long>(in[i]) * (i % 7 + 1);
    atomicAdd(result, local);
}

static unsigned long long host_checksum(std::uint32_t n, std::uint32_t start) {
    std::vector<std::uint32_t> a(n + 4, 0);
    for (std::uint32_t i = 0; i < n; ++i) a[i] = (start + i) * (start + i);
    unsigned long long sum = 0;
    for (std::uint32_t i = 0; i < n; ++i)
        sum += static_cast<unsigned long long>(a[i] ^ a[i + 1] ^ a[i + 2] ^ a[i + 3] ^ a[i + 4]) * (i % 7 + 1);
    return sum;
}

// One job: two temporaries, three kernels, everything freed in stream order.
static void enqueue_job(cudaStream_t s, cudaMemPool_t pool, std::uint32_t n, std::uint32_t start,
                        unsigned long long *pinned_result) {
    StreamArray<std::uint32_t> a = pool ? StreamArray<std::uint32_t>(n, s, pool) : StreamArray<std::uint32_t>(n, s);
    StreamArray<std::uint32_t> b(n, s); StreamArray<unsigned long long> sum(1, s);
    const unsigned block = 128, grid = (n + block - 1) / block;
    TRY(cudaMemsetAsync(sum.get(), 0, sizeof(unsigned long long), s));
    iota_squares<<<16, block, 0, s>>>(a.get(), n, start);
    sliding_xor<<<grid, block, (block + 4) * sizeof(std::uint32_t), s>>>(a.get(), b.get(), n);
    checksum<<<16, block, 0, s>>>(b.get(), n, sum.get()); TRY(cudaGetLastError());
    TRY(cudaMemcpyAsync(pinned_result, sum.get(), sizeof(unsigned long long), cudaMemcpyDeviceToHost, s));
}   // the destructors run now, the memory is returned when the stream gets here

static std::uint64_t pool_value(cudaMemPool_t pool, cudaMemPoolAttr which) {
    std::uint64_t value = 0; TRY(cudaMemPoolGetAttribute(pool, which, &value));
    return value;
}

static int run() {
    int device = 0, supported = 0, least = 0, greatest = 0, failures = 0;
    TRY(cudaGetDevice(&device));
    TRY(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device));
    std::printf("memory pools supported: %s\n", supported ? "yes" : "no");
    if (!supported) return 1;
    TRY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    std::printf("priority range is ordered: %s\n", greatest <= least ? "yes" : "no");
    cudaStream_t urgent, relaxed;
    TRY(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, greatest));
    TRY(cudaStreamCreateWithPriority(&relaxed, cudaStreamNonBlocking, least));
    int p = 0; TRY(cudaStreamGetPriority(urgent, &p));
    std::printf("urgent stream has the greatest priority: %s\n", p == greatest ? "yes" : "no");
    cudaMemPool_t standard, mine;
    TRY(cudaDeviceGetDefaultMemPool(&standard, device));
    std::uint64_t threshold = UINT64_MAX;
    TRY(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &threshold));
    std::printf("threshold stored: %s\n",
                pool_value(standard, cudaMemPoolAttrReleaseThreshold) == UINT64_MAX ? "yes" : "no");
    cudaMemPoolProps props = {}; props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice; props.location.id = device;
    TRY(cudaMemPoolCreate(&mine, &props)); const int jobs = 8;
    unsigned long long *results = nullptr;
    TRY(cudaMallocHost(&results, jobs * sizeof(*results)));
    for (int j = 0; j < jobs; ++j)
        enqueue_job(j % 2 ? urgent : relaxed, j % 3 ? nullptr : mine, 5000u + 777u * j, 31u * j, &results[j]);
    TRY(cudaStreamSynchronize(urgent)); TRY(cudaStreamSynchronize(relaxed));
    for (int j = 0; j < jobs; ++j) {
        const auto want = host_checksum(5000u + 777u * j, 31u * j);
        failures += want != results[j];
        std::printf("job %d on %s stream: %llu %s\n", j, j % 2 ? "urgent" : "relaxed", results[j],
                    want == results[j] ? "ok" : "WRONG");
    }
    const std::uint64_t high = pool_value(mine, cudaMemPoolAttrUsedMemHigh);
    std::printf("own pool: high water covers one job: %s, in use now: %llu\n",
                high >= 5000u * sizeof(std::uint32_t) ? "yes" : "no",
                static_cast<unsigned long long>(pool_value(mine, cudaMemPoolAttrUsedMemCurrent)));
    TRY(cudaMemPoolTrimTo(mine, 0));
    // An allocation made in one stream and freed in another, ordered by an event.
    cudaEvent_t ready;
    TRY(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    std::uint32_t *shared = nullptr;
    std::vector<std::uint32_t> back(4096);
    TRY(cudaMallocAsync(&shared, back.size() * sizeof(std::uint32_t), relaxed));
    iota_squares<<<8, 128, 0, relaxed>>>(shared, 4096u, 100u);
    TRY(cudaGetLastError());
    TRY(cudaEventRecord(ready, relaxed));
    TRY(cudaStreamWaitEvent(urgent, ready, 0));
    TRY(cudaMemcpyAsync(back.data(), shared, back.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, urgent));
    TRY(cudaFreeAsync(shared, urgent));
    TRY(cudaStreamSynchronize(urgent));
    std::printf("cross-stream: %u %u sum %llu\n", back.front(), back.back(),
                std::accumulate(back.begin(), back.end(), 0ULL));
    for (std::uint32_t i = 0; i < 4096u; ++i) failures += back[i] != (100u + i) * (100u + i);
    TRY(cudaEventDestroy(ready));
    TRY(cudaFreeHost(results));
    TRY(cudaStreamDestroy(urgent));
    TRY(cudaStreamDestroy(relaxed));
    TRY(cudaMemPoolDestroy(mine));
    return failures;
}

int main() {
    try {
        const int failures = run();
        std::puts(failures == 0 ? "PASS" : "FAIL");
    } catch (const std::exception &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
