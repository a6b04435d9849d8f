// A zeroed array whose pages take memory only once they are touched.
#pragma once

#include <cstddef>
#include <type_traits>

#include "core/memory_calls.h"
#include "core/private_memory.h"

namespace simtlab::emulator {

/// `T` must be valid when all its bytes are zero and need no destructor.
template <class T>
class lazy_memory {
 public:
  explicit lazy_memory(std::size_t count)
      : at_(static_cast<T*>(map_privately(count * sizeof(T), true))), count_(count) {
    static_assert(std::is_trivially_destructible_v<T>);
  }
  ~lazy_memory() { unmap_privately(at_, count_ * sizeof(T)); }
  lazy_memory(const lazy_memory&) = delete;  // owns the mapping
  lazy_memory& operator=(const lazy_memory&) = delete;

  [[nodiscard]] T& operator[](std::size_t i) { return at_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return at_[i]; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] T* data() { return at_; }
  /// All zero again, and the memory back with the system.
  void wipe() { discard(at_, count_ * sizeof(T)); }

 private:
  T* at_;
  std::size_t count_;
};

}  // namespace simtlab::emulator
