// A function's result is what is stored.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../detail/fancy_iterator.h"

namespace thrust {
namespace detail {

template <class Function, class Iterator>
struct transformed_store {
  Iterator base;
  Function function;
  template <class Type>
  SIMTLAB_THRUST constexpr const transformed_store& operator=(const Type& value) const {
    *base = function(value);
    return *this;
  }
};

}  // namespace detail

template <class Function, class Iterator>
class transform_output_iterator
    : public detail::fancy_iterator<transform_output_iterator<Function, Iterator>, void,
                                    detail::transformed_store<Function, Iterator>, detail::place_of<Iterator>::value> {
 public:
  SIMTLAB_THRUST constexpr transform_output_iterator(const Iterator& base, const Function& function)
      : base_(base), function_(function) {}
  SIMTLAB_THRUST constexpr detail::transformed_store<Function, Iterator> at(ptrdiff_t index) const {
    return {base_ + index, function_};
  }
  SIMTLAB_THRUST constexpr transform_output_iterator moved(ptrdiff_t steps) const { return {base_ + steps, function_}; }
  SIMTLAB_THRUST constexpr ptrdiff_t offset() const { return 0; }
  SIMTLAB_THRUST constexpr auto on_device() const {
    return transform_output_iterator<Function, decltype(detail::on_device(base_))>(detail::on_device(base_), function_);
  }

 private:
  Iterator base_;
  Function function_;
};
template <class Iterator, class Function>
SIMTLAB_THRUST constexpr transform_output_iterator<Function, Iterator> make_transform_output_iterator(
    const Iterator& base, const Function& function) {
  return {base, function};
}

}  // namespace thrust
