// A hash table with open addressing that threads fill at the same time by atomicCAS on 64 bits, with deletions, resized on the host,
// and timed by events; keys come in batches through two streams.
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

inline void gpuAssert(cudaError_t code, const char *file, int line) {
  if (code != cudaSuccess) throw std::runtime_error(std::string(cudaGetErrorString(code)) + " at " + file + ":" + std::to_string(line));
}
#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }

struct alignas(8) Entry {
  uint32_t key, value;
};
constexpr uint32_t kEmpty = 0xffffffffu, kDeleted = 0xfffffffeu;

union Slot {
  Entry entry;
  unsigned long long word;
};

struct MurmurHash {
  __host__ __device__ uint32_t operator()(uint32_t k) const {
    k ^= k >> 16;
    k *= 0x85ebca6b;
    k ^= k >> 13;
    k *= 0xc2b2ae35;
    k ^= k >> 16;
    return k;
  }
};

template <typename Hash>
class TableView {
 public:
  TableView(Slot *slots, uint32_t capacity) : slots_(slots), mask_(capacity - 1) { assert((capacity & mask_) == 0); }

  /// Adds to the value of the key; false: the table is full.
  __device__ bool add(uint32_t key, uint32_t value) {
    uint32_t at = hash_(key) & mask_;
    for (uint32_t probe = 0; probe <= mask_; ++probe, at = (at + 1) & mask_) {
      Slot wanted;
      wanted.entry = {key, value};
      Slot empty;
      empty.entry = {kEmpty, 0};
      Slot found;
      found.word = atomicCAS(&slots_[at].word, empty.word, wanted.word);
      if (found.word == empty.word) return true;
      if (found.entry.key == key) {
        atomicAdd(&slots_[at].entry.value, value);
        return true;
      }
    }
    return false;
  }
  __device__ uint32_t find(uint32_t key) const {
    uint32_t at = hash_(key) & mask_;
    for (uint32_t probe = 0; probe <= mask_; ++probe, at = (at + 1) & mask_) {
      const Entry e = slots_[at].entry;
      if (e.key == key) return e.value;
      if (e.key == kEmpty) break;
    }
    return 0;
  }
  __device__ void remove(uint32_t key) {
    uint32_t at = hash_(key) & mask_;
    for (uint32_t probe = 0; probe <= mask_; ++probe, at = (at + 1) & mask_) {
      const uint32_t here = atomicCAS(&slots_[at].entry.key, key, kDeleted);
      if (here == key || here == kEmpty) return;
    }
  }
  __device__ Entry at(uint32_t i) const { return slots_[i].entry; }
  __host__ __device__ uint32_t capacity() const { return mask_ + 1; }

 private:
  Slot *slots_;
  uint32_t mask_;
  Hash hash_;
};
using Table = TableView<MurmurHash>;

__global__ void insert(Table table, const uint32_t *keys, int n, int *failed) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (!table.add(keys[i], 1)) atomicAdd(failed, 1);
}
__global__ void lookup(Table table, const uint32_t *keys, uint32_t *values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = table.find(keys[i]);
}
__global__ void erase(Table table, const uint32_t *keys, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) table.remove(keys[i]);
}
__global__ void occupancy(Table table, unsigned *used, unsigned *total) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool lives = i < table.capacity() && table.at(i).key < kDeleted;
  const unsigned votes = __ballot_sync(0xffffffff, lives);
  unsigned sum = lives ? table.at(i).value : 0;
  for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (threadIdx.x % warpSize == 0) {
    atomicAdd(used, __popc(votes));
    atomicAdd(total, sum);
  }
}

struct DeviceFree {
  void operator()(void *p) const { cudaFree(p); }
};
template <typename T>
using DevicePtr = std::unique_ptr<T[], DeviceFree>;
template <typename T>
DevicePtr<T> make_device(size_t n) {
  T *p = nullptr;
  gpuErrchk(cudaMalloc(&p, n * sizeof(T)));
  return DevicePtr<T>(p);
}

