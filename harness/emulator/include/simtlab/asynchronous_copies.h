// cuda::memcpy_async of a thread or a group, with a barrier or a pipeline. A copy is made at once, by the threads that ask for it: it
// may be used behind the barrier's or the pipeline's wait, as on a GPU.
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

/// A thread's own pipeline has groups, which the thread waits for; all else is a barrier.
template <class Track>
inline constexpr bool has_barrier = true;
template <>
inline constexpr bool has_barrier<cuda::pipeline<cuda::thread_scope_thread>> = false;

template <class T, class Group>
SIMTLAB_GROUP void copy(const Group& group, T* to, const void* from, size_t bytes, bool is_tracked) {
  cooperative_groups::details::copy_by<cooperative_groups::details::alignment_of<T>>(group, to, from, bytes,
                                                                                     is_tracked);
}
template <class T, class Group, size_t Alignment>
SIMTLAB_GROUP void copy(const Group& group, T* to, const void* from, cuda::aligned_size_t<Alignment> bytes,
                        bool is_tracked) {
  cooperative_groups::details::copy_by<Alignment>(group, to, from, bytes.value, is_tracked);
}

}  // namespace simtlab::copies

namespace cuda {

template <class T, class Bytes, class Track, class = ::std::enable_if_t<simtlab::copies::keeps_track<Track>::value>>
SIMTLAB_GROUP void memcpy_async(T* to, const T* from, Bytes bytes, Track&) {
  simtlab::copies::copy(simtlab::copies::one_thread(), to, from, bytes, simtlab::copies::has_barrier<Track>);
}
template <class Group, class T, class Bytes, class Track,
          class = ::std::enable_if_t<simtlab::copies::keeps_track<Track>::value>>
SIMTLAB_GROUP void memcpy_async(const Group& group, T* to, const T* from, Bytes bytes, Track&) {
  simtlab::copies::copy(group, to, from, bytes, simtlab::copies::has_barrier<Track>);
}

}  // namespace cuda
