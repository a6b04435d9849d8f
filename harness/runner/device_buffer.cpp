#include "runner/device_buffer.h"

#include <algorithm>

#include "protocol/request.h"
#include "runner/cuda_check.h"

namespace simtlab {

device_buffer::device_buffer(std::size_t bytes, std::size_t guard, bool poison_contents)
    : bytes_(bytes), guard_(guard) {
  if (bytes + guard == 0) return;
  SIMTLAB_CHECKED(cudaMalloc(&base_, bytes + 2 * guard));
  data_ = static_cast<char*>(base_) + guard;
  if (guard > 0) {
    SIMTLAB_CHECKED(cudaMemset(base_, poison_byte, guard));
    SIMTLAB_CHECKED(cudaMemset(static_cast<char*>(data_) + bytes, poison_byte, guard));
  }
  if (poison_contents) poison();
}

device_buffer::~device_buffer() {
  if (base_ != nullptr) cudaFree(base_);  // a lost context has been reported by then
}

void device_buffer::upload(std::span<const std::byte> from) {
  if (bytes_ > 0) SIMTLAB_CHECKED(cudaMemcpy(data_, from.data(), bytes_, cudaMemcpyHostToDevice));
}

void device_buffer::poison() {
  if (bytes_ > 0) SIMTLAB_CHECKED(cudaMemset(data_, poison_byte, bytes_));
}

std::vector<std::byte> device_buffer::download() const {
  std::vector<std::byte> to(bytes_, std::byte{poison_byte});
  if (bytes_ > 0) SIMTLAB_CHECKED(cudaMemcpy(to.data(), data_, bytes_, cudaMemcpyDeviceToHost));
  return to;
}

device_buffer::guard_damage device_buffer::damage() const {
  guard_damage found;
  if (guard_ == 0) return found;
  const auto is_damaged = [](std::byte b) { return b != std::byte{poison_byte}; };
  std::vector<std::byte> band(guard_);
  SIMTLAB_CHECKED(cudaMemcpy(band.data(), base_, guard_, cudaMemcpyDeviceToHost));
  found.before = static_cast<std::size_t>(std::ranges::count_if(band, is_damaged));
  SIMTLAB_CHECKED(cudaMemcpy(band.data(), static_cast<char*>(data_) + bytes_, guard_, cudaMemcpyDeviceToHost));
  found.after = static_cast<std::size_t>(std::ranges::count_if(band, is_damaged));
  return found;
}

}  // namespace simtlab
