// One warp, one atomic operation on shared memory: which operations serve the lanes of one word at once, and which take them
// in turns. Measured on a GPU with the other programs; costs/bank_conflicts.h has the emulator's rule.
#include "launches.h"

constexpr int warp = 32;
constexpr int elements = 1024;

/// The element that each lane updates.
__constant__ int element_of_lane[warp];

template <class T, class Update>
__global__ void update_shared(T* out, T value, Update update) {
  __shared__ T counters[elements];
  for (int i = threadIdx.x; i < elements; i += warp) counters[i] = 0;
  __syncthreads();
  const int element = element_of_lane[threadIdx.x];
  update(&counters[element], value);
  __syncthreads();
  out[threadIdx.x] = counters[element];
}

struct count {
  __device__ void operator()(int* at, int) const { atomicAdd(at, 1); }
};
struct add {
  template <class T>
  __device__ void operator()(T* at, T value) const {
    atomicAdd(at, value);
  }
};
struct highest {
  template <class T>
  __device__ void operator()(T* at, T value) const {
    atomicMax(at, value);
  }
};
struct unite {
  __device__ void operator()(int* at, int value) const { atomicOr(at, value); }
};
struct exchange {
  template <class T>
  __device__ void operator()(T* at, T value) const {
    atomicExch(at, value);
  }
};
struct compare_and_swap {
  template <class T>
  __device__ void operator()(T* at, T value) const {
    atomicCAS(at, T(0), value);
  }
};

/// Counts, and returns what the counter held, which makes another instruction of it.
__global__ void count_and_return(int* out) {
  __shared__ int counters[elements];
  for (int i = threadIdx.x; i < elements; i += warp) counters[i] = 0;
  __syncthreads();
  out[threadIdx.x] = atomicAdd(&counters[element_of_lane[threadIdx.x]], 1);
}

template <class T, class Update>
void update_all(const std::string& what, T value, Update update) {
  const device_array<T> out(warp);
  update_shared<<<1, warp>>>(static_cast<T*>(out), value, update);
  launched(what.c_str());
}

void all_operations(const char* name, const std::vector<int>& element) {
  require(cudaMemcpyToSymbol(element_of_lane, element.data(), warp * sizeof(int)), "cudaMemcpyToSymbol");
  const std::string lanes = std::string(", ") + name;
  update_all("add the constant one" + lanes, 1, count());
  update_all("add a variable" + lanes, 3, add());
  update_all("add a variable that is one" + lanes, 1, add());
  update_all("add a float" + lanes, 1.0f, add());
  update_all("add a double" + lanes, 1.0, add());
  update_all("add 64 bits" + lanes, 3ULL, add());
  update_all("maximum of 64 bits" + lanes, 3ULL, highest());
  update_all("exchange 64 bits" + lanes, 5ULL, exchange());
  update_all("compare and swap 64 bits" + lanes, 6ULL, compare_and_swap());
  update_all("maximum" + lanes, 3, highest());
  update_all("or" + lanes, 4, unite());
  update_all("exchange" + lanes, 5, exchange());
  update_all("compare and swap" + lanes, 6, compare_and_swap());
  const device_array<int> out(warp);
  count_and_return<<<1, warp>>>(out);
  launched(("count and return" + lanes).c_str());
}

int main() {
  std::vector<int> element(warp);
  const auto all = [&](const char* name, auto&& of_lane) {
    for (int lane = 0; lane < warp; ++lane) element[lane] = of_lane(lane);
    all_operations(name, element);
  };
  all("linear", [](int lane) { return lane; });
  all("broadcast", [](int) { return 5; });
  all("pairs", [](int lane) { return lane / 2; });
  all("four words of a bank", [](int lane) { return lane % 4 * 32; });
  all("two words of sixteen banks", [](int lane) { return lane % 16 + lane / 16 * 32; });
  numbers random(2026);
  all("random below 64", [&](int) { return random.below(64); });
}
