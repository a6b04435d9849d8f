/* LU decomposition with partial pivoting, then solution for several right-hand sides, residual and determinant. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <cuda.h>
#include <cuda_runtime.h>

typedef double real;
#define N   70
#define RHS 5
#define B   16

static void die_on(cudaError_t rc, const char *where)
{
    if (rc != cudaSuccess) { fprintf(stderr, "%s: %s\n", where, cudaGetErrorString(rc)); exit(3); }
}

/* a is column major, lda = N */
__global__ void find_pivot(const real *a, int k, int *pivots)
{
    __shared__ real  value[64];
    __shared__ int   index[64];
    int t = threadIdx.x;
    real best = -1.0;
    int where = k;
    for (int i = k + t; i < N; i += blockDim.x) {
        real v = fabs(a[k * N + i]);
        if (v > best) { best = v; where = i; }
    }
    value[t] = best;
    index[t] = where;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s) {
            if (value[t + s] > value[t] || (value[t + s] == value[t] && index[t + s] < index[t])) {
                value[t] = value[t + s];
                index[t] = index[t + s];
            }
        }
        __syncthreads();
    }
    if (t == 0) pivots[k] = index[0];
}

__global__ void swap_rows(real *a, real *b, int k, const int *pivots)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int p = pivots[k];
    if (p == k) return;
    if (j < N) {
        real t = a[j * N + k];
        a[j * N + k] = a[j * N + p];
        a[j * N + p] = t;
    } else if (j < N + RHS) {
        j -= N;
        real t = b[j * N + k];
        b[j * N + k] = b[j * N + p];
        b[j * N + p] = t;
    }
}

__global__ void scale_column(real *a, int k)
{
    int i = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) a[k * N + i] /= a[k * N + k];
}

__global__ void update_trailing(real *a, int k)
{
    __shared__ real column[B], row[B];
    int i = k + 1 + blockIdx.x * B + threadIdx.x;
    int j = k + 1 + blockIdx.y * B + threadIdx.y;
    if (threadIdx.y == 0 && i < N) column[threadIdx.x] = a[k * N + i];
    if (threadIdx.x == 0 && j < N) row[threadIdx.y] = a[j * N + k];
    __syncthreads();
    if (i < N && j < N) a[j * N + i] -= column[threadIdx.x] * row[threadIdx.y];
}

/* one block per right-hand side */
__global__ void substitute(const real *lu, real *b)
{
    __shared__ real x[N];
    real *mine = b + blockIdx.x * N;
    for (int i = threadIdx.x; i < N; i += blockDim.x) x[i] = mine[i];
    __syncthreads();
    for (int k = 0; k < N; k++) {                       /* L, unit diagonal */
        real xk = x[k];
        for (int i = k + 1 + threadIdx.x; i < N; i += blockDim.x) x[i] -= lu[k * N + i] * xk;
        __syncthreads();
    }
    for (int k = N - 1; k >= 0; k--) {                  /* U */
        if (threadIdx.x == 0) x[k] /= lu[k * N + k];
        __syncthreads();
        real xk = x[k];
        for (int i = threadIdx.x; i < k; i += blockDim.x) x[i] -= lu[k * N + i] * xk;
        __syncthreads();
    }
    for (int i = threadIdx.x; i < N; i += blockDim.x) mine[i] = x[i];
}

__global__ void residuals(const real *a, const real *x, const real *b, real *worst)
{
    __shared__ real largest[128];
    int i = threadIdx.x;
    real r = 0;
    if (i < N) {
        r = b[blockIdx.x * N + i];
        for (int j = 0; j < N; j++) r -= a[j * N + i] * x[blockIdx.x * N + j];
        r = fabs(r);
    }
    largest[i] = r;
    __syncthreads();
    for (int s = 64; s >= 1; s >>= 1) {
        if (i < s) largest[i] = fmax(largest[i], largest[i + s]);
        __syncthreads();
    }
    if (i == 0) worst[blockIdx.x] = largest[0];
}

__global__ void log_determinant(const real *lu, const int *pivots, real *logarithm, int *sign)
{
    real sum = 0;
    int minus = 0;
    for (int k = threadIdx.x; k < N; k += 32) {
        real d = lu[k * N + k];
        sum += log(fabs(d));
        minus += (d < 0) + (pivots[k] != k);
    }
    for (int o = 16; o > 0; o /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, o);
        minus += __shfl_down_sync(0xffffffff, minus, o);
    }
    if (threadIdx.x == 0) { *logarithm = sum; *sign = minus % 2 ? -1 : 1; }
}

