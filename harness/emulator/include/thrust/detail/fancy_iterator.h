// What iterators without memory of their own share: a base and an offset. `Derived` has `at(index)`, `moved(steps)` and `offset()`.
#pragma once
#ifndef __clang__  // ../../device_functions.h
#pragma GCC system_header
#endif

#include "place.h"

namespace thrust::detail {

template <class Derived, class Value, class Reference, place Where>
class fancy_iterator {
 public:
  using value_type = Value;
  using reference = Reference;
  using pointer = void;
  using difference_type = ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;
  static constexpr place simtlab_place = Where;

  SIMTLAB_THRUST constexpr Reference operator*() const { return self().at(0); }
  SIMTLAB_THRUST constexpr Reference operator[](difference_type index) const { return self().at(index); }
  SIMTLAB_THRUST constexpr Derived operator+(difference_type steps) const { return self().moved(steps); }
  SIMTLAB_THRUST constexpr Derived operator-(difference_type steps) const { return self().moved(-steps); }
  SIMTLAB_THRUST constexpr difference_type operator-(const Derived& other) const {
    return self().offset() - other.offset();
  }
  SIMTLAB_THRUST constexpr Derived& operator+=(difference_type steps) { return change() = self().moved(steps); }
  SIMTLAB_THRUST constexpr Derived& operator-=(difference_type steps) { return change() = self().moved(-steps); }
  SIMTLAB_THRUST constexpr Derived& operator++() { return *this += 1; }
  SIMTLAB_THRUST constexpr Derived& operator--() { return *this -= 1; }
  SIMTLAB_THRUST constexpr Derived operator++(int) {
    const Derived before = self();
    *this += 1;
    return before;
  }
  SIMTLAB_THRUST constexpr Derived operator--(int) {
    const Derived before = self();
    *this -= 1;
    return before;
  }
  friend SIMTLAB_THRUST constexpr Derived operator+(difference_type steps, const Derived& of) {
    return of.moved(steps);
  }
  SIMTLAB_THRUST constexpr bool operator==(const Derived& other) const { return *this - other == 0; }
  SIMTLAB_THRUST constexpr bool operator!=(const Derived& other) const { return *this - other != 0; }
  SIMTLAB_THRUST constexpr bool operator<(const Derived& other) const { return *this - other < 0; }
  SIMTLAB_THRUST constexpr bool operator>(const Derived& other) const { return *this - other > 0; }
  SIMTLAB_THRUST constexpr bool operator<=(const Derived& other) const { return *this - other <= 0; }
  SIMTLAB_THRUST constexpr bool operator>=(const Derived& other) const { return *this - other >= 0; }

 private:
  SIMTLAB_THRUST constexpr const Derived& self() const { return static_cast<const Derived&>(*this); }
  SIMTLAB_THRUST constexpr Derived& change() { return static_cast<Derived&>(*this); }
};

}  // namespace thrust::detail
