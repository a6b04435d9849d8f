/*
 * managed_tree.cu
 *
 * Unified memory lets the host and the device share linked structures.  A binary search
 * tree is built on the host inside a managed arena with ordinary pointers, and kernels
 * walk it: exact look-ups, range sums with an explicit stack, and an update of node
 * payloads by pointer.  The tree object
 * itself is allocated with an overloaded operator new.  Memory advice and prefetch are
 * given where the device supports them, and a __managed__ variable counts matches.
 */
#include <cstdio>
#include <cstdlib>
#include <new>
#include <cuda_runtime.h>

#define CUDA_OK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { \
    std::fprintf(stderr, "%s (line %d)\n", cudaGetErrorString(e), __LINE__); std::exit(1); } } while (0)

// Objects of derived classes live in managed memory.
class Managed {
public:
    void *operator new(std::size_t bytes)
    {
        void *p = nullptr;
        CUDA_OK(cudaMallocManaged(&p, bytes));
        return p;
    }
    void operator delete(void *p) { CUDA_OK(cudaFree(p)); }
};

struct Node {
    int key;
    int depth;
    long long payload;
    Node *left, *right;
};

class Tree : public Managed {
public:
    explicit Tree(int capacity) : root_(nullptr), used_(0), capacity_(capacity)
    {
        CUDA_OK(cudaMallocManaged(&arena_, capacity * sizeof(Node)));
    }
    ~Tree() { CUDA_OK(cudaFree(arena_)); }
    bool insert(int key, long long payload)
    {
        Node **slot = &root_;
        int depth = 0;
        while (*slot) {
            if ((*slot)->key == key) return false;
            slot = key < (*slot)->key ? &(*slot)->left : &(*slot)->right;
            ++depth;
        }
        if (used_ == capacity_) return false;
        *slot = new (&arena_[used_++]) Node{key, depth, payload, nullptr, nullptr};
        return true;
    }
    __host__ __device__ Node *find(int key) const
    {
        Node *n = root_;
        while (n && n->key != key) n = key < n->key ? n->left : n->right;
        return n;
    }
    __host__ __device__ long long range_sum(int low, int high) const
    {
        const Node *stack[64];
        int top = 0;
        long long sum = 0;
        if (root_) stack[top++] = root_;
        while (top > 0) {
            const Node *n = stack[--top];
            if (n->key >= low && n->key <= high) sum += n->payload;
            if (n->left && n->key > low) stack[top++] = n->left;
            if (n->right && n->key < high) stack[top++] = n->right;
        }
        return sum;
    }
    __host__ __device__ int size() const { return used_; }
    __host__ __device__ Node *at(int i) const { return arena_ + i; }
    const Node *arena() const { return arena_; }
private:
    Node *root_, *arena_;
    int used_, capacity_;
};

__managed__ int g_found = 0;

__global__ void lookup(const Tree *tree, const int *keys, long long *answers, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Node *node = tree->find(keys[i]);
    answers[i] = node ? node->payload : -1;
    if (node) atomicAdd(&g_found, 1);
}

__global__ void range_query(const Tree *tree, long long *sums, int n, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sums[i] = tree->range_sum(i * width, i * width + 3 * width);
}

__global__ void add_depth(Tree *tree) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < tree->size(); i += gridDim.x * blockDim.x) {
        Node *node = tree->at(i);
        node->payload += 1000LL * node->depth;
    }
}

int main() {
    const int nodes = 3000, queries = 4096, ranges = 256, width = 80;
    int device = 0, concurrent = 0, bad = 0;
    CUDA_OK(cudaGetDevice(&device));
    CUDA_OK(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
    Tree *tree = new Tree(nodes);
    unsigned state = 2024u;
    int attempts = 0, maxDepth = 0;
    while (tree->size() < nodes) {
        state = state * 1664525u + 1013904223u;
        int key = (int)((state >> 8) % 20000u);
        tree->insert(key, key * 3LL + 1);
        ++attempts;
    }
    for (int i = 0; i < nodes; ++i) maxDepth = tree->at(i)->depth > maxDepth ? tree->at(i)->depth : maxDepth;
    std::printf("tree of %d nodes after %d attempts, depth %d\n", tree->size(), attempts, maxDepth);
    int *keys;
    long long *answers, *sums;
    CUDA_OK(cudaMallocManaged(&keys, queries * sizeof(int)));
    CUDA_OK(cudaMallocManaged(&answers, queries * sizeof(long long), cudaMemAttachGlobal));
    CUDA_OK(cudaMallocManaged(&sums, ranges * sizeof(long long)));
    for (int i = 0; i < queries; ++i) keys[i] = (i * 4099) % 20000;
    if (concurrent) {                                // hints only, the result does not depend on them
        cudaMemLocation here{};
        here.type = cudaMemLocationTypeDevice;
        here.id = device;
        CUDA_OK(cudaMemAdvise(keys, queries * sizeof(int), cudaMemAdviseSetReadMostly, here));
        CUDA_OK(cudaMemAdvise(tree->arena(), nodes * sizeof(Node), cudaMemAdviseSetPreferredLocation, here));
        CUDA_OK(cudaMemPrefetchAsync(keys, queries * sizeof(int), here, 0, 0));
        CUDA_OK(cudaMemPrefetchAsync(tree->arena(), nodes * sizeof(Node), here, 0, 0));
    }
    for (int pass = 0; pass < 2; ++pass) {
        g_found = 0;
        lookup<<<queries / 128, 128>>>(tree, keys, answers, queries);
        range_query<<<ranges / 64, 64>>>(tree, sums, ranges, width);
        CUDA_OK(cudaGetLastError());
        CUDA_OK(cudaDeviceSynchronize());
        int wrong = 0, found = 0;
        long long total = 0;
        for (int i = 0; i < queries; ++i) {
            const Node *n = tree->find(keys[i]);
            wrong += answers[i] != (n ? n->payload : -1);
            found += n != nullptr;
        }
        for (int i = 0; i < ranges; ++i) {
            wrong += sums[i] != tree->range_sum(i * width, i * width + 3 * width);
            total += sums[i];
        }
        std::printf("pass %d: found %d (host %d), ranges %lld %lld %lld, total %lld, mismatches %d\n", pass,
                    g_found, found, sums[0], sums[100], sums[240], total, wrong);
        for (int i = 10; i < ranges; i += 64) std::printf("  range %3d: %lld\n", i, sums[i]);
        bad += wrong + (found != g_found);
        add_depth<<<8, 128>>>(tree);                 // the second pass sees new payloads
        CUDA_OK(cudaGetLastError());
        CUDA_OK(cudaDeviceSynchronize());
    }
    CUDA_OK(cudaFree(keys));
    CUDA_OK(cudaFree(answers));
    CUDA_OK(cudaFree(sums));
    delete tree;
    std::puts(bad == 0 ? "PASS" : "FAIL");
    return 0;
}
