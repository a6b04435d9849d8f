/*
 * graph_capture.cu
 *
 * Records a forked piece of work (one copy in, two branches on two streams, a join, one
 * copy out) into a CUDA graph by stream capture, instantiates it once and launches it
 * several times with new contents of the pinned input buffer.  Half way the parameters
 * of one kernel node are changed in the executable graph, which needs neither a new
 * capture nor a new instantiation. 
 */
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

static inline void checkCuda(cudaError_t e, const char *file, int line) {
    if (e != cudaSuccess) {
        fprintf(stderr, "CUDA error %d at %s:%d: %s\n", (int)e, file, line, cudaGetErrorString(e));
        exit(1);
    }
}
#define CHECK(x) checkCuda((x), __FILE__, __LINE__)

constexpr int N = 1 << 14;
constexpr int BLOCK = 128;
constexpr int GRID = N / BLOCK;

__global__ void affine(const int *in, int *out, int n, int factor, int shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = factor * in[i] + shift;
}

__global__ void neighbours(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int left = in[i == 0 ? n - 1 : i - 1];
        int right = in[i == n - 1 ? 0 : i + 1];
        out[i] = left ^ (right << 1);
    }
}

__global__ void combine(const int *a, const int *b, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] - b[i] % 1000;
}

template <int BLOCK_SIZE>
__global__ void accumulate(const int *data, int n, unsigned long long *total) {
    __shared__ long long warpSum[BLOCK_SIZE / 32];
    int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    long long v = i < n ? data[i] : 0;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 == 0) warpSum[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < BLOCK_SIZE / 32; ++w) v += warpSum[w];
        atomicAdd(total, (unsigned long long)v);     // two's complement: signed sums work
    }
}

static void fillInput(int *h, int launch) { for (int i = 0; i < N; ++i) h[i] = (i * 37 + launch * 101) % 5003; }

static long long reference(const int *in, int factor, int shift, std::vector<int> &out) {
    long long sum = 0;
    for (int i = 0; i < N; ++i) {
        int a = factor * in[i] + shift;
        int b = in[(i + N - 1) % N] ^ (in[(i + 1) % N] << 1);
        out[i] = a - b % 1000;
        sum += out[i];
    }
    return sum;
}

