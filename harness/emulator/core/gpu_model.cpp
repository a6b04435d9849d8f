#include "core/gpu_model.h"

#include <algorithm>
#include <array>

namespace simtlab::emulator {
namespace {

constexpr std::size_t kib = 1024;
constexpr int mib = 1024 * 1024;

constexpr std::array<gpu_model, 10> models{{
    {"simtlab", "simtlab emulator", 9, 0, 132, 2048, 32, 65536, 228 * kib, 48 * kib, 227 * kib, kib, 1'980'000,
     2'619'000, 5120, 50 * mib},
    {"h200", "NVIDIA H200", 9, 0, 132, 2048, 32, 65536, 228 * kib, 48 * kib, 227 * kib, kib, 1'980'000, 3'201'000, 6144,
     60 * mib},
    {"a100", "NVIDIA A100-SXM4-40GB", 8, 0, 108, 2048, 32, 65536, 164 * kib, 48 * kib, 163 * kib, kib, 1'410'000,
     1'215'000, 5120, 40 * mib},
    {"rtx4090", "NVIDIA GeForce RTX 4090", 8, 9, 128, 1536, 24, 65536, 100 * kib, 48 * kib, 99 * kib, kib, 2'520'000,
     10'501'000, 384, 72 * mib},
    {"l4", "NVIDIA L4", 8, 9, 58, 1536, 24, 65536, 100 * kib, 48 * kib, 99 * kib, kib, 2'040'000, 6'251'000, 192,
     48 * mib},
    {"rtx3090", "NVIDIA GeForce RTX 3090", 8, 6, 82, 1536, 16, 65536, 100 * kib, 48 * kib, 99 * kib, kib, 1'695'000,
     9'751'000, 384, 6 * mib},
    {"t4", "Tesla T4", 7, 5, 40, 1024, 16, 65536, 64 * kib, 48 * kib, 64 * kib, 0, 1'590'000, 5'001'000, 256, 4 * mib},
    {"v100", "Tesla V100-SXM2-16GB", 7, 0, 80, 2048, 32, 65536, 96 * kib, 48 * kib, 96 * kib, 0, 1'530'000, 877'000,
     4096, 6 * mib},
    {"gtx1080", "NVIDIA GeForce GTX 1080", 6, 1, 20, 2048, 32, 65536, 96 * kib, 48 * kib, 48 * kib, 0, 1'733'500,
     5'005'000, 256, 2 * mib},
    // The SM that many lectures compute with: 1,536 threads, 8 blocks, 16 KB.
    {"lecture", "the lectures' GPU", 2, 0, 16, 1536, 8, 32768, 16 * kib, 16 * kib, 16 * kib, 0, 1'500'000, 1'800'000,
     384, 768 * 1024},
}};

}  // namespace

std::span<const gpu_model> gpu_models() { return models; }

std::string gpu_keys() {
  std::string keys;
  for (const gpu_model& model : gpu_models()) keys += (keys.empty() ? "" : ", ") + std::string(model.key);
  return keys;
}

const gpu_model* find_gpu(std::string_view key) {
  const auto* const found =
      std::find_if(models.begin(), models.end(), [&](const gpu_model& g) { return g.key == key; });
  return found == models.end() ? nullptr : found;
}

}  // namespace simtlab::emulator
