// Every function of the runtime API with each of its pointers leading where the program may not go: none is followed.
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <doctest/doctest.h>
#include <sys/mman.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/private_memory.h"
#include "emulator.h"

using namespace simtlab::emulator;

namespace {

const char* walked = "nothing";  ///< for who reads how the test died

struct refusal {
  finding what;
};

void on_end(const report& r) {
  for (const finding& f : r.findings)
    if (f.what == rule::foreign_memory) throw refusal{f};
  std::fprintf(stderr, "%s followed its pointer, or somebody stopped the test\n", walked);
  for (const finding& f : r.findings) std::fprintf(stderr, "%s\n", f.message.c_str());
  std::_Exit(1);
}

/// While it exists this process is guarded, and what lies above `frame` is not the program's.
class guarded {
 public:
  explicit guarded(const void* frame) : runs_(frame) { on_fatal(on_end); }
  ~guarded() {
    guard_host_memory(false);
    on_fatal(nullptr);
  }
  guarded(const guarded&) = delete;  // it restores
  guarded& operator=(const guarded&) = delete;

  const bool is_on = guard_host_memory(true);

 private:
  program_call runs_;  // behind the guard, which forgets the frame
};

/// What makes a call that nothing is wrong with, as far as types tell.
class world {
 public:
  world() {
    REQUIRE(cudaMalloc(&device, 65536) == cudaSuccess);
    const cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat};
    REQUIRE(cudaMallocArray(&array, &format, 64, 64) == cudaSuccess);
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    REQUIRE(cudaEventCreate(&event) == cudaSuccess);
    REQUIRE(cudaEventRecord(event, stream) == cudaSuccess);
    REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
    REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
    REQUIRE(cudaGraphAddEmptyNode(&nodes[0], graph, nullptr, 0) == cudaSuccess);
    nodes.fill(nodes[0]);
    REQUIRE(cudaGraphInstantiateWithFlags(&instance, graph, 0) == cudaSuccess);
  }
  ~world() {
    cudaFree(device);
    cudaFreeArray(array);
    cudaStreamDestroy(stream);
    cudaEventDestroy(event);
    cudaGraphExecDestroy(instance);
    cudaGraphDestroy(graph);
    static_cast<void>(take_report());
    static_cast<void>(cudaGetLastError());
  }
  world(const world&) = delete;  // it releases
  world& operator=(const world&) = delete;

  template <class T>
  T ordinary(cudaMemcpyKind kind) {
    if constexpr (std::is_same_v<T, cudaStream_t>)
      return stream;
    else if constexpr (std::is_same_v<T, cudaEvent_t>)
      return event;
    else if constexpr (std::is_same_v<T, cudaArray_t> || std::is_same_v<T, cudaArray_const_t>)
      return array;
    else if constexpr (std::is_same_v<T, cudaGraph_t>)
      return graph;
    else if constexpr (std::is_same_v<T, cudaGraphNode_t>)
      return nodes[0];
    else if constexpr (std::is_same_v<T, const cudaGraphNode_t*>)
      return nodes.data();
    else if constexpr (std::is_same_v<T, cudaGraphExec_t>)
      return instance;
    else if constexpr (std::is_same_v<T, cudaMemPool_t>)
      return pool;
    else if constexpr (std::is_same_v<T, cudaMemPoolAttr>)
      return cudaMemPoolAttrReleaseThreshold;
    else if constexpr (std::is_pointer_v<T> && std::is_void_v<std::remove_pointer_t<T>>)
      return device;
    else if constexpr (std::is_function_v<std::remove_pointer_t<T>>)
      return nullptr;
    else if constexpr (std::is_pointer_v<T>)
      return reinterpret_cast<T>(host.data());
    else if constexpr (std::is_same_v<T, cudaMemcpyKind>)
      return kind;
    else if constexpr (std::is_same_v<T, std::size_t>)
      return 8;
    else if constexpr (std::is_same_v<T, cudaExtent>)
      return {8, 1, 1};
    else if constexpr (std::is_same_v<T, cudaPitchedPtr>)
      return {device, 8, 8, 1};
    else
      return T{};
  }

