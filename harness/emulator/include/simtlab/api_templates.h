// The typed faces of the runtime API that C++ programs see: cudaMalloc(&pointer, bytes) without a cast, symbols and
// kernels by name. They are inlined, so that the runtime sees the student's own line as its caller.
#pragma once  // IWYU pragma: private, include <cuda_runtime.h>
#pragma GCC system_header

#include "../cuda_runtime_api.h"
#include "../host_defines.h"

#define SIMTLAB_API __host__ inline __attribute__((always_inline, artificial))

namespace simtlab {
template <class T>
SIMTLAB_API const void* address_of(const T& symbol) {
  return __builtin_addressof(const_cast<char&>(reinterpret_cast<const volatile char&>(symbol)));
}
}  // namespace simtlab

template <class T>
SIMTLAB_API cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return cudaMalloc((void**)(pointer), bytes);
}
template <class T>
SIMTLAB_API cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned int flags = 0) {
  return cudaHostAlloc((void**)(pointer), bytes, flags);
}
template <class T>
SIMTLAB_API cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned int flags) {
  return cudaHostAlloc((void**)(pointer), bytes, flags);
}
template <class T>
SIMTLAB_API cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return cudaHostGetDevicePointer((void**)(device), host, flags);
}
template <class T>
SIMTLAB_API cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void**)(pointer), bytes, flags);
}
template <class T>
SIMTLAB_API cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return cudaMallocPitch((void**)(pointer), pitch, width, height);
}
template <class T>
SIMTLAB_API cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync((void**)(pointer), bytes, stream);
}

template <class T>
SIMTLAB_API cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void**)(pointer), bytes, pool, stream);
}
template <class T>
SIMTLAB_API cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void**)(pointer), bytes, pool, stream);
}

// What versions of CUDA call graphs with: before 12 an instance told of its errors by text, since 13 edges carry data.
SIMTLAB_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags = 0) {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
SIMTLAB_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t* wrong,
                                             char* text, size_t bytes) {
  if (wrong != nullptr) *wrong = nullptr;
  if (text != nullptr && bytes > 0) *text = 0;
  return cudaGraphInstantiateWithFlags(exec, graph, 0);
}
SIMTLAB_API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                 const cudaGraphNode_t* to, const cudaGraphEdgeData*, size_t count) {
  return cudaGraphAddDependencies(graph, from, to, count);
}
SIMTLAB_API cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                          cudaGraphEdgeData*, size_t* count) {
  return cudaGraphGetEdges(graph, from, to, count);
}
SIMTLAB_API cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData*,
                                                     size_t* count) {
  return cudaGraphNodeGetDependencies(node, nodes, count);
}
SIMTLAB_API cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData*,
                                                       size_t* count) {
  return cudaGraphNodeGetDependentNodes(node, nodes, count);
}
SIMTLAB_API cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                    const cudaGraphNode_t* to, const cudaGraphEdgeData*, size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, count);
}
SIMTLAB_API cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* after,
                                                            const cudaGraphEdgeData*, size_t count,
                                                            unsigned int flags = 0) {
  return cudaStreamUpdateCaptureDependencies(stream, after, count, flags);
}
SIMTLAB_API cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                                    unsigned long long* id = 0, cudaGraph_t* graph = 0,
                                                    const cudaGraphNode_t** after = 0, size_t* count = 0) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, after, 0, count);
}
SIMTLAB_API cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                                    unsigned long long* id = 0, cudaGraph_t* graph = 0,
                                                    const cudaGraphNode_t** after = 0,
                                                    const cudaGraphEdgeData** data = 0, size_t* count = 0) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, after, data, count);
}
SIMTLAB_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* wrong,
                                            cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo told;
  const cudaError_t error = cudaGraphExecUpdate(exec, graph, &told);
  if (wrong != nullptr) *wrong = told.errorNode;
  if (result != nullptr) *result = told.result;
  return error;
}

namespace simtlab {
/// The number that versions of CUDA before 13 have for a place; of no device for none.
SIMTLAB_API int device_of(cudaMemLocation place) {
  return place.type == cudaMemLocationTypeDevice ? place.id
         : place.type == cudaMemLocationTypeNone ? cudaInvalidDeviceId
                                                 : cudaCpuDeviceId;
}
/// Of what has the type alone: whatever converts to a number as well stays with the functions that take one.
template <class T>
struct only_a_location {};
template <>
struct only_a_location<cudaMemLocation> {
  using error = cudaError_t;
};
}  // namespace simtlab

