// One value again and again: no memory stands behind it.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../detail/fancy_iterator.h"

namespace thrust {

template <class Type, class... Ignored>
class constant_iterator
    : public detail::fancy_iterator<constant_iterator<Type, Ignored...>, Type, Type, detail::place::anywhere> {
 public:
  constant_iterator() = default;
  SIMTLAB_THRUST constexpr explicit constant_iterator(const Type& value, ptrdiff_t offset = 0)
      : value_(value), offset_(offset) {}
  SIMTLAB_THRUST constexpr Type at(ptrdiff_t) const { return value_; }
  SIMTLAB_THRUST constexpr constant_iterator moved(ptrdiff_t steps) const {
    return constant_iterator(value_, offset_ + steps);
  }
  SIMTLAB_THRUST constexpr ptrdiff_t offset() const { return offset_; }

 private:
  Type value_{};
  ptrdiff_t offset_ = 0;
};
template <class Type>
SIMTLAB_THRUST constexpr constant_iterator<Type> make_constant_iterator(const Type& value, ptrdiff_t offset = 0) {
  return constant_iterator<Type>(value, offset);
}

}  // namespace thrust
