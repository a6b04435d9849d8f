/*
 * sparse_formats.cu
 *
 * One sparse integer matrix in three formats: CSR (a thread per row, and a warp per row
 * with __shfl_down_sync), ELL (column-major slabs padded to the longest row) and COO
 * (a thread per entry with atomicAdd).  The formats are converted on the device where
 * that is easy, all products must agree bit for bit with the host, and the CSR product
 * is finally applied repeatedly modulo a prime.
 */
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call)                                                                        \
    {                                                                                      \
        const cudaError_t error = call;                                                    \
        if (error != cudaSuccess) {                                                        \
            printf("Error: %s:%d, reason: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(1);                                                                       \
        }                                                                                  \
    }

struct Csr { int rows, nnz; int *offsets, *columns, *values; };
struct Ell { int rows, width; int *columns, *values; };       // column -1 marks padding
struct Coo { int nnz; int *row, *columns, *values; };         // shares two arrays with the CSR form

__global__ void csr_thread_per_row(Csr a, const int *__restrict__ x, long long *__restrict__ y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x; if (row >= a.rows) return;
    long long sum = 0;
    for (int k = a.offsets[row]; k < a.offsets[row + 1]; ++k)
        sum += (long long)a.values[k] * x[a.columns[k]];
    y[row] = sum;
}

__global__ void csr_warp_per_row(Csr a, const int *__restrict__ x, long long *__restrict__ y) {
    const int lane = threadIdx.x & 31; const int warps = gridDim.x * blockDim.x / 32;
    for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < a.rows; row += warps) {
        long long sum = 0;
        for (int k = a.offsets[row] + lane; k < a.offsets[row + 1]; k += 32)
            sum += (long long)a.values[k] * x[a.columns[k]];
        for (int delta = 16; delta > 0; delta >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, delta);
        if (lane == 0) y[row] = sum;
    }
}

__global__ void ell_product(Ell a, const int *__restrict__ x, long long *__restrict__ y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x; if (row >= a.rows) return;
    long long sum = 0;
    for (int slot = 0; slot < a.width; ++slot) {
        const int at = slot * a.rows + row; const int column = a.columns[at];
        if (column >= 0) sum += (long long)a.values[at] * x[column];
    }
    y[row] = sum;
}

__global__ void coo_product(Coo a, const int *__restrict__ x, unsigned long long *y) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < a.nnz) {
        const long long term = (long long)a.values[k] * x[a.columns[k]];
        atomicAdd(&y[a.row[k]], (unsigned long long)term);    // wraps correctly for negative terms
    }
}

__global__ void csr_to_coo_rows(const int *offsets, int rows, int *row_of) {
    const int row = blockIdx.x;                               // one block per row
    if (row < rows)
        for (int k = offsets[row] + threadIdx.x; k < offsets[row + 1]; k += blockDim.x) row_of[k] = row;
}

__global__ void csr_to_ell(Csr from, Ell to) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x; if (row >= from.rows) return;
    const int start = from.offsets[row], length = from.offsets[row + 1] - start;
    for (int slot = 0; slot < to.width; ++slot) {
        to.columns[slot * to.rows + row] = slot < length ? from.columns[start + slot] : -1;
        to.values[slot * to.rows + row] = slot < length ? from.values[start + slot] : 0;
    }
}

__global__ void longest_row(const int *offsets, int rows, int *longest) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    int length = row < rows ? offsets[row + 1] - offsets[row] : 0;
    length = __reduce_max_sync(0xffffffffu, length);
    if ((threadIdx.x & 31) == 0) atomicMax(longest, length);
}

__global__ void reduce_modulo(const long long *y, int *x, int n, int prime) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const long long r = y[i] % prime; x[i] = (int)(r < 0 ? r + prime : r);
    }
}

