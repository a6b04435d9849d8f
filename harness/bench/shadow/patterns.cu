// Touches device memory in one of several ways, for benchmarks of the memory that the checks need (programs/shadow_memory.py).
//   patterns PATTERN BYTES BLOCKS     BYTES: of all that is touched; BLOCKS: 1, few (2) or many
// Prints the bytes touched and the peak of the process's memory in bytes, that of its start left out. With -DFENCED the program has
// fences.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace {

constexpr unsigned threads = 256;
constexpr unsigned rounds = 8;  // long enough for every worker to have blocks

__device__ void maybe_fence() {
#ifdef FENCED
  __threadfence();
#endif
}

template <class T>
__global__ void copy(const T* from, T* to, size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) to[i] = from[i];
  maybe_fence();
}

__global__ void in_place(int* at, size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) at[i] += 1;
  maybe_fence();
}

__global__ void neighbours(const int* from, int* to, size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    to[i] = from[i] + (i == 0 ? 0 : from[i - 1]) + (i + 1 == n ? 0 : from[i + 1]);
  maybe_fence();
}

/// Every block reads all of `from`.
__global__ void all_by_all(const int* from, int* sums, size_t n) {
  int sum = 0;
  for (size_t i = threadIdx.x; i < n; i += blockDim.x) sum += from[i];
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  maybe_fence();
}

/// A stretch for each thread: lanes lie far apart.
template <class T>
__global__ void own_stretch(const T* from, T* to, size_t n) {
  const size_t all = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t each = (n + all - 1) / all;
  for (size_t i = me * each; i < (me + 1) * each && i < n; ++i) to[i] = from[i];
  maybe_fence();
}

/// Bytes of one word by four warps.
__global__ void across_warps(const char* from, char* to, size_t n) {
  for (size_t begin = blockIdx.x * blockDim.x; begin < n; begin += gridDim.x * blockDim.x) {
    const size_t i = begin + threadIdx.x % 64 * 4 + threadIdx.x / 64;
    to[i] = from[i];
  }
  maybe_fence();
}

/// A permutation; n: a power of two.
__device__ size_t scattered(size_t i, size_t n) {
  i = (i ^ i >> 11) * 2654435761u & (n - 1);
  i = (i ^ i >> 7) * 2246822519u & (n - 1);
  return (i ^ i >> 9) * 3266489917u & (n - 1);
}

template <class T>
__global__ void scatter(const T* from, T* to, size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    to[scattered(i, n)] = from[scattered(i, n)];
  maybe_fence();
}

__global__ void stretch_in_place(int* at, size_t n) {
  const size_t all = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t each = (n + all - 1) / all;
  for (size_t i = me * each; i < (me + 1) * each && i < n; ++i) at[i] += 1;
  maybe_fence();
}

template <class T>
__global__ void through_shared(const T* from, T* to, unsigned n) {
  extern __shared__ int4 tile_bytes[];
  T* const tile = reinterpret_cast<T*>(tile_bytes);
  const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned round = 0; round < rounds; ++round) {
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) tile[i] = from[i % blockDim.x];
    __syncthreads();
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) to[me] = tile[n - 1 - i];
    __syncthreads();
  }
  maybe_fence();
}

/// Bytes of one word by four warps, and back.
__global__ void across_warps_in_shared(const char* from, char* to, unsigned n) {
  extern __shared__ int4 tile_bytes[];
  char* const tile = reinterpret_cast<char*>(tile_bytes);
  const unsigned mine = threadIdx.x % 64 * 4 + threadIdx.x / 64, me = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned round = 0; round < rounds; ++round) {
    for (unsigned begin = 0; begin < n; begin += blockDim.x) tile[begin + mine] = from[threadIdx.x];
    __syncthreads();
    for (unsigned begin = 0; begin < n; begin += blockDim.x) to[me] = tile[begin + mine];
    __syncthreads();
  }
  maybe_fence();
}

/// Device memory whose bytes differ from one another.
template <class T>
T* some(size_t n) {
  T* at = nullptr;
  if (cudaMalloc(&at, n * sizeof(T)) != cudaSuccess) std::exit(1);
  static unsigned char piece[1 << 20];
  for (size_t i = 0; i < sizeof piece; ++i) piece[i] = static_cast<unsigned char>(i * 2654435761u >> 13);
  for (size_t done = 0; done < n * sizeof(T); done += sizeof piece) {
    const size_t left = n * sizeof(T) - done;
    cudaMemcpy(reinterpret_cast<char*>(at) + done, piece, left < sizeof piece ? left : sizeof piece,
               cudaMemcpyHostToDevice);
  }
  return at;
}

