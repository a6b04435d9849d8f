// Graphs: captured from streams, in one line and forked, and made node by node; launched again and again, changed, cloned.
#include <cstdio>
#include <vector>

__global__ void add(float* x, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += by;
}
template <int Factor>
__global__ void scale(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= Factor;
}
__global__ void sum(const float* x, const float* y, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] + y[i];
}

#define CHECK(call)                                                                              \
  do {                                                                                           \
    const cudaError_t error = (call);                                                            \
    if (error != cudaSuccess) std::printf("line %d: %s\n", __LINE__, cudaGetErrorName(error)); \
  } while (0)

constexpr int n = 1000;
constexpr size_t bytes = n * sizeof(float);

void count(void* calls) { ++*static_cast<int*>(calls); }

/// One line of work, captured.
void captured() {
  float *x, *host;
  int calls = 0;
  CHECK(cudaMalloc(&x, bytes));
  CHECK(cudaMallocHost(&host, bytes));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(x, 0, bytes, stream));
  for (int i = 1; i <= 3; ++i) add<<<(n + 255) / 256, 256, 0, stream>>>(x, static_cast<float>(i), n);
  scale<2><<<(n + 255) / 256, 256, 0, stream>>>(x, n);
  CHECK(cudaMemcpyAsync(host, x, bytes, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaLaunchHostFunc(stream, count, &calls));
  CHECK(cudaStreamIsCapturing(stream, &status));
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(stream, &graph));
  host[0] = -1;  // nothing has run yet
  std::printf("captured: active %d, host[0] %g, calls %d\n", status == cudaStreamCaptureStatusActive, host[0], calls);
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  cudaGraphExec_t instance;
  CHECK(cudaGraphInstantiate(&instance, graph, 0));
  for (int launch = 0; launch < 3; ++launch) CHECK(cudaGraphLaunch(instance, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::printf("%zu nodes, host[0] %g, host[999] %g, calls %d\n", nodes, host[0], host[n - 1], calls);
  CHECK(cudaGraphExecDestroy(instance));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(x));
  CHECK(cudaFreeHost(host));
}

/// Two streams side by side, joined by events.
void forked() {
  float *x, *y, *out;
  std::vector<float> result(n);
  CHECK(cudaMalloc(&x, bytes));
  CHECK(cudaMalloc(&y, bytes));
  CHECK(cudaMalloc(&out, bytes));
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&fork));
  CHECK(cudaEventCreate(&join));
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
  CHECK(cudaEventRecord(fork, first));
  CHECK(cudaStreamWaitEvent(second, fork, 0));
  CHECK(cudaMemsetAsync(x, 0, bytes, first));
  CHECK(cudaMemsetAsync(y, 0, bytes, second));
  add<<<4, 256, 0, first>>>(x, 1.0f, n);
  add<<<4, 256, 0, second>>>(y, 10.0f, n);
  CHECK(cudaEventRecord(join, second));
  CHECK(cudaStreamWaitEvent(first, join, 0));
  sum<<<4, 256, 0, first>>>(x, y, out, n);
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(first, &graph));
  size_t nodes = 0, roots = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  cudaGraphExec_t instance;
  CHECK(cudaGraphInstantiateWithFlags(&instance, graph, 0));
  CHECK(cudaGraphUpload(instance, first));
  CHECK(cudaGraphLaunch(instance, first));
  CHECK(cudaMemcpyAsync(result.data(), out, bytes, cudaMemcpyDeviceToHost, first));
  CHECK(cudaStreamSynchronize(first));
  std::printf("forked: %zu nodes, %zu roots, %g\n", nodes, roots, result[n - 1]);
  CHECK(cudaGraphExecDestroy(instance));
  CHECK(cudaGraphDestroy(graph));
  for (cudaStream_t s : {first, second}) CHECK(cudaStreamDestroy(s));
  for (cudaEvent_t e : {fork, join}) CHECK(cudaEventDestroy(e));
  for (float* p : {x, y, out}) CHECK(cudaFree(p));
}

