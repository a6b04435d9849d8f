// Cooperative groups, as the CUDA C++ Programming Guide describes them (chapter "Cooperative Groups"): groups of threads as
// objects. Each operation is one of the barriers and warp primitives of device_functions.h, so that counters, findings and
// races are theirs. Left out: clusters of blocks, and tiles of more than 32 threads.
#pragma once
#ifndef __clang__  // device_functions.h
#pragma GCC system_header
#endif
#define _COOPERATIVE_GROUPS_H_  // the toolkit's guard, for headers that look for it

#include "cuda_runtime.h"
#include "simtlab/group_lanes.h"

namespace cooperative_groups {

namespace details {
constexpr unsigned coalesced_group_id = 1, grid_group_id = 3, thread_block_id = 4;
}

/// Any group, by its kind: what every group becomes when it is passed to a function that does not care.
class thread_group {
 public:
  SIMTLAB_GROUP void sync() const;
  SIMTLAB_GROUP unsigned long long size() const;
  SIMTLAB_GROUP unsigned long long num_threads() const { return size(); }
  SIMTLAB_GROUP unsigned long long thread_rank() const;
  SIMTLAB_GROUP unsigned get_type() const { return type_; }

 protected:
  SIMTLAB_GROUP explicit thread_group(unsigned type) : type_(type) {}

  unsigned type_;
  bool is_tiled_ = false;  ///< lanes side by side, as many as a power of two, but for the last of a block
  unsigned mask_ = 0;      ///< of a part of a warp: its lanes
  unsigned meta_rank_ = 0, meta_size_ = 1;
  bool is_cooperative_ = false;  ///< of a grid

  friend SIMTLAB_GROUP thread_group tiled_partition(const thread_group&, unsigned);
};

/// All threads of the block.
class thread_block : public thread_group {
 public:
  static constexpr unsigned _group_id = details::thread_block_id;
  struct arrival_token {};

  static SIMTLAB_GROUP void sync() { __syncthreads(); }
  SIMTLAB_GROUP arrival_token barrier_arrive() const { return {}; }
  /// Waits for all threads to come here, which is more than that all have arrived.
  SIMTLAB_GROUP void barrier_wait(arrival_token&&) const { __syncthreads(); }
  static SIMTLAB_GROUP unsigned size() { return simtlab::groups::threads_of_block(); }
  static SIMTLAB_GROUP unsigned num_threads() { return size(); }
  static SIMTLAB_GROUP unsigned thread_rank() { return simtlab::groups::rank_in_block(); }
  static SIMTLAB_GROUP dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static SIMTLAB_GROUP dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static SIMTLAB_GROUP dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static SIMTLAB_GROUP dim3 dim_threads() { return group_dim(); }

 private:
  SIMTLAB_GROUP thread_block() : thread_group(_group_id) {}
  friend SIMTLAB_GROUP thread_block this_thread_block();
};
SIMTLAB_GROUP thread_block this_thread_block() { return {}; }

/// All threads of the grid. Their barrier needs a cooperative launch.
class grid_group : public thread_group {
 public:
  static constexpr unsigned _group_id = details::grid_group_id;
  using arrival_token = unsigned;

  SIMTLAB_GROUP bool is_valid() const { return is_cooperative_; }
  SIMTLAB_GROUP void sync() const { simtlab_grid_sync(); }
  SIMTLAB_GROUP arrival_token barrier_arrive() const { return 0; }
  SIMTLAB_GROUP void barrier_wait(arrival_token&&) const { simtlab_grid_sync(); }
  static SIMTLAB_GROUP unsigned long long size() { return num_blocks() * simtlab::groups::threads_of_block(); }
  static SIMTLAB_GROUP unsigned long long num_threads() { return size(); }
  static SIMTLAB_GROUP unsigned long long thread_rank() {
    return block_rank() * simtlab::groups::threads_of_block() + simtlab::groups::rank_in_block();
  }
  static SIMTLAB_GROUP unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static SIMTLAB_GROUP unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  static SIMTLAB_GROUP dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static SIMTLAB_GROUP dim3 dim_blocks() { return group_dim(); }
  static SIMTLAB_GROUP dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static SIMTLAB_GROUP dim3 thread_index() {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z);
  }
  static SIMTLAB_GROUP dim3 dim_threads() {
    return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
  }

