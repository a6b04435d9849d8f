/*
 * fft_radix2.cu
 *
 * A batched radix-2 complex FFT.  One block transforms one signal of 512 points in shared
 * memory: bit-reversed load with __brev, nine butterfly stages, twiddle factors from
 * constant memory, the direction as a template parameter.  The spectra are checked with a
 * double-precision DFT on the host; the round trip must give back the signal, Parseval's
 * identity must hold, and a cyclic convolution of integers must round to exact integers.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define CHECK_CUDA(x) do { cudaError_t r_ = (x); if (r_ != cudaSuccess) { \
    fprintf(stderr, "%s failed: %s\n", #x, cudaGetErrorString(r_)); exit(1); } } while (0)

constexpr int LOG_N = 9;
constexpr int N = 1 << LOG_N;
constexpr int HALF = N / 2;
constexpr int BATCH = 12;

__constant__ float2 c_twiddle[HALF];

__device__ __forceinline__ float2 cmul(float2 a, float2 b) {
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__device__ __forceinline__ float2 cadd(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ __forceinline__ float2 csub(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }

template <bool INVERSE>
__global__ void __launch_bounds__(HALF) fft(const float2 *__restrict__ in, float2 *__restrict__ out) {
    __shared__ float2 s[N]; const int t = threadIdx.x;
    const float2 *src = in + blockIdx.x * N;
    float2 *dst = out + blockIdx.x * N;
    s[__brev((unsigned)t) >> (32 - LOG_N)] = src[t];
    s[__brev((unsigned)(t + HALF)) >> (32 - LOG_N)] = src[t + HALF];
    __syncthreads();
#pragma unroll
    for (int stage = 0; stage < LOG_N; ++stage) {
        const int half = 1 << stage;
        const int k = t & (half - 1);
        const int lower = ((t >> stage) << (stage + 1)) + k;
        float2 w = c_twiddle[k << (LOG_N - 1 - stage)];
        if (INVERSE) w.y = -w.y;
        const float2 a = s[lower], b = cmul(w, s[lower + half]);
        s[lower] = cadd(a, b);                   // each thread owns its two elements
        s[lower + half] = csub(a, b);
        __syncthreads();
    }
    const float scale = INVERSE ? 1.0f / N : 1.0f;
    dst[t] = make_float2(s[t].x * scale, s[t].y * scale);
    dst[t + HALF] = make_float2(s[t + HALF].x * scale, s[t + HALF].y * scale);
}

// Row 0: an impulse; row 1: two tones; the rest: pseudo-random small integers.
__global__ void make_signals(float2 *x) {
    const int row = blockIdx.y, i = blockIdx.x * blockDim.x + threadIdx.x;
    float2 v = make_float2(0.0f, 0.0f);
    if (row == 0) {
        v.x = i == 3 ? 1.0f : 0.0f;
    } else if (row == 1) {
        v.x = 2.0f * cospif(2.0f * ((5 * i) % N) / N) + cospif(2.0f * ((100 * i) % N) / N);
        v.y = 3.0f * sinpif(2.0f * ((5 * i) % N) / N);
    } else {
        const unsigned h = (unsigned)(i * 2654435761u + row * 40503u);
        v.x = (float)(int)((h >> 13) % 10u);
        v.y = row >= 8 ? (float)(int)((h >> 21) % 7u) - 3.0f : 0.0f;
    }
    x[row * N + i] = v;
}

__global__ void multiply_rows(const float2 *a, const float2 *b, float2 *product, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) product[i] = cmul(a[i], b[i]);
}

__global__ void energy(const float2 *x, double *result) {
    __shared__ double s[128];
    double e = 0.0;
    for (int i = threadIdx.x; i < N; i += 128) {
        const float2 v = x[blockIdx.x * N + i];
        e += (double)v.x * v.x + (double)v.y * v.y;
    }
    s[threadIdx.x] = e;
    __syncthreads();
    for (int d = 64; d > 0; d >>= 1) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) result[blockIdx.x] = s[0];
}

int main() {
    const double pi = 3.14159265358979323846;
    std::vector<float2> tw(HALF);
    for (int k = 0; k < HALF; ++k)
        tw[k] = make_float2((float)cos(2.0 * pi * k / N), (float)-sin(2.0 * pi * k / N));
    CHECK_CUDA(cudaMemcpyToSymbol(c_twiddle, tw.data(), HALF * sizeof(float2)));
    const size_t bytes = sizeof(float2) * N * BATCH;
    float2 *dX, *dF, *dBack, *dProd;
    double *dE;
    CHECK_CUDA(cudaMalloc(&dX, bytes));
    CHECK_CUDA(cudaMalloc(&dF, bytes));
    CHECK_CUDA(cudaMalloc(&dBack, bytes));
    CHECK_CUDA(cudaMalloc(&dProd, sizeof(float2) * N));
    CHECK_CUDA(cudaMalloc(&dE, 2 * BATCH * sizeof(double)));
    make_signals<<<dim3(N / 128, BATCH), 128>>>(dX);
    fft<false><<<BATCH, HALF>>>(dX, dF);
    fft<true><<<BATCH, HALF>>>(dF, dBack);
    energy<<<BATCH, 128>>>(dX, dE);
    energy<<<BATCH, 128>>>(dF, dE + BATCH);
    CHECK_CUDA(cudaGetLastError());
    std::vector<float2> x(N * BATCH), f(N * BATCH), back(N * BATCH), conv(N);
    std::vector<double> e(2 * BATCH);
    CHECK_CUDA(cudaMemcpy(x.data(), dX, bytes, cudaMemcpyDeviceToHost));
    CHECK_CUDA(cudaMemcpy(f.data(), dF, bytes, cudaMemcpyDeviceToHost));
    CHECK_CUDA(cudaMemcpy(back.data(), dBack, bytes, cudaMemcpyDeviceToHost));
    CHECK_CUDA(cudaMemcpy(e.data(), dE, 2 * BATCH * sizeof(double), cudaMemcpyDeviceToHost));
    int bad = 0;
    std::vector<double> c(N), s(N);
    for (int k = 0; k < N; ++k) { c[k] = cos(2.0 * pi * k / N); s[k] = -sin(2.0 * pi * k / N); }
    const int rows[] = {0, 1, 2, 9};
    for (int row : rows) {                           // host DFT of four of the rows
        int wrong = 0;
        for (int k = 0; k < N; ++k) {
            double re = 0, im = 0;
            for (int i = 0; i < N; ++i) {
                const int m = (i * k) % N;
                re += x[row * N + i].x * c[m] - x[row * N + i].y * s[m];
                im += x[row * N + i].x * s[m] + x[row * N + i].y * c[m];
            }
            wrong += fabs(re - f[row * N + k].x) > 0.02 || fabs(im - f[row * N + k].y) > 0.02;
        }
        printf("row %d: bins that differ from the host DFT: %d\n", row, wrong);
        bad += wrong;
    }
    // |X| of the impulse is 1 everywhere; the tones of row 1 sit in four bins
    double flat = 0;
    for (int k = 0; k < N; ++k) flat += hypot(f[k].x, f[k].y);
    printf("impulse: mean magnitude %.3f\n", flat / N);
    for (int k : {5, N - 5, 100, N - 100, 6, 99})
        printf("tones: bin %3d -> %lld %lld\n", k, llround(f[N + k].x), llround(f[N + k].y));
    for (int row = 2; row < BATCH; row += 3)         // integers: the DC bin is an exact sum
        printf("row %d: sum of the samples %lld %lld\n", row, llround(f[row * N].x), llround(f[row * N].y));
    int trip = 0, parseval = 0;
    for (int i = 0; i < N * BATCH; ++i)
        trip += fabsf(back[i].x - x[i].x) > 1e-4f || fabsf(back[i].y - x[i].y) > 1e-4f;
    for (int b = 0; b < BATCH; ++b) parseval += fabs(e[b] - e[BATCH + b] / N) > 1e-4 * e[b];
    printf("round trip errors %d, Parseval errors %d\n", trip, parseval);
    // cyclic convolution of rows 2 and 3 through the product of their spectra
    multiply_rows<<<N / 128, 128>>>(dF + 2 * N, dF + 3 * N, dProd, N);
    fft<true><<<1, HALF>>>(dProd, dBack);            // the old contents of dBack are on the host
    CHECK_CUDA(cudaGetLastError());
    CHECK_CUDA(cudaMemcpy(conv.data(), dBack, N * sizeof(float2), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int k = 0; k < N; ++k) {
        long long want = 0;
        for (int i = 0; i < N; ++i) want += llround(x[2 * N + i].x) * llround(x[3 * N + (k - i + N) % N].x);
        wrong += llround(conv[k].x) != want;
    }
    printf("convolution: %lld %lld %lld, mismatches %d\n", llround(conv[0].x), llround(conv[200].x),
           llround(conv[N - 1].x), wrong);
    bad += trip + parseval + wrong;
    CHECK_CUDA(cudaFree(dX)); CHECK_CUDA(cudaFree(dF)); CHECK_CUDA(cudaFree(dBack));
    CHECK_CUDA(cudaFree(dProd)); CHECK_CUDA(cudaFree(dE));
    puts(bad == 0 ? "PASS" : "FAIL");
    return 0;
}
