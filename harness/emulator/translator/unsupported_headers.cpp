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

constexpr std::array<entry, 22> entries{{
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
     "Of Thrust the emulator has vectors, transformations, reductions, scans, sorts, selections and iterators, and not "
     "this header. Write that step as a kernel, or build with nvcc for a GPU"},
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
    {"cuda_pipeline", "Asynchronous copies to shared memory are not supported by the emulator. Load through registers"},
    {"cuda_fp8",
     "8-bit floats are not supported by the emulator. Use float, __half from cuda_fp16.h, or __nv_bfloat16 from "
     "cuda_bf16.h"},
    {"cudaGL", "Graphics interoperability is not supported by the emulator"},
}};

/// Of `cuda/std`, in the emulator's folder of headers.
constexpr std::array<std::string_view, 16> standard{
    "algorithm", "array",      "atomic", "barrier", "cfloat",    "climits", "cmath",       "cstddef",
    "cstdint",   "functional", "latch",  "limits",  "semaphore", "span",    "type_traits", "utility"};

/// Of `thrust`, in the emulator's folder of headers.
constexpr std::array<std::string_view, 61> of_thrust{"adjacent_difference.h",
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
                                                     "logical.h",
                                                     "memory.h",
                                                     "mismatch.h",
                                                     "pair.h",
                                                     "partition.h",
                                                     "permutation_iterator.h",
                                                     "place.h",
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
                                                     "uninitialized_fill.h",
                                                     "unique.h",
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
    if (e.begins == "thrust/" && std::ranges::find(of_thrust, name) != of_thrust.end()) continue;
    const std::size_t found = path.find(e.begins);
    if (found == 0 || (found != std::string_view::npos && path[found - 1] == '/')) return e.why;
  }
  return {};
}

}  // namespace simtlab::emulator
