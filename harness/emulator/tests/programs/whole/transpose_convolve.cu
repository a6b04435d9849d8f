/*
 * transpose_convolve.cu
 *
 * Memory access patterns on images.  A rectangular matrix is transposed three ways (naive,
 * through a shared tile, through a padded tile) and must match in all of them; a separable
 * convolution with integer weights from constant memory runs as a row pass and a column
 * pass with halo tiles.  All images live in pitched memory and travel with cudaMemcpy2D,
 * including a copy of a sub-rectangle from device to device.
 */
#include <stdio.h>
#include <stdlib.h>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(x) do { cudaError_t e__ = (x); if (e__ != cudaSuccess) { \
    fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e__)); exit(1); } } while (0)

#define TILE 32
#define STRIP 8
#define RADIUS 4
#define ROW_TILE 64
#define COL_TILE 32

__constant__ int c_weights[2 * RADIUS + 1];

/* The pitch is in bytes; this gives the address of a row. */
template <typename T>
__host__ __device__ T *row_of(T *base, size_t pitch, int y) { return (T *)((char *)base + y * pitch); }

__global__ void transpose_naive(const int *in, size_t in_pitch, int *out, size_t out_pitch, int w, int h) {
    int x = blockIdx.x * TILE + threadIdx.x;
    for (int j = 0; j < TILE; j += STRIP) {
        int y = blockIdx.y * TILE + threadIdx.y + j;
        if (x < w && y < h) row_of(out, out_pitch, x)[y] = row_of((int *)in, in_pitch, y)[x];
    }
}

template <int PADDING>
__global__ void transpose_tiled(const int *__restrict__ in, size_t in_pitch, int *__restrict__ out,
                                size_t out_pitch, int w, int h) {
    __shared__ int tile[TILE][TILE + PADDING];
    int x = blockIdx.x * TILE + threadIdx.x;
    for (int j = 0; j < TILE; j += STRIP) {
        int y = blockIdx.y * TILE + threadIdx.y + j;
        if (x < w && y < h)
            tile[threadIdx.y + j][threadIdx.x] = ((const int *)((const char *)in + y * in_pitch))[x];
    }
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;                     /* column of the result */
    for (int j = 0; j < TILE; j += STRIP) {
        int y = blockIdx.x * TILE + threadIdx.y + j;         /* row of the result */
        if (x < h && y < w) row_of(out, out_pitch, y)[x] = tile[threadIdx.x][threadIdx.y + j];
    }
}

__device__ int clamp_index(int i, int n) { return i < 0 ? 0 : (i >= n ? n - 1 : i); }

__global__ void convolve_rows(const int *in, int *out, size_t pitch, int w, int h) {
    __shared__ int line[4][ROW_TILE + 2 * RADIUS];
    const int y = blockIdx.y * 4 + threadIdx.y, start = blockIdx.x * ROW_TILE - RADIUS;
    const int row = clamp_index(y, h);
    for (int k = threadIdx.x; k < ROW_TILE + 2 * RADIUS; k += ROW_TILE)
        line[threadIdx.y][k] = ((const int *)((const char *)in + row * pitch))[clamp_index(start + k, w)];
    __syncthreads();
    const int x = blockIdx.x * ROW_TILE + threadIdx.x;
    if (x >= w || y >= h) return;
    int sum = 0;
#pragma unroll
    for (int k = 0; k <= 2 * RADIUS; ++k) sum += c_weights[k] * line[threadIdx.y][threadIdx.x + k];
    row_of(out, pitch, y)[x] = sum;
}

__global__ void convolve_columns(const int *in, int *out, size_t pitch, int w, int h) {
    __shared__ int block[COL_TILE + 2 * RADIUS][16];
    const int x = blockIdx.x * 16 + threadIdx.x, start = blockIdx.y * COL_TILE - RADIUS;
    const int column = clamp_index(x, w);
    for (int k = threadIdx.y; k < COL_TILE + 2 * RADIUS; k += blockDim.y)
        block[k][threadIdx.x] = ((const int *)((const char *)in + clamp_index(start + k, h) * pitch))[column];
    __syncthreads();
    for (int k = threadIdx.y; k < COL_TILE; k += blockDim.y) {
        const int y = blockIdx.y * COL_TILE + k;
        if (x < w && y < h) {
            int sum = 0;
            for (int t = 0; t <= 2 * RADIUS; ++t) sum += c_weights[t] * block[k + t][threadIdx.x];
            row_of(out, pitch, y)[x] = sum >> 8;             /* both passes have a gain of 16 */
        }
    }
}

static int check_transpose(const char *name, const int *d_out, size_t pitch, const std::vector<int> &src, int w, int h) {
    std::vector<int> got(w * h);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy2D(got.data(), h * sizeof(int), d_out, pitch, h * sizeof(int), w, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) wrong += got[x * h + y] != src[y * w + x];
    printf("%-18s out[1][0]=%d\n    out[200][100]=%d mismatches %d\n", name, got[h], got[200 * h + 100], wrong);
    return wrong;
}

