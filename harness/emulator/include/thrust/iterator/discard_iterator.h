// Takes results that nobody wants.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "../detail/fancy_iterator.h"

namespace thrust {
namespace detail {

struct discarded {
  template <class Type>
  SIMTLAB_THRUST constexpr const discarded& operator=(const Type&) const {
    return *this;
  }
};

}  // namespace detail

template <class... Ignored>
class discard_iterator : public detail::fancy_iterator<discard_iterator<Ignored...>, detail::discarded,
                                                       detail::discarded, detail::place::anywhere> {
 public:
  SIMTLAB_THRUST constexpr explicit discard_iterator(ptrdiff_t offset = 0) : offset_(offset) {}
  SIMTLAB_THRUST constexpr detail::discarded at(ptrdiff_t) const { return {}; }
  SIMTLAB_THRUST constexpr discard_iterator moved(ptrdiff_t steps) const { return discard_iterator(offset_ + steps); }
  SIMTLAB_THRUST constexpr ptrdiff_t offset() const { return offset_; }

 private:
  ptrdiff_t offset_;
};
SIMTLAB_THRUST constexpr discard_iterator<> make_discard_iterator(ptrdiff_t offset = 0) {
  return discard_iterator<>(offset);
}

}  // namespace thrust
