// Breadth-first search, level-synchronous: frontier queues with block-local queues in shared memory, a bottom-up step when
// the frontier is large, then parents and a path. Printed values do not depend on the order of the queues.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <climits>

#define CUDA_SAFE_CALL(call)                                                             \
    do {                                                                                 \
        cudaError_t err = call;                                                          \
        if (cudaSuccess != err) {                                                        \
            fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n", __FILE__,      \
                    __LINE__, cudaGetErrorString(err));                                  \
            exit(EXIT_FAILURE);                                                          \
        }                                                                                \
    } while (0)

#define BLOCK_SIZE 128
#define LOCAL_CAPACITY 256

__constant__ int d_vertices;
__device__ int d_overflow;

__global__ void reset(int *distance, int *parent, int source) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < d_vertices) {
        distance[v] = v == source ? 0 : INT_MAX;
        parent[v] = v == source ? source : INT_MAX;
    }
}

__global__ void topDown(const int *offsets, const int *edges, int *distance, const int *frontier, int length,
                        int *next, int *nextLength, int level) {
    __shared__ int local[LOCAL_CAPACITY];
    __shared__ int localLength, base;
    if (threadIdx.x == 0) localLength = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length) {
        int u = frontier[i];
        for (int e = offsets[u]; e < offsets[u + 1]; e++) {
            int v = edges[e];
            if (atomicCAS(&distance[v], INT_MAX, level + 1) == INT_MAX) {
                int place = atomicAdd(&localLength, 1);
                if (place < LOCAL_CAPACITY)
                    local[place] = v;
                else {
                    next[atomicAdd(nextLength, 1)] = v;
                    atomicAdd(&d_overflow, 1);
                }
            }
        }
    }
    __syncthreads();
    int kept = min(localLength, LOCAL_CAPACITY);
    if (threadIdx.x == 0) base = atomicAdd(nextLength, kept);
    __syncthreads();
    for (int k = threadIdx.x; k < kept; k += blockDim.x) next[base + k] = local[k];
}

// Every unvisited vertex looks for a neighbour in the level; reads of a level never meet writes of the next as values.
__global__ void bottomUp(const int *offsets, const int *edges, const int *distance, int *after, int *found, int level) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    bool hit = false;
    if (v < d_vertices) {
        int mine = distance[v];
        if (mine == INT_MAX)
            for (int e = offsets[v]; e < offsets[v + 1] && !hit; e++) hit = distance[edges[e]] == level;
        after[v] = hit ? level + 1 : mine;
    }
    int inBlock = __syncthreads_count(hit);
    if (threadIdx.x == 0 && inBlock) atomicAdd(found, inBlock);
}

__global__ void collectFrontier(const int *distance, int level, int *queue, int *length) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    bool in = v < d_vertices && distance[v] == level;
    unsigned ballot = __ballot_sync(0xffffffff, in);
    int lane = threadIdx.x % warpSize, base = 0;
    if (lane == 0 && ballot) base = atomicAdd(length, __popc(ballot));
    base = __shfl_sync(0xffffffff, base, 0);
    if (in) queue[base + __popc(ballot & ((1u << lane) - 1))] = v;
}

__global__ void smallestParents(const int *offsets, const int *edges, const int *distance, int *parent) {
    int u = blockIdx.x * blockDim.x + threadIdx.x;
    if (u >= d_vertices || distance[u] == INT_MAX) return;
    for (int e = offsets[u]; e < offsets[u + 1]; e++)
        if (distance[edges[e]] == distance[u] + 1) atomicMin(&parent[edges[e]], u);
}

