// What graphs tell of themselves: captures that go on, parameters of nodes handed back changed, edges and nodes that go, nodes that
// a launch leaves out, and a picture.
#include <cstdio>
#include <cstdlib>

__global__ void add(float* x, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += by;
}
template <class T>
__global__ void scale(T* x, T factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
}

#define CHECK(call)                                                                              \
  do {                                                                                           \
    const cudaError_t error = (call);                                                            \
    if (error != cudaSuccess) std::printf("line %d: %s\n", __LINE__, cudaGetErrorName(error)); \
  } while (0)

constexpr int n = 256;
constexpr size_t bytes = n * sizeof(float);

void count(void* calls) { ++*static_cast<int*>(calls); }

const char* name_of(cudaGraphNode_t node) {
  const char* const names[] = {"kernel", "copy", "fill", "host", "graph", "empty", "wait", "record"};
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(node, &type));
  return names[type];
}

/// What a stream's next call waits for, and how that is set.
void captures() {
  float* x;
  cudaStream_t stream;
  CHECK(cudaMalloc(&x, bytes));
  CHECK(cudaStreamCreate(&stream));
  cudaStreamCaptureStatus status;
  unsigned long long id = 7;
  cudaGraph_t graph = nullptr, ended;
  const cudaGraphNode_t* after = nullptr;
  const cudaGraphEdgeData* data = nullptr;
  size_t behind = 77;
  CHECK(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &after, &data, &behind));
  std::printf("not captured: %d, the rest as it was: %d\n", status == cudaStreamCaptureStatusNone,
              id == 7 && graph == nullptr && after == nullptr && behind == 77);
  std::printf("%s\n", cudaGetErrorName(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0)));
  cudaGetLastError();
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &after, nullptr, &behind));
  std::printf("begun: %d, %zu nodes\n", status == cudaStreamCaptureStatusActive && id != 7 && graph != nullptr, behind);
  CHECK(cudaMemsetAsync(x, 0, bytes, stream));
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &after, nullptr, &behind));
  cudaGraphNode_t first = after[0];
  std::printf("%s: %zu\n", name_of(first), behind);
  add<<<1, n, 0, stream>>>(x, 1, n);
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &after, &data, &behind));
  std::printf("%s: %zu, an edge of type %d\n", name_of(after[0]), behind, data[0].type);
  // A node that the program adds by hand joins what the stream does.
  cudaGraphNode_t empty;
  CHECK(cudaGraphAddEmptyNode(&empty, graph, &first, 1));
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &empty, nullptr, 1, cudaStreamAddCaptureDependencies));
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, nullptr, &behind));
  std::printf("added: %zu\n", behind);
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &empty, nullptr, 1, cudaStreamSetCaptureDependencies));
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, nullptr, &behind));
  std::printf("set: %zu\n", behind);
  add<<<1, n, 0, stream>>>(x + n, 0, 0);
  CHECK(cudaStreamEndCapture(stream, &ended));
  size_t nodes = 0, edges = 0;
  CHECK(cudaGraphGetNodes(ended, nullptr, &nodes));
  CHECK(cudaGraphGetEdges(ended, nullptr, nullptr, nullptr, &edges));
  std::printf("the same graph: %d, %zu nodes, %zu edges\n", ended == graph, nodes, edges);
  // Another stretch of calls is added to it, behind the node.
  CHECK(cudaStreamBeginCaptureToGraph(stream, graph, &empty, nullptr, 1, cudaStreamCaptureModeGlobal));
  scale<<<1, n, 0, stream>>>(x, 3.0f, n);
  CHECK(cudaStreamEndCapture(stream, &ended));
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  size_t of_empty = 8;
  cudaGraphNode_t dependent[8];
  CHECK(cudaGraphNodeGetDependentNodes(empty, dependent, nullptr, &of_empty));
  std::printf("the same graph: %d, %zu nodes, behind the empty one a %s and a %s\n", ended == graph, nodes,
              name_of(dependent[0]), name_of(dependent[1]));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(x));
}