template <class T>  // as CUDA 13 has them
SIMTLAB_API typename simtlab::only_a_location<T>::error cudaMemPrefetchAsync(const void* pointer, size_t bytes, T place,
                                                                             unsigned int, cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(pointer, bytes, simtlab::device_of(place), stream);
}
template <class T>
SIMTLAB_API typename simtlab::only_a_location<T>::error cudaMemAdvise(const void* pointer, size_t bytes,
                                                                      cudaMemoryAdvise advice, T place) {
  return cudaMemAdvise(pointer, bytes, advice, simtlab::device_of(place));
}

template <class T>
SIMTLAB_API cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol(simtlab::address_of(symbol), from, bytes, offset, kind);
}
template <class T>
SIMTLAB_API cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, simtlab::address_of(symbol), bytes, offset, kind);
}
template <class T>
SIMTLAB_API cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                                cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync(simtlab::address_of(symbol), from, bytes, offset, kind, stream);
}
template <class T>
SIMTLAB_API cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                  cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, simtlab::address_of(symbol), bytes, offset, kind, stream);
}
template <class T>
SIMTLAB_API cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return cudaGetSymbolAddress(pointer, simtlab::address_of(symbol));
}
template <class Parameter, class T>
SIMTLAB_API cudaError_t cudaGetSymbolAddress(Parameter** pointer, const T& symbol) {
  return cudaGetSymbolAddress((void**)(pointer), simtlab::address_of(symbol));
}
template <class T>
SIMTLAB_API cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
  return cudaGetSymbolSize(bytes, simtlab::address_of(symbol));
}

template <class... Parameter>
SIMTLAB_API cudaError_t cudaFuncSetAttribute(void (*kernel)(Parameter...), cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute((const void*)(kernel), attribute, value);
}
template <class... Parameter>
SIMTLAB_API cudaError_t cudaFuncSetCacheConfig(void (*kernel)(Parameter...), cudaFuncCache config) {
  return cudaFuncSetCacheConfig((const void*)(kernel), config);
}
template <class... Parameter>
SIMTLAB_API cudaError_t cudaFuncSetSharedMemConfig(void (*kernel)(Parameter...), cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig((const void*)(kernel), config);
}
template <class... Parameter>
SIMTLAB_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(Parameter...)) {
  return cudaFuncGetAttributes(attributes, (const void*)(kernel));
}
template <class... Parameter>
SIMTLAB_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*kernel)(Parameter...),
                                                                      int block_threads, size_t dynamic_shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)(kernel), block_threads, dynamic_shared);
}

template <class... Parameter>
SIMTLAB_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                               void (*kernel)(Parameter...),
                                                                               int block_threads, size_t dynamic_shared,
                                                                               unsigned flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)(kernel), block_threads,
                                                                dynamic_shared, flags);
}
template <class... Parameter>
SIMTLAB_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, void (*kernel)(Parameter...),
                                                                  int blocks, int block_threads) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void*)(kernel), blocks, block_threads);
}

/// The block size with the most threads resident on a multiprocessor; the largest of equals. `dynamic_shared` gives the
/// bytes for a block size.
template <class Kernel, class Bytes>
SIMTLAB_API cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid_size, int* block_size, Kernel kernel,
                                                                       Bytes dynamic_shared, int limit = 0) {
  int best = 0, best_blocks = 0, multiprocessors = 1;
  for (int threads = limit > 0 && limit < 1024 ? limit : 1024; threads > 0;
       threads -= threads % 32 != 0 ? threads % 32 : 32) {
    int blocks = 0;
    const cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, dynamic_shared(threads));
    if (error != cudaSuccess) return error;
    if (blocks * threads <= best * best_blocks) continue;
    best = threads;
    best_blocks = blocks;
  }
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  *block_size = best;
  *grid_size = best_blocks * multiprocessors;
  return cudaSuccess;
}
template <class Kernel>
SIMTLAB_API cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, Kernel kernel,
                                                           size_t dynamic_shared = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      grid_size, block_size, kernel, [dynamic_shared](int) { return dynamic_shared; }, limit);
}

SIMTLAB_API cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}
SIMTLAB_API cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  return cudaExtent{width, height, depth};
}
SIMTLAB_API cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return cudaPos{x, y, z}; }
SIMTLAB_API cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t x, size_t y) {
  return cudaPitchedPtr{pointer, pitch, x, y};
}

#undef SIMTLAB_API
