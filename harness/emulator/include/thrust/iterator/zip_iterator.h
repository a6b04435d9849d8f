// Several iterators side by side: an element is a tuple of references to theirs.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../detail/fancy_iterator.h"
#include "../tuple.h"

namespace thrust {

template <class Iterators>
class zip_iterator;
template <class... Iterators>
class zip_iterator<tuple<Iterators...>>
    : public detail::fancy_iterator<zip_iterator<tuple<Iterators...>>, tuple<detail::value_of<Iterators>...>,
                                    tuple<decltype(std::declval<const Iterators&>()[0])...>,
                                    detail::joint_place<Iterators...>()> {
  using indices = std::index_sequence_for<Iterators...>;

 public:
  using reference = tuple<decltype(std::declval<const Iterators&>()[0])...>;
  zip_iterator() = default;
  SIMTLAB_THRUST constexpr explicit zip_iterator(const tuple<Iterators...>& all) : all_(all) {}
  SIMTLAB_THRUST constexpr zip_iterator(const Iterators&... all) : all_(all...) {}
  SIMTLAB_THRUST constexpr reference at(ptrdiff_t index) const { return element(index, indices()); }
  SIMTLAB_THRUST constexpr zip_iterator moved(ptrdiff_t steps) const { return stepped(steps, indices()); }
  SIMTLAB_THRUST constexpr ptrdiff_t operator-(const zip_iterator& other) const {
    return get<0>(all_) - get<0>(other.all_);
  }
  SIMTLAB_THRUST constexpr zip_iterator operator-(ptrdiff_t steps) const { return moved(-steps); }
  SIMTLAB_THRUST constexpr bool operator==(const zip_iterator& other) const { return *this - other == 0; }
  SIMTLAB_THRUST constexpr bool operator!=(const zip_iterator& other) const { return *this - other != 0; }
  SIMTLAB_THRUST constexpr bool operator<(const zip_iterator& other) const { return *this - other < 0; }
  SIMTLAB_THRUST constexpr ptrdiff_t offset() const { return 0; }
  SIMTLAB_THRUST constexpr const tuple<Iterators...>& get_iterator_tuple() const { return all_; }
  SIMTLAB_THRUST constexpr auto on_device() const { return unwrapped(indices()); }

 private:
  template <size_t... Index>
  SIMTLAB_THRUST constexpr reference element(ptrdiff_t index, std::index_sequence<Index...>) const {
    return reference(get<Index>(all_)[index]...);
  }
  template <size_t... Index>
  SIMTLAB_THRUST constexpr zip_iterator stepped(ptrdiff_t steps, std::index_sequence<Index...>) const {
    return zip_iterator(tuple<Iterators...>((get<Index>(all_) + steps)...));
  }
  template <size_t... Index>
  SIMTLAB_THRUST constexpr auto unwrapped(std::index_sequence<Index...>) const {
    using all_on_device = tuple<decltype(detail::on_device(get<Index>(all_)))...>;
    return zip_iterator<all_on_device>(all_on_device(detail::on_device(get<Index>(all_))...));
  }
  tuple<Iterators...> all_;
};
template <class... Iterators>
SIMTLAB_THRUST constexpr zip_iterator<tuple<Iterators...>> make_zip_iterator(const tuple<Iterators...>& all) {
  return zip_iterator<tuple<Iterators...>>(all);
}
template <class First, class... Iterators, std::enable_if_t<!detail::is_tuple<First>::value, int> = 0>
SIMTLAB_THRUST constexpr zip_iterator<tuple<First, Iterators...>> make_zip_iterator(const First& first,
                                                                                    const Iterators&... rest) {
  return zip_iterator<tuple<First, Iterators...>>(tuple<First, Iterators...>(first, rest...));
}

}  // namespace thrust
