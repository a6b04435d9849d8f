// From the end to the begin.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../detail/fancy_iterator.h"

namespace thrust {

template <class Iterator>
class reverse_iterator
    : public detail::fancy_iterator<reverse_iterator<Iterator>, detail::value_of<Iterator>,
                                    decltype(std::declval<Iterator>()[0]), detail::place_of<Iterator>::value> {
 public:
  SIMTLAB_THRUST constexpr explicit reverse_iterator(const Iterator& base) : base_(base) {}
  SIMTLAB_THRUST constexpr decltype(auto) at(ptrdiff_t index) const { return base_[-1 - index]; }
  SIMTLAB_THRUST constexpr reverse_iterator moved(ptrdiff_t steps) const { return reverse_iterator(base_ - steps); }
  SIMTLAB_THRUST constexpr ptrdiff_t operator-(const reverse_iterator& other) const { return other.base_ - base_; }
  SIMTLAB_THRUST constexpr reverse_iterator operator-(ptrdiff_t steps) const { return moved(-steps); }
  SIMTLAB_THRUST constexpr bool operator==(const reverse_iterator& other) const { return base_ - other.base_ == 0; }
  SIMTLAB_THRUST constexpr bool operator!=(const reverse_iterator& other) const { return base_ - other.base_ != 0; }
  SIMTLAB_THRUST constexpr ptrdiff_t offset() const { return 0; }
  SIMTLAB_THRUST constexpr const Iterator& base() const { return base_; }
  SIMTLAB_THRUST constexpr auto on_device() const {
    return reverse_iterator<decltype(detail::on_device(base_))>(detail::on_device(base_));
  }

 private:
  Iterator base_;
};
template <class Iterator>
SIMTLAB_THRUST constexpr reverse_iterator<Iterator> make_reverse_iterator(const Iterator& base) {
  return reverse_iterator<Iterator>(base);
}

}  // namespace thrust
