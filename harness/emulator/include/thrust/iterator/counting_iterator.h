// Numbers in a row: no memory stands behind them.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../detail/fancy_iterator.h"

namespace thrust {

template <class Number, class... Ignored>
class counting_iterator
    : public detail::fancy_iterator<counting_iterator<Number, Ignored...>, Number, Number, detail::place::anywhere> {
 public:
  counting_iterator() = default;
  SIMTLAB_THRUST constexpr explicit counting_iterator(Number first) : first_(first) {}
  SIMTLAB_THRUST constexpr Number at(ptrdiff_t index) const {
    return static_cast<Number>(first_ + static_cast<Number>(index));
  }
  SIMTLAB_THRUST constexpr counting_iterator moved(ptrdiff_t steps) const { return counting_iterator(at(steps)); }
  SIMTLAB_THRUST constexpr ptrdiff_t offset() const { return static_cast<ptrdiff_t>(first_); }

 private:
  Number first_{};
};
template <class Number>
SIMTLAB_THRUST constexpr counting_iterator<Number> make_counting_iterator(Number first) {
  return counting_iterator<Number>(first);
}

}  // namespace thrust
