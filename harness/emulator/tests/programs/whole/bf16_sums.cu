/* bf16_sums.cu
 * Sums and products in the 16-bit format __nv_bfloat16.  Kernels add a series
 * sequentially and as a tree, compute dot products with scalar fma and with the
 * two-lane type, convert with the four rounding modes, and compare and clamp values.
 * A host class rounds exact double results to eight significant bits, so every
 * device result can be predicted bit by bit; the bits are printed in hexadecimal.
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_bf16.h>
#include <vector>

#define GUARD(expression)                                                           \
    if (cudaError_t error = (expression)) {                                         \
        std::fprintf(stderr, "%s -> %s\n", #expression, cudaGetErrorString(error));  \
        std::exit(EXIT_FAILURE);                                                    \
    }

using bf16 = __nv_bfloat16;
using bf162 = __nv_bfloat162;
constexpr int ROWS = 128, LENGTH = 64, CASES = 14;
// ---- host model: exact value in double, rounded to 8 significant bits -------------
enum Rounding { RN, RZ, RU, RD };
struct Model {
    double v;
    explicit Model(double exact, Rounding mode = RN)
    {
        if (exact == 0 || std::isinf(exact)) { v = exact; return; }
        int e;
        std::frexp(exact, &e);
        const double unit = std::ldexp(1.0, std::max(e, -125) - 8), q = exact / unit;
        v = unit * (mode == RN ? std::nearbyint(q) : mode == RZ ? std::trunc(q) : mode == RU ? std::ceil(q) : std::floor(q));
        const double limit = std::ldexp(255.0, 120);            // largest finite value
        if (std::fabs(v) > limit)
            v = std::copysign(mode == RZ || (mode == RU && v < 0) || (mode == RD && v > 0) ? limit : INFINITY, v);
    }
    unsigned bits() const
    {
        union { float f; unsigned u; } pun;
        pun.f = static_cast<float>(v);
        return pun.u >> 16;
    }
};
static Model operator+(Model a, Model b) { return Model(a.v + b.v); }
static Model fma(Model a, Model b, Model c) { return Model(a.v * b.v + c.v); }

// ---- kernels -----------------------------------------------------------------------
__global__ void convert_all(const float *in, unsigned short *out)
{
    const int i = threadIdx.x;
    out[4 * i + RN] = __bfloat16_as_ushort(__float2bfloat16_rn(in[i]));
    out[4 * i + RZ] = __bfloat16_as_ushort(__float2bfloat16_rz(in[i]));
    out[4 * i + RU] = __bfloat16_as_ushort(__float2bfloat16_ru(in[i]));
    out[4 * i + RD] = __bfloat16_as_ushort(__float2bfloat16_rd(in[i]));
}

__global__ void make_series(bf16 *a, bf16 *b)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = __float2bfloat16(((i * 37) % 251 + 1) * 0.0625f);
    b[i] = __float2bfloat16(((i * 53 + i / LENGTH) % 127 - 63) * 0.125f);
}

__global__ void sequential_sums(const bf16 *a, const bf16 *b, bf16 *sum, bf16 *dot)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    bf16 s = __float2bfloat16(0.0f), d = s;
    for (int k = row * LENGTH; k < (row + 1) * LENGTH; ++k) {
        s = __hadd_rn(s, a[k]);
        d = __hfma(a[k], b[k], d);
    }
    sum[row] = s;
    dot[row] = d;
}

__global__ void tree_sums(const bf16 *a, bf16 *sum)
{
    __shared__ bf16 part[LENGTH];
    const int t = threadIdx.x;
    part[t] = a[blockIdx.x * LENGTH + t];
    __syncthreads();
    for (int step = LENGTH / 2; step > 0; step /= 2) {
        if (t < step) part[t] = __hadd_rn(part[t], part[t + step]);
        __syncthreads();
    }
    if (t == 0) sum[blockIdx.x] = part[0];
}

// Even and odd elements are accumulated in the two lanes and joined at the end.
__global__ void paired_dot(const bf162 *a, const bf162 *b, bf16 *dot)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    bf162 d = __float2bfloat162_rn(0.0f);
    for (int k = row * LENGTH / 2; k < (row + 1) * LENGTH / 2; ++k) d = __hfma2(a[k], b[k], d);
    dot[row] = __hadd_rn(__low2bfloat16(d), __high2bfloat16(d));
}

// Values clamped to -2..3, and the number of elements above and below the partner.
__global__ void clamp_compare(const bf16 *a, const bf16 *b, float *clamped, int *count, int n)
{
    const bf16 low = __float2bfloat16(-2.0f), high = __float2bfloat16(3.0f);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        clamped[i] = __bfloat162float(__hmin(__hmax(b[i], low), high));
        if (__hgt(a[i], b[i])) atomicAdd(&count[0], 1);
        if (__hle(a[i], __habs(b[i]))) atomicAdd(&count[1], 1);
    }
}

int main()
{
    const int n = ROWS * LENGTH;
    bf16 *a, *b, *sums;                                  // sums: sequential, dot, tree, paired
    float *clamped, *inputs;
    int *count, bad[6] = {0, 0, 0, 0, 0, 0}, want[2] = {0, 0};
    unsigned short *bits;
    for (bf16 **series : {&a, &b}) GUARD(cudaMallocManaged(series, n * sizeof(bf16)));
    GUARD(cudaMallocManaged(&sums, 4 * ROWS * sizeof(bf16)));
    GUARD(cudaMallocManaged(&clamped, n * sizeof(float)));
    GUARD(cudaMallocManaged(&inputs, CASES * sizeof(float)));
    GUARD(cudaMallocManaged(&count, 2 * sizeof(int)));
    GUARD(cudaMallocManaged(&bits, 4 * CASES * sizeof(short)));
    count[0] = count[1] = 0;
    const float cases[CASES] = {1.0f, -1.5f, 0.1f, -0.7f, 257.0f, 259.0f, -258.5f, 1.0e10f,
                                3.4e38f, -3.4e38f, 1.2e-38f, -3.0e-39f, INFINITY, 1.00390625f};
    std::copy(cases, cases + CASES, inputs);

    convert_all<<<1, CASES>>>(inputs, bits);
    make_series<<<ROWS, LENGTH>>>(a, b);
    sequential_sums<<<ROWS / 32, 32>>>(a, b, sums, sums + ROWS);
    tree_sums<<<ROWS, LENGTH>>>(a, sums + 2 * ROWS);
    paired_dot<<<ROWS / 32, 32>>>(reinterpret_cast<bf162 *>(a), reinterpret_cast<bf162 *>(b), sums + 3 * ROWS);
    clamp_compare<<<16, 64>>>(a, b, clamped, count, n);
    GUARD(cudaGetLastError());
    GUARD(cudaDeviceSynchronize());
    for (int i = 0; i < CASES; ++i) {
        const unsigned short *o = bits + 4 * i;
        for (int m = 0; m < 4; ++m) bad[0] += o[m] != Model(cases[i], static_cast<Rounding>(m)).bits();
        std::printf("%14.7g -> rn %04x rz %04x ru %04x rd %04x\n", cases[i], o[RN], o[RZ], o[RU], o[RD]);
    }
    for (int row = 0; row < ROWS; ++row) {
        Model s(0), d(0), even(0), odd(0);
        std::vector<Model> part;
        for (int k = row * LENGTH; k < (row + 1) * LENGTH; ++k) {
            const Model x(((k * 37) % 251 + 1) * 0.0625), y(((k * 53 + k / LENGTH) % 127 - 63) * 0.125);
            s = s + x;
            d = fma(x, y, d);
            (k % 2 ? odd : even) = fma(x, y, k % 2 ? odd : even);
            part.push_back(x);
            bad[5] += clamped[k] != static_cast<float>(std::min(std::max(y.v, -2.0), 3.0));
            want[0] += x.v > y.v;
            want[1] += x.v <= std::fabs(y.v);
        }
        for (int step = LENGTH / 2; step > 0; step /= 2)
            for (int t = 0; t < step; ++t) part[t] = part[t] + part[t + step];
        const double expected[4] = {s.v, d.v, part[0].v, (even + odd).v};
        for (int k = 0; k < 4; ++k) bad[1 + k] += __bfloat162float(sums[k * ROWS + row]) != expected[k];
        if (row % 16 == 0)
            std::printf("row %3d: sequential %.4f tree %.4f, bits %04x %04x\n", row, s.v, part[0].v,
                        __bfloat16_as_ushort(sums[row]), __bfloat16_as_ushort(sums[2 * ROWS + row]));
    }
    bad[5] += count[0] != want[0] || count[1] != want[1];
    std::printf("greater: %d, not above magnitude: %d\n", count[0], count[1]);
    const char *name[6] = {"convert", "sequential", "dot", "tree", "paired dot", "clamp"};
    for (int k = 0; k < 6; ++k) std::printf("%-10s mismatches %d %s\n", name[k], bad[k], bad[k] ? "FAIL" : "PASS");
    for (void *p : {(void *)a, (void *)b, (void *)sums, (void *)clamped, (void *)inputs, (void *)count, (void *)bits})
        GUARD(cudaFree(p));
    return 0;
}
