// One warp, one access: every width and kind with every pattern of lanes. Measured on a GPU and held against the emulator.
#include "launches.h"

constexpr int warp = 32;
constexpr int elements = 1024;

/// The element that each lane accesses; below zero: none.
__constant__ int element_of_lane[warp];

template <typename T>
__global__ void global_load(const T* in, T* out) {
  const int element = element_of_lane[threadIdx.x];
  if (element >= 0) out[threadIdx.x] = in[element];
}

template <typename T>
__global__ void global_store(T* out, T value) {
  const int element = element_of_lane[threadIdx.x];
  if (element >= 0) out[element] = value;
}

template <typename T>
__global__ void shared_load(const T* in, T* out) {
  __shared__ T values[elements];
  for (int i = threadIdx.x; i < elements; i += warp) values[i] = in[i];
  __syncthreads();
  const int element = element_of_lane[threadIdx.x];
  if (element >= 0) out[threadIdx.x] = values[element];
}

template <typename T>
__global__ void shared_store(T* out, T value) {
  __shared__ T values[elements];
  const int element = element_of_lane[threadIdx.x];
  if (element >= 0) values[element] = value;
  __syncthreads();
  if (element >= 0) out[threadIdx.x] = values[element];
}

__global__ void global_reduction(int* out) {
  const int element = element_of_lane[threadIdx.x];
  if (element >= 0) atomicAdd(&out[element], 1);
}

__global__ void global_reduction_float(float* out) {
  const int element = element_of_lane[threadIdx.x];
  if (element >= 0) atomicAdd(&out[element], 1.0f);
}

__global__ void global_atomic(int* counters, int* out) {
  const int element = element_of_lane[threadIdx.x];
  if (element >= 0) out[threadIdx.x] = atomicAdd(&counters[element], 1);
}

__global__ void shared_atomic(int* out) {
  __shared__ int counters[elements];
  for (int i = threadIdx.x; i < elements; i += warp) counters[i] = 0;
  __syncthreads();
  const int element = element_of_lane[threadIdx.x];
  if (element >= 0) atomicAdd(&counters[element], 1);
  __syncthreads();
  if (element >= 0) out[threadIdx.x] = counters[element];
}

struct pattern {
  const char* name;
  std::vector<int> element;
};

template <typename Element>
pattern make_pattern(const char* name, Element element) {
  pattern made{name, std::vector<int>(warp)};
  for (int lane = 0; lane < warp; ++lane) made.element[lane] = element(lane);
  return made;
}

std::vector<pattern> all_patterns() {
  numbers random(2026);
  return {
      make_pattern("linear", [](int lane) { return lane; }),
      make_pattern("offset by one", [](int lane) { return lane + 1; }),
      make_pattern("stride 2", [](int lane) { return 2 * lane; }),
      make_pattern("stride 8", [](int lane) { return 8 * lane; }),
      make_pattern("stride 32", [](int lane) { return 32 * lane; }),
      make_pattern("broadcast", [](int) { return 5; }),
      make_pattern("pairs", [](int lane) { return lane / 2; }),
      make_pattern("xor 1", [](int lane) { return lane ^ 1; }),
      make_pattern("column of 33", [](int lane) { return lane * 33 % 1024; }),
      make_pattern("even lanes", [](int lane) { return lane % 2 ? -1 : lane; }),
      make_pattern("first five lanes", [](int lane) { return lane < 5 ? lane : -1; }),
      make_pattern("random below 1024", [&](int) { return random.below(1024); }),
      make_pattern("some lanes, random", [&](int) { return random.below(3) ? random.below(256) : -1; }),
  };
}

/// Distinct elements, so that stores do not race: repeated ones are dropped.
std::vector<int> without_repetitions(std::vector<int> element) {
  std::vector<bool> seen(elements, false);
  for (int& one : element) {
    if (one < 0) continue;
    if (seen[one])
      one = -1;
    else
      seen[one] = true;
  }
  return element;
}

void use(const std::vector<int>& element) {
  require(cudaMemcpyToSymbol(element_of_lane, element.data(), warp * sizeof(int)), "cudaMemcpyToSymbol");
}

template <typename T>
void loads_and_stores(const pattern& lanes) {
  const device_array<T> in(elements), out(elements);
  const std::string width = ", " + std::to_string(sizeof(T)) + " bytes, ";
  use(lanes.element);
  global_load<T><<<1, warp>>>(in, out);
  launched(("global load" + width + lanes.name).c_str());
  shared_load<T><<<1, warp>>>(in, out);
  launched(("shared load" + width + lanes.name).c_str());
  use(without_repetitions(lanes.element));
  global_store<T><<<1, warp>>>(out, T{});
  launched(("global store" + width + lanes.name).c_str());
  shared_store<T><<<1, warp>>>(out, T{});
  launched(("shared store" + width + lanes.name).c_str());
}

void atomics(const pattern& lanes) {
  const device_array<int> counters(elements), out(elements);
  const device_array<float> sums(elements);
  use(lanes.element);
  global_reduction<<<1, warp>>>(counters);
  launched((std::string("global reduction, ") + lanes.name).c_str());
  global_reduction_float<<<1, warp>>>(sums);
  launched((std::string("global reduction of float, ") + lanes.name).c_str());
  global_atomic<<<1, warp>>>(counters, out);
  launched((std::string("global atomic, ") + lanes.name).c_str());
  shared_atomic<<<1, warp>>>(out);
  launched((std::string("shared atomic, ") + lanes.name).c_str());
}

int main() {
  for (const pattern& lanes : all_patterns()) {
    loads_and_stores<unsigned char>(lanes);
    loads_and_stores<short>(lanes);
    loads_and_stores<int>(lanes);
    loads_and_stores<float2>(lanes);
    loads_and_stores<float4>(lanes);
    atomics(lanes);
  }
}