int main(void)
{
    static real a[N * N], b[N * RHS], x[N * RHS], worst[RHS];
    static int pivots[N];
    real *d_a, *d_lu, *d_b, *d_x, *d_worst, *d_log, logarithm;
    int *d_pivots, *d_sign, sign;
    unsigned s = 42;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            s = s * 1664525u + 1013904223u;
            a[j * N + i] = (int)(s >> 24) / 16.0 - 8.0 + (i == (j * 3 + 1) % N ? 30.0 : 0.0);
        }
    for (int r = 0; r < RHS; r++)
        for (int i = 0; i < N; i++) {
            b[r * N + i] = 0;                            /* of the known solution x_j = j % (r + 2) + 1 */
            for (int j = 0; j < N; j++) b[r * N + i] += a[j * N + i] * (j % (r + 2) + 1);
        }
    die_on(cudaMalloc((void **)&d_a, sizeof(a)), "a");
    die_on(cudaMalloc((void **)&d_lu, sizeof(a)), "lu");
    die_on(cudaMalloc((void **)&d_b, sizeof(b)), "b");
    die_on(cudaMalloc((void **)&d_x, sizeof(b)), "x");
    die_on(cudaMalloc((void **)&d_worst, sizeof(worst)), "worst");
    die_on(cudaMalloc((void **)&d_pivots, sizeof(pivots)), "pivots");
    die_on(cudaMalloc((void **)&d_log, sizeof(real)), "log");
    die_on(cudaMalloc((void **)&d_sign, sizeof(int)), "sign");
    die_on(cudaMemcpy(d_a, a, sizeof(a), cudaMemcpyHostToDevice), "copy a");
    die_on(cudaMemcpy(d_lu, d_a, sizeof(a), cudaMemcpyDeviceToDevice), "copy lu");
    die_on(cudaMemcpy(d_b, b, sizeof(b), cudaMemcpyHostToDevice), "copy b");
    die_on(cudaMemcpy(d_x, b, sizeof(b), cudaMemcpyHostToDevice), "copy x");

    for (int k = 0; k < N - 1; k++) {
        int rest = N - 1 - k;
        find_pivot<<<1, 64>>>(d_lu, k, d_pivots);
        swap_rows<<<(N + RHS + 63) / 64, 64>>>(d_lu, d_x, k, d_pivots);
        scale_column<<<(rest + 63) / 64, 64>>>(d_lu, k);
        update_trailing<<<dim3((rest + B - 1) / B, (rest + B - 1) / B), dim3(B, B)>>>(d_lu, k);
    }
    find_pivot<<<1, 64>>>(d_lu, N - 1, d_pivots);
    substitute<<<RHS, 96>>>(d_lu, d_x);
    residuals<<<RHS, 128>>>(d_a, d_x, d_b, d_worst);
    log_determinant<<<1, 32>>>(d_lu, d_pivots, d_log, d_sign);
    die_on(cudaGetLastError(), "launches");
    die_on(cudaDeviceSynchronize(), "kernels");
    die_on(cudaMemcpy(x, d_x, sizeof(x), cudaMemcpyDeviceToHost), "x back");
    die_on(cudaMemcpy(worst, d_worst, sizeof(worst), cudaMemcpyDeviceToHost), "worst back");
    die_on(cudaMemcpy(pivots, d_pivots, sizeof(pivots), cudaMemcpyDeviceToHost), "pivots back");
    die_on(cudaMemcpy(&logarithm, d_log, sizeof(real), cudaMemcpyDeviceToHost), "log back");
    die_on(cudaMemcpy(&sign, d_sign, sizeof(int), cudaMemcpyDeviceToHost), "sign back");

    unsigned hash = 0;
    int swaps = 0;
    for (int k = 0; k < N; k++) { hash = hash * 71 + pivots[k]; swaps += pivots[k] != k; }
    printf("pivots: %d swaps, first %d %d %d, hash %08x\n", swaps, pivots[0], pivots[1], pivots[2], hash);
    printf("determinant: sign %d, logarithm %.6f\n", sign, logarithm);
    for (int r = 0; r < RHS; r++) {
        real error = 0;
        for (int j = 0; j < N; j++) error = fmax(error, fabs(x[r * N + j] - (j % (r + 2) + 1)));
        printf("right-hand side %d: x[3] = %.6f, error %s, residual %s\n", r, x[r * N + 3],
               error < 1e-9 ? "small" : "LARGE", worst[r] < 1e-9 ? "small" : "LARGE");
    }
    cudaFree(d_a); cudaFree(d_lu); cudaFree(d_b); cudaFree(d_x);
    cudaFree(d_worst); cudaFree(d_pivots); cudaFree(d_log); cudaFree(d_sign);
    return 0;
}
