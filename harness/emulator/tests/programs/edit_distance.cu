// Strings: edit distance by anti-diagonals in global memory and by tiles in shared memory, longest common subsequence,
// search for many patterns by rolling hashes, and search with a failure table from constant memory.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include <cuda_runtime.h>

static void must(cudaError_t e, int line) {
    if (e != cudaSuccess) {
        printf("line %d: %s\n", line, cudaGetErrorString(e));
        exit(1);
    }
}
#define MUST(x) must((x), __LINE__)

#define TILE 32
#define MAX_PATTERN 64

__constant__ char c_pattern[MAX_PATTERN];
__constant__ int c_failure[MAX_PATTERN];

// One launch per anti-diagonal d: cells (i, d - i), rows 1..n, columns 1..m.
__global__ void antiDiagonal(const char *a, int n, const char *b, int m, int *table, int d) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + max(1, d - m);
    int j = d - i;
    if (i > n || j < 1) return;
    int stride = m + 1;
    int substitute = table[(i - 1) * stride + j - 1] + (a[i - 1] != b[j - 1]);
    int insert = table[i * stride + j - 1] + 1;
    int erase = table[(i - 1) * stride + j] + 1;
    table[i * stride + j] = min(substitute, min(insert, erase));
}

__global__ void borders(int *table, int n, int m) {
    for (int k = threadIdx.x + blockIdx.x * blockDim.x; k <= n || k <= m; k += gridDim.x * blockDim.x) {
        if (k <= n) table[k * (m + 1)] = k;
        if (k <= m) table[k] = k;
    }
}

// One block per tile of the tile diagonal; within the tile, diagonals in shared memory.
template <bool Common>
__global__ void tileDiagonal(const char *a, int n, const char *b, int m, int *table, int diagonal) {
    __shared__ int cell[TILE + 1][TILE + 2];
    __shared__ char ra[TILE], rb[TILE];
    int tileRow = blockIdx.x + max(0, diagonal - (m + TILE - 1) / TILE + 1);
    int tileColumn = diagonal - tileRow;
    int i0 = tileRow * TILE, j0 = tileColumn * TILE, t = threadIdx.x, stride = m + 1;
    int rows = min(TILE, n - i0), columns = min(TILE, m - j0);
    if (t < rows) {
        cell[t + 1][0] = table[(i0 + t + 1) * stride + j0];
        ra[t] = a[i0 + t];
    }
    if (t < columns) {
        cell[0][t + 1] = table[i0 * stride + j0 + t + 1];
        rb[t] = b[j0 + t];
    }
    if (t == 0) cell[0][0] = table[i0 * stride + j0];
    __syncthreads();
    for (int d = 0; d < 2 * TILE - 1; d++) {
        int j = d - t;
        if (t < rows && j >= 0 && j < columns) {
            bool same = ra[t] == rb[j];
            if (Common)
                cell[t + 1][j + 1] = same ? cell[t][j] + 1 : max(cell[t][j + 1], cell[t + 1][j]);
            else
                cell[t + 1][j + 1] = min(cell[t][j] + !same, min(cell[t][j + 1], cell[t + 1][j]) + 1);
        }
        __syncthreads();
    }
    for (int i = 0; i < rows; i++)
        if (t < columns) table[(i0 + i + 1) * stride + j0 + t + 1] = cell[i + 1][t + 1];
}

__global__ void rollingHash(const char *text, int n, int length, const unsigned *wanted, int patterns, int *hits, int chunk) {
    int from = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
    if (from + length > n) return;
    unsigned hash = 0, power = 1;
    for (int k = 0; k < length; k++) {
        hash = hash * 257 + (unsigned char)text[from + k];
        if (k) power *= 257;
    }
    for (int i = from; i < from + chunk && i + length <= n; i++) {
        for (int p = 0; p < patterns; p++)
            if (hash == wanted[p]) atomicAdd(&hits[p], 1);
        if (i + length < n) hash = (hash - power * (unsigned char)text[i]) * 257 + (unsigned char)text[i + length];
    }
}

// Knuth, Morris and Pratt over overlapping chunks; the positions are added up, so that their order is of no account.
__global__ void searchChunks(const char *text, int n, int length, int chunk, int *count, unsigned long long *positions) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int from = t * chunk, to = min(n, from + chunk + length - 1);
    int state = 0, found = 0;
    unsigned long long sum = 0;
    for (int i = from; i < to; i++) {
        while (state > 0 && text[i] != c_pattern[state]) state = c_failure[state - 1];
        if (text[i] == c_pattern[state]) state++;
        if (state == length) {
            found++;
            sum += i - length + 1;
            state = c_failure[state - 1];
        }
    }
    if (found) {
        atomicAdd(count, found);
        atomicAdd(positions, sum);
    }
}

static std::string dna(int n, unsigned seed) {
    std::string s(n, ' ');
    for (char &c : s) {
        seed = seed * 69069u + 1u;
        c = "ACGT"[seed >> 30];
    }
    return s;
}

