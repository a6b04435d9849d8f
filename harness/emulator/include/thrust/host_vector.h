// A vector in host memory, which takes a device_vector's elements by one copy.
#pragma once
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include <initializer_list>
#include <vector>

#include "detail/copying.h"

namespace thrust {

template <class Element>
class device_vector;

template <class Element>
class host_vector : public std::vector<Element> {
  static_assert(!std::is_same_v<Element, bool>, "the emulator has no thrust::host_vector<bool>: take char");

 public:
  using std::vector<Element>::vector;
  using std::vector<Element>::operator=;
  host_vector() = default;
  host_vector(const std::vector<Element>& other) : std::vector<Element>(other) {}
  template <class Iterator, std::enable_if_t<detail::place_of<Iterator>::value == detail::place::device, int> = 0>
  SIMTLAB_THRUST_HOST host_vector(Iterator first, Iterator last) : std::vector<Element>(detail::length(first, last)) {
    ::thrust::copy(first, last, this->begin());
  }
  template <class Other>
  SIMTLAB_THRUST_HOST host_vector(const device_vector<Other>& other) : host_vector(other.begin(), other.end()) {}
  template <class Other>
  SIMTLAB_THRUST_HOST host_vector& operator=(const device_vector<Other>& other) {
    this->resize(other.size());
    ::thrust::copy(other.begin(), other.end(), this->begin());
    return *this;
  }
};

}  // namespace thrust
