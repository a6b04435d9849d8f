/*
 * mapped_exchange.cu
 *
 * Zero-copy memory: kernels read and write host memory directly.  One buffer comes
 * from cudaHostAlloc with cudaHostAllocMapped, another is ordinary aligned memory
 * pinned afterwards with cudaHostRegister.  The program runs a small "mailbox"
 * protocol (the host posts a request into mapped memory, a kernel answers it, the host
 * looks at the answer after a synchronisation), a histogram whose bins live in host
 * memory, and an in-place reversal of a registered list.
 */
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>
#include <cuda_runtime.h>

#define GPU_CHECK(expr) gpu_check((expr), #expr, __LINE__)
static void gpu_check(cudaError_t status, const char *what, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "line %d: %s -> %s (%s)\n", line, what, cudaGetErrorName(status),
                 cudaGetErrorString(status));
    std::exit(2);
}

// Page-locked memory with a device alias; freed by the destructor.
template <typename T>
class MappedBuffer {
public:
    explicit MappedBuffer(size_t count, bool writeCombined = false) : count_(count)
    {
        unsigned flags = cudaHostAllocMapped | (writeCombined ? cudaHostAllocWriteCombined : 0u);
        GPU_CHECK(cudaHostAlloc(reinterpret_cast<void **>(&host_), count * sizeof(T), flags));
        GPU_CHECK(cudaHostGetDevicePointer(reinterpret_cast<void **>(&device_), host_, 0));
    }
    ~MappedBuffer() { if (host_) GPU_CHECK(cudaFreeHost(host_)); }
    MappedBuffer(const MappedBuffer &) = delete;
    MappedBuffer &operator=(const MappedBuffer &) = delete;
    T &operator[](size_t i) { return host_[i]; }
    T *host() { return host_; }
    T *device() const { return device_; }
    size_t size() const { return count_; }
private:
    T *host_ = nullptr; T *device_ = nullptr; size_t count_;
};

struct Mailbox {
    int opcode;           // written by the host
    int argument;
    int sequence;         // the host increments it for each request
    long long reply;      // written by the device
    int acknowledged;     // the device stores the sequence number here, last of all
};

__global__ void serve(Mailbox *box, const int *table, int n) {
    __shared__ long long partial[128];
    const int op = box->opcode, arg = box->argument;
    long long acc = op == 1 ? -1000000000LL : 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        long long v = table[i];
        if (op == 0) acc += v;                       // sum
        if (op == 1) acc = v > acc ? v : acc;        // maximum
        if (op == 2) acc += v % arg == 0;            // multiples of the argument
    }
    partial[threadIdx.x] = acc; __syncthreads();
    if (threadIdx.x == 0) {
        for (unsigned t = 1; t < blockDim.x; ++t)
            acc = op == 1 ? (partial[t] > acc ? partial[t] : acc) : acc + partial[t];
        box->reply = acc;
        __threadfence_system();                      // reply before acknowledgement
        *(volatile int *)&box->acknowledged = box->sequence;
    }
}

__global__ void histogram(const unsigned char *__restrict__ text, int n, unsigned *bins) {
    __shared__ unsigned local[26];
    if (threadIdx.x < 26) local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&local[text[i] - 'a'], 1u);
    __syncthreads();
    if (threadIdx.x < 26 && local[threadIdx.x] != 0)
        atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);   // bins live in host memory
}

__global__ void reverse_in_place(int *data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) {
        const int a = data[i], b = data[n - 1 - i]; data[i] = b;
        data[n - 1 - i] = a;
    }
}

