// A vector in managed memory: host and device code reach its elements by their addresses.
#pragma once
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include <new>
#include <vector>

#include "device_vector.h"

namespace thrust {

/// Allocates managed memory.
template <class Type>
struct universal_allocator {
  using value_type = Type;
  universal_allocator() = default;
  template <class Other>
  universal_allocator(const universal_allocator<Other>&) {}
  SIMTLAB_THRUST_HOST Type* allocate(size_t count) {
    void* where = nullptr;
    detail::check(cudaMallocManaged(&where, count * sizeof(Type)), "thrust::universal_vector");
    return static_cast<Type*>(where);
  }
  SIMTLAB_THRUST_HOST void deallocate(Type* where, size_t) { cudaFree(where); }
  bool operator==(const universal_allocator&) const { return true; }
  bool operator!=(const universal_allocator&) const { return false; }
};

/// A pointer to managed memory: algorithms without a policy run on the device.
template <class Element>
class universal_ptr : public detail::fancy_iterator<universal_ptr<Element>, std::remove_cv_t<Element>, Element&,
                                                    detail::place::device> {
 public:
  using pointer = universal_ptr;
  constexpr universal_ptr() = default;
  SIMTLAB_THRUST constexpr explicit universal_ptr(Element* at) : at_(at) {}
  template <class Other, std::enable_if_t<std::is_convertible_v<Other*, Element*>, int> = 0>
  SIMTLAB_THRUST constexpr universal_ptr(const universal_ptr<Other>& other) : at_(other.get()) {}
  SIMTLAB_THRUST constexpr Element* get() const { return at_; }
  SIMTLAB_THRUST constexpr Element* on_device() const { return at_; }
  SIMTLAB_THRUST constexpr Element& at(ptrdiff_t index) const { return at_[index]; }
  SIMTLAB_THRUST constexpr universal_ptr moved(ptrdiff_t steps) const { return universal_ptr(at_ + steps); }
  SIMTLAB_THRUST constexpr ptrdiff_t offset() const { return at_ - static_cast<Element*>(nullptr); }
  template <class Other>
  SIMTLAB_THRUST constexpr ptrdiff_t operator-(const universal_ptr<Other>& other) const {
    return at_ - other.get();
  }
  SIMTLAB_THRUST constexpr universal_ptr operator-(ptrdiff_t steps) const { return moved(-steps); }

 private:
  Element* at_ = nullptr;
};
template <class Element>
SIMTLAB_THRUST constexpr Element* raw_pointer_cast(const universal_ptr<Element>& pointer) {
  return pointer.get();
}

template <class Element>
class universal_vector {
  using memory = std::vector<Element, universal_allocator<Element>>;

 public:
  using value_type = Element;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using iterator = universal_ptr<Element>;
  using const_iterator = universal_ptr<const Element>;
  using pointer = iterator;
  using const_pointer = const_iterator;
  using reference = Element&;
  using const_reference = const Element&;

  universal_vector() = default;
  SIMTLAB_THRUST_HOST explicit universal_vector(size_t size, const Element& value = Element()) : all_(size, value) {}
  SIMTLAB_THRUST_HOST universal_vector(std::initializer_list<Element> values) : all_(values) {}
  SIMTLAB_THRUST_HOST universal_vector(const std::vector<Element>& other) : all_(other.begin(), other.end()) {}
  SIMTLAB_THRUST_HOST universal_vector(const device_vector<Element>& other) : all_(other.size()) {
    ::thrust::copy(other.begin(), other.end(), begin());
  }
  template <class Iterator, std::enable_if_t<detail::place_of<Iterator>::value == detail::place::host, int> = 0>
  SIMTLAB_THRUST_HOST universal_vector(Iterator first, Iterator last) : all_(first, last) {}

  SIMTLAB_THRUST_HOST size_t size() const { return all_.size(); }
  SIMTLAB_THRUST_HOST bool empty() const { return all_.empty(); }
  SIMTLAB_THRUST_HOST iterator begin() { return iterator(all_.data()); }
  SIMTLAB_THRUST_HOST iterator end() { return iterator(all_.data() + all_.size()); }
  SIMTLAB_THRUST_HOST const_iterator begin() const { return const_iterator(all_.data()); }
  SIMTLAB_THRUST_HOST const_iterator end() const { return const_iterator(all_.data() + all_.size()); }
  SIMTLAB_THRUST_HOST const_iterator cbegin() const { return begin(); }
  SIMTLAB_THRUST_HOST const_iterator cend() const { return end(); }
  SIMTLAB_THRUST_HOST pointer data() { return begin(); }
  SIMTLAB_THRUST_HOST const_pointer data() const { return begin(); }
  SIMTLAB_THRUST_HOST Element& operator[](size_t index) { return all_[index]; }
  SIMTLAB_THRUST_HOST const Element& operator[](size_t index) const { return all_[index]; }
  SIMTLAB_THRUST_HOST Element& front() { return all_.front(); }
  SIMTLAB_THRUST_HOST Element& back() { return all_.back(); }
  SIMTLAB_THRUST_HOST void resize(size_t size, const Element& value = Element()) { all_.resize(size, value); }
  SIMTLAB_THRUST_HOST void reserve(size_t size) { all_.reserve(size); }
  SIMTLAB_THRUST_HOST void push_back(const Element& value) { all_.push_back(value); }
  SIMTLAB_THRUST_HOST void pop_back() { all_.pop_back(); }
  SIMTLAB_THRUST_HOST void clear() { all_.clear(); }

 private:
  memory all_;
};

}  // namespace thrust
