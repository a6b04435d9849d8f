// A pointer to device memory, and a reference through it: host code that reads or writes one copies the element.
#pragma once
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include <iterator>
#include <ostream>

#include "detail/place.h"

namespace thrust {

template <class Element>
class device_ptr;

template <class Element>
class device_reference {
 public:
  using value_type = std::remove_cv_t<Element>;
  using pointer = device_ptr<Element>;

  SIMTLAB_THRUST explicit device_reference(Element* at) : at_(at) {}
  device_reference(const device_reference&) = default;
  SIMTLAB_THRUST_HOST operator value_type() const {
    value_type value;
    detail::check(cudaMemcpy(&value, at_, sizeof(value), cudaMemcpyDeviceToHost), "thrust::device_reference");
    return value;
  }
  SIMTLAB_THRUST_HOST const device_reference& operator=(const value_type& value) const {
    detail::check(cudaMemcpy(const_cast<value_type*>(at_), &value, sizeof(value), cudaMemcpyHostToDevice),
                  "thrust::device_reference");
    return *this;
  }
  SIMTLAB_THRUST_HOST device_reference& operator=(const device_reference& other) {
    static_cast<const device_reference&>(*this) = static_cast<value_type>(other);
    return *this;
  }
  template <class Other>
  SIMTLAB_THRUST_HOST device_reference& operator=(const device_reference<Other>& other) {
    static_cast<const device_reference&>(*this) = static_cast<value_type>(static_cast<Other>(other));
    return *this;
  }
  SIMTLAB_THRUST pointer operator&() const { return pointer(at_); }

#define SIMTLAB_THRUST_UPDATE(symbol)                                                        \
  template <class Other>                                                                     \
  SIMTLAB_THRUST_HOST const device_reference& operator symbol##=(const Other& other) const { \
    return *this = static_cast<value_type>(static_cast<value_type>(*this) symbol other);     \
  }
  SIMTLAB_THRUST_UPDATE(+)
  SIMTLAB_THRUST_UPDATE(-)
  SIMTLAB_THRUST_UPDATE(*)
  SIMTLAB_THRUST_UPDATE(/)
#undef SIMTLAB_THRUST_UPDATE
  SIMTLAB_THRUST_HOST const device_reference& operator++() const { return *this += 1; }
  SIMTLAB_THRUST_HOST const device_reference& operator--() const { return *this -= 1; }
  SIMTLAB_THRUST_HOST value_type operator++(int) const {
    const value_type before = *this;
    *this += 1;
    return before;
  }

 private:
  Element* at_;
};

template <class Element>
SIMTLAB_THRUST_HOST std::ostream& operator<<(std::ostream& out, const device_reference<Element>& of) {
  return out << static_cast<std::remove_cv_t<Element>>(of);
}
template <class Element>
SIMTLAB_THRUST_HOST void swap(device_reference<Element> one, device_reference<Element> other) {
  const std::remove_cv_t<Element> kept = one;
  one = other;
  other = kept;
}

/// Also the iterator of device_vector.
template <class Element>
class device_ptr {
 public:
  using value_type = std::remove_cv_t<Element>;
  using element_type = Element;
  using difference_type = ptrdiff_t;
  using reference = device_reference<Element>;
  using pointer = device_ptr;
  using iterator_category = std::random_access_iterator_tag;
  static constexpr detail::place simtlab_place = detail::place::device;

  SIMTLAB_THRUST constexpr device_ptr() : at_(nullptr) {}
  SIMTLAB_THRUST constexpr device_ptr(decltype(nullptr)) : at_(nullptr) {}
  template <class Other, std::enable_if_t<std::is_convertible_v<Other*, Element*>, int> = 0>
  SIMTLAB_THRUST constexpr explicit device_ptr(Other* at) : at_(at) {}
  template <class Other, std::enable_if_t<std::is_convertible_v<Other*, Element*>, int> = 0>
  SIMTLAB_THRUST constexpr device_ptr(const device_ptr<Other>& other) : at_(other.get()) {}

