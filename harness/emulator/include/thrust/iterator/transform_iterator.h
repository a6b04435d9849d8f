// What a function makes of another iterator's elements.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../detail/fancy_iterator.h"

namespace thrust {

template <class Function, class Iterator>
using transformed = std::decay_t<std::invoke_result_t<
    const Function&, decltype(std::declval<decltype(detail::on_device(std::declval<const Iterator&>()))>()[0])>>;

template <class Function, class Iterator, class... Ignored>
class transform_iterator
    : public detail::fancy_iterator<transform_iterator<Function, Iterator, Ignored...>, transformed<Function, Iterator>,
                                    transformed<Function, Iterator>, detail::place_of<Iterator>::value> {
 public:
  SIMTLAB_THRUST constexpr transform_iterator(const Iterator& base, const Function& function)
      : base_(base), function_(function) {}
  SIMTLAB_THRUST constexpr explicit transform_iterator(const Iterator& base) : base_(base), function_() {}
  SIMTLAB_THRUST constexpr transformed<Function, Iterator> at(ptrdiff_t index) const { return function_(base_[index]); }
  SIMTLAB_THRUST constexpr transform_iterator moved(ptrdiff_t steps) const {
    return transform_iterator(base_ + steps, function_);
  }
  transform_iterator(const transform_iterator&) = default;
  /// A lambda cannot be assigned, and is the same one.
  SIMTLAB_THRUST constexpr transform_iterator& operator=(const transform_iterator& other) {
    base_ = other.base_;
    return *this;
  }
  SIMTLAB_THRUST constexpr ptrdiff_t operator-(const transform_iterator& other) const { return base_ - other.base_; }
  SIMTLAB_THRUST constexpr transform_iterator operator-(ptrdiff_t steps) const { return moved(-steps); }
  SIMTLAB_THRUST constexpr bool operator==(const transform_iterator& other) const { return base_ - other.base_ == 0; }
  SIMTLAB_THRUST constexpr bool operator!=(const transform_iterator& other) const { return base_ - other.base_ != 0; }
  SIMTLAB_THRUST constexpr ptrdiff_t offset() const { return 0; }
  SIMTLAB_THRUST constexpr const Iterator& base() const { return base_; }
  SIMTLAB_THRUST constexpr auto on_device() const {
    return transform_iterator<Function, decltype(detail::on_device(base_))>(detail::on_device(base_), function_);
  }

 private:
  Iterator base_;
  Function function_;
};
template <class Iterator, class Function>
SIMTLAB_THRUST constexpr transform_iterator<Function, Iterator> make_transform_iterator(const Iterator& base,
                                                                                        const Function& function) {
  return transform_iterator<Function, Iterator>(base, function);
}

}  // namespace thrust