  void clear() { host = {}; }

  void* device = nullptr;
  cudaGraph_t graph = nullptr;

 private:
  std::array<cudaGraphNode_t, 8> nodes{};
  cudaGraphExec_t instance = nullptr;
  cudaMemPool_t pool = nullptr;
  cudaArray_t array = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  alignas(16) std::array<char, 4096> host{};
};

template <class T>
constexpr bool is_handle =
    std::is_same_v<T, cudaStream_t> || std::is_same_v<T, cudaEvent_t> || std::is_same_v<T, cudaArray_t> ||
    std::is_same_v<T, cudaArray_const_t> || std::is_same_v<T, cudaGraph_t> || std::is_same_v<T, cudaGraphNode_t> ||
    std::is_same_v<T, cudaGraphExec_t> || std::is_same_v<T, cudaMemPool_t>;

/// Pointers that are numbers to the function: looked up, or not looked at.
const std::set<std::pair<std::string, int>> numbers{
    {"cudaFree", 0},
    {"cudaFreeAsync", 0},
    {"cudaFreeHost", 0},
    {"cudaPointerGetAttributes", 1},
    {"cudaMemcpyToSymbol", 0},
    {"cudaMemcpyToSymbolAsync", 0},
    {"cudaMemcpyFromSymbol", 1},
    {"cudaMemcpyFromSymbolAsync", 1},
    {"cudaGetSymbolAddress", 1},
    {"cudaGetSymbolSize", 1},
    {"cudaMemset", 0},
    {"cudaMemsetAsync", 0},
    {"cudaMemset2D", 0},
    {"cudaMemPrefetchAsync", 0},
    {"cudaMemAdvise", 0},
    {"cudaStreamAttachMemAsync", 1},
    {"cudaHostUnregister", 0},
    {"cudaFuncSetAttribute", 0},
    {"cudaFuncSetCacheConfig", 0},
    {"cudaFuncSetSharedMemConfig", 0},
    {"cudaFuncGetAttributes", 1},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessor", 1},
    {"cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", 1},
    {"cudaOccupancyAvailableDynamicSMemPerBlock", 1},
    {"cudaStreamAddCallback", 2},
    {"cudaLaunchHostFunc", 2},
    {"cudaHostGetDevicePointer", 1},
    {"cudaCreateTextureObject", 3},
    {"cudaMemset2DAsync", 0},
    {"cudaMemcpyPeer", 0},
    {"cudaMemcpyPeer", 2},
    {"cudaMemcpyPeerAsync", 0},
    {"cudaMemcpyPeerAsync", 2},
    {"cudaHostGetFlags", 1},
    {"cudaFuncGetName", 1},
    {"cudaDeviceGetP2PAttribute", 0},  // of one device there is none
    {"cudaDeviceGetPCIBusId", 0},      // no room, no text
    {"cudaSetValidDevices", 0},        // none
    {"cudaGraphAddMemcpyNode1D", 5},
    {"cudaGraphAddMemcpyNode1D", 4},
    {"cudaGraphMemcpyNodeSetParams1D", 1},
    {"cudaGraphMemcpyNodeSetParams1D", 2},
    {"cudaGraphExecMemcpyNodeSetParams1D", 2},
    {"cudaGraphExecMemcpyNodeSetParams1D", 3},
    {"cudaGraphGetNodes", 1},  // no room, no nodes
    {"cudaGraphGetRootNodes", 1},
    {"cudaGraphGetEdges", 1},
    {"cudaGraphGetEdges", 2},
    {"cudaGraphNodeGetDependencies", 1},
    {"cudaGraphNodeGetDependentNodes", 1},
};

constexpr std::array kinds{cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost,
                           cudaMemcpyDeviceToDevice, cudaMemcpyDefault};

struct outcome {
  bool refused = false;  ///< ended the program
  cudaError_t error = cudaSuccess;
  std::vector<finding> findings;
};