int main(void) {
    const int w = 333, h = 201;                              /* no multiples of a tile */
    const int weights[2 * RADIUS + 1] = {-1, 0, 2, 4, 6, 4, 2, 0, -1};
    int failures = 0;
    std::vector<int> image(w * h);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) image[y * w + x] = (x * 7 + y * 13 + (x * y) % 31) % 256;
    int *d_in, *d_mid, *d_out, *d_turned;
    size_t pitch, pitch2, pitch3, turned_pitch;
    CHECK(cudaMallocPitch((void **)&d_in, &pitch, w * sizeof(int), h));
    CHECK(cudaMallocPitch((void **)&d_mid, &pitch2, w * sizeof(int), h));
    CHECK(cudaMallocPitch((void **)&d_out, &pitch3, w * sizeof(int), h));
    CHECK(cudaMallocPitch((void **)&d_turned, &turned_pitch, h * sizeof(int), w));
    printf("equal shapes have equal pitches: %s\n", pitch == pitch2 && pitch == pitch3 ? "yes" : "no");
    CHECK(cudaMemcpy2D(d_in, pitch, image.data(), w * sizeof(int), w * sizeof(int), h, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(c_weights, weights, sizeof(weights)));
    const dim3 threads(TILE, STRIP), blocks((w + TILE - 1) / TILE, (h + TILE - 1) / TILE);
    CHECK(cudaMemset2D(d_turned, turned_pitch, 0, h * sizeof(int), w));
    transpose_naive<<<blocks, threads>>>(d_in, pitch, d_turned, turned_pitch, w, h);
    failures += check_transpose("transpose naive", d_turned, turned_pitch, image, w, h);
    CHECK(cudaMemset2D(d_turned, turned_pitch, 0, h * sizeof(int), w));
    transpose_tiled<0><<<blocks, threads>>>(d_in, pitch, d_turned, turned_pitch, w, h);
    failures += check_transpose("transpose tiled", d_turned, turned_pitch, image, w, h);
    CHECK(cudaMemset2D(d_turned, turned_pitch, 0, h * sizeof(int), w));
    transpose_tiled<1><<<blocks, threads>>>(d_in, pitch, d_turned, turned_pitch, w, h);
    failures += check_transpose("transpose padded", d_turned, turned_pitch, image, w, h);
    convolve_rows<<<dim3((w + ROW_TILE - 1) / ROW_TILE, (h + 3) / 4), dim3(ROW_TILE, 4)>>>(d_in, d_mid, pitch, w, h);
    convolve_columns<<<dim3((w + 15) / 16, (h + COL_TILE - 1) / COL_TILE), dim3(16, 8)>>>(d_mid, d_out, pitch, w, h);
    CHECK(cudaGetLastError());
    std::vector<int> got(w * h), mid(w * h), want(w * h);
    CHECK(cudaMemcpy2D(got.data(), w * sizeof(int), d_out, pitch, w * sizeof(int), h, cudaMemcpyDeviceToHost));
    auto clamp = [](int i, int n) { return i < 0 ? 0 : (i >= n ? n - 1 : i); };
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            int s = 0;
            for (int k = -RADIUS; k <= RADIUS; ++k) s += weights[k + RADIUS] * image[y * w + clamp(x + k, w)];
            mid[y * w + x] = s;
        }
    int wrong = 0;
    long long sum = 0;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            int s = 0;
            for (int k = -RADIUS; k <= RADIUS; ++k) s += weights[k + RADIUS] * mid[clamp(y + k, h) * w + x];
            want[y * w + x] = s >> 8;
            wrong += got[y * w + x] != want[y * w + x];
            sum += got[y * w + x];
        }
    printf("convolution        corner %d centre %d end %d sum %lld mismatches %d\n", got[0],
           got[(h / 2) * w + w / 2], got[w * h - 1], sum, wrong);
    failures += wrong;
    /* a 40 x 24 window from (100, 50) of the result to (5, 7) of d_in, device to device */
    CHECK(cudaMemcpy2D(row_of(d_in, pitch, 7) + 5, pitch, row_of(d_out, pitch, 50) + 100, pitch,
                       40 * sizeof(int), 24, cudaMemcpyDeviceToDevice));
    std::vector<int> pasted(w * h);
    CHECK(cudaMemcpy2D(pasted.data(), w * sizeof(int), d_in, pitch, w * sizeof(int), h, cudaMemcpyDeviceToHost));
    wrong = 0;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            const bool inside = x >= 5 && x < 45 && y >= 7 && y < 31;
            wrong += pasted[y * w + x] != (inside ? want[(y + 43) * w + x + 95] : image[y * w + x]);
        }
    printf("pasted window      first %d last %d mismatches %d\n", pasted[7 * w + 5], pasted[30 * w + 44], wrong);
    failures += wrong;
    CHECK(cudaFree(d_in)); CHECK(cudaFree(d_mid)); CHECK(cudaFree(d_out)); CHECK(cudaFree(d_turned));
    puts(failures == 0 ? "PASS" : "FAIL");
    return 0;
}