 private:
  SIMTLAB_GROUP grid_group() : thread_group(_group_id) { is_cooperative_ = simtlab_is_cooperative() != 0; }
  friend SIMTLAB_GROUP grid_group this_grid();
};
SIMTLAB_GROUP grid_group this_grid() { return {}; }

/// Some lanes of a warp.
class coalesced_group : public thread_group {
 public:
  static constexpr unsigned _group_id = details::coalesced_group_id;

  SIMTLAB_GROUP void sync() const { simtlab_group_sync(mask_); }
  SIMTLAB_GROUP unsigned size() const { return static_cast<unsigned>(__builtin_popcount(mask_)); }
  SIMTLAB_GROUP unsigned num_threads() const { return size(); }
  SIMTLAB_GROUP unsigned thread_rank() const {
    return simtlab::groups::rank_of_lane(mask_, simtlab::groups::own_lane());
  }
  SIMTLAB_GROUP unsigned meta_group_rank() const { return meta_rank_; }
  SIMTLAB_GROUP unsigned meta_group_size() const { return meta_size_; }

  template <class T>
  SIMTLAB_GROUP simtlab::groups::plain<T> shfl(T&& value, int source) const {
    return from_rank<simtlab::groups::plain<T>>(value, static_cast<unsigned>(source), true);
  }
  template <class T>
  SIMTLAB_GROUP simtlab::groups::plain<T> shfl_down(T&& value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return from_rank<simtlab::groups::plain<T>>(value, rank + delta, delta < size() - rank);
  }
  template <class T>
  SIMTLAB_GROUP simtlab::groups::plain<T> shfl_up(T&& value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return from_rank<simtlab::groups::plain<T>>(value, rank - delta, delta <= rank);
  }
  SIMTLAB_GROUP int any(int predicate) const { return simtlab::groups::ballot(mask_, predicate != 0) != 0; }
  SIMTLAB_GROUP int all(int predicate) const { return simtlab::groups::ballot(mask_, predicate != 0) == mask_; }
  SIMTLAB_GROUP unsigned ballot(int predicate) const {
    return simtlab::groups::by_rank(simtlab::groups::ballot(mask_, predicate != 0), mask_);
  }
  template <class T>
  SIMTLAB_GROUP unsigned match_any(T value) const {
    return simtlab::groups::by_rank(simtlab::groups::match_any(mask_, value), mask_);
  }
  template <class T>
  SIMTLAB_GROUP unsigned match_all(T value, int& all_equal) const {
    return simtlab::groups::by_rank(simtlab::groups::match_all(mask_, value, all_equal), mask_);
  }

  /// For the headers beside this one.
  SIMTLAB_GROUP unsigned _lanes() const { return mask_; }
  static SIMTLAB_GROUP coalesced_group _of(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1,
                                           bool is_tiled = false) {
    coalesced_group made;
    made.mask_ = mask;
    made.meta_rank_ = meta_rank;
    made.meta_size_ = meta_size;
    made.is_tiled_ = is_tiled;
    return made;
  }
  SIMTLAB_GROUP coalesced_group _part(unsigned tile) const {
    if (size() <= tile) return *this;
    const unsigned rank = thread_rank(), part = rank / tile, first = part * tile;
    const unsigned last = first + tile < size() ? first + tile : size();
    const unsigned from = simtlab::groups::lane_of_rank(mask_, first),
                   to = simtlab::groups::lane_of_rank(mask_, last - 1);
    const unsigned lanes = mask_ & (0xffffffffu << from) & simtlab::groups::first_lanes(to + 1);
    return _of(lanes, part, (size() + tile - 1) / tile, is_tiled_);
  }

 private:
  SIMTLAB_GROUP coalesced_group() : thread_group(_group_id) {}

