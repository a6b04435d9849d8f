// What `extern __shared__ T name[];` becomes: in a function `T (&name)[] = ::simtlab::dynamic_shared{"name"};`, at
// namespace scope an object that turns into a pointer to the running block's bytes wherever it is used.
#pragma once  // IWYU pragma: private, include <cuda_runtime.h>
#pragma GCC system_header

#include "emulator_entry.h"

namespace simtlab {

struct dynamic_shared {
  const char* name;
  template <class Array>
  __attribute__((always_inline, artificial)) inline operator Array&() const {
    return *static_cast<Array*>(simtlab_dynamic_shared(name, sizeof(*(*static_cast<Array*>(nullptr)))));
  }
};

template <class Array, const char* Name>
struct dynamic_shared_object;
template <class T, const char* Name>
struct dynamic_shared_object<T[], Name> {
  __attribute__((always_inline, artificial)) inline operator T*() const {
    return static_cast<T*>(simtlab_dynamic_shared(Name, sizeof(T)));
  }
  __attribute__((always_inline, artificial)) inline T* operator->() const { return *this; }
};

}  // namespace simtlab
