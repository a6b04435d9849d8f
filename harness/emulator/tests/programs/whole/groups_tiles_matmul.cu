/*
 * groups_tiles_matmul.cu
 * Integer matrix products written with thread block tiles:
 *   - a classical shared memory product that synchronises through thread_block,
 *   - one 32-wide tile per output element, dot product by shfl_down, the tile is
 *     selected with meta_group_rank,
 *   - a register version in which the elements of A are broadcast by tile.shfl,
 *   - an analysis of the rows of the product with any, all, ballot and match_any.
 * The three products have to agree with each other and with the host.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cooperative_groups.h>
#include <cuda_runtime.h>

using namespace cooperative_groups;
enum { M = 48, N = 64, K = 96, T = 16 };
#define CHECK(call)                                                                          \
    {                                                                                        \
        const cudaError_t error = call;                                                      \
        if (error != cudaSuccess) {                                                          \
            fprintf(stderr, "Error %d, line %d: %s\n", (int)error, __LINE__, cudaGetErrorString(error)); \
            exit(1);                                                                         \
        }                                                                                    \
    }

typedef struct {
    unsigned positive;   /* bits of the columns 0..31 that are > 0      */
    int any_large;       /* some element of the row above 150 ?         */
    int all_small;       /* all elements of the row within -400..400 ?  */
    int classes;         /* number of different residues modulo 8       */
    int most_common;     /* size of the largest residue class           */
} RowInfo;

__global__ void matmul_shared(const int *A, const int *B, int *C)
{
    __shared__ int As[T][T], Bs[T][T + 1];
    thread_block block = this_thread_block();
    int tx = block.thread_index().x, ty = block.thread_index().y;
    int row = block.group_index().y * T + ty, col = block.group_index().x * T + tx;
    int sum = 0;
    for (int k0 = 0; k0 < K; k0 += T) {
        As[ty][tx] = A[row * K + k0 + tx];
        Bs[ty][tx] = B[(k0 + ty) * N + col];
        block.sync();
        for (int k = 0; k < T; k++) sum += As[ty][k] * Bs[k][tx];
        block.sync();
    }
    C[row * N + col] = sum;
}

__global__ void matmul_dot(const int *A, const int *B, int *C)
{
    thread_block_tile<32> tile = tiled_partition<32>(this_thread_block());
    int tiles = gridDim.x * tile.meta_group_size();
    int lane = tile.thread_rank();
    for (int e = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank(); e < M * N; e += tiles) {
        int row = e / N, col = e % N, sum = 0;
        for (int k = lane; k < K; k += 32) sum += A[row * K + k] * B[k * N + col];
        for (int d = 16; d > 0; d /= 2) sum += tile.shfl_down(sum, d);
        if (lane == 0) C[e] = sum;
    }
}

/* Each tile of TILE threads produces TILE columns of one row. */
template <int TILE>
__global__ void matmul_broadcast(const int *A, const int *B, int *C)
{
    thread_block_tile<TILE> tile = tiled_partition<TILE>(this_thread_block());
    int row = blockIdx.y, lane = tile.thread_rank();
    int col = (blockIdx.x * tile.meta_group_size() + tile.meta_group_rank()) * TILE + lane;
    int sum = 0;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        int a = A[row * K + k0 + lane];
        for (int k = 0; k < TILE; k++) sum += tile.shfl(a, k) * B[(k0 + k) * N + col];
    }
    C[row * N + col] = sum;
}

__global__ void analyse_rows(const int *C, RowInfo *info)
{
    thread_block_tile<32> tile = tiled_partition<32>(this_thread_block());
    int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
    if (row >= M) return;
    int lane = tile.thread_rank();
    int v = C[row * N + lane], w = C[row * N + 32 + lane];
    RowInfo r;
    r.positive = tile.ballot(v > 0);
    r.any_large = tile.any(v > 150 || w > 150);
    r.all_small = tile.all(abs(v) <= 400 && abs(w) <= 400);
    unsigned peers = tile.match_any(v & 7);
    int leader = __ffs(peers) - 1, size = __popc(peers);
    r.classes = __popc(tile.ballot(lane == leader));
    for (int m = 16; m > 0; m /= 2) {
        int other = tile.shfl_xor(size, m);
        size = other > size ? other : size;
    }
    r.most_common = size;
    if (lane == 0) info[row] = r;
}

