#include "translator/unsupported_headers.h"

#include <algorithm>
#include <array>

namespace simtlab::emulator {
namespace {

struct entry {
  std::string_view begins;  ///< with this the header's name begins, or it lies in a folder of this name (`thrust/`)
  std::string_view why;
};

constexpr std::string_view library =
    "It belongs to a library that the emulator does not have: it runs the kernels you write. Do without it here, or "
    "build "
    "with nvcc for a GPU";

constexpr std::array<entry, 24> entries{{
    {"curand",
     "Of cuRAND the emulator has curand_kernel.h, with XORWOW and Philox. Draw the numbers in kernels, or build with "
     "nvcc for a GPU"},
    {"cublas.h",
     "It is the interface that cuBLAS had before 2011, without handles. Include cublas_v2.h, make a handle with "
     "cublasCreate and give it to each call"},
    {"cublas_api.h", "It is a part of cublas_v2.h. Include that one"},
    {"cublasLt", "Of cuBLAS the emulator has cublas_v2.h. Call cublasSgemm or cublasGemmEx"},
    {"cublasXt", "Of cuBLAS the emulator has cublas_v2.h. Call cublasSgemm or cublasGemmEx"},
    {"cusparse", "The emulator has no cuSPARSE. Write the sparse product as a kernel, or build with nvcc for a GPU"},
    {"cusolver",
     "The emulator has no cuSOLVER. Solve triangles with cublasStrsm, write the factorisation as a kernel, or build "
     "with nvcc for a GPU"},
    {"cufft", "The emulator has no cuFFT. Write the transform as a kernel, or build with nvcc for a GPU"},
    {"cudnn", "The emulator has no cuDNN. Write the layer as a kernel, or build with nvcc for a GPU"},
    {"nccl.h", library},
    {"nvrtc.h", library},
    {"nvml.h", library},
    {"thrust/",
     "Of Thrust the emulator has vectors, transformations, reductions, scans, sorts, searches, sets, selections, "
     "random numbers and iterators, and not "
     "this header. Write that step as a kernel, or build with nvcc for a GPU"},
    {"cub/",
     "Of CUB the emulator has block_{discontinuity,exchange,histogram,load,radix_sort,reduce,scan,store}.cuh, "
     "warp_{reduce,scan}.cuh and "
     "device_{histogram,merge_sort,partition,radix_sort,reduce,run_length_encode,scan,segmented_reduce,select}.cuh. "
     "Write "
     "that step as a kernel, or build with nvcc for a GPU"},
    {"cutlass/", library},
    {"cuda/std/",
     "Of CUDA's standard library the emulator has <cuda/std/…> algorithm (min, max, clamp, swap), array, atomic, "
     "barrier, cfloat, climits, cmath, cstddef, cstdint, functional (operators), latch, limits, semaphore, span, "
     "type_traits and utility. Write the rest "
     "yourself, or build with nvcc for a GPU"},
    {"opencv2/", library},
    {"opencv.hpp", library},
    {"cutil", "cutil left the CUDA Toolkit in 2012. Check errors and measure time with a few lines of your own"},
    {"cooperative_groups/details/",
     "It is a part of the CUDA Toolkit's cooperative groups. The emulator has its own: leave out the -I of the "
     "Toolkit's headers"},
    {"cuda_awbarrier",
     "The emulator has no __mbarrier_t. Use cuda::barrier from <cuda/barrier>, and cuda::memcpy_async"},
    {"cuda_fp4",
     "4-bit floats are not supported by the emulator. Use the 8-bit floats of cuda_fp8.h, __half of cuda_fp16.h, or "
     "float"},
    {"cuda_fp6",
     "6-bit floats are not supported by the emulator. Use the 8-bit floats of cuda_fp8.h, __half of cuda_fp16.h, or "
     "float"},
    {"cudaGL", "Graphics interoperability is not supported by the emulator"},
}};

/// Of `cuda/std`, in the emulator's folder of headers.
constexpr std::array<std::string_view, 16> standard{
    "algorithm", "array",      "atomic", "barrier", "cfloat",    "climits", "cmath",       "cstddef",
    "cstdint",   "functional", "latch",  "limits",  "semaphore", "span",    "type_traits", "utility"};

/// Of `cub`, in the emulator's folder of headers.
constexpr std::array<std::string_view, 27> of_cub{"block_discontinuity.cuh",
                                                  "block_exchange.cuh",
                                                  "block_histogram.cuh",
                                                  "block_load.cuh",
                                                  "block_radix_sort.cuh",
                                                  "block_reduce.cuh",
                                                  "block_scan.cuh",
                                                  "block_store.cuh",
                                                  "config.h",
                                                  "cub.cuh",
                                                  "device_histogram.cuh",
                                                  "device_merge_sort.cuh",
                                                  "device_partition.cuh",
                                                  "device_radix_sort.cuh",
                                                  "device_reduce.cuh",
                                                  "device_run_length_encode.cuh",
                                                  "device_scan.cuh",
                                                  "device_segmented_reduce.cuh",
                                                  "device_select.cuh",
                                                  "device_work.h",
                                                  "radix_bits.h",
                                                  "thread_operators.cuh",
                                                  "util_allocator.cuh",
                                                  "util_debug.cuh",
                                                  "util_type.cuh",
                                                  "warp_reduce.cuh",
                                                  "warp_scan.cuh"};

/// Of `thrust`, in the emulator's folder of headers.
constexpr std::array<std::string_view, 74> of_thrust{"adjacent_difference.h",
                                                     "advance.h",
                                                     "binary_search.h",
                                                     "config.h",
                                                     "constant_iterator.h",
                                                     "copy.h",
                                                     "copying.h",
                                                     "count.h",
                                                     "counting_iterator.h",
                                                     "device_free.h",
                                                     "device_malloc.h",
                                                     "device_ptr.h",
                                                     "device_reference.h",
                                                     "device_vector.h",
                                                     "discard_iterator.h",
                                                     "distance.h",
                                                     "elementwise.h",
                                                     "equal.h",
                                                     "execution_policy.h",
                                                     "extrema.h",
                                                     "fancy_iterator.h",
                                                     "fill.h",
                                                     "find.h",
                                                     "for_each.h",
                                                     "functional.h",
                                                     "gather.h",
                                                     "generate.h",
                                                     "host_vector.h",
                                                     "inner_product.h",
                                                     "iterator_traits.h",
                                                     "launch.h",
                                                     "linear_congruential_engine.h",
                                                     "logical.h",
                                                     "memory.h",
                                                     "merge.h",
                                                     "mismatch.h",
                                                     "normal_distribution.h",
                                                     "pair.h",
                                                     "partition.h",
                                                     "permutation_iterator.h",
                                                     "place.h",
                                                     "random.h",
                                                     "reduce.h",
                                                     "reductions.h",
                                                     "remove.h",
                                                     "replace.h",
                                                     "reverse.h",
                                                     "reverse_iterator.h",
                                                     "scan.h",
                                                     "scatter.h",
                                                     "sequence.h",
                                                     "serial.h",
                                                     "set_operations.h",
                                                     "sort.h",
                                                     "sorting.h",
                                                     "swap.h",
                                                     "system_error.h",
                                                     "tabulate.h",
                                                     "transform.h",
                                                     "transform_iterator.h",
                                                     "transform_output_iterator.h",
                                                     "transform_reduce.h",
                                                     "transform_scan.h",
                                                     "tuple.h",
                                                     "uniform_int_distribution.h",
                                                     "uniform_real_distribution.h",
                                                     "uninitialized_fill.h",
                                                     "unique.h",
                                                     "universal_allocator.h",
                                                     "universal_ptr.h",
                                                     "universal_vector.h",
                                                     "version.h",
                                                     "zip_function.h",
                                                     "zip_iterator.h"};

}  // namespace

std::string_view why_unsupported(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  for (const entry& e : entries) {
    const bool folder = e.begins.back() == '/';
    if (!folder && name != "curand_kernel.h" && name.starts_with(e.begins)) return e.why;
    if (!folder) continue;
    if (e.begins == "cuda/std/" && std::ranges::find(standard, name) != standard.end()) continue;
    if (e.begins == "cub/" && std::ranges::find(of_cub, name) != of_cub.end()) continue;
    if (e.begins == "thrust/" && std::ranges::find(of_thrust, name) != of_thrust.end()) continue;
    const std::size_t found = path.find(e.begins);
    if (found == 0 || (found != std::string_view::npos && path[found - 1] == '/')) return e.why;
  }
  return {};
}

}  // namespace simtlab::emulator