int main() {
    GPU_CHECK(cudaSetDeviceFlags(cudaDeviceMapHost)); int canMap = 0;
    GPU_CHECK(cudaDeviceGetAttribute(&canMap, cudaDevAttrCanMapHostMemory, 0));
    std::printf("host memory can be mapped: %s\n", canMap ? "yes" : "no");
    int failures = 0;
    {   // 1. requests and replies through a mapped structure, a mapped table
        const int n = 10007;
        MappedBuffer<int> table(n);
        for (int i = 0; i < n; ++i) table[i] = (i * 7919) % 10007 - 300;
        MappedBuffer<Mailbox> box(1); std::memset(box.host(), 0, sizeof(Mailbox));
        const std::pair<int, int> requests[] = {{0, 0}, {1, 0}, {2, 7}, {2, 13}, {0, 0}};
        for (auto [op, arg] : requests) {
            box[0].opcode = op; box[0].argument = arg;
            box[0].sequence += 1;
            serve<<<1, 128>>>(box.device(), table.device(), n);
            GPU_CHECK(cudaGetLastError());
            GPU_CHECK(cudaDeviceSynchronize());
            long long want = op == 1 ? -1000000000LL : 0;
            for (int i = 0; i < n; ++i) {
                long long v = table[i];
                if (op == 0) want += v;
                if (op == 1 && v > want) want = v;
                if (op == 2) want += v % arg == 0;
            }
            bool ok = box[0].reply == want && box[0].acknowledged == box[0].sequence;
            failures += !ok;
            std::printf("request %d: op %d arg %2d -> %lld %s\n", box[0].sequence, op, arg, box[0].reply,
                        ok ? "ok" : "WRONG");
            table[op * 10] += 1000 + op;             // the next request sees the host's change
        }
    }
    {   // 2. histogram: write-combined input (the host only writes it), bins in mapped memory
        const int n = 60000;
        MappedBuffer<unsigned char> text(n, true);
        MappedBuffer<unsigned> bins(26);
        std::vector<unsigned> want(26, 0);
        uint32_t state = 12345;
        for (int i = 0; i < n; ++i) {
            state = state * 1103515245u + 12345u;
            unsigned letter = ((state >> 16) % 26) * ((state >> 24) % 26) / 26;
            text[i] = static_cast<unsigned char>('a' + letter);
            ++want[letter];
        }
        for (size_t b = 0; b < bins.size(); ++b) bins[b] = 0;
        histogram<<<24, 128>>>(text.device(), n, bins.device());
        GPU_CHECK(cudaGetLastError());
        GPU_CHECK(cudaDeviceSynchronize());
        int bad = 0;
        for (size_t b = 0; b < bins.size(); ++b) bad += bins[b] != want[b];
        std::printf("histogram a=%u e=%u m=%u\nhistogram y=%u z=%u mismatches=%d\n", bins[0], bins[4], bins[12],
                    bins[24], bins[25], bad);
        failures += bad;
    }
    {   // 3. ordinary memory, pinned later with cudaHostRegister
        const int n = 30001;
        const size_t bytes = ((n * sizeof(int) + 4095) / 4096) * 4096;
        int *list = static_cast<int *>(std::aligned_alloc(4096, bytes));
        if (!list) { std::fprintf(stderr, "out of memory\n"); return 2; }
        for (int i = 0; i < n; ++i) list[i] = (i % 17) * (i % 23) - 60;
        GPU_CHECK(cudaHostRegister(list, bytes, cudaHostRegisterMapped));
        int *alias = nullptr;
        GPU_CHECK(cudaHostGetDevicePointer(reinterpret_cast<void **>(&alias), list, 0));
        std::vector<int> before(list, list + n);
        reverse_in_place<<<(n / 2 + 255) / 256, 256>>>(alias, n);
        GPU_CHECK(cudaGetLastError());
        GPU_CHECK(cudaDeviceSynchronize());
        int bad = 0;
        for (int i = 0; i < n; ++i) bad += list[i] != before[n - 1 - i];
        std::printf("reversed ends %d %d, middle %d, mismatches=%d\n", list[0], list[n - 1], list[n / 2], bad);
        failures += bad;
        GPU_CHECK(cudaHostUnregister(list));
        std::free(list);
    }
    std::puts(failures == 0 ? "PASS" : "FAIL");
    return 0;
}
