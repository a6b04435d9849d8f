#include "cuda/usable_device.h"

namespace simtlab {
namespace {

// Numbers of the runtime's errors, which no toolkit changes.
constexpr int all_in_use = 46, no_device = 100, no_kernel_image = 209, driver_too_old = 35, out_of_memory = 2;

}  // namespace

std::string cuda_version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string obstacle_to_use(const device_probe& found) {
  const auto emulated = std::string(" The emulator needs no GPU: BACKEND=emulator.");
  if (found.driver == 0) return "This machine has no NVIDIA driver." + emulated;
  if (static_cast<int>(found.counted) == driver_too_old || found.driver / 1000 < found.runtime / 1000)
    return "The driver of this machine supports CUDA " + cuda_version_text(found.driver) +
           ", and simtlab was built with " + cuda_version_text(found.runtime) +
           ": update the driver, or build with a toolkit of its version." + emulated;
  if (static_cast<int>(found.counted) == no_device || found.count == 0)
    return "The driver sees no GPU (is CUDA_VISIBLE_DEVICES set to nothing, or was no GPU asked for?)." + emulated;
  if (found.counted != cudaSuccess)
    return "The GPU cannot be used: CUDA error " + std::to_string(static_cast<int>(found.counted)) + "." + emulated;
  return "";
}

std::string obstacle_to_run(cudaError_t first_call, const std::string& gpu) {
  const int code = static_cast<int>(first_call);
  if (code == 0) return "";
  if (code == all_in_use)
    return "The GPU " + gpu + " is in use by somebody who shares it with nobody: try again later.";
  if (code == out_of_memory) return "The memory of the GPU " + gpu + " is full before we begin: what else runs on it?";
  if (code == no_kernel_image)
    return "This build has no code for the GPU " + gpu +
           ": configure with its compute capability in -DSIMTLAB_GPU_CODE=…";
  return "The GPU " + gpu + " cannot be used: CUDA error " + std::to_string(code) + ".";
}

}  // namespace simtlab