  /// `takes`: else the lane gets its own value.
  template <class T>
  SIMTLAB_GROUP T from_rank(const T& value, unsigned rank, bool takes) const {
    const unsigned there = simtlab::groups::lane_of_rank(mask_, rank);
    return simtlab::groups::shuffle(mask_, value, takes ? there : simtlab::groups::own_lane(), simtlab_shuffle_index,
                                    32);
  }
};
/// The lanes of the warp that are here together.
SIMTLAB_GROUP coalesced_group coalesced_threads() { return coalesced_group::_of(simtlab_activemask()); }

template <unsigned Size, class Parent = void>
class thread_block_tile;

namespace details {

/// What a tile is whatever it was made from: lanes side by side.
template <unsigned Size>
class tile_of {
 public:
  static_assert(Size == 1 || Size == 2 || Size == 4 || Size == 8 || Size == 16 || Size == 32,
                "a tile has 1, 2, 4, 8, 16 or 32 threads; larger ones are not supported by the emulator");
  static constexpr unsigned _group_id = coalesced_group_id;

  static SIMTLAB_GROUP void sync() { simtlab_group_sync(_lanes()); }
  static __host__ __device__ constexpr unsigned size() { return Size; }
  static __host__ __device__ constexpr unsigned num_threads() { return Size; }
  static SIMTLAB_GROUP unsigned thread_rank() { return simtlab::groups::rank_in_block() % Size; }

  template <class T>
  SIMTLAB_GROUP simtlab::groups::plain<T> shfl(T&& value, int source) const {
    return moved<simtlab::groups::plain<T>>(value, static_cast<unsigned>(source), simtlab_shuffle_index);
  }
  template <class T>
  SIMTLAB_GROUP simtlab::groups::plain<T> shfl_down(T&& value, unsigned delta) const {
    return moved<simtlab::groups::plain<T>>(value, delta, simtlab_shuffle_down);
  }
  template <class T>
  SIMTLAB_GROUP simtlab::groups::plain<T> shfl_up(T&& value, unsigned delta) const {
    return moved<simtlab::groups::plain<T>>(value, delta, simtlab_shuffle_up);
  }
  template <class T>
  SIMTLAB_GROUP simtlab::groups::plain<T> shfl_xor(T&& value, unsigned lane_mask) const {
    return moved<simtlab::groups::plain<T>>(value, lane_mask, simtlab_shuffle_xor);
  }
  SIMTLAB_GROUP int any(int predicate) const { return simtlab::groups::ballot(_lanes(), predicate != 0) != 0; }
  SIMTLAB_GROUP int all(int predicate) const { return simtlab::groups::ballot(_lanes(), predicate != 0) == _lanes(); }
  SIMTLAB_GROUP unsigned ballot(int predicate) const {
    return simtlab::groups::ballot(_lanes(), predicate != 0) >> first_lane();
  }
  template <class T>
  SIMTLAB_GROUP unsigned match_any(T value) const {
    return simtlab::groups::match_any(_lanes(), value) >> first_lane();
  }
  template <class T>
  SIMTLAB_GROUP unsigned match_all(T value, int& all_equal) const {
    return simtlab::groups::match_all(_lanes(), value, all_equal) >> first_lane();
  }

  /// For the headers beside this one.
  static SIMTLAB_GROUP unsigned _lanes() { return simtlab::groups::first_lanes(Size) << first_lane(); }

 private:
  static SIMTLAB_GROUP unsigned first_lane() { return simtlab::groups::own_lane() / Size * Size; }
  template <class T>
  SIMTLAB_GROUP T moved(const T& value, unsigned by, unsigned kind) const {
    return simtlab::groups::shuffle(_lanes(), value, by, kind, Size);
  }
};

template <class Parent>
struct may_be_tiled : std::false_type {};
template <>
struct may_be_tiled<thread_block> : std::true_type {};
template <unsigned Size, class Parent>
struct may_be_tiled<thread_block_tile<Size, Parent>> : std::true_type {};
template <class Parent>
constexpr unsigned most_of = 33;
template <unsigned Size, class Parent>
constexpr unsigned most_of<thread_block_tile<Size, Parent>> = Size;

}  // namespace details

