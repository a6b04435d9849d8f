/*
 * bitonic_merge.cu
 *
 * Comparison sorts written as function templates over the element type and a comparator
 * functor: a bitonic sort in shared memory for tiles, a bitonic sort of a whole array in
 * global memory, an odd-even transposition sort of short rows, and a merge of sorted
 * tiles by the merge-path partition.  Elements are integers and key-value structs whose
 * comparator breaks ties, so that every result is unique.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(x) check_result((x), #x, __LINE__)
static void check_result(cudaError_t r, const char *text, int line) {
    if (r == cudaSuccess) return;
    std::fprintf(stderr, "line %d: %s: %s\n", line, text, cudaGetErrorString(r)); std::exit(1);
}

struct Pair { int key; unsigned value; };
inline bool operator==(const Pair &a, const Pair &b) { return a.key == b.key && a.value == b.value; }

struct Ascending {
    template <typename T> __host__ __device__ bool operator()(const T &a, const T &b) const { return a < b; }
};
struct Descending {
    template <typename T> __host__ __device__ bool operator()(const T &a, const T &b) const { return b < a; }
};
struct ByKeyThenValueDown {
    __host__ __device__ bool operator()(const Pair &a, const Pair &b) const {
        return a.key != b.key ? a.key < b.key : a.value > b.value;
    }
};

template <typename T, typename Less>
__device__ __forceinline__ void order(T &a, T &b, bool forward, Less less) {
    if (forward ? less(b, a) : less(a, b)) {
        const T t = a; a = b; b = t;
    }
}

// Sorts each tile of 2 * THREADS elements.
template <typename T, int THREADS, typename Less>
__global__ void __launch_bounds__(THREADS) sort_tiles(T *data, Less less) {
    __shared__ T s[2 * THREADS]; T *tile = data + (size_t)blockIdx.x * 2 * THREADS;
    const int t = threadIdx.x; s[t] = tile[t]; s[t + THREADS] = tile[t + THREADS];
    for (int size = 2; size <= 2 * THREADS; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads(); const int pos = 2 * t - (t & (stride - 1));
            order(s[pos], s[pos + stride], (pos & size) == 0, less);
        }
    __syncthreads(); tile[t] = s[t]; tile[t + THREADS] = s[t + THREADS];
}

template <typename T, typename Less>
__global__ void bitonic_step(T *data, int n, int size, int stride, Less less) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x; if (t >= n / 2) return;
    const int pos = 2 * t - (t & (stride - 1)); order(data[pos], data[pos + stride], (pos & size) == 0, less);
}

// One row per block, odd-even transposition; any length up to 2 * blockDim.x.
template <typename T, typename Less>
__global__ void odd_even_rows(T *data, int length, Less less) {
    T *row = data + (size_t)blockIdx.x * length;
    for (int round = 0; round < length; ++round) {
        const int i = 2 * threadIdx.x + (round & 1);
        if (i + 1 < length) order(row[i], row[i + 1], true, less);
        __syncthreads();
    }
}

// How many of the first `diagonal` outputs come from a.
template <typename T, typename Less>
__device__ int merge_path(const T *a, int na, const T *b, int nb, int diagonal, Less less) {
    int low = max(0, diagonal - nb), high = min(diagonal, na);
    while (low < high) {
        const int mid = (low + high) / 2;
        if (less(b[diagonal - 1 - mid], a[mid])) high = mid;
        else low = mid + 1;
    }
    return low;
}

// Merges neighbouring runs; each thread produces ITEMS consecutive outputs.
template <int ITEMS, typename T, typename Less>
__global__ void merge_runs(const T *in, T *out, int n, int run, Less less) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * ITEMS; if (first >= n) return;
    const int base = first / (2 * run) * (2 * run);
    const int na = min(run, n - base), nb = max(0, min(run, n - base - run));
    const T *a = in + base, *b = a + na; const int diagonal = first - base;
    int i = merge_path(a, na, b, nb, diagonal, less), j = diagonal - i;
    for (int k = 0; k < ITEMS && first + k < base + na + nb; ++k) {
        const bool from_a = j >= nb || (i < na && !less(b[j], a[i])); out[first + k] = from_a ? a[i++] : b[j++];
    }
}

template <typename T> struct Device {
    T *p = nullptr;
    explicit Device(const std::vector<T> &v)
    {
        CHECK(cudaMalloc(&p, v.size() * sizeof(T)));
        CHECK(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~Device() { CHECK(cudaFree(p)); }
    std::vector<T> get(size_t n) const
    {
        std::vector<T> v(n); CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }
};

static unsigned hash_of(unsigned i) { i ^= i >> 16; i *= 0x7feb352du; i ^= i >> 15; i *= 0x846ca68bu; return i ^ (i >> 16); }
static int failures = 0;

template <typename T>
static int verdict(const char *name, const std::vector<T> &got, const std::vector<T> &want) {
    int wrong = 0;
    for (size_t i = 0; i < want.size(); ++i) wrong += !(got[i] == want[i]);
    std::printf("%-28s %zu elements, mismatches %d\n", name, want.size(), wrong); failures += wrong;
    return wrong;
}

template <typename Less> static void global_bitonic(const char *name, int n, Less less) {
    std::vector<unsigned> v(n);
    for (int i = 0; i < n; ++i) v[i] = hash_of(i + 1) % 100000u;
    Device<unsigned> d(v);
    for (int size = 2; size <= n; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2)
            bitonic_step<<<(n / 2 + 127) / 128, 128>>>(d.p, n, size, stride, less);
    std::sort(v.begin(), v.end(), less); const auto got = d.get(n); verdict(name, got, v);
    std::printf("  %u %u %u %u\n", got[0], got[1], got[n / 2], got[n - 1]);
}

int main() {
    global_bitonic("bitonic global ascending", 4096, Ascending());
    global_bitonic("bitonic global descending", 1024, Descending());
    {   // tiles of key-value pairs, then merge rounds over them
        constexpr int THREADS = 128, TILE = 2 * THREADS;
        const int n = 23 * TILE;                             // an odd number of tiles
        std::vector<Pair> v(n);
        for (int i = 0; i < n; ++i) v[i] = {(int)(hash_of(i) % 1000u) - 500, (unsigned)i};
        const ByKeyThenValueDown less; Device<Pair> a(v), b(v);
        sort_tiles<Pair, THREADS><<<n / TILE, THREADS>>>(a.p, less); std::vector<Pair> want = v;
        for (int t = 0; t < n; t += TILE) std::sort(want.begin() + t, want.begin() + t + TILE, less);
        verdict("bitonic tiles of pairs", a.get(n), want); int rounds = 0;
        for (int run = TILE; run < n; run *= 2, ++rounds) {
            merge_runs<4><<<(n / 4 + 127) / 128, 128>>>(a.p, b.p, n, run, less);
            CHECK(cudaGetLastError()); std::swap(a.p, b.p);
        }
        std::sort(want.begin(), want.end(), less); const auto got = a.get(n);
        verdict("merge path of pairs", got, want);
        std::printf("  %d rounds; first (%d, %u), middle (%d, %u), last (%d, %u)\n", rounds, got[0].key, got[0].value,
                    got[n / 2].key, got[n / 2].value, got[n - 1].key, got[n - 1].value);
    }
    {   // short rows
        const int rows = 60, length = 45;
        std::vector<int> v(rows * length);
        for (int i = 0; i < rows * length; ++i) v[i] = (int)(hash_of(i + 7777) % 2000u) - 1000;
        Device<int> d(v); odd_even_rows<<<rows, 32>>>(d.p, length, Ascending());
        for (int r = 0; r < rows; ++r) std::sort(v.begin() + r * length, v.begin() + (r + 1) * length);
        const auto got = d.get(v.size()); verdict("odd-even rows", got, v);
        std::printf("  row 0 from %d to %d, row 59 from %d to %d\n", got[0], got[44], got[59 * 45], got[59 * 45 + 44]);
    }
    std::puts(failures == 0 ? "PASS" : "FAIL");
    return 0;
}