struct grid_of {
  const char* word;
  unsigned operator()(size_t n) const {
    if (std::strcmp(word, "many") == 0) return static_cast<unsigned>((n + threads - 1) / threads);
    return std::strcmp(word, "few") == 0 ? 2 : 1;
  }
};

template <class T>
size_t run_copy(size_t bytes, grid_of blocks) {
  const size_t n = bytes / 2 / sizeof(T);
  copy<<<blocks(n), threads>>>(some<T>(n), some<T>(n), n);
  return bytes;
}

template <class T>
size_t run_own_stretch(size_t bytes, grid_of blocks) {
  const size_t n = bytes / 2 / sizeof(T);
  const unsigned many = blocks(n), few = many > 2 ? (many + 63) / 64 : many;
  own_stretch<<<few, threads>>>(some<T>(n), some<T>(n), n);
  return bytes;
}

template <class T>
size_t run_scatter(size_t bytes, grid_of blocks) {
  const size_t n = bytes / 2 / sizeof(T);
  scatter<<<blocks(n), threads>>>(some<T>(n), some<T>(n), n);
  return bytes;
}

template <class T>
size_t run_shared(void (*kernel)(const T*, T*, unsigned), size_t bytes, grid_of blocks) {
  const unsigned n = static_cast<unsigned>(bytes / sizeof(T)), grid = blocks(8 * threads);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  kernel<<<grid, threads, bytes>>>(some<T>(threads), some<T>(threads), n);
  return bytes;
}

size_t run(const char* pattern, size_t bytes, grid_of blocks) {
  const auto is = [pattern](const char* name) { return std::strcmp(pattern, name) == 0; };
  const size_t words = bytes / 4;
  if (is("copy-1")) return run_copy<char>(bytes, blocks);
  if (is("copy-2")) return run_copy<short>(bytes, blocks);
  if (is("copy-4")) return run_copy<int>(bytes, blocks);
  if (is("copy-8")) return run_copy<double>(bytes, blocks);
  if (is("copy-16")) return run_copy<int4>(bytes, blocks);
  if (is("stretch-1")) return run_own_stretch<char>(bytes, blocks);
  if (is("stretch-4")) return run_own_stretch<int>(bytes, blocks);
  if (is("scatter-1")) return run_scatter<char>(bytes, blocks);
  if (is("scatter-4")) return run_scatter<int>(bytes, blocks);
  if (is("shared-1")) return run_shared(through_shared<char>, bytes, blocks);
  if (is("shared-across-1")) return run_shared(across_warps_in_shared, bytes, blocks);
  if (is("shared-4")) return run_shared(through_shared<int>, bytes, blocks);
  if (is("in-place")) {
    in_place<<<blocks(words), threads>>>(some<int>(words), words);
  } else if (is("stretch-in-place")) {
    const unsigned many = blocks(words), few = many > 2 ? (many + 63) / 64 : many;
    stretch_in_place<<<few, threads>>>(some<int>(words), words);
  } else if (is("across-warps-1")) {
    across_warps<<<blocks(bytes / 2), threads>>>(some<char>(bytes / 2), some<char>(bytes / 2), bytes / 2);
  } else if (is("neighbours")) {
    neighbours<<<blocks(words / 2), threads>>>(some<int>(words / 2), some<int>(words / 2), words / 2);
  } else if (is("all-by-all")) {
    all_by_all<<<blocks(16 * threads), threads>>>(some<int>(words), some<int>(16 * threads), words);
  } else {
    std::fprintf(stderr, "no pattern is called %s\n", pattern);
    std::exit(2);
  }
  return bytes;
}

}  // namespace

int main(int words, char** word) {
  if (words != 4) {
    std::fprintf(stderr, "usage: patterns PATTERN BYTES 1|few|many\n");
    return 2;
  }
  run("copy-4", 1 << 16, {"1"});
  cudaDeviceSynchronize();
  std::ofstream("/proc/self/clear_refs") << 5;  // the peak is the present from here on
  const size_t touched = run(word[1], std::strtoull(word[2], nullptr, 10), {word[3]});
  cudaDeviceSynchronize();
  if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
    return 1;
  }
  std::ifstream status_of_process("/proc/self/status");
  for (std::string line; std::getline(status_of_process, line);) {
    if (line.rfind("VmHWM:", 0) == 0) std::printf("%zu %llu\n", touched, std::stoull(line.substr(6)) * 1024);
  }
}