template <typename T> static T *upload(const std::vector<T> &v) {
    T *p; CHECK(cudaMalloc(&p, v.size() * sizeof(T)));
    CHECK(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

static int failures = 0;
static void compare(const char *name, const long long *device, const std::vector<long long> &want) {
    std::vector<long long> got(want.size()); CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(got.data(), device, want.size() * sizeof(long long), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (size_t i = 0; i < want.size(); ++i) wrong += got[i] != want[i];
    printf("%-16s y[0]=%lld y[999]=%lld y[last]=%lld\n    sum=%lld mismatches=%d\n", name, got[0], got[999], got.back(),
           std::accumulate(got.begin(), got.end(), 0LL), wrong);
    failures += wrong;
}

int main() {
    const int rows = 1501, prime = 65521, threads = 128, grid = (rows + threads - 1) / threads;
    std::vector<int> offsets(1, 0), columns, values, x(rows); unsigned state = 5;
    auto random = [&state](unsigned bound) { state = state * 1103515245u + 12345u; return (state >> 12) % bound; };
    for (int r = 0; r < rows; ++r) {                          // row lengths 0..13, every 100th has 70
        const int length = r % 100 == 50 ? 70 : (int)random(14);
        for (int k = 0; k < length; ++k) {
            columns.push_back((int)((r + k * 21 + random(20)) % rows));
            values.push_back((int)random(2001) - 1000);
        }
        offsets.push_back((int)columns.size()); x[r] = (int)random(60001) - 30000;
    }
    const int nnz = (int)columns.size(); std::vector<long long> want(rows, 0);
    for (int r = 0; r < rows; ++r)
        for (int k = offsets[r]; k < offsets[r + 1]; ++k) want[r] += (long long)values[k] * x[columns[k]];
    printf("matrix: %d rows, %d entries\n", rows, nnz);
    Csr csr = {rows, nnz, upload(offsets), upload(columns), upload(values)};
    int *dX = upload(x), *dLongest, width = 0; long long *dY;
    CHECK(cudaMalloc(&dY, rows * sizeof(long long))); CHECK(cudaMalloc(&dLongest, sizeof(int)));
    csr_thread_per_row<<<grid, threads>>>(csr, dX, dY); compare("CSR thread/row", dY, want);
    CHECK(cudaMemset(dY, 0xff, rows * sizeof(long long)));
    csr_warp_per_row<<<40, threads>>>(csr, dX, dY);
    compare("CSR warp/row", dY, want); CHECK(cudaMemset(dLongest, 0, sizeof(int)));
    longest_row<<<grid, threads>>>(csr.offsets, rows, dLongest);
    CHECK(cudaMemcpy(&width, dLongest, sizeof(int), cudaMemcpyDeviceToHost));
    Ell ell = {rows, width, nullptr, nullptr};
    CHECK(cudaMalloc(&ell.columns, (size_t)rows * width * sizeof(int)));
    CHECK(cudaMalloc(&ell.values, (size_t)rows * width * sizeof(int)));
    csr_to_ell<<<grid, threads>>>(csr, ell);
    CHECK(cudaMemset(dY, 0xff, rows * sizeof(long long)));
    ell_product<<<grid, threads>>>(ell, dX, dY);
    printf("ELL width %d, padding %d\n", width, rows * width - nnz);
    compare("ELL", dY, want); Coo coo = {nnz, nullptr, csr.columns, csr.values};
    CHECK(cudaMalloc(&coo.row, nnz * sizeof(int)));
    csr_to_coo_rows<<<rows, 32>>>(csr.offsets, rows, coo.row);
    CHECK(cudaMemset(dY, 0, rows * sizeof(long long)));
    coo_product<<<(nnz + threads - 1) / threads, threads>>>(coo, dX, reinterpret_cast<unsigned long long *>(dY));
    compare("COO atomic", dY, want);
    for (int step = 0; step < 4; ++step) {                    // x <- A x mod p, repeatedly
        csr_warp_per_row<<<40, threads>>>(csr, dX, dY);
        reduce_modulo<<<grid, threads>>>(dY, dX, rows, prime); CHECK(cudaGetLastError());
        for (int r = 0; r < rows; ++r) {
            long long s = 0;
            for (int k = offsets[r]; k < offsets[r + 1]; ++k) s += (long long)values[k] * x[columns[k]];
            want[r] = (s % prime + prime) % prime;
        }
        x.assign(want.begin(), want.end());
    }
    std::vector<int> last(rows);
    CHECK(cudaMemcpy(last.data(), dX, rows * sizeof(int), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int r = 0; r < rows; ++r) wrong += last[r] != x[r];
    printf("A^4 x mod %d: %d %d %d, mismatches %d\n", prime, last[1], last[700], last[rows - 1], wrong);
    failures += wrong;
    for (int *p : {csr.offsets, csr.columns, csr.values, dX, dLongest, ell.columns, ell.values, coo.row})
        CHECK(cudaFree(p));
    CHECK(cudaFree(dY)); puts(failures == 0 ? "PASS" : "FAIL");
    return 0;
}
