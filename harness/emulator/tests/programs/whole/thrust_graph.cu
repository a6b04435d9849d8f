/*
 * thrust_graph.cu - Builds a small directed graph in compressed row form with Thrust
 * and works on it with own kernels that take raw pointers.  The edge list is sorted
 * through a 64-bit key, row offsets are found with lower_bound over a counting
 * iterator, in-degrees are made by sorting targets and scattering counts, and
 * neighbour labels are read by a permutation_iterator below a transform_iterator.
 * A level-synchronous breadth first search uses kernels and thrust::count.
 */
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scatter.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <vector>

enum { NODES = 512, EDGES = 1800, BLOCK = 128 };

static void must(cudaError_t e, const char *where)
{
    if (e != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", where, cudaGetErrorString(e));
        exit(EXIT_FAILURE);
    }
}
#define LAUNCHED(name) must(cudaGetLastError(), #name)

typedef unsigned long long Key;

struct SourceOf { __host__ __device__ int operator()(Key k) const { return (int)(k >> 32); } };
struct TargetOf { __host__ __device__ int operator()(Key k) const { return (int)(k & 0xffffffffu); } };
struct Label    { __host__ __device__ int operator()(int d) const { return 3 * d + 1; } };

__host__ __device__ inline Key make_edge(int i)
{
    unsigned s = (unsigned)i * 2246822519u + 374761393u;
    s = (s ^ (s >> 15)) * 3266489917u;
    unsigned from = (s >> 8) % NODES, to = (from + 1 + (s >> 20) % 61) % NODES;
    return ((Key)from << 32) | to;
}

__global__ void make_edges(Key *edges, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) edges[i] = make_edge(i);
}

/* one thread per node: mark unvisited neighbours of the current level */
__global__ void expand(const int *offset, const int *target, int *level, int current, int *flag)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= NODES || level[v] != current) return;
    for (int e = offset[v]; e < offset[v + 1]; e++)
        if (level[target[e]] < 0) flag[target[e]] = 1;
}

__global__ void settle(int *level, int next, int *flag)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= NODES) return;
    if (flag[v] && level[v] < 0) level[v] = next;
    flag[v] = 0;
}

__global__ void row_checksum(const int *offset, const int *target, unsigned *sum)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= NODES) return;
    unsigned h = (unsigned)v;
    for (int e = offset[v]; e < offset[v + 1]; e++) h = h * 31u + (unsigned)target[e];
    sum[v] = h;
}