int main() try {
  const int n = 4096, batches = 4, block = 128;
  const uint32_t capacity = 2048;
  std::mt19937 random(7);
  uint32_t *keys;
  gpuErrchk(cudaMallocHost(&keys, n * sizeof(uint32_t)));
  std::unordered_map<uint32_t, uint32_t> expected;
  for (int i = 0; i < n; ++i) ++expected[keys[i] = random() % 1000 * 7919];

  auto slots = make_device<Slot>(capacity);
  auto d_keys = make_device<uint32_t>(n), values = make_device<uint32_t>(n);
  auto counts = make_device<unsigned>(2);
  auto failed = make_device<int>(1);
  const Slot empty{{kEmpty, 0}};
  const std::vector<Slot> fresh(capacity, empty);
  gpuErrchk(cudaMemcpy(slots.get(), fresh.data(), capacity * sizeof(Slot), cudaMemcpyHostToDevice));
  gpuErrchk(cudaMemset(counts.get(), 0, 2 * sizeof(unsigned)));
  gpuErrchk(cudaMemset(failed.get(), 0, sizeof(int)));
  Table table(slots.get(), capacity);

  cudaEvent_t start, stop;
  cudaStream_t streams[2];
  gpuErrchk(cudaEventCreate(&start));
  gpuErrchk(cudaEventCreate(&stop));
  for (auto &s : streams) gpuErrchk(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  gpuErrchk(cudaDeviceSynchronize());
  gpuErrchk(cudaEventRecord(start, streams[0]));
  for (int batch = 0; batch < batches; ++batch) {
    const int size = n / batches, first = batch * size;
    cudaStream_t s = streams[batch % 2];
    gpuErrchk(cudaMemcpyAsync(d_keys.get() + first, keys + first, size * sizeof(uint32_t), cudaMemcpyHostToDevice, s));
    insert<<<(size + block - 1) / block, block, 0, s>>>(table, d_keys.get() + first, size, failed.get());
    gpuErrchk(cudaPeekAtLastError());
  }
  gpuErrchk(cudaEventRecord(stop, streams[0]));
  for (auto &s : streams) gpuErrchk(cudaStreamSynchronize(s));
  float ms = 0;
  gpuErrchk(cudaEventElapsedTime(&ms, start, stop));

  lookup<<<(n + block - 1) / block, block>>>(table, d_keys.get(), values.get(), n);
  std::vector<uint32_t> found(n);
  gpuErrchk(cudaMemcpy(found.data(), values.get(), n * sizeof(uint32_t), cudaMemcpyDeviceToHost));
  const int wrong = std::count_if(found.begin(), found.end(), [&, i = 0](uint32_t v) mutable { return v != expected[keys[i++]]; });

  erase<<<(n / 2 + block - 1) / block, block>>>(table, d_keys.get(), n / 2);
  occupancy<<<(capacity + block - 1) / block, block>>>(table, counts.get(), counts.get() + 1);
  for (int i = 0; i < n / 2; ++i) expected.erase(keys[i]);
  unsigned left[2], sum = 0;
  int full;
  gpuErrchk(cudaMemcpy(left, counts.get(), sizeof(left), cudaMemcpyDeviceToHost));
  gpuErrchk(cudaMemcpy(&full, failed.get(), sizeof(full), cudaMemcpyDeviceToHost));
  for (const auto &[key, value] : expected) sum += value;
  printf("%d keys, %d wrong, %d did not fit, timed: %s\n", n, wrong, full, ms >= 0 ? "yes" : "no");
  printf("left: %u of %zu, values %u of %u\n", left[0], expected.size(), left[1], sum);
  for (auto &s : streams) gpuErrchk(cudaStreamDestroy(s));
  gpuErrchk(cudaEventDestroy(start));
  gpuErrchk(cudaEventDestroy(stop));
  gpuErrchk(cudaFreeHost(keys));
  return wrong != 0 || full != 0;
} catch (const std::exception &e) {
  fprintf(stderr, "%s\n", e.what());
  return 1;
}
