// Copies that the threads of a group make together. Here each thread's part is made when it comes back from memcpy_async; all parts
// may be used behind wait(), as on a GPU, and the checks hold kernels to it.
#pragma once
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include "../cooperative_groups.h"

namespace cooperative_groups {
namespace details {

template <size_t Bytes>
struct copied {
  using type = unsigned char;
};
template <>
struct copied<2> {
  using type = unsigned short;
};
template <>
struct copied<4> {
  using type = unsigned;
};
template <>
struct copied<8> {
  using type = uint2;
};
template <>
struct copied<16> {
  using type = uint4;
};

/// Pieces side by side go to threads side by side.
template <size_t Bytes, class Group>
SIMTLAB_GROUP void copy_pieces(const Group& group, void* to, const void* from, size_t bytes, bool is_tracked) {
  using piece = typename copied<Bytes>::type;
  typedef piece __attribute__((may_alias)) any_piece;
  auto* const target = static_cast<any_piece*>(to);
  const auto* const source = static_cast<const any_piece*>(from);
  const size_t stride = group.size();
  for (size_t i = group.thread_rank(); i < bytes / Bytes; i += stride) {
    target[i] = source[i];
    simtlab_copy_begins(target + i, Bytes, is_tracked);
  }
}

/// `Alignment`: what is known of both addresses. `group`: anything with a size and ranks. `is_tracked`: by a barrier.
template <size_t Alignment, class Group>
SIMTLAB_GROUP void copy_by(const Group& group, void* to, const void* from, size_t bytes, bool is_tracked) {
  if constexpr (Alignment >= 4) {
    copy_pieces<Alignment >= 16 ? 16 : Alignment>(group, to, from, bytes, is_tracked);
  } else {
    const auto together = reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from) | bytes;
    if (together % 16 == 0)
      copy_pieces<16>(group, to, from, bytes, is_tracked);
    else if (together % 4 == 0)
      copy_pieces<4>(group, to, from, bytes, is_tracked);
    else
      copy_pieces<Alignment>(group, to, from, bytes, is_tracked);
  }
}

template <size_t Alignment, class Group>
SIMTLAB_GROUP void copy(const Group& group, void* to, const void* from, size_t bytes) {
  static_assert(Group::_group_id == thread_block_id || Group::_group_id == coalesced_group_id,
                "memcpy_async takes a thread_block, a tile or a coalesced group");
  copy_by<Alignment>(group, to, from, bytes, false);
  simtlab_copies_committed();
}

template <class T>
constexpr size_t alignment_of = alignof(T);
template <>
inline constexpr size_t alignment_of<void> = 1;

}  // namespace details

/// `bytes` is a number, or a number whose type knows the alignment: `cuda::aligned_size_t<16>`.
template <class Group, class T, class Bytes, std::enable_if_t<std::is_integral<Bytes>::value, int> = 0>
SIMTLAB_GROUP void memcpy_async(const Group& group, T* to, const T* from, const Bytes& bytes) {
  details::copy<details::alignment_of<T>>(group, to, from, static_cast<size_t>(bytes));
}
template <class Group, class T, template <size_t> class Aligned, size_t Alignment>
SIMTLAB_GROUP void memcpy_async(const Group& group, T* to, const T* from, const Aligned<Alignment>& bytes) {
  details::copy<Alignment>(group, to, from, static_cast<size_t>(bytes));
}
/// Elements, not bytes: as many as both sides have.
template <class Group, class T, class Room, class Given>
SIMTLAB_GROUP void memcpy_async(const Group& group, T* to, const Room& room, const T* from, const Given& given) {
  const auto fits = static_cast<size_t>(room), there = static_cast<size_t>(given);
  details::copy<alignof(T)>(group, to, from, (fits < there ? fits : there) * sizeof(T));
}

/// Until all copies of the group are complete.
template <class Group>
SIMTLAB_GROUP void wait(const Group& group) {
  simtlab_all_copies_waited();
  group.sync();
}
/// Until all but the last `Stages` are.
template <unsigned Stages, class Group>
SIMTLAB_GROUP void wait_prior(const Group& group) {
  simtlab_copies_waited(Stages);
  group.sync();
}

}  // namespace cooperative_groups