/// Parameters are asked for, changed in one place and handed back.
void parameters() {
  float *x, *host;
  int calls = 0;
  cudaStream_t stream;
  cudaEvent_t event, other;
  CHECK(cudaMalloc(&x, bytes));
  CHECK(cudaMallocHost(&host, bytes));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&event));
  CHECK(cudaEventCreate(&other));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(x, 0x1ff, bytes, stream));
  CHECK(cudaMemset2DAsync(x, 64, 0, 32, 2, stream));
  CHECK(cudaMemsetAsync(x, 0, bytes, stream));
  add<<<2, 128, 16, stream>>>(x, 1, n);
  scale<<<1, n, 0, stream>>>(x, 2.0f, n);
  CHECK(cudaMemcpyAsync(host, x, bytes, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaMemcpy2DAsync(host, 64, x, 128, 32, 4, cudaMemcpyDefault, stream));
  CHECK(cudaLaunchHostFunc(stream, count, &calls));
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t node[8], record, wait;
  size_t nodes = 8;
  CHECK(cudaGraphGetNodes(graph, node, &nodes));
  for (int i = 0; i < 2; ++i) {
    cudaMemsetParams fill;
    CHECK(cudaGraphMemsetNodeGetParams(node[i], &fill));
    std::printf("fill of x: %d, %u in %u byte, %zu x %zu, pitch %zu\n", fill.dst == x, fill.value, fill.elementSize,
                fill.width, fill.height, fill.pitch);
  }
  for (int i = 5; i < 7; ++i) {
    cudaMemcpy3DParms copy;
    CHECK(cudaGraphMemcpyNodeGetParams(node[i], &copy));
    std::printf("copy from x: %d, to host: %d, kind %d, %zu x %zu x %zu, pitches %zu and %zu\n", copy.srcPtr.ptr == x,
                copy.dstPtr.ptr == host, copy.kind, copy.extent.width, copy.extent.height, copy.extent.depth,
                copy.srcPtr.pitch, copy.dstPtr.pitch);
    CHECK(cudaGraphMemcpyNodeSetParams(node[i], &copy));
  }
  cudaHostNodeParams of_host;
  CHECK(cudaGraphHostNodeGetParams(node[7], &of_host));
  std::printf("host: %d\n", of_host.fn == count && of_host.userData == &calls);
  cudaKernelNodeParams kernel;
  std::printf("of a host node: %s\n", cudaGetErrorName(cudaGraphKernelNodeGetParams(node[7], &kernel)));
  cudaGetLastError();
  CHECK(cudaGraphKernelNodeGetParams(node[3], &kernel));
  std::printf("kernel: %d, %u x %u, %u bytes, by %g, n %d\n", kernel.func == (void*)add, kernel.gridDim.x,
              kernel.blockDim.x, kernel.sharedMemBytes, *static_cast<float*>(kernel.kernelParams[1]),
              *static_cast<int*>(kernel.kernelParams[2]));
  cudaGraphExec_t instance;
  CHECK(cudaGraphInstantiate(&instance, graph, 0));
  const auto run = [&](const char* when) {
    CHECK(cudaGraphLaunch(instance, stream));
    CHECK(cudaStreamSynchronize(stream));
    std::printf("%s: %g\n", when, host[n - 1]);
  };
  run("as captured");
  float by = 5;  // what is told is the node's own, and stays as it is
  void* five[] = {kernel.kernelParams[0], &by, kernel.kernelParams[2]};
  kernel.kernelParams = five;
  kernel.gridDim = 1;
  kernel.blockDim = n;
  CHECK(cudaGraphExecKernelNodeSetParams(instance, node[3], &kernel));
  run("5 is added");
  // A kernel whose name the program has cast nowhere: its template argument is deduced.
  CHECK(cudaGraphKernelNodeGetParams(node[4], &kernel));
  float times = 7;
  void* seven[] = {kernel.kernelParams[0], &times, kernel.kernelParams[2]};
  kernel.kernelParams = seven;
  CHECK(cudaGraphExecKernelNodeSetParams(instance, node[4], &kernel));
  run("and times 7");
  CHECK(cudaGraphKernelNodeSetParams(node[4], &kernel));
  cudaGraphNode_t again;
  CHECK(cudaGraphAddKernelNode(&again, graph, &node[4], 1, &kernel));
  CHECK(cudaGraphKernelNodeCopyAttributes(again, node[3]));
  CHECK(cudaGraphAddDependencies(graph, &again, &node[5], nullptr, 1));
  CHECK(cudaGraphExecDestroy(instance));
  CHECK(cudaGraphInstantiate(&instance, graph, cudaGraphInstantiateFlagUseNodePriority));
  unsigned long long flags = 0;
  CHECK(cudaGraphExecGetFlags(instance, &flags));
  run("by the graph, and times 7 again");
  unsigned enabled = 9;
  CHECK(cudaGraphNodeSetEnabled(instance, again, 0));
  CHECK(cudaGraphNodeGetEnabled(instance, again, &enabled));
  std::printf("enabled: %u\n", enabled);
  run("left out");
  CHECK(cudaGraphNodeSetEnabled(instance, again, 1));
  run("and back");
  std::printf("a host node: %s, calls %d\n", cudaGetErrorName(cudaGraphNodeSetEnabled(instance, node[7], 0)), calls);
  cudaGetLastError();

  CHECK(cudaGraphAddEventRecordNode(&record, graph, &node[7], 1, event));
  CHECK(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, event));
  cudaEvent_t told = nullptr;
  CHECK(cudaGraphEventRecordNodeSetEvent(record, other));
  CHECK(cudaGraphEventRecordNodeGetEvent(record, &told));
  std::printf("events: %d", told == other);
  CHECK(cudaGraphEventWaitNodeGetEvent(wait, &told));
  std::printf(", %d, %s\n", told == event, cudaGetErrorName(cudaGraphEventWaitNodeGetEvent(record, &told)));
  cudaGetLastError();
  CHECK(cudaGraphEventWaitNodeSetEvent(wait, other));
  CHECK(cudaGraphExecDestroy(instance));
  CHECK(cudaGraphInstantiate(&instance, graph, 0));
  CHECK(cudaGraphExecEventRecordNodeSetEvent(instance, record, event));
  CHECK(cudaGraphExecEventWaitNodeSetEvent(instance, wait, event));
  run("with events");
  CHECK(cudaEventQuery(event));

  std::printf("edges: %s", cudaGetErrorName(cudaGraphRemoveDependencies(graph, &record, &wait, nullptr, 1)));
  std::printf(", %s\n", cudaGetErrorName(cudaGraphRemoveDependencies(graph, &record, &wait, nullptr, 1)));
  cudaGetLastError();
  CHECK(cudaGraphDestroyNode(record));
  CHECK(cudaGraphDestroyNode(again));
  size_t edges = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  std::printf("%zu nodes, %zu edges\n", nodes, edges);
  run("the instance is as it was");

  cudaGraph_t clone;
  cudaGraphNode_t copied = nullptr;
  CHECK(cudaGraphClone(&clone, graph));
  CHECK(cudaGraphNodeFindInClone(&copied, node[3], clone));
  std::printf("in the clone: %d, %s\n", copied != node[3], name_of(copied));
  for (cudaGraph_t g : {graph, clone}) CHECK(cudaGraphDestroy(g));
  CHECK(cudaGraphExecDestroy(instance));
  CHECK(cudaStreamDestroy(stream));
  for (cudaEvent_t e : {event, other}) CHECK(cudaEventDestroy(e));
  CHECK(cudaFree(x));
  CHECK(cudaFreeHost(host));
}