int main()
{
    const int grid = (NODES + BLOCK - 1) / BLOCK;
    /* edge list in memory from cudaMalloc, wrapped for Thrust */
    Key *raw = NULL;
    must(cudaMalloc((void **)&raw, EDGES * sizeof(Key)), "cudaMalloc");
    make_edges<<<(EDGES + BLOCK - 1) / BLOCK, BLOCK>>>(raw, EDGES);
    LAUNCHED(make_edges);
    thrust::device_ptr<Key> edges = thrust::device_pointer_cast(raw);
    thrust::sort(edges, edges + EDGES);

    thrust::device_vector<int> source(EDGES), target(EDGES), offset(NODES + 1);
    thrust::transform(edges, edges + EDGES, source.begin(), SourceOf());
    thrust::transform(edges, edges + EDGES, target.begin(), TargetOf());
    thrust::counting_iterator<int> count(0);
    thrust::lower_bound(source.begin(), source.end(), count, count + NODES + 1, offset.begin());

    /* in-degrees: sort targets, count runs, scatter the counts to the nodes */
    thrust::device_vector<int> sorted = target, node(NODES), runs(NODES), in_degree(NODES, 0);
    thrust::sort(sorted.begin(), sorted.end());
    int kinds = (int)(thrust::reduce_by_key(sorted.begin(), sorted.end(), thrust::make_constant_iterator(1),
                                            node.begin(), runs.begin()).first - node.begin());
    thrust::scatter(runs.begin(), runs.begin() + kinds, node.begin(), in_degree.begin());

    /* sum of labels of all edge targets; gather gives the same values as a vector */
    auto degrees = thrust::make_permutation_iterator(in_degree.begin(), target.begin());
    auto labels = thrust::make_transform_iterator(degrees, Label());
    int label_sum = thrust::reduce(labels, labels + EDGES, 0);
    thrust::device_vector<int> gathered(EDGES);
    thrust::gather(target.begin(), target.end(), in_degree.begin(), gathered.begin());
    int gather_sum = thrust::reduce(gathered.begin(), gathered.end());

    /* breadth first search from node 0 */
    thrust::device_vector<int> level(NODES), flag(NODES, 0);
    thrust::fill(level.begin(), level.end(), -1);
    level[0] = 0;
    const int *off = thrust::raw_pointer_cast(offset.data()), *tgt = thrust::raw_pointer_cast(&target[0]);
    int *lev = thrust::raw_pointer_cast(level.data()), *flg = thrust::raw_pointer_cast(flag.data());
    std::vector<int> width(1, 1);
    for (int depth = 0; width.back() > 0; depth++) {
        expand<<<grid, BLOCK>>>(off, tgt, lev, depth, flg);
        LAUNCHED(expand);
        settle<<<grid, BLOCK>>>(lev, depth + 1, flg);
        LAUNCHED(settle);
        width.push_back((int)thrust::count(level.begin(), level.end(), depth + 1));
    }
    thrust::device_vector<unsigned> sums(NODES);
    row_checksum<<<grid, BLOCK>>>(off, tgt, thrust::raw_pointer_cast(sums.data()));
    LAUNCHED(row_checksum);
    unsigned graph_sum = thrust::reduce(sums.begin(), sums.end(), 0u, thrust::plus<unsigned>());

    /* the same on the host */
    std::vector<Key> list(EDGES);
    for (int i = 0; i < EDGES; i++) list[i] = make_edge(i);
    thrust::sort(thrust::host, list.begin(), list.end());
    std::vector<std::vector<int>> adjacent(NODES);
    std::vector<int> indeg(NODES, 0), dist(NODES, -1);
    for (Key k : list) { adjacent[SourceOf()(k)].push_back(TargetOf()(k)); indeg[TargetOf()(k)]++; }
    std::queue<int> todo;
    for (todo.push(0), dist[0] = 0; !todo.empty(); todo.pop())
        for (int t : adjacent[todo.front()])
            if (dist[t] < 0) { dist[t] = dist[todo.front()] + 1; todo.push(t); }
    unsigned ref_graph = 0;
    int ref_label = 0, ref_gather = 0, bad[3] = {0, 0, 0};
    thrust::host_vector<int> ho = offset, hl = level, hd = in_degree;
    for (int v = 0; v < NODES; v++) {
        unsigned h = (unsigned)v;
        for (int t : adjacent[v]) { h = h * 31u + (unsigned)t; ref_label += Label()(indeg[t]); ref_gather += indeg[t]; }
        ref_graph += h;
        bad[0] += ho[v + 1] - ho[v] != (int)adjacent[v].size();
        bad[1] += hd[v] != indeg[v];
        bad[2] += hl[v] != dist[v];
    }
    for (int v = 0; v < NODES; v += 64) printf("node %3d: offset %4d in-degree %d level %d\n", v, ho[v], hd[v], hl[v]);
    for (size_t d = 0; d + 1 < width.size(); d++) printf("level %zu has %d nodes\n", d, width[d]);
    printf("targets %d, label sum %d, gather sum %d, checksum %08x\n", kinds, label_sum, gather_sum, graph_sum);
    bool ok = label_sum == ref_label && gather_sum == ref_gather && graph_sum == ref_graph;
    printf("mismatches: rows %d degrees %d levels %d sums %d\n", bad[0], bad[1], bad[2], !ok);
    printf("%s\n", ok && bad[0] + bad[1] + bad[2] == 0 ? "PASS" : "FAIL");
    must(cudaFree(raw), "cudaFree");
    return 0;
}
