// A database join: both tables are partitioned by the low bits of the key (histogram, scan, scatter), every partition is
// joined by a hash table in shared memory, and the result is grouped. A nested loop checks the answer.
#include <cuda_runtime.h>
#include <algorithm>
#include <cassert>
#include <cstdint>
#include <iostream>
#include <iomanip>
#include <stdexcept>
#include <string>
#include <vector>

namespace join {

struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline void check(cudaError_t status, const char *what) {
    if (status != cudaSuccess) throw Error(std::string(what) + ": " + cudaGetErrorString(status));
}

template <class T>
class Buffer {
   public:
    explicit Buffer(size_t n) : size_(n) { check(cudaMalloc(&data_, n * sizeof(T)), "malloc"); }
    explicit Buffer(const std::vector<T> &from) : Buffer(from.size()) {
        check(cudaMemcpy(data_, from.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), "upload");
    }
    ~Buffer() { cudaFree(data_); }
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;
    T *get() { return data_; }
    void clear() { check(cudaMemset(data_, 0, size_ * sizeof(T)), "memset"); }
    std::vector<T> host() const {
        std::vector<T> out(size_);
        check(cudaMemcpy(out.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "download");
        return out;
    }

   private:
    T *data_ = nullptr;
    size_t size_;
};

struct Row {
    uint32_t key;
    int32_t value;
};

constexpr int kBits = 5, kParts = 1 << kBits, kThreads = 128, kPerThread = 4, kSlots = 512;
constexpr uint32_t kEmpty = 0xffffffffu;

__device__ __forceinline__ int partOf(uint32_t key) { return key & (kParts - 1); }

__global__ void histogram(const Row *rows, int n, int *counts) {  // counts[part * blocks + block]
    __shared__ int local[kParts];
    if (threadIdx.x < kParts) local[threadIdx.x] = 0;
    __syncthreads();
    int base = blockIdx.x * kThreads * kPerThread;
    for (int k = 0; k < kPerThread; k++) {
        int i = base + k * kThreads + threadIdx.x;
        if (i < n) atomicAdd(&local[partOf(rows[i].key)], 1);
    }
    __syncthreads();
    if (threadIdx.x < kParts) counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}

// Exclusive scan of at most 1024 counts by one block, Hillis and Steele with two buffers.
__global__ void scanCounts(int *counts, int n) {
    __shared__ int buffer[2][1024];
    int t = threadIdx.x, in = 0;
    buffer[0][t] = t < n ? counts[t] : 0;
    __syncthreads();
    for (int offset = 1; offset < 1024; offset *= 2) {
        int out = 1 - in;
        buffer[out][t] = buffer[in][t] + (t >= offset ? buffer[in][t - offset] : 0);
        __syncthreads();
        in = out;
    }
    if (t < n) counts[t] = t ? buffer[in][t - 1] : 0;
}

__global__ void scatter(const Row *rows, int n, const int *starts, Row *out) {
    __shared__ int next[kParts];
    if (threadIdx.x < kParts) next[threadIdx.x] = starts[threadIdx.x * gridDim.x + blockIdx.x];
    __syncthreads();
    int base = blockIdx.x * kThreads * kPerThread;
    for (int k = 0; k < kPerThread; k++) {
        int i = base + k * kThreads + threadIdx.x;
        if (i < n) {
            Row row = rows[i];
            out[atomicAdd(&next[partOf(row.key)], 1)] = row;
        }
    }
}

// Build keys are unique. One block per partition.
__global__ void joinParts(const Row *build, const int *buildStarts, int buildBlocks, int buildSize, const Row *probe,
                          const int *probeStarts, int probeBlocks, int probeSize, long long *sums, int *matches,
                          int *longest) {
    __shared__ uint32_t keys[kSlots];
    __shared__ int values[kSlots];
    __shared__ int blockMatches, blockLongest;
    __shared__ unsigned long long blockSum;
    int part = blockIdx.x;
    for (int s = threadIdx.x; s < kSlots; s += blockDim.x) keys[s] = kEmpty;
    if (threadIdx.x == 0) blockMatches = blockLongest = 0, blockSum = 0;
    __syncthreads();
    int from = buildStarts[part * buildBlocks], to = part + 1 < kParts ? buildStarts[(part + 1) * buildBlocks] : buildSize;
    assert(to - from < kSlots);
    for (int i = from + threadIdx.x; i < to; i += blockDim.x) {
        uint32_t slot = (build[i].key >> kBits) * 2654435761u % kSlots;
        while (atomicCAS(&keys[slot], kEmpty, build[i].key) != kEmpty) slot = (slot + 1) % kSlots;
        values[slot] = build[i].value;
    }
    __syncthreads();
    from = probeStarts[part * probeBlocks];
    to = part + 1 < kParts ? probeStarts[(part + 1) * probeBlocks] : probeSize;
    long long sum = 0;
    int found = 0, steps = 0;
    for (int i = from + threadIdx.x; i < to; i += blockDim.x) {
        uint32_t slot = (probe[i].key >> kBits) * 2654435761u % kSlots;
        while (keys[slot] != kEmpty && keys[slot] != probe[i].key) slot = (slot + 1) % kSlots, steps++;
        if (keys[slot] == probe[i].key) {
            found++;
            sum += (long long)values[slot] * probe[i].value;
        }
    }
    atomicAdd(&blockMatches, found);
    atomicAdd(&blockSum, (unsigned long long)sum);
    atomicMax(&blockLongest, to - from);
    __syncthreads();
    if (threadIdx.x == 0) {
        matches[part] = blockMatches;
        sums[part] = (long long)blockSum;
        atomicMax(longest, blockLongest);
    }
}

__global__ void nestedLoop(const Row *build, int m, const Row *probe, int n, unsigned long long *sum, int *matches) {
    __shared__ Row tile[kThreads];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Row mine = i < n ? probe[i] : Row{kEmpty, 0};
    long long local = 0;
    int found = 0;
    for (int base = 0; base < m; base += kThreads) {
        if (base + (int)threadIdx.x < m) tile[threadIdx.x] = build[base + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < kThreads && base + k < m; k++)
            if (tile[k].key == mine.key) {
                found++;
                local += (long long)tile[k].value * mine.value;
            }
        __syncthreads();
    }
    if (found) {
        atomicAdd(matches, found);
        atomicAdd(sum, (unsigned long long)local);
    }
}

struct Partitioned {
    Buffer<Row> rows;
    Buffer<int> starts;
    int blocks;