/// Calls `f` with the pointer `at` for its argument number `Which`.
template <std::size_t Which, class... P, std::size_t... I>
outcome call(world& w, cudaError_t (*f)(P...), void* at, cudaMemcpyKind kind, std::index_sequence<I...>) {
  static_cast<void>(take_report());
  w.clear();
  outcome o;
  const auto argument = [&]<std::size_t N, class T>(std::integral_constant<std::size_t, N>, T*) -> T {
    if constexpr (N == Which)
      return reinterpret_cast<T>(at);
    else
      return w.ordinary<T>(kind);
  };
  try {
    o.error = f(argument(std::integral_constant<std::size_t, I>{}, static_cast<P*>(nullptr))...);
    o.findings = take_report().findings;
  } catch (const refusal& r) {
    o.refused = true;
    o.findings = {r.what};
  }
  return o;
}

/// One pointer of a function's parameters, by what may stand there.
struct parameter {
  int number;
  bool leads_to_a_function;
  bool is_handle;
  bool beside_a_kind;  ///< the function takes a cudaMemcpyKind, too
  outcome (*call)(world&, void (*)(), void* at, cudaMemcpyKind);
};

/// No template, as hundreds of parameters are walked.
void walk_one(world& w, const std::string& name, void (*f)(), const parameter& p, const std::vector<void*>& places) {
  const char* told_by = p.leads_to_a_function ? "calls a function" : name.c_str();
  for (std::size_t place = 0; place < places.size(); ++place) {
    CAPTURE(name);
    CAPTURE(p.number);
    CAPTURE(place);
    bool refused = false, failed = false, told = false;
    for (const cudaMemcpyKind kind : kinds) {
      if (kind != kinds[0] && !p.beside_a_kind) continue;
      const outcome o = p.call(w, f, places[place], kind);
      refused |= o.refused;
      failed |= o.error != cudaSuccess;
      for (const finding& found : o.findings) told |= found.message.find(told_by) != std::string::npos;
    }
    if (p.is_handle) {
      CHECK(failed);
      CHECK(told);
      CHECK(!refused);
    } else if (numbers.contains({name, p.number})) {
      CHECK(!refused);
    } else {
      CHECK(refused);
      CHECK(told);
    }
  }
}

template <std::size_t Which, class... P>
void walk_parameter(world& w, const char* name, cudaError_t (*f)(P...), const std::vector<void*>& places) {
  using type = std::tuple_element_t<Which, std::tuple<P...>>;
  if constexpr (std::is_pointer_v<type>) {
    const parameter p{static_cast<int>(Which), std::is_function_v<std::remove_pointer_t<type>>, is_handle<type>,
                      (std::is_same_v<P, cudaMemcpyKind> || ...),
                      [](world& of, void (*function)(), void* at, cudaMemcpyKind kind) {
                        return call<Which>(of, reinterpret_cast<cudaError_t (*)(P...)>(function), at, kind,
                                           std::index_sequence_for<P...>{});
                      }};
    walk_one(w, name, reinterpret_cast<void (*)()>(f), p, places);
  }
}

std::set<std::string> names_walked;

template <class... P>
void walk(world& w, const char* name, cudaError_t (*f)(P...), const std::vector<void*>& places) {
  walked = name;
  names_walked.insert(name);
  [&]<std::size_t... I>(std::index_sequence<I...>) { (walk_parameter<I>(w, name, f, places), ...); }
  (std::index_sequence_for<P...>{});
}

