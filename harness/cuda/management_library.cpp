#include "cuda/management_library.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <array>
#include <utility>

namespace simtlab {
namespace {

using device = void*;
constexpr int success = 0, too_small = 7;  // NVML_SUCCESS, NVML_ERROR_INSUFFICIENT_SIZE
constexpr unsigned sm_clock = 1, memory_clock = 2, core_temperature = 0;

// An open library and the functions of it that are asked for; each may be missing.
class management_library {
 public:
  management_library() : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {}
  ~management_library() {
    if (library_ != nullptr) dlclose(library_);
  }
  management_library(const management_library&) = delete;  // it owns the handle
  management_library& operator=(const management_library&) = delete;

  template <class... A>
  [[nodiscard]] bool call(const char* name, A... arguments) const {
    return status(name, arguments...) == success;
  }
  template <class... A>
  [[nodiscard]] int status(const char* name, A... arguments) const {
    if (library_ == nullptr) return -1;
    const auto function = reinterpret_cast<int (*)(A...)>(dlsym(library_, name));
    return function == nullptr ? -1 : function(arguments...);
  }

 private:
  void* library_;
};

}  // namespace

std::vector<std::string> throttle_reasons(unsigned long long bits) {
  constexpr std::array<std::pair<unsigned long long, const char*>, 5> reasons{{{0x04, "power limit"},
                                                                               {0x08, "hardware slowdown"},
                                                                               {0x20, "temperature"},
                                                                               {0x40, "hardware temperature limit"},
                                                                               {0x80, "power brake"}}};
  std::vector<std::string> found;
  for (const auto& [bit, words] : reasons)
    if ((bits & bit) != 0) found.emplace_back(words);
  return found;
}

std::optional<gpu_state> ask_management_library() {
  const management_library library;
  int index = 0;
  std::array<char, 32> bus{};
  device gpu = nullptr;
  if (cudaGetDevice(&index) != cudaSuccess || cudaDeviceGetPCIBusId(bus.data(), bus.size(), index) != cudaSuccess ||
      !library.call("nvmlInit_v2") || !library.call("nvmlDeviceGetHandleByPciBusId_v2", bus.data(), &gpu))
    return std::nullopt;
  unsigned sm = 0, memory = 0, celsius = 0, processes = 0;
  unsigned long long reasons = 0;
  gpu_state state;
  if (library.call("nvmlDeviceGetClockInfo", gpu, sm_clock, &sm)) state.sm_megahertz = sm;
  if (library.call("nvmlDeviceGetClockInfo", gpu, memory_clock, &memory)) state.memory_megahertz = memory;
  if (library.call("nvmlDeviceGetTemperature", gpu, core_temperature, &celsius)) state.celsius = celsius;
  if (library.call("nvmlDeviceGetCurrentClocksThrottleReasons", gpu, &reasons))
    state.throttled = throttle_reasons(reasons);
  const int asked =
      library.status("nvmlDeviceGetComputeRunningProcesses_v3", gpu, &processes, static_cast<void*>(nullptr));
  if ((asked == success || asked == too_small) && processes > 1) state.other_processes = processes - 1;  // we are one
  static_cast<void>(library.call("nvmlShutdown"));
  return state;
}

}  // namespace simtlab
