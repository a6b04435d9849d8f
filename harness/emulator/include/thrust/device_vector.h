// A vector in device memory. Host code that reads or writes an element copies it.
#pragma once
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include "host_vector.h"

namespace thrust {

template <class Element>
class device_vector {
 public:
  using value_type = Element;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using iterator = device_ptr<Element>;
  using const_iterator = device_ptr<const Element>;
  using pointer = iterator;
  using const_pointer = const_iterator;
  using reference = device_reference<Element>;
  using const_reference = device_reference<const Element>;

  device_vector() = default;
  SIMTLAB_THRUST_HOST explicit device_vector(size_t size, const Element& value = Element()) { resize(size, value); }
  SIMTLAB_THRUST_HOST device_vector(std::initializer_list<Element> values) { assign(values.begin(), values.end()); }
  SIMTLAB_THRUST_HOST device_vector(const device_vector& other) { assign(other.begin(), other.end()); }
  SIMTLAB_THRUST_HOST device_vector(device_vector&& other) noexcept { swap(other); }
  template <class Other>
  SIMTLAB_THRUST_HOST device_vector(const device_vector<Other>& other) {
    assign(other.begin(), other.end());
  }
  template <class Other>
  SIMTLAB_THRUST_HOST device_vector(const std::vector<Other>& other) {
    assign(other.begin(), other.end());
  }
  template <class Iterator, std::enable_if_t<detail::place_of<Iterator>::value != detail::place::nowhere, int> = 0>
  SIMTLAB_THRUST_HOST device_vector(Iterator first, Iterator last) {
    assign(first, last);
  }
  SIMTLAB_THRUST_HOST ~device_vector() {
    if (at_ != nullptr) cudaFree(at_);
  }
  SIMTLAB_THRUST_HOST device_vector& operator=(const device_vector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  SIMTLAB_THRUST_HOST device_vector& operator=(device_vector&& other) noexcept {
    swap(other);
    return *this;
  }
  template <class Other>
  SIMTLAB_THRUST_HOST device_vector& operator=(const std::vector<Other>& other) {
    assign(other.begin(), other.end());
    return *this;
  }

  SIMTLAB_THRUST_HOST size_t size() const { return size_; }
  SIMTLAB_THRUST_HOST size_t capacity() const { return capacity_; }
  SIMTLAB_THRUST_HOST bool empty() const { return size_ == 0; }
  SIMTLAB_THRUST_HOST iterator begin() { return iterator(at_); }
  SIMTLAB_THRUST_HOST iterator end() { return iterator(at_ + size_); }
  SIMTLAB_THRUST_HOST const_iterator begin() const { return const_iterator(at_); }
  SIMTLAB_THRUST_HOST const_iterator end() const { return const_iterator(at_ + size_); }
  SIMTLAB_THRUST_HOST const_iterator cbegin() const { return begin(); }
  SIMTLAB_THRUST_HOST const_iterator cend() const { return end(); }
  SIMTLAB_THRUST_HOST pointer data() { return begin(); }
  SIMTLAB_THRUST_HOST const_pointer data() const { return begin(); }
  SIMTLAB_THRUST_HOST reference operator[](size_t index) { return reference(at_ + index); }
  SIMTLAB_THRUST_HOST const_reference operator[](size_t index) const { return const_reference(at_ + index); }
  SIMTLAB_THRUST_HOST reference front() { return (*this)[0]; }
  SIMTLAB_THRUST_HOST reference back() { return (*this)[size_ - 1]; }
  SIMTLAB_THRUST_HOST const_reference front() const { return (*this)[0]; }
  SIMTLAB_THRUST_HOST const_reference back() const { return (*this)[size_ - 1]; }

  SIMTLAB_THRUST_HOST void reserve(size_t size) {
    if (size <= capacity_) return;
    void* larger = nullptr;
    detail::check(cudaMalloc(&larger, size * sizeof(Element)), "thrust::device_vector");
    if (size_ > 0)
      detail::check(cudaMemcpy(larger, at_, size_ * sizeof(Element), cudaMemcpyDeviceToDevice),
                    "thrust::device_vector");
    if (at_ != nullptr) cudaFree(at_);
    at_ = static_cast<Element*>(larger);
    capacity_ = size;
  }
  SIMTLAB_THRUST_HOST void resize(size_t size, const Element& value = Element()) {
    reserve(size);
    if (size > size_) ::thrust::fill(device, end(), end() + static_cast<ptrdiff_t>(size - size_), value);
    size_ = size;
  }
  template <class Iterator>
  SIMTLAB_THRUST_HOST void assign(Iterator first, Iterator last) {
    if constexpr (std::is_integral_v<Iterator>) {
      size_ = 0;
      resize(static_cast<size_t>(first), static_cast<Element>(last));
    } else {
      const auto count = static_cast<size_t>(last - first);
      size_ = 0;
      reserve(count);
      ::thrust::copy(first, last, begin());
      size_ = count;
    }
  }
  SIMTLAB_THRUST_HOST void push_back(const Element& value) {
    if (size_ == capacity_) reserve(size_ == 0 ? 1 : 2 * size_);
    ++size_;
    back() = value;
  }
  SIMTLAB_THRUST_HOST void pop_back() { --size_; }
  SIMTLAB_THRUST_HOST void clear() { size_ = 0; }
  SIMTLAB_THRUST_HOST void shrink_to_fit() {}
  SIMTLAB_THRUST_HOST iterator erase(iterator first, iterator last) {
    const device_vector behind(const_iterator(last), static_cast<const device_vector&>(*this).end());
    ::thrust::copy(behind.begin(), behind.end(), first);
    size_ -= detail::length(first, last);
    return first;
  }
  SIMTLAB_THRUST_HOST void swap(device_vector& other) noexcept {
    std::swap(at_, other.at_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  Element* at_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
};

}  // namespace thrust