    Partitioned(Buffer<Row> &input, int n)
        : rows(n), starts(kParts * ((n + kThreads * kPerThread - 1) / (kThreads * kPerThread))),
          blocks((n + kThreads * kPerThread - 1) / (kThreads * kPerThread)) {
        histogram<<<blocks, kThreads>>>(input.get(), n, starts.get());
        scanCounts<<<1, 1024>>>(starts.get(), kParts * blocks);
        scatter<<<blocks, kThreads>>>(input.get(), n, starts.get(), rows.get());
        check(cudaGetLastError(), "partition");
    }
};

}  // namespace join

int main() try {
    using namespace join;
    const int m = 1500, n = 6000;
    std::vector<Row> build(m), probe(n);
    uint32_t state = 1;
    for (int i = 0; i < m; i++) build[i] = {(uint32_t)i * 7919u % 4096u * 3u + (uint32_t)(i % 3 == 0), i % 100 - 50};
    for (int i = 0; i < n; i++) {
        state = state * 22695477u + 1u;
        probe[i] = {(state >> 12) % 12288u, (int)(state >> 28)};
    }
    Buffer<Row> dBuild(build), dProbe(probe);
    Partitioned b(dBuild, m), p(dProbe, n);
    Buffer<long long> sums(kParts);
    Buffer<int> matches(kParts), longest(1), plainMatches(1);
    Buffer<unsigned long long> plainSum(1);
    longest.clear();
    plainMatches.clear();
    plainSum.clear();
    joinParts<<<kParts, kThreads>>>(b.rows.get(), b.starts.get(), b.blocks, m, p.rows.get(), p.starts.get(), p.blocks, n,
                                    sums.get(), matches.get(), longest.get());
    nestedLoop<<<(n + kThreads - 1) / kThreads, kThreads>>>(dBuild.get(), m, dProbe.get(), n, plainSum.get(),
                                                            plainMatches.get());
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "kernels");
    auto starts = p.starts.host();
    std::cout << "probe partitions start at";
    for (int part = 0; part < kParts; part += 4) std::cout << ' ' << starts[part * p.blocks];
    long long total = 0;
    int found = 0;
    for (long long s : sums.host()) total += s;
    for (int f : matches.host()) found += f;
    std::cout << "\nlongest partition " << longest.host()[0] << ", matches " << found << ", sum " << total << '\n';
    long long plain = (long long)plainSum.host()[0];
    std::cout << "nested loop: matches " << plainMatches.host()[0] << ", sum " << plain << '\n';
    auto rows = p.rows.host();
    bool ordered = std::is_sorted(rows.begin(), rows.end(),
                                  [](Row x, Row y) { return x.key % kParts < y.key % kParts; });
    std::cout << "partitions in order: " << std::boolalpha << ordered << std::fixed << std::setprecision(3)
              << ", mean matches " << found / (double)kParts << '\n';
    return total == plain && found == plainMatches.host()[0] ? 0 : 1;
} catch (const join::Error &e) {
    std::cerr << e.what() << '\n';
    return 2;
}