/// A tile that has forgotten what it was made from.
template <unsigned Size>
class thread_block_tile<Size, void> : public details::tile_of<Size>, public thread_group {
 public:
  using details::tile_of<Size>::_group_id;
  using details::tile_of<Size>::sync;
  using details::tile_of<Size>::size;
  using details::tile_of<Size>::num_threads;
  using details::tile_of<Size>::thread_rank;
  SIMTLAB_GROUP unsigned meta_group_rank() const { return meta_rank_; }
  SIMTLAB_GROUP unsigned meta_group_size() const { return meta_size_; }

 private:
  SIMTLAB_GROUP thread_block_tile(unsigned meta_rank, unsigned meta_size) : thread_group(_group_id) {
    mask_ = details::tile_of<Size>::_lanes();
    meta_rank_ = meta_rank;
    meta_size_ = meta_size;
    is_tiled_ = true;
  }
  template <unsigned, class>
  friend class thread_block_tile;
  friend SIMTLAB_GROUP thread_block_tile<1, void> this_thread();
};

/// A tile whose type says what it was made from.
template <unsigned Size, class Parent>
class thread_block_tile : public details::tile_of<Size> {
 public:
  static SIMTLAB_GROUP unsigned meta_group_rank() { return Parent::thread_rank() / Size; }
  static SIMTLAB_GROUP unsigned meta_group_size() { return (Parent::size() + Size - 1) / Size; }
  SIMTLAB_GROUP operator thread_block_tile<Size, void>() const { return {meta_group_rank(), meta_group_size()}; }

 private:
  SIMTLAB_GROUP thread_block_tile() = default;
  template <unsigned Tile, class From>
  friend SIMTLAB_GROUP thread_block_tile<Tile, From> tiled_partition(const From&);
};

template <unsigned Size, class Parent>
SIMTLAB_GROUP thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  static_assert(details::may_be_tiled<Parent>::value,
                "tiled_partition<N>(group) takes a thread_block or a tile; other groups are divided by "
                "tiled_partition(group, n)");
  static_assert(Size < details::most_of<Parent>, "a tile is smaller than the tile that it is a part of");
  return {};
}
/// The calling thread alone.
SIMTLAB_GROUP thread_block_tile<1, void> this_thread() { return {0, 1}; }

SIMTLAB_GROUP coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
  if (size == 0 || size > 32 || (size & (size - 1)) != 0)
    simtlab_assert_fail("a tile has 1, 2, 4, 8, 16 or 32 threads", "", 0, "tiled_partition");
  return parent._part(size);
}
SIMTLAB_GROUP thread_group tiled_partition(const thread_group& parent, unsigned size) {
  if (parent.type_ == details::coalesced_group_id)
    return tiled_partition(coalesced_group::_of(parent.mask_, parent.meta_rank_, parent.meta_size_, parent.is_tiled_),
                           size);
  if (size == 0 || size > 32 || (size & (size - 1)) != 0)
    simtlab_assert_fail("a tile has 1, 2, 4, 8, 16 or 32 threads", "", 0, "tiled_partition");
  const unsigned threads = simtlab::groups::threads_of_block(), rank = simtlab::groups::rank_in_block();
  const unsigned first = rank / size * size, left = threads - first;
  return coalesced_group::_of(simtlab::groups::first_lanes(left < size ? left : size) << first % 32, rank / size,
                              (threads + size - 1) / size, true);
}
SIMTLAB_GROUP thread_group tiled_partition(const thread_block& parent, unsigned size) {
  return tiled_partition(static_cast<const thread_group&>(parent), size);
}

