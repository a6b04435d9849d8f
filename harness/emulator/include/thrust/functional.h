// Functors of operators, and expressions of placeholders (`_1 * 2 + _2`).
#pragma once
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include "tuple.h"

namespace thrust {

#define SIMTLAB_THRUST_OPERATOR(name, result, expression)                                                 \
  template <class Type = void>                                                                            \
  struct name {                                                                                           \
    using first_argument_type = Type;                                                                     \
    using second_argument_type = Type;                                                                    \
    using result_type = result;                                                                           \
    SIMTLAB_THRUST constexpr result operator()(const Type& a, const Type& b) const { return expression; } \
  };                                                                                                      \
  template <>                                                                                             \
  struct name<void> {                                                                                     \
    template <class One, class Other>                                                                     \
    SIMTLAB_THRUST constexpr auto operator()(const One& a, const Other& b) const {                        \
      return expression;                                                                                  \
    }                                                                                                     \
  };
SIMTLAB_THRUST_OPERATOR(plus, Type, a + b)
SIMTLAB_THRUST_OPERATOR(minus, Type, a - b)
SIMTLAB_THRUST_OPERATOR(multiplies, Type, a* b)
SIMTLAB_THRUST_OPERATOR(divides, Type, a / b)
SIMTLAB_THRUST_OPERATOR(modulus, Type, a % b)
SIMTLAB_THRUST_OPERATOR(bit_and, Type, a& b)
SIMTLAB_THRUST_OPERATOR(bit_or, Type, a | b)
SIMTLAB_THRUST_OPERATOR(bit_xor, Type, a ^ b)
SIMTLAB_THRUST_OPERATOR(equal_to, bool, a == b)
SIMTLAB_THRUST_OPERATOR(not_equal_to, bool, a != b)
SIMTLAB_THRUST_OPERATOR(less, bool, a < b)
SIMTLAB_THRUST_OPERATOR(greater, bool, a > b)
SIMTLAB_THRUST_OPERATOR(less_equal, bool, a <= b)
SIMTLAB_THRUST_OPERATOR(greater_equal, bool, a >= b)
SIMTLAB_THRUST_OPERATOR(logical_and, bool, a&& b)
SIMTLAB_THRUST_OPERATOR(logical_or, bool, a || b)
SIMTLAB_THRUST_OPERATOR(maximum, Type, a < b ? b : a)
SIMTLAB_THRUST_OPERATOR(minimum, Type, b < a ? b : a)
#undef SIMTLAB_THRUST_OPERATOR

#define SIMTLAB_THRUST_OPERATOR(name, result, expression)                                  \
  template <class Type = void>                                                             \
  struct name {                                                                            \
    using argument_type = Type;                                                            \
    using result_type = result;                                                            \
    SIMTLAB_THRUST constexpr result operator()(const Type& a) const { return expression; } \
  };                                                                                       \
  template <>                                                                              \
  struct name<void> {                                                                      \
    template <class One>                                                                   \
    SIMTLAB_THRUST constexpr auto operator()(const One& a) const {                         \
      return expression;                                                                   \
    }                                                                                      \
  };
SIMTLAB_THRUST_OPERATOR(negate, Type, -a)
SIMTLAB_THRUST_OPERATOR(identity, Type, a)
SIMTLAB_THRUST_OPERATOR(logical_not, bool, !a)
SIMTLAB_THRUST_OPERATOR(bit_not, Type, ~a)
SIMTLAB_THRUST_OPERATOR(square, Type, a* a)
#undef SIMTLAB_THRUST_OPERATOR

template <class One = void, class Other = void>
struct project1st {
  SIMTLAB_THRUST constexpr const One& operator()(const One& one, const Other&) const { return one; }
};
template <class One = void, class Other = void>
struct project2nd {
  SIMTLAB_THRUST constexpr const Other& operator()(const One&, const Other& other) const { return other; }
};

template <class Predicate>
struct unary_negate {
  Predicate asked;
  template <class Type>
  SIMTLAB_THRUST bool operator()(const Type& value) {
    return !asked(value);
  }
};
template <class Predicate>
SIMTLAB_THRUST unary_negate<Predicate> not1(const Predicate& asked) {
  return {asked};
}
template <class One, class Other, class Result>
struct binary_function {
  using first_argument_type = One;
  using second_argument_type = Other;
  using result_type = Result;
};
template <class Argument, class Result>
struct unary_function {
  using argument_type = Argument;
  using result_type = Result;
};

namespace detail {

struct expression {};
template <size_t Index>
struct placeholder : expression {
  template <class... Types>
  SIMTLAB_THRUST constexpr decltype(auto) operator()(Types&&... values) const {
    return get<Index>(tuple<Types&&...>(static_cast<Types&&>(values)...));
  }
  template <class Value>
  SIMTLAB_THRUST constexpr auto operator=(const Value& value) const;
};
template <class Value>
struct constant_value : expression {
  Value value;
  SIMTLAB_THRUST constexpr explicit constant_value(const Value& v) : value(v) {}
  template <class... Types>
  SIMTLAB_THRUST constexpr Value operator()(Types&&...) const {
    return value;
  }
};
template <class Operator, class... Operand>
struct operation : expression {
  tuple<Operand...> operands;
  SIMTLAB_THRUST constexpr explicit operation(const Operand&... of) : operands(of...) {}
  template <class... Types>
  SIMTLAB_THRUST constexpr decltype(auto) operator()(Types&&... values) const {
    if constexpr (sizeof...(Operand) == 1) {
      return Operator()(get<0>(operands)(values...));
    } else {
      return Operator()(get<0>(operands)(values...), get<1>(operands)(values...));
    }
  }
};
template <class Type>
constexpr bool is_expression = std::is_base_of_v<expression, Type>;
template <class Type>
SIMTLAB_THRUST constexpr auto as_expression(const Type& value) {
  if constexpr (is_expression<Type>) {
    return value;
  } else {
    return constant_value<Type>(value);
  }
}
template <class Operator, class One, class Other>
SIMTLAB_THRUST constexpr auto operation_of(const One& one, const Other& other) {
  return operation<Operator, decltype(as_expression(one)), decltype(as_expression(other))>(as_expression(one),
                                                                                           as_expression(other));
}

#define SIMTLAB_THRUST_EXPRESSION(name, symbol)                                                            \
  template <class One, class Other, std::enable_if_t<is_expression<One> || is_expression<Other>, int> = 0> \
  SIMTLAB_THRUST constexpr auto operator symbol(const One& one, const Other& other) {                      \
    return operation_of<name<>>(one, other);                                                               \
  }
SIMTLAB_THRUST_EXPRESSION(plus, +)
SIMTLAB_THRUST_EXPRESSION(minus, -)
SIMTLAB_THRUST_EXPRESSION(multiplies, *)
SIMTLAB_THRUST_EXPRESSION(divides, /)
SIMTLAB_THRUST_EXPRESSION(modulus, %)
SIMTLAB_THRUST_EXPRESSION(bit_and, &)
SIMTLAB_THRUST_EXPRESSION(bit_or, |)
SIMTLAB_THRUST_EXPRESSION(bit_xor, ^)
SIMTLAB_THRUST_EXPRESSION(equal_to, ==)
SIMTLAB_THRUST_EXPRESSION(not_equal_to, !=)
SIMTLAB_THRUST_EXPRESSION(less, <)
SIMTLAB_THRUST_EXPRESSION(greater, >)
SIMTLAB_THRUST_EXPRESSION(less_equal, <=)
SIMTLAB_THRUST_EXPRESSION(greater_equal, >=)
SIMTLAB_THRUST_EXPRESSION(logical_and, &&)
SIMTLAB_THRUST_EXPRESSION(logical_or, ||)
#undef SIMTLAB_THRUST_EXPRESSION

#define SIMTLAB_THRUST_EXPRESSION(name, symbol)                       \
  template <class One, std::enable_if_t<is_expression<One>, int> = 0> \
  SIMTLAB_THRUST constexpr auto operator symbol(const One& one) {     \
    return operation<name<>, One>(one);                               \
  }
SIMTLAB_THRUST_EXPRESSION(negate, -)
SIMTLAB_THRUST_EXPRESSION(logical_not, !)
SIMTLAB_THRUST_EXPRESSION(bit_not, ~)
#undef SIMTLAB_THRUST_EXPRESSION

#define SIMTLAB_THRUST_EXPRESSION(name, symbol)                                                      \
  struct name {                                                                                      \
    template <class One, class Other>                                                                \
    SIMTLAB_THRUST constexpr One& operator()(One& one, const Other& other) const {                   \
      return one symbol other;                                                                       \
    }                                                                                                \
  };                                                                                                 \
  template <size_t Index, class Other>                                                               \
  SIMTLAB_THRUST constexpr auto operator symbol(const placeholder<Index>& one, const Other& other) { \
    return operation_of<name>(one, other);                                                           \
  }
SIMTLAB_THRUST_EXPRESSION(plus_assign, +=)
SIMTLAB_THRUST_EXPRESSION(minus_assign, -=)
SIMTLAB_THRUST_EXPRESSION(multiplies_assign, *=)
SIMTLAB_THRUST_EXPRESSION(divides_assign, /=)
#undef SIMTLAB_THRUST_EXPRESSION

struct assign {
  template <class One, class Other>
  SIMTLAB_THRUST constexpr One& operator()(One& one, const Other& other) const {
    return one = other;
  }
};
template <size_t Index>
template <class Value>
SIMTLAB_THRUST constexpr auto placeholder<Index>::operator=(const Value& value) const {
  return operation_of<assign>(*this, value);
}

}  // namespace detail

namespace placeholders {
inline constexpr detail::placeholder<0> _1;
inline constexpr detail::placeholder<1> _2;
inline constexpr detail::placeholder<2> _3;
inline constexpr detail::placeholder<3> _4;
inline constexpr detail::placeholder<4> _5;
}  // namespace placeholders

/// A function of several arguments, called with a tuple of them.
template <class Function>
struct zip_function {
  Function called;
  SIMTLAB_THRUST constexpr explicit zip_function(Function function) : called(function) {}
  template <class... Types>
  SIMTLAB_THRUST constexpr decltype(auto) operator()(const tuple<Types...>& values) const {
    return call(values, std::index_sequence_for<Types...>());
  }

 private:
  template <class Tuple, size_t... Index>
  SIMTLAB_THRUST constexpr decltype(auto) call(const Tuple& values, std::index_sequence<Index...>) const {
    return called(get<Index>(values)...);
  }
};
template <class Function>
SIMTLAB_THRUST constexpr zip_function<std::decay_t<Function>> make_zip_function(Function&& function) {
  return zip_function<std::decay_t<Function>>(static_cast<Function&&>(function));
}

}  // namespace thrust