std::string text_of(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Functions of the header that take a pointer or a handle.
std::set<std::string> names_of_header() {
  const std::string folder = std::string(__FILE__).substr(0, std::string(__FILE__).rfind('/'));
  const std::string header = text_of(folder + "/../../include/cuda_runtime_api.h");
  std::set<std::string> names;
  const std::regex declaration(R"(cudaError_t (cuda\w+)\(([^;]*)\);)"),
      pointer(R"(\*|cudaStream|cudaEvent|cudaArray|cudaHostFn|cudaGraph|cudaMemPool_t)");
  for (std::sregex_iterator at(header.begin(), header.end(), declaration), end; at != end; ++at)
    if (const std::string parameters = (*at)[2]; std::regex_search(parameters, pointer)) names.insert((*at)[1]);
  return names;
}

/// Of the emulator: closed memory that faults, memory that any mistake changes, the stack above the frame and below one's own.
std::vector<void*> closed_places(char* above) {
  static void* const unreadable = map_privately(65536, false);
  static char* const own = [] {
    const private_allocation privately;
    return new char[65536]{};
  }();
  return {unreadable, own, above, static_cast<char*>(__builtin_frame_address(0)) - 16384};
}

[[gnu::noinline]] void walk_all(char* above) {
  const guarded program(__builtin_frame_address(0));
  REQUIRE(program.is_on);
  const std::vector<void*> places = closed_places(above);
  world w;
#define WALK(name) walk(w, #name, name, places);
  WALK(cudaGetDeviceCount)
  WALK(cudaGetDevice)
  WALK(cudaGetDeviceProperties)
  WALK(cudaDeviceGetAttribute)
  WALK(cudaDeviceGetLimit)
  WALK(cudaDeviceCanAccessPeer)
  WALK(cudaDriverGetVersion)
  WALK(cudaRuntimeGetVersion)
  WALK(cudaChooseDevice)
  WALK(cudaMalloc)
  WALK(cudaFree)
  WALK(cudaMallocHost)
  WALK(cudaHostAlloc)
  WALK(cudaHostGetDevicePointer)
  WALK(cudaHostRegister)
  WALK(cudaHostUnregister)
  WALK(cudaFreeHost)
  WALK(cudaMallocManaged)
  WALK(cudaMallocPitch)
  WALK(cudaMallocAsync)
  WALK(cudaFreeAsync)
  WALK(cudaMemGetInfo)
  WALK(cudaPointerGetAttributes)
  WALK(cudaMemcpy)
  WALK(cudaMemcpyAsync)
  WALK(cudaMemcpy2D)
  WALK(cudaMemcpy2DAsync)
  WALK(cudaMemcpyToSymbol)
  WALK(cudaMemcpyFromSymbol)
  WALK(cudaMemcpyToSymbolAsync)
  WALK(cudaMemcpyFromSymbolAsync)
  WALK(cudaGetSymbolAddress)
  WALK(cudaGetSymbolSize)
  WALK(cudaMemset)
  WALK(cudaMemsetAsync)
  WALK(cudaMalloc3D)
  WALK(cudaMemcpy3D)
  WALK(cudaMemcpy3DAsync)
  WALK(cudaMemset2D)
  WALK(cudaMemPrefetchAsync)
  WALK(cudaMemAdvise)
  WALK(cudaStreamAttachMemAsync)
  WALK(cudaMallocArray)
  WALK(cudaMalloc3DArray)
  WALK(cudaFreeArray)
  WALK(cudaArrayGetInfo)
  WALK(cudaGetChannelDesc)
  WALK(cudaMemcpy2DToArray)
  WALK(cudaMemcpy2DToArrayAsync)
  WALK(cudaMemcpy2DFromArray)
  WALK(cudaMemcpy2DFromArrayAsync)
  WALK(cudaMemcpy2DArrayToArray)
  WALK(cudaMemcpyToArray)
  WALK(cudaMemcpyFromArray)
  WALK(cudaMemcpyArrayToArray)
  WALK(cudaMemcpyToArrayAsync)
  WALK(cudaMemcpyFromArrayAsync)
  WALK(cudaCreateTextureObject)
  WALK(cudaCreateSurfaceObject)
  WALK(cudaGetSurfaceObjectResourceDesc)
  WALK(cudaGetTextureObjectResourceDesc)
  WALK(cudaGetTextureObjectTextureDesc)
  WALK(cudaStreamCreate)
  WALK(cudaStreamCreateWithFlags)
  WALK(cudaStreamCreateWithPriority)
  WALK(cudaDeviceGetStreamPriorityRange)
  WALK(cudaStreamGetPriority)
  WALK(cudaStreamDestroy)
  WALK(cudaStreamSynchronize)
  WALK(cudaStreamQuery)
  WALK(cudaStreamWaitEvent)
  WALK(cudaStreamAddCallback)
  WALK(cudaLaunchHostFunc)
  WALK(cudaEventCreate)
  WALK(cudaEventCreateWithFlags)
  WALK(cudaEventRecord)
  WALK(cudaEventSynchronize)
  WALK(cudaEventQuery)
  WALK(cudaEventElapsedTime)
  WALK(cudaEventDestroy)
  WALK(cudaFuncSetAttribute)
  WALK(cudaFuncSetCacheConfig)
  WALK(cudaFuncSetSharedMemConfig)
  WALK(cudaFuncGetAttributes)
  WALK(cudaOccupancyMaxActiveBlocksPerMultiprocessor)
  WALK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)
  WALK(cudaOccupancyAvailableDynamicSMemPerBlock)
  WALK(cudaDeviceGetP2PAttribute)
  WALK(cudaDeviceGetPCIBusId)
  WALK(cudaDeviceGetByPCIBusId)
  WALK(cudaDeviceGetCacheConfig)
  WALK(cudaDeviceGetSharedMemConfig)
  WALK(cudaGetDeviceFlags)
  WALK(cudaSetValidDevices)
  WALK(cudaHostGetFlags)
  WALK(cudaMemcpyPeer)
  WALK(cudaMemcpyPeerAsync)
  WALK(cudaMemset3DAsync)
  WALK(cudaMemset2DAsync)
  WALK(cudaDeviceGetDefaultMemPool)
  WALK(cudaDeviceGetMemPool)
  WALK(cudaDeviceSetMemPool)
  WALK(cudaMemPoolCreate)
  WALK(cudaMemPoolDestroy)
  WALK(cudaMemPoolTrimTo)
  WALK(cudaMemPoolSetAttribute)
  WALK(cudaMemPoolGetAttribute)
  WALK(cudaMemPoolSetAccess)
  WALK(cudaMemPoolGetAccess)
  WALK(cudaMallocFromPoolAsync)
  WALK(cudaDeviceGetTexture1DLinearMaxWidth)
  WALK(cudaStreamGetFlags)
  WALK(cudaStreamGetId)
  WALK(cudaStreamGetDevice)
  WALK(cudaStreamCopyAttributes)
  WALK(cudaStreamGetAttribute)
  WALK(cudaStreamSetAttribute)
  WALK(cudaEventRecordWithFlags)
  WALK(cudaStreamBeginCapture)
  WALK(cudaStreamEndCapture)
  WALK(cudaStreamIsCapturing)
  WALK(cudaStreamGetCaptureInfo)
  WALK(cudaThreadExchangeStreamCaptureMode)
  WALK(cudaGraphCreate)
  WALK(cudaGraphDestroy)
  WALK(cudaGraphClone)
  WALK(cudaGraphAddKernelNode)
  WALK(cudaGraphAddMemcpyNode)
  WALK(cudaGraphAddMemcpyNode1D)
  WALK(cudaGraphAddMemsetNode)
  WALK(cudaGraphAddHostNode)
  WALK(cudaGraphAddEmptyNode)
  WALK(cudaGraphAddEventRecordNode)
  WALK(cudaGraphAddEventWaitNode)
  WALK(cudaGraphAddChildGraphNode)
  WALK(cudaGraphAddDependencies)
  WALK(cudaGraphKernelNodeSetParams)
  WALK(cudaGraphMemsetNodeSetParams)
  WALK(cudaGraphHostNodeSetParams)
  WALK(cudaGraphMemcpyNodeSetParams1D)
  WALK(cudaGraphGetNodes)
  WALK(cudaGraphGetRootNodes)
  WALK(cudaGraphGetEdges)
  WALK(cudaGraphNodeGetType)
  WALK(cudaGraphNodeGetDependencies)
  WALK(cudaGraphInstantiateWithFlags)
  WALK(cudaGraphExecDestroy)
  WALK(cudaGraphExecKernelNodeSetParams)
  WALK(cudaGraphExecMemcpyNodeSetParams1D)
  WALK(cudaGraphMemcpyNodeSetParams)
  WALK(cudaGraphExecMemcpyNodeSetParams)
  WALK(cudaGraphExecMemsetNodeSetParams)
  WALK(cudaGraphExecHostNodeSetParams)
  WALK(cudaGraphExecUpdate)
  WALK(cudaStreamUpdateCaptureDependencies)
  WALK(cudaStreamBeginCaptureToGraph)
  WALK(cudaGraphRemoveDependencies)
  WALK(cudaGraphDestroyNode)
  WALK(cudaGraphNodeGetDependentNodes)
  WALK(cudaGraphNodeFindInClone)
  WALK(cudaGraphKernelNodeGetParams)
  WALK(cudaGraphKernelNodeCopyAttributes)
  WALK(cudaGraphMemcpyNodeGetParams)
  WALK(cudaGraphMemsetNodeGetParams)
  WALK(cudaGraphHostNodeGetParams)
  WALK(cudaGraphEventRecordNodeGetEvent)
  WALK(cudaGraphEventRecordNodeSetEvent)
  WALK(cudaGraphEventWaitNodeGetEvent)
  WALK(cudaGraphEventWaitNodeSetEvent)
  WALK(cudaGraphChildGraphNodeGetGraph)
  WALK(cudaGraphNodeSetEnabled)
  WALK(cudaGraphNodeGetEnabled)
  WALK(cudaGraphExecEventRecordNodeSetEvent)
  WALK(cudaGraphExecEventWaitNodeSetEvent)
  WALK(cudaGraphExecChildGraphNodeSetParams)
  WALK(cudaGraphExecGetFlags)
  WALK(cudaGraphDebugDotPrint)
  WALK(cudaGraphUpload)
  WALK(cudaGraphLaunch)
  WALK(cudaFuncGetName)
#undef WALK
  const char* const own = static_cast<const char*>(places[1]);
  for (int i = 0; i < 65536; ++i) REQUIRE(own[i] == 0);
}

