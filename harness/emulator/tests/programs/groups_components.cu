// Connected components of an undirected graph by label propagation, whole iterations inside of one cooperative launch.
// Also: degree statistics and the power method on the same graph, again with grid-wide barriers.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

#define CHECK(call)                                                                              \
    do {                                                                                         \
        cudaError_t status_ = (call);                                                            \
        if (status_ != cudaSuccess) {                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));     \
            exit(EXIT_FAILURE);                                                                  \
        }                                                                                        \
    } while (0)

struct Graph {
    int vertices;
    int edges;
    const int *rows;
    const int *columns;
};

__global__ void initLabels(int *labels, int n) {
    for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) labels[v] = v;
}

// One sweep reads `from` and writes `to`; a grid barrier separates sweeps.
__global__ void propagate(Graph g, int *a, int *b, int *changed, int *sweeps) {
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    __shared__ int anyInBlock;
    int *from = a, *to = b;
    int sweep = 0;
    while (true) {
        if (block.thread_rank() == 0) anyInBlock = 0;
        block.sync();
        for (int v = grid.thread_rank(); v < g.vertices; v += grid.size()) {
            int best = from[v];
            for (int e = g.rows[v]; e < g.rows[v + 1]; e++) best = min(best, from[g.columns[e]]);
            to[v] = best;
            if (best != from[v]) atomicOr(&anyInBlock, 1);
        }
        block.sync();
        if (block.thread_rank() == 0 && anyInBlock) atomicAdd(&changed[sweep % 3], 1);
        if (grid.thread_rank() == 0) changed[(sweep + 1) % 3] = 0;
        grid.sync();
        int done = *((volatile int *)&changed[sweep % 3]) == 0;
        int *t = from;
        from = to;
        to = t;
        sweep++;
        if (done) break;
    }
    if (grid.thread_rank() == 0) *sweeps = sweep;
    if (from != a)
        for (int v = grid.thread_rank(); v < g.vertices; v += grid.size()) a[v] = from[v];
}

__global__ void componentSizes(const int *labels, int *sizes, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) atomicAdd(&sizes[labels[v]], 1);
}

__global__ void degreeExtremes(Graph g, int *lowest, int *highest) {
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int lo = g.vertices, hi = 0;
    for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < g.vertices; v += gridDim.x * blockDim.x) {
        int degree = g.rows[v + 1] - g.rows[v];
        lo = min(lo, degree);
        hi = max(hi, degree);
    }
    lo = cg::reduce(warp, lo, cg::less<int>());
    hi = cg::reduce(warp, hi, cg::greater<int>());
    if (warp.thread_rank() == 0) {
        atomicMin(lowest, lo);
        atomicMax(highest, hi);
    }
}

// Integer "power method": every vertex takes the sum of its neighbours modulo a prime.
__global__ void spread(Graph g, unsigned *x, unsigned *y, int steps) {
    cg::grid_group grid = cg::this_grid();
    for (int s = 0; s < steps; s++) {
        for (int v = grid.thread_rank(); v < g.vertices; v += grid.size()) {
            unsigned long long sum = x[v];
            for (int e = g.rows[v]; e < g.rows[v + 1]; e++) sum += x[g.columns[e]];
            y[v] = sum % 1000003u;
        }
        cg::sync(grid);
        unsigned *t = x;
        x = y;
        y = t;
    }
}

int main() {
    int cooperative = 0, sms = 0, perSm = 0;
    CHECK(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
    if (!cooperative) {
        printf("no cooperative launch, waived\n");
        return 0;
    }
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const int threads = 128;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, propagate, threads, 0));
    int blocks = perSm * sms < 8 ? perSm * sms : 8;

    // Paths of 37 vertices, with every third path tied to its successor.
    const int n = 3000;
    std::vector<std::vector<int>> adjacency(n);
    auto join = [&](int u, int v) { adjacency[u].push_back(v), adjacency[v].push_back(u); };
    for (int v = 0; v + 1 < n; v++)
        if ((v + 1) % 37) join(v, v + 1);
    for (int p = 0; (p + 1) * 37 + 5 < n; p += 3) join(p * 37 + 11, (p + 1) * 37 + 5);
    std::vector<int> rows(1, 0), columns;
    for (auto &list : adjacency) {
        columns.insert(columns.end(), list.begin(), list.end());
        rows.push_back((int)columns.size());
    }

    int *dRows, *dColumns, *dA, *dB, *dChanged, *dSizes, *dExtremes, *dSweeps;
    CHECK(cudaMalloc(&dRows, rows.size() * sizeof(int)));
    CHECK(cudaMalloc(&dColumns, columns.size() * sizeof(int)));
    CHECK(cudaMalloc(&dA, n * sizeof(int)));
    CHECK(cudaMalloc(&dB, n * sizeof(int)));
    CHECK(cudaMalloc(&dChanged, 3 * sizeof(int)));
    CHECK(cudaMalloc(&dSizes, n * sizeof(int)));
    CHECK(cudaMalloc(&dExtremes, 2 * sizeof(int)));
    CHECK(cudaMalloc(&dSweeps, sizeof(int)));
    CHECK(cudaMemcpy(dRows, rows.data(), rows.size() * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dColumns, columns.data(), columns.size() * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(dChanged, 0, 3 * sizeof(int)));
    CHECK(cudaMemset(dSizes, 0, n * sizeof(int)));
    int extremes[2] = {n, 0};
    CHECK(cudaMemcpy(dExtremes, extremes, sizeof extremes, cudaMemcpyHostToDevice));

    Graph g = {n, (int)columns.size(), dRows, dColumns};
    initLabels<<<4, threads>>>(dA, n);
    CHECK(cudaGetLastError());
    void *arguments[] = {&g, &dA, &dB, &dChanged, &dSweeps};
    CHECK(cudaLaunchCooperativeKernel((void *)propagate, dim3(blocks), dim3(threads), arguments, 0, 0));
    componentSizes<<<(n + threads - 1) / threads, threads>>>(dA, dSizes, n);
    degreeExtremes<<<4, threads>>>(g, dExtremes, dExtremes + 1);
    CHECK(cudaDeviceSynchronize());

    std::vector<int> sizes(n);
    int sweeps;
    CHECK(cudaMemcpy(sizes.data(), dSizes, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(extremes, dExtremes, sizeof extremes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&sweeps, dSweeps, sizeof sweeps, cudaMemcpyDeviceToHost));
    int components = 0, largest = 0;
    for (int s : sizes) components += s > 0, largest = s > largest ? s : largest;
    printf("components %d, largest %d, sweeps %d\n", components, largest, sweeps);
    printf("edges %d, degrees from %d to %d\n", g.edges / 2, extremes[0], extremes[1]);

    std::vector<unsigned> x(n);
    for (int v = 0; v < n; v++) x[v] = v % 10 + 1;
    CHECK(cudaMemcpy(dA, x.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    int steps = 10;
    void *arguments2[] = {&g, &dA, &dB, &steps};
    CHECK(cudaLaunchCooperativeKernel((void *)spread, dim3(blocks), dim3(threads), arguments2, 0, 0));
    CHECK(cudaMemcpy(x.data(), dA, n * sizeof(int), cudaMemcpyDeviceToHost));
    unsigned hash = 2166136261u;
    for (unsigned value : x) hash = (hash ^ value) * 16777619u;
    printf("after %d steps: x[0] = %u, x[1499] = %u, hash %08x\n", steps, x[0], x[1499], hash);
    for (int *p : {dRows, dColumns, dA, dB, dChanged, dSizes, dExtremes, dSweeps}) CHECK(cudaFree(p));
    return 0;
}