/// Node by node, with a child, and changed later.
void made_by_hand() {
  float *x, *y, *out;
  std::vector<float> in(n, 2.0f), result(n);
  int calls = 0;
  CHECK(cudaMalloc(&x, bytes));
  CHECK(cudaMalloc(&y, bytes));
  CHECK(cudaMalloc(&out, bytes));
  cudaGraph_t graph, child;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphCreate(&child, 0));
  cudaGraphNode_t to_x, to_y, add_to_x, twice, both, back, host, inner;

  CHECK(cudaGraphAddMemcpyNode1D(&to_x, graph, nullptr, 0, x, in.data(), bytes, cudaMemcpyHostToDevice));
  cudaMemsetParams zero = {};
  zero.dst = y;
  zero.elementSize = 4;
  zero.value = 0x40400000;  // 3.0f
  zero.width = n;
  zero.height = 1;
  CHECK(cudaGraphAddMemsetNode(&to_y, graph, nullptr, 0, &zero));
  float by = 5;
  int count_of = n;
  void* add_arguments[] = {&x, &by, &count_of};
  cudaKernelNodeParams of_add = {};
  of_add.func = (void*)add;
  of_add.gridDim = dim3(4);
  of_add.blockDim = dim3(256);
  of_add.kernelParams = add_arguments;
  CHECK(cudaGraphAddKernelNode(&add_to_x, graph, &to_x, 1, &of_add));
  void* scale_arguments[] = {&y, &count_of};
  cudaKernelNodeParams of_scale = of_add;
  of_scale.func = reinterpret_cast<void*>(&scale<3>);
  of_scale.kernelParams = scale_arguments;
  CHECK(cudaGraphAddKernelNode(&inner, child, nullptr, 0, &of_scale));
  CHECK(cudaGraphAddChildGraphNode(&twice, graph, &to_y, 1, child));
  void* sum_arguments[] = {&x, &y, &out, &count_of};
  cudaKernelNodeParams of_sum = of_add;
  of_sum.func = (void*)sum;
  of_sum.kernelParams = sum_arguments;
  const cudaGraphNode_t before[] = {add_to_x, twice};
  CHECK(cudaGraphAddKernelNode(&both, graph, before, 2, &of_sum));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(out, bytes, n, 1);
  copy.dstPtr = make_cudaPitchedPtr(result.data(), bytes, n, 1);
  copy.extent = make_cudaExtent(bytes, 1, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaGraphAddMemcpyNode(&back, graph, nullptr, 0, &copy));
  CHECK(cudaGraphAddDependencies(graph, &both, &back, nullptr, 1));
  cudaHostNodeParams of_host = {count, &calls};
  CHECK(cudaGraphAddHostNode(&host, graph, &back, 1, &of_host));

  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(twice, &type));
  size_t edges = 0;
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  cudaGraphExec_t instance;
  CHECK(cudaGraphInstantiate(&instance, graph, 0));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaGraphLaunch(instance, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::printf("by hand: child %d, %zu edges, %g, calls %d\n", type == cudaGraphNodeTypeGraph, edges, result[0], calls);

  by = 100;  // the node has a copy of it
  CHECK(cudaGraphLaunch(instance, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::printf("as before: %g\n", result[0]);
  CHECK(cudaGraphExecKernelNodeSetParams(instance, add_to_x, &of_add));
  CHECK(cudaGraphLaunch(instance, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::printf("changed: %g, calls %d\n", result[0], calls);
  cudaGraph_t clone;
  CHECK(cudaGraphClone(&clone, graph));
  cudaGraphExecUpdateResultInfo told;
  CHECK(cudaGraphExecUpdate(instance, graph, &told));  // as the graph is, again
  CHECK(cudaGraphLaunch(instance, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::printf("updated: %d, %g\n", told.result == cudaGraphExecUpdateSuccess, result[0]);
  CHECK(cudaGraphDestroy(clone));
  CHECK(cudaGraphExecDestroy(instance));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(child));
  CHECK(cudaStreamDestroy(stream));
  for (float* p : {x, y, out}) CHECK(cudaFree(p));
}

/// What can't be captured, and what is left open.
void refused() {
  cudaStream_t stream, other;
  cudaEvent_t event;
  float* x;
  CHECK(cudaMalloc(&x, bytes));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamCreate(&other));
  CHECK(cudaEventCreate(&event));
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  std::printf("synchronised: %s\n", cudaGetErrorName(cudaStreamSynchronize(stream)));
  std::printf("then: %s\n", cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));
  std::printf("graph: %d\n", graph != nullptr);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CHECK(cudaEventRecord(event, stream));
  CHECK(cudaStreamWaitEvent(other, event, 0));
  add<<<4, 256, 0, other>>>(x, 1.0f, n);
  std::printf("not joined: %s\n", cudaGetErrorName(cudaStreamEndCapture(stream, &graph)));
  std::printf("never begun: %s\n", cudaGetErrorName(cudaStreamEndCapture(other, &graph)));
  cudaGetLastError();
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaStreamDestroy(other));
  CHECK(cudaEventDestroy(event));
  CHECK(cudaFree(x));
}

int main() {
  captured();
  forked();
  made_by_hand();
  refused();
}