namespace details {

SIMTLAB_GROUP coalesced_group parted_in_two(unsigned lanes, bool predicate) {
  const unsigned yes = simtlab::groups::ballot(lanes, predicate);
  const bool parts = yes != 0 && yes != lanes;
  return coalesced_group::_of(predicate ? yes : lanes & ~yes, parts && predicate ? 1 : 0, parts ? 2 : 1);
}

template <class Label>
SIMTLAB_GROUP coalesced_group parted_by_label(unsigned lanes, Label label) {
  static_assert(std::is_integral<Label>::value || std::is_pointer<Label>::value,
                "labels of labeled_partition are whole numbers or pointers");
  if constexpr (std::is_same<Label, bool>::value) {
    return parted_in_two(lanes, label);
  } else {
    unsigned same = 0;
    if constexpr (std::is_pointer<Label>::value)
      same = simtlab::groups::match_any(lanes, reinterpret_cast<unsigned long long>(label));
    else
      same = simtlab::groups::match_any(lanes, label);
    const auto first = static_cast<unsigned>(__builtin_ctz(same));
    const unsigned firsts = simtlab::groups::ballot(lanes, first == simtlab::groups::own_lane());
    return coalesced_group::_of(same, simtlab::groups::rank_of_lane(firsts, first),
                                static_cast<unsigned>(__builtin_popcount(firsts)));
  }
}

}  // namespace details

/// The threads of the group whose predicate is the caller's.
SIMTLAB_GROUP coalesced_group binary_partition(const coalesced_group& group, bool predicate) {
  return details::parted_in_two(group._lanes(), predicate);
}
template <unsigned Size, class Parent>
SIMTLAB_GROUP coalesced_group binary_partition(const thread_block_tile<Size, Parent>& tile, bool predicate) {
  return details::parted_in_two(tile._lanes(), predicate);
}
/// The threads of the group whose label is the caller's.
template <class Label>
SIMTLAB_GROUP coalesced_group labeled_partition(const coalesced_group& group, Label label) {
  return details::parted_by_label(group._lanes(), label);
}
template <class Label, unsigned Size, class Parent>
SIMTLAB_GROUP coalesced_group labeled_partition(const thread_block_tile<Size, Parent>& tile, Label label) {
  return details::parted_by_label(tile._lanes(), label);
}

SIMTLAB_GROUP void thread_group::sync() const {
  if (type_ == details::thread_block_id)
    __syncthreads();
  else if (type_ == details::grid_group_id)
    simtlab_grid_sync();
  else
    simtlab_group_sync(mask_);
}
SIMTLAB_GROUP unsigned long long thread_group::size() const {
  return type_ == details::thread_block_id ? thread_block::size()
         : type_ == details::grid_group_id ? grid_group::size()
                                           : static_cast<unsigned long long>(__builtin_popcount(mask_));
}
SIMTLAB_GROUP unsigned long long thread_group::thread_rank() const {
  return type_ == details::thread_block_id ? thread_block::thread_rank()
         : type_ == details::grid_group_id ? grid_group::thread_rank()
                                           : simtlab::groups::rank_of_lane(mask_, simtlab::groups::own_lane());
}

template <class Group>
SIMTLAB_GROUP void sync(const Group& group) {
  group.sync();
}
template <class Group>
SIMTLAB_GROUP auto thread_rank(const Group& group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <class Group>
SIMTLAB_GROUP auto group_size(const Group& group) -> decltype(group.num_threads()) {
  return group.num_threads();
}

/// One thread of the group calls the function: the first.
template <class Group, class Function, class... Argument>
SIMTLAB_GROUP void invoke_one(const Group& group, Function&& function, Argument&&... arguments) {
  if (group.thread_rank() == 0) static_cast<Function&&>(function)(static_cast<Argument&&>(arguments)...);
}
/// The same, and all threads get what it returned.
template <class Group, class Function, class... Argument>
SIMTLAB_GROUP auto invoke_one_broadcast(const Group& group, Function&& function, Argument&&... arguments)
    -> simtlab::groups::plain<decltype(static_cast<Function&&>(function)(static_cast<Argument&&>(arguments)...))> {
  using result =
      simtlab::groups::plain<decltype(static_cast<Function&&>(function)(static_cast<Argument&&>(arguments)...))>;
  static_assert(!std::is_void<result>::value, "a function that returns nothing is called by invoke_one");
  static_assert(Group::_group_id == details::coalesced_group_id,
                "invoke_one_broadcast takes a tile or coalesced group");
  result returned{};
  if (group.thread_rank() == 0) returned = static_cast<Function&&>(function)(static_cast<Argument&&>(arguments)...);
  return group.shfl(returned, 0);
}

}  // namespace cooperative_groups