/// Whether `call` ends the program for a pointer that is not the program's.
bool is_refused(const std::function<void()>& call) {
  try {
    call();
  } catch (const refusal&) {
    return true;
  }
  return false;
}

[[gnu::noinline]] void walk_structures(char* above) {
  const guarded program(__builtin_frame_address(0));
  for (void* const place : closed_places(above)) {
    world w;
    cudaMemcpy3DParms box{};
    box.extent = {8, 1, 1};
    box.kind = cudaMemcpyDeviceToHost;
    box.srcPtr = {w.device, 8, 8, 1};
    box.dstPtr = {place, 8, 8, 1};
    CHECK(is_refused([&] { cudaMemcpy3D(&box); }));
    std::swap(box.srcPtr, box.dstPtr);
    box.kind = cudaMemcpyHostToDevice;
    CHECK(is_refused([&] { cudaMemcpy3D(&box); }));
    box.srcPtr.ptr = nullptr;
    box.srcArray = static_cast<cudaArray_t>(place);
    CHECK(cudaMemcpy3D(&box) == cudaErrorInvalidResourceHandle);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = static_cast<cudaArray_t>(place);
    const cudaTextureDesc how{};
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr) == cudaErrorInvalidResourceHandle);
    resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {place, {32, 0, 0, 0, cudaChannelFormatKindFloat}, 64};
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr) == cudaErrorInvalidValue);
    CHECK(cudaMemset3D({place, 8, 8, 1}, 0, {8, 1, 1}) == cudaErrorInvalidValue);
    std::size_t room = 1;
    CHECK(is_refused([&] { cudaGraphGetNodes(w.graph, static_cast<cudaGraphNode_t*>(place), &room); }));
    CHECK(is_refused([&] { cudaDeviceGetPCIBusId(static_cast<char*>(place), 64, 0); }));
    CHECK(is_refused([&] { cudaSetValidDevices(static_cast<int*>(place), 1); }));
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t instance = nullptr;
    cudaGraphNode_t node = nullptr;
    REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
    REQUIRE(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, place, w.device, 8, cudaMemcpyDeviceToHost) ==
            cudaSuccess);
    REQUIRE(cudaGraphInstantiateWithFlags(&instance, graph, 0) == cudaSuccess);
    CHECK(is_refused([&] { cudaGraphLaunch(instance, nullptr); }));
  }
}

}  // namespace

