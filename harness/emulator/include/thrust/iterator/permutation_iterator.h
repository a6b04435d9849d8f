// The elements of one iterator, in the order of another one's indices.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../detail/fancy_iterator.h"

namespace thrust {

template <class Elements, class Indices>
class permutation_iterator
    : public detail::fancy_iterator<permutation_iterator<Elements, Indices>, detail::value_of<Elements>,
                                    decltype(std::declval<Elements>()[0]), detail::joint_place<Elements, Indices>()> {
 public:
  SIMTLAB_THRUST constexpr permutation_iterator(const Elements& elements, const Indices& indices)
      : elements_(elements), indices_(indices) {}
  SIMTLAB_THRUST constexpr decltype(auto) at(ptrdiff_t index) const {
    return elements_[static_cast<ptrdiff_t>(indices_[index])];
  }
  SIMTLAB_THRUST constexpr permutation_iterator moved(ptrdiff_t steps) const { return {elements_, indices_ + steps}; }
  SIMTLAB_THRUST constexpr ptrdiff_t operator-(const permutation_iterator& other) const {
    return indices_ - other.indices_;
  }
  SIMTLAB_THRUST constexpr permutation_iterator operator-(ptrdiff_t steps) const { return moved(-steps); }
  SIMTLAB_THRUST constexpr bool operator==(const permutation_iterator& other) const {
    return indices_ - other.indices_ == 0;
  }
  SIMTLAB_THRUST constexpr bool operator!=(const permutation_iterator& other) const {
    return indices_ - other.indices_ != 0;
  }
  SIMTLAB_THRUST constexpr ptrdiff_t offset() const { return 0; }
  SIMTLAB_THRUST constexpr auto on_device() const {
    return permutation_iterator<decltype(detail::on_device(elements_)), decltype(detail::on_device(indices_))>(
        detail::on_device(elements_), detail::on_device(indices_));
  }

 private:
  Elements elements_;
  Indices indices_;
};
template <class Elements, class Indices>
SIMTLAB_THRUST constexpr permutation_iterator<Elements, Indices> make_permutation_iterator(const Elements& elements,
                                                                                           const Indices& indices) {
  return {elements, indices};
}

}  // namespace thrust
