#include "driver/hints.h"

#include <array>

#include "translator/unsupported_headers.h"
#include "translator/unsupported_names.h"

namespace simtlab::emulator {

const std::string_view misspelled_launch =
    "this is no launch: a launch has three angle brackets on each side, kernel<<<blocks, threads>>>(arguments)";

namespace {

struct hint {
  std::string_view first, second;  ///< both must occur in the message
  std::string_view text;
};

constexpr std::string_view undefined_variable =
    "no file that is compiled or linked defines it for the others. A `__device__` or `__constant__` variable that "
    "several "
    "files use needs -rdc=true where it is compiled (CMake: CUDA_SEPARABLE_COMPILATION ON), its definition in one "
    "file, and "
    "`extern` in the others";
constexpr std::string_view no_texture_references =
    "texture references left CUDA with version 12. A texture object replaces one: fill in a cudaResourceDesc (the "
    "memory) and a "
    "cudaTextureDesc (how it is read), make the object with cudaCreateTextureObject, pass it to the kernel as a "
    "cudaTextureObject_t, and fetch with tex2D<float>(object, x, y)";
constexpr std::string_view no_such_textures =
    "of textures the emulator has tex1Dfetch, tex1D, tex2D, tex3D, layers of the first two, and cubemaps: no mipmaps, "
    "gradients or gathers";
constexpr std::string_view no_surfaces =
    "of surfaces the emulator has surf1D, surf2D, surf3D, layers of the first two, and cubemaps: no surface "
    "references, "
    "which left CUDA with version 12";

/// More special entries come first.
constexpr std::array<hint, 48> hints{{
    {"helper_", "No such file",
     "it belongs to NVIDIA's sample programs, not to CUDA. Add its folder with -I, or do without it"},
    {"No such file", "", "is the name right, and is the folder of the header given with -I?"},
    {"'threadIdx' was not declared", "", "threadIdx is built in; this file does not see cuda_runtime.h"},
    {"'this_cluster'", "",
     "clusters of blocks are not supported by the emulator. Let each block work by itself, or build with nvcc for a "
     "GPU"},
    {"'cooperative_groups'", "",
     "the groups are declared in <cooperative_groups.h>, their reductions, scans and copies in "
     "<cooperative_groups/reduce.h>, <cooperative_groups/scan.h> and <cooperative_groups/memcpy_async.h>"},
    {"'thrust'", "", "Thrust's names are declared by its headers, <thrust/device_vector.h> and their kin"},
    {"'cub'", "", "CUB's names are declared by its headers: include <cub/cub.cuh>"},
    {"'nvcuda'", "", "fragments of matrices are declared by <mma.h>"},
    {"'texture' does not name", "", no_texture_references},
    {"'cudaBindTexture", "", no_texture_references},
    {"'cudaUnbindTexture", "", no_texture_references},
    {"'textureReference'", "", no_texture_references},
    {"cudaMallocMipmappedArray", "", no_such_textures},
    {"'tex1D", "was not declared", no_such_textures},
    {"'tex2D", "was not declared", no_such_textures},
    {"'tex3D", "was not declared", no_such_textures},
    {"'texCubemap", "was not declared", no_such_textures},
    {"'surf", "was not declared", no_surfaces},
    {"storage size of", "isn't constant",
     "an array in a kernel needs a size known when compiling: a constant, a #define or a template parameter. For a "
     "size known only at the launch: extern __shared__ T name[]; and the third value of <<< >>>"},
    {"declared '__thread'", "dynamic initialization",
     "a __shared__ variable cannot run a constructor, as every block has its own copy. Use a type without one"},
    {"expected ';' before", "", "a semicolon seems to be missing at the end of this line or of the one before"},
    {"expected ',' or ';' before", "", "a semicolon seems to be missing at the end of this line or of the one before"},
    {"expected '}' at end of input", "", "a { has no matching }. Check the indentation of the last functions"},
    {"invalid conversion from", "to 'float*'",
     "a kernel and cudaMemcpy take pointers; check for a missing & or *, or a swapped argument"},
    {"cannot convert", "to 'dim3'",
     "the configuration is <<<blocks, threads, bytes of shared memory, stream>>>; blocks and threads are numbers or "
     "dim3"},
    {"too few arguments", "cudaMemcpy",
     "cudaMemcpy(to, from, bytes, direction): the direction is cudaMemcpyHostToDevice or cudaMemcpyDeviceToHost"},
    {"no matching function", "cudaMalloc(",
     "cudaMalloc takes the address of a pointer and a number of bytes: cudaMalloc(&d, n * sizeof(float))"},
    {"no matching function", "cudaMemcpyToSymbol(",
     "cudaMemcpyToSymbol(symbol, from, bytes): the symbol itself, not its address, then a host pointer"},
    {"no matching function", "cudaMemcpyFromSymbol(",
     "cudaMemcpyFromSymbol(to, symbol, bytes): a host pointer, then the symbol itself, not its address"},
    {"'__ldg", "no matching function", "__ldg takes an address: __ldg(&a[i])"},
    {"__ldg(", "no matching function", "__ldg takes an address: __ldg(&a[i])"},
    {"atomicAdd(", "no matching function",
     "atomicAdd takes an address and a value of the same type: atomicAdd(&sum, x), for int, unsigned, unsigned long "
     "long, float or double"},
    {"atomicMax(float", "no matching function",
     "there is no atomicMax for float. Build it from atomicCAS on the bits: __float_as_int and __int_as_float"},
    {"atomicMin(float", "no matching function",
     "there is no atomicMin for float. Build it from atomicCAS on the bits: __float_as_int and __int_as_float"},
    {"atomic", "no matching function",
     "the atomic functions take an address and values of its type, and exist for the types of CUDA's table only"},
    {"__shfl_sync(", "no matching function",
     "__shfl_sync(mask, value, source_lane): the mask of the lanes that take part comes first, 0xffffffff for all; "
     "values "
     "have 4 or 8 bytes"},
    {"__shfl_up_sync(", "no matching function",
     "__shfl_up_sync(mask, value, distance): the mask of the lanes that take part comes first, 0xffffffff for all; "
     "values "
     "have 4 or 8 bytes"},
    {"__shfl_down_sync(", "no matching function",
     "__shfl_down_sync(mask, value, distance): the mask of the lanes that take part comes first, 0xffffffff for all; "
     "values have 4 or 8 bytes"},
    {"__shfl_xor_sync(", "no matching function",
     "__shfl_xor_sync(mask, value, bits_to_flip): the mask of the lanes that take part comes first, 0xffffffff for "
     "all; "
     "values have 4 or 8 bytes"},
    {"too few arguments", "_sync(",
     "the _sync functions take the mask of the lanes that take part first: 0xffffffff for a whole warp"},
    {"undefined reference to", "`cuda", "this function of the CUDA runtime is not part of the emulator"},
    {"undefined reference to", "`cu",
     "this function of the CUDA driver or of one of its libraries is not part of the emulator"},
    {"undefined reference to", "`__cuda",
     "nvcc compiled this object file. Remove it, and compile its source with this simtcc"},
    {"undefined reference to", "`simtlab_",
     "the object file was not built for this version of the emulator. Compile it anew with this simtcc"},
    {"undefined reference to", "lab.cpp:(",
     "the lab's tests call this function, and kernel.cu does not define it. Its name and the types of its parameters "
     "stay as they were in the stub"},
    {"undefined reference to", "",
     "the function is declared or called, but no file that is compiled or linked defines it. Check the spelling, the "
     "types of its parameters, and the list of files"},
    {"multiple definition of", "`main'",
     "the lab's tests bring the function main. Remove yours: the entry is what they call"},
    {"cannot find -l", "", "the library is not installed, or its folder is missing: -L DIR"},
}};

}  // namespace

namespace {
/// The linker names functions of C++ with their parameters. Names of C functions in CUDA and in the emulator have hints of their own.
bool is_undefined_variable(std::string_view message) {
  constexpr std::string_view begins = "undefined reference to `";
  const std::size_t at = message.find(begins);
  if (at == std::string_view::npos) return false;
  const std::string_view name = message.substr(at + begins.size());
  const bool known = name.starts_with("cu") || name.starts_with("__cuda") || name.starts_with("simtlab_");
  return !known && name.find('(') == std::string_view::npos;
}
}  // namespace

namespace {
/// Of `'name' was not declared in this scope` and its kin; empty for other messages.
std::string_view undeclared_name(std::string_view message) {
  for (const std::string_view says : {"' was not declared", "' has not been declared", "' does not name a type"}) {
    const std::size_t end = message.find(says);
    if (end == std::string_view::npos || end == 0) continue;
    const std::size_t quote = message.rfind('\'', end - 1);
    if (quote != std::string_view::npos) return message.substr(quote + 1, end - quote - 1);
  }
  return {};
}
}  // namespace

std::string hint_for(std::string_view message) {
  if (const std::size_t end = message.find(": No such file"); end != std::string_view::npos)
    if (const std::string_view why = why_unsupported(message.substr(0, end)); !why.empty()) return std::string(why);
  if (is_undefined_variable(message)) return std::string(undefined_variable);
  for (const hint& h : hints)
    if (message.find(h.first) != std::string_view::npos && message.find(h.second) != std::string_view::npos)
      return std::string(h.text);
  return std::string(why_unsupported_name(undeclared_name(message)));
}

namespace {
// `kernel<<blocks, threads>>(arguments)`: to g++ a shift of a function.
bool is_launch_misspelled(std::string_view message) {
  const auto has = [&](std::string_view what) { return message.find(what) != std::string_view::npos; };
  return (has("'operator<<'") || has("'operator<'")) && (has("'void(") || has("<unresolved overloaded function type>"));
}
}  // namespace

std::string in_cuda_words(const std::string& message) {
  if (is_launch_misspelled(message)) return std::string(misspelled_launch);
  if (message.find("simtlab::") == std::string::npos) return message;
  const auto has = [&](std::string_view what) { return message.find(what) != std::string::npos; };
  if (has("kernel_launch"))
    return "a launch's configuration is <<<blocks, threads, bytes of shared memory, stream>>>, at least the first two";
  // `plain_launch<.., parameters<>, parameters<float*, int> >::_(int*&)`
  const std::size_t given = message.find("::_(");
  const std::size_t begin = message.find("parameters<>, simtlab::parameters<");
  if (has("no matching function") && begin != std::string::npos && given != std::string::npos && given > begin) {
    std::string takes = message.substr(begin + 34, given - begin - 34);
    while (!takes.empty() && (takes.back() == '>' || takes.back() == ' ') && takes.find('<') == std::string::npos)
      takes.pop_back();
    const std::size_t end = message.rfind(')');
    const std::string gives = message.substr(given + 4, end == std::string::npos ? end : end - given - 4);
    return "the kernel takes (" + takes + "), but the launch passes (" + gives + ")";
  }
  return message;
}

}  // namespace simtlab::emulator