TEST_CASE("each pointer of each function of the runtime API, led to memory that is not the program's") {
  char above[65536] = {};
  walk_all(above);
  for (const char c : above) REQUIRE(c == 0);
  CHECK(names_walked == names_of_header());
}

TEST_CASE("pointers inside the structures that functions take are looked at, too") {
  char above[65536] = {};
  walk_structures(above);
}

namespace {
[[gnu::noinline]] void copy_across_ends(char* above) {
  const guarded program(__builtin_frame_address(0));
  world w;
  char own[256] = {};
  // From the program's last byte into the caller's frame; rows whose distance wraps around, so that their extent looks small.
  const std::size_t to_above = static_cast<std::size_t>(above - own);
  CHECK(is_refused([&] { cudaMemcpy(own, w.device, to_above + 8, cudaMemcpyDeviceToHost); }));
  const std::size_t back = ~std::size_t{0} - 4095;
  CHECK(cudaMemcpy2D(own, back, w.device, 8192, 8192, 2, cudaMemcpyDeviceToHost) != cudaSuccess);
  CHECK(cudaMemcpy2D(w.device, 8192, own, back, 8192, 2, cudaMemcpyHostToDevice) != cudaSuccess);
  CHECK(cudaMemcpy2D(w.device, back, w.device, 8192, 8192, 2, cudaMemcpyDeviceToDevice) != cudaSuccess);
  CHECK(is_refused([&] { cudaMemcpy(own, own + 128, ~std::size_t{0} - 64, cudaMemcpyHostToHost); }));
  CHECK(cudaMemcpy(own, own + 128, 128, cudaMemcpyHostToHost) == cudaSuccess);
}
}  // namespace