int main(int argc, char **argv) {
    const int n = 4000, source = 1;
    std::vector<std::vector<int>> lists(n);
    unsigned r = 2024;
    auto next = [&r] { return (r = r * 1103515245u + 12345u) >> 8; };
    for (int v = 0; v < n; v++) {
        int degree = v % 50 == 1 ? 60 : 1 + v % 4;
        for (int k = 0; k < degree; k++) {
            int w = v % 50 == 1 ? next() % n : (v + 1 + next() % 40) % n;
            if (v % 97 == 96 || w % 97 == 96 || v == w) continue;  // isolated ones
            lists[v].push_back(w);
            lists[w].push_back(v);
        }
    }
    std::vector<int> offsets(1, 0), edges;
    for (auto &l : lists) {
        edges.insert(edges.end(), l.begin(), l.end());
        offsets.push_back((int)edges.size());
    }
    int *dOffsets, *dEdges, *dDistance, *dAfter, *dParent, *dQueue[2], *dLength;
    CUDA_SAFE_CALL(cudaMalloc((void **)&dOffsets, sizeof(int) * offsets.size()));
    CUDA_SAFE_CALL(cudaMalloc((void **)&dEdges, sizeof(int) * edges.size()));
    CUDA_SAFE_CALL(cudaMalloc((void **)&dDistance, sizeof(int) * n));
    CUDA_SAFE_CALL(cudaMalloc((void **)&dAfter, sizeof(int) * n));
    CUDA_SAFE_CALL(cudaMalloc((void **)&dParent, sizeof(int) * n));
    CUDA_SAFE_CALL(cudaMalloc((void **)&dQueue[0], sizeof(int) * n));
    CUDA_SAFE_CALL(cudaMalloc((void **)&dQueue[1], sizeof(int) * n));
    CUDA_SAFE_CALL(cudaMalloc((void **)&dLength, sizeof(int)));
    CUDA_SAFE_CALL(cudaMemcpy(dOffsets, offsets.data(), sizeof(int) * offsets.size(), cudaMemcpyHostToDevice));
    CUDA_SAFE_CALL(cudaMemcpy(dEdges, edges.data(), sizeof(int) * edges.size(), cudaMemcpyHostToDevice));
    CUDA_SAFE_CALL(cudaMemcpyToSymbol(d_vertices, &n, sizeof(int)));
    const int grid = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    printf("vertices %d, edges %zu\n", n, edges.size());

    for (int hybrid = 0; hybrid < 2; hybrid++) {
        int zero = 0, length = 1, total = 1;
        CUDA_SAFE_CALL(cudaMemcpyToSymbol(d_overflow, &zero, sizeof(int)));
        reset<<<grid, BLOCK_SIZE>>>(dDistance, dParent, source);
        CUDA_SAFE_CALL(cudaMemcpy(dQueue[0], &source, sizeof(int), cudaMemcpyHostToDevice));
        printf("%s:", hybrid ? "hybrid" : "queues");
        for (int level = 0; length > 0; level++) {
            bool up = hybrid && length > n / 16;
            CUDA_SAFE_CALL(cudaMemset(dLength, 0, sizeof(int)));
            if (up) {
                bottomUp<<<grid, BLOCK_SIZE>>>(dOffsets, dEdges, dDistance, dAfter, dLength, level);
                int *t = dDistance;
                dDistance = dAfter;
                dAfter = t;
                CUDA_SAFE_CALL(cudaMemset(dLength, 0, sizeof(int)));
                collectFrontier<<<grid, BLOCK_SIZE>>>(dDistance, level + 1, dQueue[(level + 1) % 2], dLength);
            } else
                topDown<<<(length + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(
                    dOffsets, dEdges, dDistance, dQueue[level % 2], length, dQueue[(level + 1) % 2], dLength, level);
            CUDA_SAFE_CALL(cudaGetLastError());
            CUDA_SAFE_CALL(cudaMemcpy(&length, dLength, sizeof(int), cudaMemcpyDeviceToHost));
            total += length;
            printf(" %d%s", length, up ? "^" : "");
        }
        smallestParents<<<grid, BLOCK_SIZE>>>(dOffsets, dEdges, dDistance, dParent);
        std::vector<int> distance(n), parent(n);
        CUDA_SAFE_CALL(cudaMemcpy(distance.data(), dDistance, sizeof(int) * n, cudaMemcpyDeviceToHost));
        CUDA_SAFE_CALL(cudaMemcpy(parent.data(), dParent, sizeof(int) * n, cudaMemcpyDeviceToHost));
        long sum = 0, parents = 0;
        int far = source;
        for (int v = 0; v < n; v++)
            if (distance[v] != INT_MAX) {
                sum += distance[v];
                parents = (parents * 31 + parent[v]) % 1000000007;
                if (distance[v] > distance[far]) far = v;
            }
        printf("\n  reached %d, sum %ld, parents %ld, path", total, sum, parents);
        for (int v = far; v != source; v = parent[v]) printf(" %d", v);
        printf(" %d\n", source);
    }
    for (int *p : {dOffsets, dEdges, dDistance, dAfter, dParent, dQueue[0], dQueue[1], dLength}) CUDA_SAFE_CALL(cudaFree(p));
    CUDA_SAFE_CALL(cudaDeviceReset());
    return 0;
}
