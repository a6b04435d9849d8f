/*
 * device_features.cu
 *
 * C++ inside kernels.  Function pointers are read from device symbols and handed to a
 * kernel; objects with virtual functions are constructed, used and deleted by device code
 * (never copied from the host); every thread of another kernel uses new and delete on the
 * device heap; template functions keep static device data; device assert and a printf by
 * one thread appear too.  The host uses cudaFuncGetAttributes and the occupancy API for
 * decisions that do not change the result.
 */
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { const cudaError_t e = (call); if (e != cudaSuccess) { \
    fprintf(stderr, "%s:%d %s: %s\n", __FILE__, __LINE__, cudaGetErrorName(e), cudaGetErrorString(e)); \
    exit(1); } } while (0)

// ---- function pointers in device symbols ----
typedef int (*BinaryOp)(int, int);
__device__ int op_add(int a, int b) { return a + b; }
__device__ int op_mix(int a, int b) { return (a << 3) ^ b; }
__device__ int op_gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }
__device__ BinaryOp d_ops[3] = {op_add, op_mix, op_gcd};
__device__ BinaryOp d_favourite = op_gcd;

__global__ void apply(BinaryOp op, const int *a, const int *b, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = op(a[i], b[i]);
}

__global__ void fold_table(const int *a, int *out, int n) {     // the choice differs by thread
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = d_ops[i % 3](a[i], i + 1);
}

// ---- virtual functions, objects made by the device ----
class Shape {
public:
    __device__ virtual ~Shape() {}
    __device__ virtual int area() const = 0;
    __device__ virtual int corners() const { return 4; }
};
class Rectangle : public Shape {
public:
    __device__ Rectangle(int w, int h) : w_(w), h_(h) {}
    __device__ int area() const override { return w_ * h_; }
protected:
    int w_, h_;
};
class Triangle final : public Rectangle {
public:
    __device__ Triangle(int base, int height) : Rectangle(base, height) {}
    __device__ int area() const override { return w_ * h_ / 2; }
    __device__ int corners() const override { return 3; }
};

__global__ void make_shapes(Shape **shapes, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
    if (i % 3 == 0) shapes[i] = new Triangle(i + 2, 6); else shapes[i] = new Rectangle(i + 1, i % 5 + 1);
    assert(shapes[i] != nullptr);
}
__global__ void measure(Shape *const *shapes, int *area, int *corners, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { area[i] = shapes[i]->area(); atomicAdd(corners, shapes[i]->corners()); }
}
__global__ void destroy_shapes(Shape **shapes, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { delete shapes[i]; shapes[i] = nullptr; }
}
// ---- the device heap ----
__global__ void collatz_lengths(int *lengths, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; int used = 0;
    int *path = (int *)malloc((i < 1000 ? 192 : 224) * sizeof(int));   // the longest path here has 217 members
    assert(path);
    for (int v = i + 1;; v = v % 2 ? 3 * v + 1 : v / 2) {
        assert(used < 224); path[used++] = v; if (v == 1) break;
    }
    int peak = 0;
    for (int k = 0; k < used; ++k) peak = max(peak, path[k]);
    free(path); lengths[i] = used * 100 + peak % 100;
}

// ---- templates with static data ----
template <int K> struct Config { static constexpr int step = K * K + 1; };
template <int K> __device__ unsigned ticket() {
    static unsigned issued = 1000u * K;                          // one variable per instantiation
    return atomicAdd(&issued, (unsigned)Config<K>::step);
}
__device__ unsigned d_last[4];
__constant__ int c_limit;
template <int K> __global__ void take_tickets(int rounds) {
    for (int r = 0; r < rounds && r < c_limit; ++r) atomicMax(&d_last[K], ticket<K>());
    if (blockIdx.x == 0 && threadIdx.x == 0) printf("device: kernel for K=%d, step %d\n", K, Config<K>::step);
}

static int report(const char *name, const std::vector<int> &got, const std::vector<int> &want) {
    int wrong = 0; unsigned sum = 0;
    for (size_t i = 0; i < want.size(); ++i) { wrong += got[i] != want[i]; sum = sum * 33u + got[i]; }
    printf("%-12s [5]=%d [777]=%d checksum %u mismatches %d\n", name, got[5], got[777], sum, wrong);
    return wrong;
}