TEST_CASE("a copy may neither leave the program's memory nor wrap around") {
  char above[65536] = {};
  copy_across_ends(above);
}

TEST_CASE("a result that goes to device memory is refused, one that goes to managed memory is the host's") {
  static_cast<void>(take_report());
  void *device = nullptr, *managed = nullptr;
  REQUIRE(cudaMalloc(&device, 64) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, 64) == cudaSuccess);
  name_memory(managed, 64, "managed");
  CHECK(cudaGetDevice(static_cast<int*>(device)) == cudaErrorInvalidValue);
  const report r = take_report();
  REQUIRE(r.findings.size() == 1);
  CHECK(r.findings[0].what == rule::host_access_to_device);
  CHECK(stored_by_host(managed, 64).bytes == 0);
  CHECK(cudaGetDevice(static_cast<int*>(managed)) == cudaSuccess);
  CHECK(stored_by_host(managed, 64).bytes == 4);
  cudaFree(device);
  cudaFree(managed);
  static_cast<void>(cudaGetLastError());
  static_cast<void>(take_report());
}

TEST_CASE("handles of what was destroyed, and memory that was not pinned, are told from those that never were") {
  static_cast<void>(take_report());
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(event, nullptr) == cudaErrorInvalidResourceHandle);
  void* pinned = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 64) == cudaSuccess);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(cudaFreeHost(pinned) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(nullptr) == cudaSuccess);
  const report r = take_report();
  REQUIRE(r.findings.size() == 3);
  CHECK(r.findings[0].message.find("cudaStreamSynchronize") != std::string::npos);
  CHECK(r.findings[0].message.find("already destroyed") != std::string::npos);
  CHECK(r.findings[1].message.find("cudaEventRecord") != std::string::npos);
  CHECK(r.findings[2].message.find("cudaFreeHost") != std::string::npos);
  static_cast<void>(cudaGetLastError());
}