int main() {
    std::string a = dna(300, 7), b = a;
    for (size_t i = 5; i < b.size(); i += 17) b[i] = 'T';
    b.erase(100, 9);
    b.insert(200, "GATTACA");
    const int n = (int)a.size(), m = (int)b.size(), cells = (n + 1) * (m + 1);
    char *dA, *dB, *dText;
    int *dTable, *dHits;
    MUST(cudaMalloc(&dA, n));
    MUST(cudaMalloc(&dB, m));
    MUST(cudaMalloc(&dTable, cells * sizeof(int)));
    MUST(cudaMemcpy(dA, a.data(), n, cudaMemcpyHostToDevice));
    MUST(cudaMemcpy(dB, b.data(), m, cudaMemcpyHostToDevice));
    std::vector<int> table(cells);
    auto show = [&](const char *name) {
        MUST(cudaGetLastError());
        MUST(cudaMemcpy(table.data(), dTable, cells * sizeof(int), cudaMemcpyDeviceToHost));
        unsigned h = 0;
        for (int v : table) h = h * 16777619u + v;
        printf("%-14s %d (half way %d, table %08x)\n", name, table[cells - 1], table[n / 2 * (m + 1) + m / 2], h);
    };
    borders<<<2, 128>>>(dTable, n, m);
    for (int d = 2; d <= n + m; d++) antiDiagonal<<<(n + 127) / 128, 128>>>(dA, n, dB, m, dTable, d);
    show("anti-diagonals");
    const int tr = (n + TILE - 1) / TILE, tc = (m + TILE - 1) / TILE;
    auto tilesIn = [&](int d) { return std::min(d, tr - 1) - std::max(0, d - tc + 1) + 1; };
    MUST(cudaMemset(dTable, 0xff, cells * sizeof(int)));
    borders<<<2, 128>>>(dTable, n, m);
    for (int d = 0; d < tr + tc - 1; d++) tileDiagonal<false><<<tilesIn(d), TILE>>>(dA, n, dB, m, dTable, d);
    show("tiles");
    MUST(cudaMemset(dTable, 0, cells * sizeof(int)));
    for (int d = 0; d < tr + tc - 1; d++) tileDiagonal<true><<<tilesIn(d), TILE>>>(dA, n, dB, m, dTable, d);
    show("common");

    std::string text = dna(20000, 99);
    for (size_t i = 123; i + 8 < text.size(); i += 777) text.replace(i, 8, "GATTACAT");
    const char *patterns[] = {"GATTACA", "ACGTACG", "TTTTTTT", "CATGATT"};
    std::vector<unsigned> wanted;
    for (const char *p : patterns) {
        unsigned h = 0;
        for (const char *c = p; *c; c++) h = h * 257 + (unsigned char)*c;
        wanted.push_back(h);
    }
    unsigned *dWanted;
    unsigned long long *dPositions, positions;
    MUST(cudaMalloc(&dText, text.size()));
    MUST(cudaMalloc(&dWanted, wanted.size() * sizeof(unsigned)));
    MUST(cudaMalloc(&dHits, 8 * sizeof(int)));
    MUST(cudaMalloc(&dPositions, sizeof positions));
    MUST(cudaMemcpy(dText, text.data(), text.size(), cudaMemcpyHostToDevice));
    MUST(cudaMemcpy(dWanted, wanted.data(), wanted.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
    MUST(cudaMemset(dHits, 0, 8 * sizeof(int)));
    MUST(cudaMemset(dPositions, 0, sizeof positions));
    const int length = 7, chunk = 100, threads = ((int)text.size() + chunk - 1) / chunk;
    rollingHash<<<(threads + 63) / 64, 64>>>(dText, (int)text.size(), length, dWanted, 4, dHits, chunk);
    int failure[MAX_PATTERN] = {0};
    const char *p = patterns[0];
    for (int i = 1, k = 0; i < length; i++) {
        while (k > 0 && p[i] != p[k]) k = failure[k - 1];
        failure[i] = p[i] == p[k] ? ++k : k;
    }
    MUST(cudaMemcpyToSymbol(c_pattern, p, length));
    MUST(cudaMemcpyToSymbol(c_failure, failure, length * sizeof(int)));
    searchChunks<<<(threads + 63) / 64, 64>>>(dText, (int)text.size(), length, chunk, dHits + 4, dPositions);
    int hits[8];
    MUST(cudaMemcpy(hits, dHits, sizeof hits, cudaMemcpyDeviceToHost));
    MUST(cudaMemcpy(&positions, dPositions, sizeof positions, cudaMemcpyDeviceToHost));
    for (int k = 0; k < 4; k++) printf("%s: %d\n", patterns[k], hits[k]);
    printf("by failure table: %d, positions add up to %llu\n", hits[4], positions);
    MUST(cudaFree(dA));
    MUST(cudaFree(dB));
    MUST(cudaFree(dTable));
    MUST(cudaFree(dText));
    MUST(cudaFree(dWanted));
    MUST(cudaFree(dHits));
    MUST(cudaFree(dPositions));
}
