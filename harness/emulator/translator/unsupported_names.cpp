#include "translator/unsupported_names.h"

#include <algorithm>
#include <array>

namespace simtlab::emulator {
namespace {

struct unsupported_entry {
  std::string_view begins;  ///< with this the name begins; behind it stands a `*` where more may follow
  std::string_view why;
};

constexpr std::string_view other_graphs =
    "The emulator has graphs of kernels, copies, fills, host functions, events and other graphs, captured from streams "
    "or made node by node, and nothing else of theirs. Launch that part of the work into a stream";
constexpr std::string_view graph_memory =
    "Graphs of the emulator allocate no memory. Allocate before the graph, and free behind it";
constexpr std::string_view one_gpu =
    "The emulator has one GPU and one process: nothing is shared with others. Copy with cudaMemcpy";
constexpr std::string_view graphics =
    "Graphics interoperability is not supported by the emulator, which shows no pictures. Copy with cudaMemcpy and "
    "draw "
    "in host code";
constexpr std::string_view surfaces =
    "Of surfaces the emulator has surf1D, surf2D, surf3D, layers of the first two, and cubemaps: no surface "
    "references, "
    "which left CUDA with version 12";
constexpr std::string_view texture_references =
    "Texture references left CUDA with version 12. Make a texture object with cudaCreateTextureObject and pass it to "
    "the "
    "kernel";
constexpr std::string_view other_textures =
    "Of textures the emulator has tex1Dfetch, tex1D, tex2D, tex3D, layers of the first two, and cubemaps: no mipmaps, "
    "gradients or gathers";
constexpr std::string_view shared_copies =
    "Copies that an __mbarrier_t keeps track of are not supported by the emulator. Use cuda::barrier from "
    "<cuda/barrier>, and cuda::memcpy_async";
constexpr std::string_view small_floats =
    "Floats of 4 and 6 bits are not supported by the emulator. Use the 8-bit floats of cuda_fp8.h, __half of "
    "cuda_fp16.h, or float";
constexpr std::string_view wide_atomics =
    "Atomic operations on 128 bits are not supported by the emulator. Use one of 64 bits, or a lock";
constexpr std::string_view tensor_cores =
    "Tensor cores are not supported by the emulator. Write the product with float, or build with nvcc for a GPU";
constexpr std::string_view other_library =
    "It belongs to a library that the emulator does not have: it runs the kernels you write. Do without it here, or "
    "build with nvcc for a GPU";
constexpr std::string_view other_blas =
    "Of cuBLAS the emulator has the functions of float and double that courses use, cublasHgemm and cublasGemmEx "
    "(docs/emulator.md). Use one of these, or write the operation as a kernel";
constexpr std::string_view driver_api =
    "The emulator has CUDA's runtime and not its driver API (cu…). Use the runtime's function: cudaMalloc for "
    "cuMemAlloc, kernel<<<…>>>(…) for cuLaunchKernel";
constexpr std::string_view batches =
    "Copies and prefetches in batches are not supported by the emulator. Make one call for each";
constexpr std::string_view libraries =
    "The emulator links a program's kernels when it is built, and loads no others. Call the kernel by its name";
constexpr std::string_view of_the_driver =
    "It asks for what the driver keeps, and the emulator has no driver. Leave the call out";
constexpr std::string_view clusters =
    "Clusters of blocks are not supported by the emulator. Let blocks exchange values through global memory";
constexpr std::string_view random_numbers =
    "Of cuRAND the emulator has curand_kernel.h: curand_init, curand, uniform, normal and log-normal numbers of XORWOW "
    "and Philox. Draw the numbers in kernels, or build with nvcc for a GPU";
constexpr std::string_view profilers =
    "Of NVTX the emulator has the marks and ranges of nvtx3/nvToolsExt.h, which do nothing there. Leave the call out, "
    "or "
    "measure with simtcc --profile";

/// More special entries come first.
constexpr std::array unsupported{
    unsupported_entry{"cudaGraphics*", graphics},
    unsupported_entry{"cudaGL*", graphics},
    unsupported_entry{"cudaImportExternal*", graphics},
    unsupported_entry{"cudaDeviceGraphMem*", graph_memory},
    unsupported_entry{"cudaDeviceGetGraphMemAttribute", graph_memory},
    unsupported_entry{"cudaDeviceSetGraphMemAttribute", graph_memory},
    unsupported_entry{"cudaGraphConditional*", other_graphs},
    unsupported_entry{"cudaGraphAddExternal*", other_graphs},
    unsupported_entry{"cudaGraphExternal*", other_graphs},
    unsupported_entry{"cudaGraphExecExternal*", other_graphs},
    unsupported_entry{"cudaGraphAddNode*", other_graphs},
    unsupported_entry{"cudaGraphAddMemcpyNodeToSymbol", other_graphs},
    unsupported_entry{"cudaGraphAddMemcpyNodeFromSymbol", other_graphs},
    unsupported_entry{"cudaGraphNodeSetParams", other_graphs},
    unsupported_entry{"cudaGraphRetainUserObject", other_graphs},
    unsupported_entry{"cudaGraphReleaseUserObject", other_graphs},
    unsupported_entry{"cudaGraphInstantiateWithParams", other_graphs},
    unsupported_entry{"cudaUserObject*", other_graphs},
    unsupported_entry{"cudaMemPoolExport*", one_gpu},
    unsupported_entry{"cudaMemPoolImport*", one_gpu},
    unsupported_entry{"cudaGraphAddMemAllocNode", graph_memory},
    unsupported_entry{"cudaGraphAddMemFreeNode", graph_memory},
    unsupported_entry{"cudaGraphMemAlloc*", graph_memory},
    unsupported_entry{"cudaGraphMemFree*", graph_memory},
    unsupported_entry{"cudaGraphExecNodeSetParams", other_graphs},
    unsupported_entry{"cudaGraphKernelNodeGetAttribute", other_graphs},
    unsupported_entry{"cudaGraphKernelNodeSetAttribute", other_graphs},
    unsupported_entry{"cudaGraphMemcpyNodeSetParamsFromSymbol", other_graphs},
    unsupported_entry{"cudaGraphMemcpyNodeSetParamsToSymbol", other_graphs},
    unsupported_entry{"cudaGraphExecMemcpyNodeSetParamsFromSymbol", other_graphs},
    unsupported_entry{"cudaGraphExecMemcpyNodeSetParamsToSymbol", other_graphs},
    unsupported_entry{"cudaMemcpyBatchAsync", batches},
    unsupported_entry{"cudaMemcpy3DBatchAsync", batches},
    unsupported_entry{"cudaMemPrefetchBatchAsync", batches},
    unsupported_entry{"cudaMemDiscard*", batches},
    unsupported_entry{"cudaMemGetDefaultMemPool", one_gpu},
    unsupported_entry{"cudaMemGetMemPool", one_gpu},
    unsupported_entry{"cudaMemSetMemPool", one_gpu},
    unsupported_entry{"cudaMemRangeGetAttribute*", of_the_driver},
    unsupported_entry{"cudaLibrary*", libraries},
    unsupported_entry{"cudaKernelSetAttributeForDevice", libraries},
    unsupported_entry{"cudaGetKernel", libraries},
    unsupported_entry{"cudaGetFuncBySymbol", libraries},
    unsupported_entry{"cudaFuncGetParamInfo", libraries},
    unsupported_entry{"cudaGetDriverEntryPoint*", of_the_driver},
    unsupported_entry{"cudaGetExportTable", of_the_driver},
    unsupported_entry{"cudaLogs*", of_the_driver},
    unsupported_entry{"cudaDeviceRegisterAsyncNotification", of_the_driver},
    unsupported_entry{"cudaDeviceUnregisterAsyncNotification", of_the_driver},
    unsupported_entry{"cudaDeviceFlushGPUDirectRDMAWrites", one_gpu},
    unsupported_entry{"cudaDeviceGetHostAtomicCapabilities", of_the_driver},
    unsupported_entry{"cudaDeviceGetP2PAtomicCapabilities", one_gpu},
    unsupported_entry{"cudaDeviceGetNvSciSyncAttributes", graphics},
    unsupported_entry{"cudaDestroyExternal*", graphics},
    unsupported_entry{"cudaExternalMemory*", graphics},
    unsupported_entry{"cudaSignalExternal*", graphics},
    unsupported_entry{"cudaWaitExternal*", graphics},
    unsupported_entry{"cudaFreeMipmappedArray", other_textures},
    unsupported_entry{"cudaGetMipmappedArrayLevel", other_textures},
    unsupported_entry{"cudaMipmappedArray*", other_textures},
    unsupported_entry{"cudaArrayGetMemoryRequirements", other_textures},
    unsupported_entry{"cudaArrayGetPlane", other_textures},
    unsupported_entry{"cudaArrayGetSparseProperties", other_textures},
    unsupported_entry{"cudaGetTextureObjectResourceViewDesc", other_textures},
    unsupported_entry{"cudaIpc*", one_gpu},
    unsupported_entry{"cudaMemcpy3DPeer*", one_gpu},
    unsupported_entry{"cudaBindSurface*", surfaces},
    unsupported_entry{"cudaBindTexture*", texture_references},
    unsupported_entry{"cudaUnbindTexture", texture_references},
    unsupported_entry{"cudaGetTextureReference", texture_references},
    unsupported_entry{"textureReference", texture_references},
    unsupported_entry{"tex1DLayeredGrad", other_textures},
    unsupported_entry{"tex1DGrad", other_textures},
    unsupported_entry{"tex2DLayeredGrad", other_textures},
    unsupported_entry{"tex2DGrad", other_textures},
    unsupported_entry{"tex2Dgather", other_textures},
    unsupported_entry{"tex3DGrad", other_textures},
    unsupported_entry{"texCubemapGrad", other_textures},
    unsupported_entry{"texCubemapLayeredGrad", other_textures},
    unsupported_entry{"cudaMallocMipmappedArray", other_textures},
    unsupported_entry{"cudaOccupancyMaxActiveClusters", clusters},
    unsupported_entry{"cudaOccupancyMaxPotentialClusterSize", clusters},
    unsupported_entry{"__pipeline_arrive_on", shared_copies},
    unsupported_entry{"__mbarrier_*", shared_copies},
    unsupported_entry{"__nv_fp4*", small_floats},
    unsupported_entry{"__nv_fp6*", small_floats},
    unsupported_entry{"__u128Atomic*", wide_atomics},
    unsupported_entry{"bmma_sync", tensor_cores},
    unsupported_entry{"cutlass", other_library},
    unsupported_entry{"curand*", random_numbers},
    unsupported_entry{"cublas*", other_blas},
    unsupported_entry{"cufft*", other_library},
    unsupported_entry{"cusparse*", other_library},
    unsupported_entry{"cusolver*", other_library},
    unsupported_entry{"cudnn*", other_library},
    unsupported_entry{"nvrtc*", other_library},
    unsupported_entry{"nvmlInit*", other_library},
    unsupported_entry{"nccl*", other_library},
    unsupported_entry{"nvtx*", profilers},
    unsupported_entry{"cuInit", driver_api},
    unsupported_entry{"cuDeviceGet*", driver_api},
    unsupported_entry{"cuCtx*", driver_api},
    unsupported_entry{"cuModule*", driver_api},
    unsupported_entry{"cuMem*", driver_api},
    unsupported_entry{"cuLaunchKernel*", driver_api},
    unsupported_entry{"cuStream*", driver_api},
    unsupported_entry{"cuEvent*", driver_api},
};

/// Of cublas_v2.h, and types that end in `_t`.
bool has_of_blas(std::string_view name) {
  constexpr std::string_view prefix = "cublas";
  if (!name.starts_with(prefix) || name.ends_with("_t")) return name.starts_with(prefix);
  name.remove_prefix(prefix.size());
  constexpr std::array<std::string_view, 22> whole{
      "Create",         "Destroy",        "GetVersion",  "SetStream",     "GetStream",      "SetPointerMode",
      "GetPointerMode", "SetMathMode",    "GetMathMode", "GetStatusName", "Context",        "GetStatusString",
      "SetVector",      "GetVector",      "SetMatrix",   "GetMatrix",     "SetVectorAsync", "GetVectorAsync",
      "SetMatrixAsync", "GetMatrixAsync", "Hgemm",       "GemmEx"};
  constexpr std::array<std::string_view, 15> of_each_type{
      "axpy",        "dot",  "nrm2", "asum", "scal", "copy", "swap", "gemv", "ger", "gemm", "gemmStridedBatched",
      "gemmBatched", "syrk", "trsm", "geam"};
  constexpr std::array<std::string_view, 4> indices{"Isamax", "Isamin", "Idamax", "Idamin"};
  if (std::ranges::find(whole, name) != whole.end() || std::ranges::find(indices, name) != indices.end()) return true;
  return (name.starts_with('S') || name.starts_with('D')) &&
         std::ranges::find(of_each_type, name.substr(1)) != of_each_type.end();
}

/// Of curand_kernel.h: what draws uniform and normal numbers, and the states of XORWOW and Philox.
bool has_of_rand(std::string_view name) {
  const auto is_one_of = [&](auto... begins) { return (name.starts_with(begins) || ...); };
  return name == "curand" || name == "curand4" || name == "curandState" ||
         is_one_of("curand_init", "curand_uniform", "curand_normal", "curand_log_normal", "curandState_t",
                   "curandStateXORWOW", "curandStatePhilox4_32_10", "curand_kernel");
}

}  // namespace

std::string_view why_unsupported_name(std::string_view name) {
  if (has_of_blas(name) || has_of_rand(name)) return {};
  for (const unsupported_entry& e : unsupported) {
    const bool open = e.begins.ends_with('*');
    if (open ? name.starts_with(e.begins.substr(0, e.begins.size() - 1)) : name == e.begins) return e.why;
  }
  return {};
}

}  // namespace simtlab::emulator
