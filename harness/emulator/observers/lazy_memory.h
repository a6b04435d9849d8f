// A zeroed array whose pages take memory only once they are touched.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <type_traits>

namespace simtlab::emulator {

/// `T` must be valid when all its bytes are zero and need no destructor.
template <class T>
class lazy_memory {
 public:
  explicit lazy_memory(std::size_t count) : count_(count) {
    static_assert(std::is_trivially_destructible_v<T>);
    void* memory =
        mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    at_ = static_cast<T*>(memory);
  }
  ~lazy_memory() { munmap(at_, count_ * sizeof(T)); }
  lazy_memory(const lazy_memory&) = delete;  // owns the mapping
  lazy_memory& operator=(const lazy_memory&) = delete;

  [[nodiscard]] T& operator[](std::size_t i) { return at_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return at_[i]; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] T* data() { return at_; }
  /// All zero again, and the memory back with the system.
  void wipe() { madvise(at_, count_ * sizeof(T), MADV_DONTNEED); }

 private:
  T* at_;
  std::size_t count_;
};

}  // namespace simtlab::emulator
