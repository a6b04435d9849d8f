// cuda::memcpy_async of a thread or a group, with a barrier or a pipeline. A copy is made at once, by the threads that ask for it:
// others may read it behind the barrier's or the pipeline's wait, as on a GPU.
#pragma once       // IWYU pragma: private, include <cuda/barrier>
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include "../cooperative_groups/memcpy_async.h"
#include "thread_barrier.h"

namespace cuda {

/// A number of bytes, of which it is known that they and both addresses are multiples of `Alignment`.
template <::std::size_t Alignment>
struct aligned_size_t {
  static constexpr ::std::size_t align = Alignment;
  ::std::size_t value;
  __host__ __device__ constexpr explicit aligned_size_t(::std::size_t bytes) : value(bytes) {}
  __host__ __device__ constexpr operator ::std::size_t() const { return value; }
};

template <thread_scope Scope>
class pipeline;

}  // namespace cuda

namespace simtlab::copies {

struct one_thread {
  static SIMTLAB_GROUP unsigned size() { return 1; }
  static SIMTLAB_GROUP unsigned thread_rank() { return 0; }
};
template <class T>
struct keeps_track : std::false_type {};
template <cuda::thread_scope Scope, class Completion>
struct keeps_track<cuda::barrier<Scope, Completion>> : std::true_type {};
template <cuda::thread_scope Scope>
struct keeps_track<cuda::pipeline<Scope>> : std::true_type {};

template <class T, class Group>
SIMTLAB_GROUP void copy(const Group& group, T* to, const void* from, size_t bytes) {
  cooperative_groups::details::copy_by<cooperative_groups::details::alignment_of<T>>(group, to, from, bytes);
}
template <class T, class Group, size_t Alignment>
SIMTLAB_GROUP void copy(const Group& group, T* to, const void* from, cuda::aligned_size_t<Alignment> bytes) {
  cooperative_groups::details::copy_by<Alignment>(group, to, from, bytes.value);
}

}  // namespace simtlab::copies

namespace cuda {

template <class T, class Bytes, class Track, class = ::std::enable_if_t<simtlab::copies::keeps_track<Track>::value>>
SIMTLAB_GROUP void memcpy_async(T* to, const T* from, Bytes bytes, Track&) {
  simtlab::copies::copy(simtlab::copies::one_thread(), to, from, bytes);
}
template <class Group, class T, class Bytes, class Track,
          class = ::std::enable_if_t<simtlab::copies::keeps_track<Track>::value>>
SIMTLAB_GROUP void memcpy_async(const Group& group, T* to, const T* from, Bytes bytes, Track&) {
  simtlab::copies::copy(group, to, from, bytes);
}

}  // namespace cuda