int main() {
    const int n = 3000, bytes = n * sizeof(int); int failures = 0;
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20)); std::vector<int> a(n), b(n), got(n), want(n);
    for (int i = 0; i < n; ++i) { a[i] = i * 12 % 5000 + 6; b[i] = i * 18 % 7000 + 9; }
    int *da, *db, *dOut, *dCorners;
    CHECK(cudaMalloc(&da, bytes)); CHECK(cudaMalloc(&db, bytes)); CHECK(cudaMalloc(&dOut, bytes));
    CHECK(cudaMalloc(&dCorners, sizeof(int))); CHECK(cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice));
    // attributes and occupancy only choose a block size; the result is the same for all
    cudaFuncAttributes attributes;
    int resident = 0, block = 256, suggestedGrid = 0, suggested = 0;
    CHECK(cudaFuncGetAttributes(&attributes, collatz_lengths));
    while (block > attributes.maxThreadsPerBlock) block /= 2;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, apply, block, 0));
    CHECK(cudaOccupancyMaxPotentialBlockSize(&suggestedGrid, &suggested, apply, 0, 0));
    printf("attributes sane: %s, occupancy sane: %s\n", attributes.maxThreadsPerBlock >= 32 ?
           "yes" : "no", resident >= 1 && suggested >= 32 && suggestedGrid >= 1 ? "yes" : "no");
    const int grid = (n + block - 1) / block;
    auto gcd = [](int x, int y) { while (y) { int t = x % y; x = y; y = t; } return x; };
    BinaryOp favourite, mix; CHECK(cudaMemcpyFromSymbol(&favourite, d_favourite, sizeof(favourite)));
    CHECK(cudaMemcpyFromSymbol(&mix, d_ops, sizeof(mix), 1 * sizeof(BinaryOp)));
    apply<<<grid, block>>>(favourite, da, db, dOut, n);
    CHECK(cudaMemcpy(got.data(), dOut, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) want[i] = gcd(a[i], b[i]);
    failures += report("gcd", got, want); apply<<<grid, block>>>(mix, da, db, dOut, n);
    CHECK(cudaMemcpy(got.data(), dOut, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) want[i] = (a[i] << 3) ^ b[i];
    failures += report("mix", got, want); fold_table<<<grid, block>>>(da, dOut, n);
    CHECK(cudaMemcpy(got.data(), dOut, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i)
        want[i] = i % 3 == 0 ? a[i] + i + 1 : i % 3 == 1 ? (a[i] << 3) ^ (i + 1) : gcd(a[i], i + 1);
    failures += report("table", got, want); Shape **shapes; int corners = 0, wantCorners = 0;
    CHECK(cudaMalloc(&shapes, n * sizeof(Shape *)));
    CHECK(cudaMemset(dCorners, 0, sizeof(int))); make_shapes<<<grid, block>>>(shapes, n);
    measure<<<grid, block>>>(shapes, dOut, dCorners, n);
    destroy_shapes<<<grid, block>>>(shapes, n); CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(got.data(), dOut, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&corners, dCorners, sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) want[i] = i % 3 == 0 ? (i + 2) * 6 / 2 : (i + 1) * (i % 5 + 1);
    for (int i = 0; i < n; ++i) wantCorners += i % 3 == 0 ? 3 : 4;
    failures += report("areas", got, want) + (corners != wantCorners);
    printf("corners %d (host %d)\n", corners, wantCorners);
    collatz_lengths<<<grid, block>>>(dOut, n); CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(got.data(), dOut, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) {
        int used = 0, peak = 0;
        for (int v = i + 1;; v = v % 2 ? 3 * v + 1 : v / 2) { ++used; peak = v > peak ? v : peak; if (v == 1) break; }
        want[i] = used * 100 + peak % 100;
    }
    failures += report("collatz", got, want); const int limit = 5;
    unsigned last[4] = {}, *address = nullptr; CHECK(cudaMemcpyToSymbol(c_limit, &limit, sizeof(limit)));
    CHECK(cudaGetSymbolAddress((void **)&address, d_last)); CHECK(cudaMemset(address, 0, sizeof(last)));
    fflush(stdout);                                              // keep host and device output in order
    take_tickets<1><<<2, 64>>>(8);
    CHECK(cudaDeviceSynchronize()); take_tickets<3><<<1, 96>>>(2); CHECK(cudaDeviceSynchronize());
    take_tickets<1><<<1, 32>>>(1);                               // goes on where the first one stopped
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpyFromSymbol(last, d_last, sizeof(last)));
    const unsigned want1 = 1000u + 2u * (2 * 64 * 5 + 32 - 1), want3 = 3000u + 10u * (96 * 2 - 1);
    printf("tickets: K=1 %u (%u), K=3 %u (%u), others %u %u\n", last[1], want1, last[3], want3, last[0], last[2]);
    failures += (last[1] != want1) + (last[3] != want3) + (last[0] != 0) + (last[2] != 0);
    CHECK(cudaFree(da)); CHECK(cudaFree(db)); CHECK(cudaFree(dOut)); CHECK(cudaFree(dCorners)); CHECK(cudaFree(shapes));
    puts(failures == 0 ? "PASS" : "FAIL");
    return 0;
}