/// A child is the node's own, and an instance's is another.
void children() {
  int calls = 0;
  cudaGraph_t graph, child, own;
  cudaGraphNode_t node, inner, more;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphCreate(&child, 0));
  cudaHostNodeParams of_host = {count, &calls};
  CHECK(cudaGraphAddHostNode(&inner, child, nullptr, 0, &of_host));
  CHECK(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
  CHECK(cudaGraphChildGraphNodeGetGraph(node, &own));
  cudaGraphExec_t instance;
  CHECK(cudaGraphInstantiate(&instance, graph, 0));
  CHECK(cudaGraphAddHostNode(&more, own, nullptr, 0, &of_host));
  CHECK(cudaGraphLaunch(instance, 0));
  CHECK(cudaDeviceSynchronize());
  std::printf("child: %d, calls %d", own != child, calls);
  std::printf(", of more nodes: %s", cudaGetErrorName(cudaGraphExecChildGraphNodeSetParams(instance, node, own)));
  cudaGetLastError();
  CHECK(cudaGraphExecChildGraphNodeSetParams(instance, node, child));
  CHECK(cudaGraphLaunch(instance, 0));
  CHECK(cudaDeviceSynchronize());
  std::printf(", then %d\n", calls);

  char path[] = "/tmp/graphs_asked.XXXXXX";
  std::fclose(fdopen(mkstemp(path), "w"));
  cudaGraphNode_t empty;
  CHECK(cudaGraphAddEmptyNode(&empty, graph, &node, 1));
  CHECK(cudaGraphDebugDotPrint(graph, path, cudaGraphDebugDotFlagsVerbose));
  std::FILE* const picture = std::fopen(path, "r");
  for (int c = std::fgetc(picture); c != EOF; c = std::fgetc(picture)) std::putchar(c);
  std::fclose(picture);
  std::remove(path);
  std::printf("nowhere: %s\n", cudaGetErrorName(cudaGraphDebugDotPrint(graph, "/nowhere/at/all.dot", 0)));
  cudaGetLastError();
  CHECK(cudaGraphExecDestroy(instance));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(child));
}

int main() {
  captures();
  parameters();
  children();
}