int main() {
    int *hIn, *hOut, *dIn, *dA, *dB, *dOut;
    unsigned long long *hTotal, *dTotal;
    CHECK(cudaMallocHost(&hIn, N * sizeof(int)));
    CHECK(cudaMallocHost(&hOut, N * sizeof(int)));
    CHECK(cudaMallocHost(&hTotal, sizeof(*hTotal)));
    CHECK(cudaMalloc(&dIn, N * sizeof(int)));
    CHECK(cudaMalloc(&dA, N * sizeof(int)));
    CHECK(cudaMalloc(&dB, N * sizeof(int)));
    CHECK(cudaMalloc(&dOut, N * sizeof(int)));
    CHECK(cudaMalloc(&dTotal, sizeof(*dTotal)));
    cudaStream_t main_, side;
    cudaEvent_t forked, joined;
    CHECK(cudaStreamCreateWithFlags(&main_, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
    // ---- capture -----------------------------------------------------------------
    cudaGraph_t graph;
    cudaGraphNode_t affineNode = nullptr;
    CHECK(cudaStreamBeginCapture(main_, cudaStreamCaptureModeThreadLocal));
    CHECK(cudaMemcpyAsync(dIn, hIn, N * sizeof(int), cudaMemcpyHostToDevice, main_));
    CHECK(cudaEventRecord(forked, main_));
    CHECK(cudaStreamWaitEvent(side, forked, 0));            // side joins the capture here
    affine<<<GRID, BLOCK, 0, main_>>>(dIn, dA, N, 3, 11);
    CHECK(cudaGetLastError());
    {   // the node just captured is the only current dependency of the stream
        cudaStreamCaptureStatus status;
        const cudaGraphNode_t *deps = nullptr;
        size_t count = 0;
        CHECK(cudaStreamGetCaptureInfo(main_, &status, nullptr, nullptr, &deps, nullptr, &count));
        if (status != cudaStreamCaptureStatusActive || count != 1) { puts("FAIL capture info"); return 0; }
        affineNode = deps[0];
    }
    CHECK(cudaMemsetAsync(dTotal, 0, sizeof(*dTotal), side));
    neighbours<<<GRID, BLOCK, 0, side>>>(dIn, dB, N);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(joined, side));
    CHECK(cudaStreamWaitEvent(main_, joined, 0));
    combine<<<GRID, BLOCK, 0, main_>>>(dA, dB, dOut, N);
    accumulate<BLOCK><<<GRID, BLOCK, 0, main_>>>(dOut, N, dTotal);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(hOut, dOut, N * sizeof(int), cudaMemcpyDeviceToHost, main_));
    CHECK(cudaMemcpyAsync(hTotal, dTotal, sizeof(*hTotal), cudaMemcpyDeviceToHost, main_));
    CHECK(cudaStreamEndCapture(main_, &graph));
    size_t nodeCount = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodeCount));
    std::vector<cudaGraphNode_t> nodes(nodeCount);
    CHECK(cudaGraphGetNodes(graph, nodes.data(), &nodeCount));
    int kernels = 0, copies = 0, sets = 0;
    for (cudaGraphNode_t node : nodes) {
        cudaGraphNodeType type;
        CHECK(cudaGraphNodeGetType(node, &type));
        kernels += type == cudaGraphNodeTypeKernel;
        copies += type == cudaGraphNodeTypeMemcpy;
        sets += type == cudaGraphNodeTypeMemset;
    }
    printf("captured graph: %zu nodes\n(%d kernels, %d copies, %d memsets)\n", nodeCount, kernels, copies, sets);
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    // ---- six launches, an update of the affine node before the fourth ---------------
    std::vector<int> want(N);
    int factor = 3, shift = 11, bad = 0;
    for (int launch = 0; launch < 6; ++launch) {
        if (launch == 3) {
            factor = -7;
            shift = 40000;
            int n = N;
            const int *src = dIn;
            void *args[] = {&src, &dA, &n, &factor, &shift};
            cudaKernelNodeParams params = {};
            CHECK(cudaGraphKernelNodeGetParams(affineNode, &params));
            printf("node to update: grid %u, block %u\n", params.gridDim.x, params.blockDim.x);
            params.func = (void *)affine;
            params.gridDim = dim3(GRID / 2);                 // another shape as well
            params.blockDim = dim3(BLOCK * 2);
            params.kernelParams = args;
            params.extra = nullptr;
            CHECK(cudaGraphExecKernelNodeSetParams(exec, affineNode, &params));
        }
        fillInput(hIn, launch);
        CHECK(cudaGraphLaunch(exec, main_));
        CHECK(cudaStreamSynchronize(main_));
        long long sum = reference(hIn, factor, shift, want);
        int wrong = sum != (long long)*hTotal;
        for (int i = 0; i < N; ++i) wrong += want[i] != hOut[i];
        printf("launch %d: total %lld out[0]=%d out[777]=%d out[last]=%d mismatches %d\n", launch,
               (long long)*hTotal, hOut[0], hOut[777], hOut[N - 1], wrong);
        bad += wrong;
    }
    CHECK(cudaGraphExecDestroy(exec)); CHECK(cudaGraphDestroy(graph));
    CHECK(cudaEventDestroy(forked)); CHECK(cudaEventDestroy(joined));
    CHECK(cudaStreamDestroy(main_)); CHECK(cudaStreamDestroy(side));
    CHECK(cudaFree(dIn)); CHECK(cudaFree(dA)); CHECK(cudaFree(dB)); CHECK(cudaFree(dOut)); CHECK(cudaFree(dTotal));
    CHECK(cudaFreeHost(hIn)); CHECK(cudaFreeHost(hOut)); CHECK(cudaFreeHost(hTotal));
    puts(bad == 0 ? "PASS" : "FAIL");
    return 0;
}
