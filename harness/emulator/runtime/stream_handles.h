// What a program's cudaStream_t and cudaEvent_t point to. The program's pointers are looked up, never followed.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <utility>

#include "runtime/stream_order.h"

struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;  ///< the lower, the more urgent
};

struct CUevent_st {
  bool recorded = false;
  simtlab::emulator::stream_order::clock order;  ///< what had ended when it was recorded, or would have
  std::chrono::steady_clock::time_point when;

  void record_now(simtlab::emulator::stream_order::clock now) {
    recorded = true;
    order = std::move(now);
    when = std::chrono::steady_clock::now();
  }
};

namespace simtlab::emulator {

/// All objects that the program knows by handles; those that it destroyed, too, so that no handle is given twice.
template <class T>
class handle_table {
 public:
  T* make() {
    auto owned = std::make_unique<T>();
    T* const handle = owned.get();
    objects_[handle] = {std::move(owned), true};
    return handle;
  }
  /// Null if no living object has this handle.
  [[nodiscard]] T* find(const void* handle) const {
    const auto found = objects_.find(handle);
    return found != objects_.end() && found->second.living ? found->second.object.get() : nullptr;
  }
  /// Whether an object had this handle.
  [[nodiscard]] bool knew(const void* handle) const { return objects_.contains(handle); }
  template <class Visit>
  void for_each(Visit visit) {
    for (auto& [handle, of] : objects_)
      if (of.living) visit(*of.object);
  }
  /// `handle` is a living object's.
  void destroy(const void* handle) { objects_.at(handle).living = false; }

 private:
  struct entry {
    std::unique_ptr<T> object;
    bool living = false;
  };
  std::map<const void*, entry> objects_;
};

}  // namespace simtlab::emulator
