// A real GPU as a backend: no counters, but guard bands, cold caches and a description of the device.
#include <cuda_runtime.h>

#include <optional>

#include "cuda/cache_flush.h"
#include "cuda/device_description.h"
#include "cuda/device_hold.h"
#include "cuda/device_kernels.h"
#include "runner/backend.h"

namespace simtlab {
namespace {

class cuda_backend final : public backend {
 public:
  environment describe(const case_request&) override { return {cuda_compiler_text(), std::nullopt, describe_gpu()}; }
  std::size_t guard_bytes() const override { return 4096; }  // a multiple of the alignment of cudaMalloc
  bool fills_fresh_memory() const override { return false; }
  void name_memory(const void*, std::size_t, std::string_view) override {}
  void begin(const case_request&) override {}
  measurements take(bool) override { return {}; }
  void on_fatal(std::function<void(measurements)>) override {}

  bool mix(void* to, const void* first, const void* second, std::size_t elements, std::size_t element_bytes,
           std::uint64_t key, std::uint64_t argument) override {
    mix_on_device(to, first, second, elements, element_bytes, key, argument);
    return true;
  }
  void flush_caches() override {
    if (!flush_) flush_.emplace();
    flush_->run();
  }
  void hold_device() override {
    if (!hold_) hold_.emplace();
    hold_->run();
  }

 private:
  std::optional<cache_flush> flush_;
  std::optional<device_hold> hold_;
};

}  // namespace

backend& this_backend() {
  static auto* const backend = new cuda_backend;  // never destroyed: the driver may be gone by then
  return *backend;
}

}  // namespace simtlab