static void host_info(const int *row, RowInfo *r)
{
    int count[8] = {0};
    memset(r, 0, sizeof *r);
    r->all_small = 1;
    for (int j = 0; j < N; j++) {
        if (row[j] > 150) r->any_large = 1;
        if (abs(row[j]) > 400) r->all_small = 0;
        if (j < 32 && row[j] > 0) r->positive |= 1u << j;
        if (j < 32) count[row[j] & 7]++;
    }
    for (int c = 0; c < 8; c++) {
        r->classes += count[c] > 0;
        if (count[c] > r->most_common) r->most_common = count[c];
    }
}

static int A[M * K], B[K * N], C[M * N], ref[M * N];
int main(void)
{
    int *dA, *dB, *dC, bad, total_bad = 0;
    RowInfo *dInfo, info[M], want;
    for (int i = 0; i < M * K; i++) A[i] = (i * 37 + i / K * 11) % 15 - 7;
    for (int i = 0; i < K * N; i++) B[i] = (i * 53 + i / N * 29) % 13 - 6;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < K; k++) ref[i * N + j] += A[i * K + k] * B[k * N + j];

    CHECK(cudaMalloc((void **)&dA, sizeof A));
    CHECK(cudaMalloc((void **)&dB, sizeof B));
    CHECK(cudaMalloc((void **)&dC, sizeof C));
    CHECK(cudaMalloc((void **)&dInfo, sizeof info));
    CHECK(cudaMemcpy(dA, A, sizeof A, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dB, B, sizeof B, cudaMemcpyHostToDevice));

    const char *names[4] = {"shared", "dot", "broadcast 8", "broadcast 32"};
    for (int version = 0; version < 4; version++) {
        CHECK(cudaMemset(dC, 0xff, sizeof C));
        switch (version) {
        case 0: matmul_shared<<<dim3(N / T, M / T), dim3(T, T)>>>(dA, dB, dC); break;
        case 1: matmul_dot<<<12, 128>>>(dA, dB, dC); break;
        case 2: matmul_broadcast<8><<<dim3(2, M), 32>>>(dA, dB, dC); break;
        case 3: matmul_broadcast<32><<<dim3(1, M), 64>>>(dA, dB, dC); break;
        }
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(C, dC, sizeof C, cudaMemcpyDeviceToHost));
        bad = 0;
        for (int i = 0; i < M * N; i++) bad += C[i] != ref[i];
        printf("%-13s C[0][0]=%d C[5][9]=%d C[47][63]=%d mismatches %d\n", names[version], C[0], C[5 * N + 9],
               C[M * N - 1], bad);
        total_bad += bad;
    }

    analyse_rows<<<(M + 3) / 4, 128>>>(dC, dInfo);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(info, dInfo, sizeof info, cudaMemcpyDeviceToHost));
    for (int i = 0; i < M; i++) {
        host_info(ref + i * N, &want);
        total_bad += memcmp(&want, &info[i], sizeof want) != 0;
        if (i % 6 == 0)
            printf("row %2d: positive %08x any %d all %d classes %d largest %d\n", i, info[i].positive,
                   info[i].any_large, info[i].all_small, info[i].classes, info[i].most_common);
    }
    printf("%s, %d mismatches\n", total_bad ? "FAIL" : "PASS", total_bad);
    void *all[4] = {dA, dB, dC, dInfo};
    for (int i = 0; i < 4; i++) CHECK(cudaFree(all[i]));
    return 0;
}