  SIMTLAB_THRUST constexpr Element* get() const { return at_; }
  SIMTLAB_THRUST constexpr Element* on_device() const { return at_; }
  SIMTLAB_THRUST reference operator*() const { return reference(at_); }
  SIMTLAB_THRUST reference operator[](difference_type index) const { return reference(at_ + index); }
  SIMTLAB_THRUST constexpr explicit operator bool() const { return at_ != nullptr; }

  SIMTLAB_THRUST constexpr device_ptr& operator+=(difference_type steps) {
    at_ += steps;
    return *this;
  }
  SIMTLAB_THRUST constexpr device_ptr& operator-=(difference_type steps) { return *this += -steps; }
  SIMTLAB_THRUST constexpr device_ptr& operator++() { return *this += 1; }
  SIMTLAB_THRUST constexpr device_ptr& operator--() { return *this -= 1; }
  SIMTLAB_THRUST constexpr device_ptr operator++(int) { return device_ptr(at_++); }
  SIMTLAB_THRUST constexpr device_ptr operator--(int) { return device_ptr(at_--); }
  SIMTLAB_THRUST constexpr device_ptr operator+(difference_type steps) const { return device_ptr(at_ + steps); }
  SIMTLAB_THRUST constexpr device_ptr operator-(difference_type steps) const { return device_ptr(at_ - steps); }
  template <class Other>
  SIMTLAB_THRUST constexpr difference_type operator-(const device_ptr<Other>& other) const {
    return at_ - other.get();
  }
  friend SIMTLAB_THRUST constexpr device_ptr operator+(difference_type steps, const device_ptr& of) {
    return of + steps;
  }

 private:
  Element* at_;
};

#define SIMTLAB_THRUST_COMPARISON(symbol)                                                                     \
  template <class One, class Other>                                                                           \
  SIMTLAB_THRUST constexpr bool operator symbol(const device_ptr<One>& one, const device_ptr<Other>& other) { \
    return one.get() symbol other.get();                                                                      \
  }
SIMTLAB_THRUST_COMPARISON(==)
SIMTLAB_THRUST_COMPARISON(!=)
SIMTLAB_THRUST_COMPARISON(<)
SIMTLAB_THRUST_COMPARISON(>)
SIMTLAB_THRUST_COMPARISON(<=)
SIMTLAB_THRUST_COMPARISON(>=)
#undef SIMTLAB_THRUST_COMPARISON

template <class Element>
SIMTLAB_THRUST constexpr device_ptr<Element> device_pointer_cast(Element* at) {
  return device_ptr<Element>(at);
}
template <class Element>
SIMTLAB_THRUST constexpr device_ptr<Element> device_pointer_cast(const device_ptr<Element>& at) {
  return at;
}
template <class Element>
SIMTLAB_THRUST constexpr Element* raw_pointer_cast(const device_ptr<Element>& at) {
  return at.get();
}
template <class Element>
SIMTLAB_THRUST constexpr Element* raw_pointer_cast(Element* at) {
  return at;
}
template <class Element>
SIMTLAB_THRUST Element& raw_reference_cast(const device_reference<Element>& of) {
  return *(&of).get();
}

/// Memory that nobody has set.
template <class Element>
SIMTLAB_THRUST_HOST device_ptr<Element> device_malloc(size_t count) {
  void* at = nullptr;
  detail::check(cudaMalloc(&at, count * sizeof(Element)), "thrust::device_malloc");
  return device_ptr<Element>(static_cast<Element*>(at));
}
template <class Element>
SIMTLAB_THRUST_HOST void device_free(const device_ptr<Element>& at) {
  detail::check(cudaFree(const_cast<std::remove_cv_t<Element>*>(at.get())), "thrust::device_free");
}

}  // namespace thrust
