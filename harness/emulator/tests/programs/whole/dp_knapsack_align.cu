/*
 * dp_knapsack_align.cu
 *
 * Dynamic programming in three shapes.  A 0/1 knapsack runs one launch per item with two
 * buffers that swap roles.  A global sequence alignment (match, mismatch, gap) proceeds
 * along anti-diagonals, one launch per diagonal over the full table, so that the host can
 * trace the alignment back.  Many short pairs are aligned locally by one warp each, with
 * three rolling diagonals in volatile shared memory ordered by __syncwarp.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
#include <cuda_runtime.h>

#define CUDA_TRY(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
    std::fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e_)); std::exit(1); } } while (0)

constexpr int MATCH = 3, MISMATCH = -2, GAP = -4;
__host__ __device__ constexpr int score(char a, char b) { return a == b ? MATCH : MISMATCH; }

// ---- knapsack ---------------------------------------------------------------------
__global__ void knapsack_item(const int *__restrict__ old_best, int *__restrict__ new_best,
                              unsigned char *taken, int capacity, int weight, int value) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x; if (w > capacity) return;
    const int without = old_best[w]; const int with = w >= weight ? old_best[w - weight] + value : -1;
    new_best[w] = max(without, with); taken[w] = with > without;
}

// ---- global alignment ---------------------------------------------------------------
__global__ void align_border(int *table, int rows, int cols) {
    for (int i = threadIdx.x; i < rows; i += blockDim.x) table[i * cols] = GAP * i;
    for (int j = threadIdx.x; j < cols; j += blockDim.x) table[j] = GAP * j;   // the corner is 0 twice
}

__global__ void align_diagonal(int *table, const char *a, const char *b, int rows, int cols, int diagonal) {
    // cells (i, j), i + j == diagonal, 1 <= i < rows, 1 <= j < cols
    const int first = max(1, diagonal - (cols - 1)), last = min(rows - 1, diagonal - 1);
    const int i = first + blockIdx.x * blockDim.x + threadIdx.x; if (i > last) return; const int j = diagonal - i;
    const int best = max(table[(i - 1) * cols + j], table[i * cols + j - 1]) + GAP;
    table[i * cols + j] = max(best, table[(i - 1) * cols + j - 1] + score(a[i - 1], b[j - 1]));
}

// ---- local alignment, one warp per pair of at most 32 letters --------------------------
template <int WARPS>
__global__ void local_pairs(const char *left, const char *right, int *best, int pairs) {
    __shared__ volatile int diag[WARPS][3][33];               // index 0 is the zero border
    __shared__ volatile int scratch[WARPS][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32; const int pair = blockIdx.x * WARPS + warp;
    if (pair >= pairs) return;                                // whole warps only
    for (int d = 0; d < 3; ++d) {
        diag[warp][d][lane + 1] = 0;
        if (lane == 0) diag[warp][d][0] = 0;
    }
    __syncwarp(); const char mine = left[pair * 32 + lane]; int top = 0;
    for (int step = 0; step < 63; ++step) {                   // lane handles row lane, column step - lane
        const int cur = step % 3, prev = (step + 2) % 3, prev2 = (step + 1) % 3;
        const int column = step - lane; int cell = 0;
        if (column >= 0 && column < 32) {
            // before the first column the buffers hold zeros, as the border should
            const int up = diag[warp][prev][lane], side = column > 0 ? diag[warp][prev][lane + 1] : 0;
            const int corner = column > 0 ? diag[warp][prev2][lane] : 0;
            cell = max(max(0, corner + score(mine, right[pair * 32 + column])), max(up, side) + GAP);
            top = max(top, cell);
        }
        __syncwarp(); diag[warp][cur][lane + 1] = cell; __syncwarp();
    }
    scratch[warp][lane] = top; __syncwarp();
    for (int half = 16; half > 0; half >>= 1) {
        int other = lane < half ? scratch[warp][lane + half] : 0; __syncwarp();
        if (lane < half && other > scratch[warp][lane]) scratch[warp][lane] = other;
        __syncwarp();
    }
    if (lane == 0) best[pair] = scratch[warp][0];
}

static unsigned g_state = 17;
static unsigned draw(unsigned bound) { g_state = g_state * 1664525u + 1013904223u; return (g_state >> 10) % bound; }
static std::string letters(int n) { std::string s; while (n-- > 0) s += "ACGT"[draw(4)]; return s; }

static int knapsack() {
    const int items = 48, capacity = 1500, row = capacity + 1;
    std::vector<int> weight(items), value(items), best(row, 0), got(row);
    for (int k = 0; k < items; ++k) { weight[k] = 20 + draw(90); value[k] = weight[k] + draw(60); }
    int *buffer[2]; unsigned char *taken; CUDA_TRY(cudaMalloc(&buffer[0], row * sizeof(int)));
    CUDA_TRY(cudaMalloc(&buffer[1], row * sizeof(int))); CUDA_TRY(cudaMalloc(&taken, items * row));
    CUDA_TRY(cudaMemset(buffer[0], 0, row * sizeof(int)));
    for (int k = 0; k < items; ++k)
        knapsack_item<<<(row + 127) / 128, 128>>>(buffer[k & 1], buffer[(k + 1) & 1], taken + k * row, capacity,
                                                  weight[k], value[k]);
    CUDA_TRY(cudaGetLastError()); std::vector<unsigned char> choice(items * row);
    CUDA_TRY(cudaMemcpy(got.data(), buffer[items & 1], row * sizeof(int), cudaMemcpyDeviceToHost));
    CUDA_TRY(cudaMemcpy(choice.data(), taken, items * row, cudaMemcpyDeviceToHost));
    for (int k = 0; k < items; ++k)
        for (int w = capacity; w >= weight[k]; --w) best[w] = std::max(best[w], best[w - weight[k]] + value[k]);
    int wrong = 0, left = capacity, total = 0, chosen = 0;
    for (int w = 0; w < row; ++w) wrong += best[w] != got[w];
    for (int k = items - 1; k >= 0; --k) if (choice[k * row + left]) { left -= weight[k]; total += value[k]; ++chosen; }
    wrong += total != got[capacity];
    std::printf("knapsack: value %d with %d items, %d unused\n  half capacity %d; mismatches %d\n", got[capacity],
                chosen, left, got[capacity / 2], wrong);
    CUDA_TRY(cudaFree(buffer[0])); CUDA_TRY(cudaFree(buffer[1])); CUDA_TRY(cudaFree(taken));
    return wrong;
}

static int global_alignment() {
    std::string a = letters(120), b = a; for (int k = 0; k < 12; ++k) b[draw(120)] = "ACGT"[draw(4)];
    b.erase(30, 5); b.insert(70, "GATTACA");
    const int rows = (int)a.size() + 1, cols = (int)b.size() + 1; int *table;
    char *da, *db; CUDA_TRY(cudaMalloc(&table, rows * cols * sizeof(int)));
    CUDA_TRY(cudaMalloc(&da, a.size())); CUDA_TRY(cudaMalloc(&db, b.size()));
    CUDA_TRY(cudaMemcpy(da, a.data(), a.size(), cudaMemcpyHostToDevice));
    CUDA_TRY(cudaMemcpy(db, b.data(), b.size(), cudaMemcpyHostToDevice));
    align_border<<<1, 128>>>(table, rows, cols);
    for (int d = 2; d <= rows + cols - 2; ++d) align_diagonal<<<(rows + 63) / 64, 64>>>(table, da, db, rows, cols, d);
    CUDA_TRY(cudaGetLastError()); std::vector<int> t(rows * cols), ref(rows * cols);
    CUDA_TRY(cudaMemcpy(t.data(), table, t.size() * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j)
            ref[i * cols + j] = i == 0 ? GAP * j : j == 0 ? GAP * i
                : std::max(ref[(i - 1) * cols + j - 1] + score(a[i - 1], b[j - 1]),
                           std::max(ref[(i - 1) * cols + j], ref[i * cols + j - 1]) + GAP);
    const int wrong = (int)(t != ref); std::string top, bottom;
    for (int i = rows - 1, j = cols - 1; i > 0 || j > 0;) {
        const int here = t[i * cols + j];
        const bool both = i > 0 && j > 0 && here == t[(i - 1) * cols + j - 1] + score(a[i - 1], b[j - 1]);
        const bool up = !both && i > 0 && here == t[(i - 1) * cols + j] + GAP;
        top += both || up ? a[--i] : '-'; bottom += both || !up ? b[--j] : '-';
    }
    std::reverse(top.begin(), top.end()); std::reverse(bottom.begin(), bottom.end());
    std::printf("alignment score %d, length %zu, table %s\n", t.back(), top.size(), wrong ? "WRONG" : "ok");
    for (size_t p = 0; p < top.size(); p += 64)
        std::printf("  %s\n  %s\n", top.substr(p, 64).c_str(), bottom.substr(p, 64).c_str());
    CUDA_TRY(cudaFree(table)); CUDA_TRY(cudaFree(da)); CUDA_TRY(cudaFree(db));
    return wrong;
}

static int local_alignments() {
    const int pairs = 301; constexpr int WARPS = 4;
    const std::string a = letters(pairs * 32), b = letters(pairs * 32);
    char *da, *db; int *best; std::vector<int> got(pairs);
    CUDA_TRY(cudaMalloc(&da, a.size())); CUDA_TRY(cudaMalloc(&db, b.size())); CUDA_TRY(cudaMalloc(&best, pairs * sizeof(int)));
    CUDA_TRY(cudaMemcpy(da, a.data(), a.size(), cudaMemcpyHostToDevice));
    CUDA_TRY(cudaMemcpy(db, b.data(), b.size(), cudaMemcpyHostToDevice));
    local_pairs<WARPS><<<(pairs + WARPS - 1) / WARPS, 32 * WARPS>>>(da, db, best, pairs);
    CUDA_TRY(cudaGetLastError()); CUDA_TRY(cudaMemcpy(got.data(), best, pairs * sizeof(int), cudaMemcpyDeviceToHost));
    int wrong = 0, sum = 0, high = 0;
    for (int p = 0; p < pairs; ++p) {
        int h[33][33] = {}, top = 0;
        for (int i = 1; i <= 32; ++i)
            for (int j = 1; j <= 32; ++j) {
                h[i][j] = std::max({0, h[i - 1][j] + GAP, h[i][j - 1] + GAP,
                                    h[i - 1][j - 1] + score(a[p * 32 + i - 1], b[p * 32 + j - 1])});
                top = std::max(top, h[i][j]);
            }
        wrong += top != got[p]; sum += got[p]; high = std::max(high, got[p]);
    }
    std::printf("local pairs: sum %d, best %d\n  first %d, last %d, mismatches %d\n", sum, high, got[0], got[pairs - 1], wrong);
    CUDA_TRY(cudaFree(da)); CUDA_TRY(cudaFree(db)); CUDA_TRY(cudaFree(best));
    return wrong;
}

int main() {
    int failures = knapsack();
    failures += global_alignment();
    failures += local_alignments();
    std::puts(failures == 0 ? "PASS" : "FAIL");
    return 0;
}
