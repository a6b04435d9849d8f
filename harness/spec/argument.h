// The arguments of an entry point, as types: lab_spec<in<float>, out<float>, int> is an entry
// void f(const float*, float*, int). From this list follow allocation, transfer, guard bands, the reference's signature
// and the comparison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace simtlab {

/// An array the entry reads: `const T*`.
template <class T>
struct in {};
/// An array the entry writes; holds poison before the call: `T*`.
template <class T>
struct out {};
/// An array the entry reads and changes: `T*`.
template <class T>
struct inout {};
// Any other type in the list is a scalar, passed by value.

enum class argument_role : std::uint8_t { input, output, in_out, scalar };

/// Device entries get device pointers: the harness owns memory and copies.
/// Host entries get host pointers and do their own allocation and copies.
enum class entry_kind : std::uint8_t { device, host };

enum class scalar_type : std::uint8_t { f32, f64, i8, u8, i16, u16, i32, u32, i64, u64 };

template <class T>
constexpr scalar_type scalar_type_of() {
  static_assert(
      std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, long double>,
      "an element must be an arithmetic type, or a structure with a specialisation of simtlab::element_traits");
  if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? scalar_type::f32 : scalar_type::f64;
  constexpr bool is_signed = std::is_signed_v<T>;
  if constexpr (sizeof(T) == 1) return is_signed ? scalar_type::i8 : scalar_type::u8;
  if constexpr (sizeof(T) == 2) return is_signed ? scalar_type::i16 : scalar_type::u16;
  if constexpr (sizeof(T) == 4) return is_signed ? scalar_type::i32 : scalar_type::u32;
  return is_signed ? scalar_type::i64 : scalar_type::u64;
}

/// What an element is made of. A lab whose elements are structures specialises it:
/// `template <> struct simtlab::element_traits<pixel> : simtlab::components<float, 3> {};`
template <class Scalar, std::size_t Count>
struct components {
  static constexpr scalar_type scalar = scalar_type_of<Scalar>();
  static constexpr std::size_t count = Count;
};
template <class T>
struct element_traits : components<T, 1> {};

/// One argument without its type: what the harness's core works with.
struct argument_description {
  std::string name;  ///< as in the entry's signature: counters and messages use it
  argument_role role = argument_role::scalar;
  scalar_type scalar = scalar_type::f32;
  std::size_t components = 1;     ///< scalars in one element
  std::size_t element_bytes = 0;  ///< of the whole element
};

[[nodiscard]] constexpr bool is_array(argument_role r) { return r != argument_role::scalar; }
[[nodiscard]] constexpr bool is_written(argument_role r) {
  return r == argument_role::output || r == argument_role::in_out;
}

namespace detail {
template <class A>
struct argument_traits {  // a scalar
  using element = A;
  using parameter = A;
  static constexpr argument_role role = argument_role::scalar;
};
template <class T>
struct argument_traits<in<T>> {
  using element = T;
  using parameter = const T*;
  static constexpr argument_role role = argument_role::input;
};
template <class T>
struct argument_traits<out<T>> {
  using element = T;
  using parameter = T*;
  static constexpr argument_role role = argument_role::output;
};
template <class T>
struct argument_traits<inout<T>> {
  using element = T;
  using parameter = T*;
  static constexpr argument_role role = argument_role::in_out;
};

template <class A>
argument_description describe_argument(std::string name) {
  using traits = argument_traits<A>;
  using element = typename traits::element;
  static_assert(std::is_trivially_copyable_v<element>, "an argument's element is copied byte by byte");
  static_assert(sizeof(element) % element_traits<element>::count == 0,
                "components<Scalar, Count> must fill the element");
  return {std::move(name), traits::role, element_traits<element>::scalar, element_traits<element>::count,
          sizeof(element)};
}
}  // namespace detail

}  // namespace simtlab
