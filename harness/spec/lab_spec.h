// The typed specification of a lab, as the judge sees it (runner_lab_spec.h is the runner's view of the same text).
// Thin templates over lab_core.h. A missing member is a compile error that names it.
#pragma once

#include <array>
#include <cstring>
#include <span>
#include <tuple>
#include <utility>

#include "spec/cuda_types.h"
#include "spec/lab_core.h"
#include "spec/pieces.h"

namespace simtlab {
namespace detail {

template <class... A>
inline constexpr bool always_false = sizeof...(A) == ~std::size_t{0};

// Default member initialisers are instantiated only when a designated initialiser leaves the member out.
#define SIMTLAB_REQUIRED_MEMBER(member, sentence)                                      \
  template <class T, class... A>                                                       \
  T missing_##member() {                                                               \
    static_assert(always_false<A...>, "lab_spec: ." #member " is missing: " sentence); \
    return std::declval<T>();                                                          \
  }
SIMTLAB_REQUIRED_MEMBER(entry, "the function that the student implements in kernel.cu")
SIMTLAB_REQUIRED_MEMBER(parameters, "the names of the entry's parameters, in order")
SIMTLAB_REQUIRED_MEMBER(arguments, "a function (const test_case&, random_source&) that makes the arguments of a case")
SIMTLAB_REQUIRED_MEMBER(reference, "a function that computes the expected outputs in double precision")
SIMTLAB_REQUIRED_MEMBER(tolerance,
                        "exact, within(...), within_ulps(...), sum_of_products(...), or a function of the case")
SIMTLAB_REQUIRED_MEMBER(cases, "the list of test cases")
SIMTLAB_REQUIRED_MEMBER(benchmark, "{.emulator = sizes, .gpu = sizes}")
SIMTLAB_REQUIRED_MEMBER(model, "a function of the case that returns work{bytes_read, bytes_written, operations}")
SIMTLAB_REQUIRED_MEMBER(criteria, "what the fast test grades; {} if nothing")
#undef SIMTLAB_REQUIRED_MEMBER

/// Gives only its type away: a consteval constructor leaves no reference to the student's function.
template <class... Parameter>
struct entry_point {
  consteval entry_point(void (*)(Parameter...)) {}
  consteval entry_point(cudaError_t (*)(Parameter...)) : returns_error(true) {}
  bool returns_error = false;
};

template <std::size_t Count>
struct parameter_names {
  template <class... Name>
  parameter_names(const Name&... name) : list{name...} {
    static_assert(sizeof...(Name) == Count, "lab_spec: .parameters needs one name for each argument of the entry");
  }
  std::array<std::string, Count> list;
};

template <class A>
struct call_types {  // a scalar
  using value = A;
  using reference_parameter = A;
};
template <class T>
struct call_types<in<T>> {
  using value = values<T>;
  using reference_parameter = std::span<const T>;
};
template <class T>
struct call_types<out<T>> {
  using value = elements;
  using reference_parameter = std::span<T>;
};
template <class T>
struct call_types<inout<T>> {
  using value = values<T>;
  using reference_parameter = std::span<T>;
};

template <class... A>
struct argument_maker {
  using result = std::tuple<typename call_types<A>::value...>;
  template <class F>
  argument_maker(F f) : call(std::move(f)) {
    static_assert(std::is_invocable_v<F, const test_case&, random_source&>,
                  "lab_spec: .arguments must be callable with (const test_case&, random_source&)");
    static_assert(
        std::is_convertible_v<std::invoke_result_t<F, const test_case&, random_source&>, result>,
        "lab_spec: .arguments must return arguments(...) with a std::vector<T> (or shaped(...)) for in<T> and "
        "inout<T>, elements(...) for out<T>, and a value for each scalar, in the order of lab_spec<...>");
  }
  std::function<result(const test_case&, random_source&)> call;
};

template <class... A>
struct reference_function {
  template <class F>
  reference_function(F f) : call(std::move(f)) {
    static_assert(std::is_invocable_v<F, typename call_types<A>::reference_parameter...>,
                  "lab_spec: .reference must take std::span<const T> for in<T>, std::span<T> for out<T> and inout<T>, "
                  "and the scalars by value, in the order of lab_spec<...>");
  }
  std::function<void(typename call_types<A>::reference_parameter...)> call;
};

struct tolerance_rule {
  tolerance_rule(tolerance fixed) : call([fixed](const test_case&) { return fixed; }) {}
  template <class F>
  requires std::is_invocable_r_v<tolerance, F, const test_case&> tolerance_rule(F f) : call(std::move(f)) {}
  std::function<tolerance(const test_case&)> call;
};

template <class T>
std::vector<std::byte> bytes_of(const T* data, std::size_t count) {
  std::vector<std::byte> bytes(count * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), data, bytes.size());
  return bytes;
}

template <class A>
argument_value erased(const typename call_types<A>::value& value) {
  using element = typename argument_traits<A>::element;
  if constexpr (argument_traits<A>::role == argument_role::scalar) {
    return {bytes_of(&value, 1), {}, false};
  } else if constexpr (argument_traits<A>::role == argument_role::output) {
    std::size_t count = 1;
    for (const std::size_t extent : value.extents()) count *= extent;
    return {std::vector<std::byte>(count * sizeof(element)), value.extents(), value.is_image()};
  } else {
    return {bytes_of(value.data().data(), value.data().size()), value.extents(), value.is_image()};
  }
}

template <class A>
typename call_types<A>::reference_parameter restored(argument_value& value) {
  using element = typename argument_traits<A>::element;
  if constexpr (argument_traits<A>::role == argument_role::scalar) {
    element scalar;
    std::memcpy(&scalar, value.bytes.data(), sizeof scalar);
    return scalar;
  } else {  // operator new aligns for every element type that is not over-aligned
    static_assert(alignof(element) <= alignof(std::max_align_t));
    return {reinterpret_cast<element*>(value.bytes.data()), value.bytes.size() / sizeof(element)};
  }
}

}  // namespace detail

template <entry_kind Kind, class... A>
struct basic_lab_spec {
  using entry_type = detail::entry_point<typename detail::argument_traits<A>::parameter...>;
  using names_type = detail::parameter_names<sizeof...(A)>;
  using arguments_type = detail::argument_maker<A...>;
  using reference_type = detail::reference_function<A...>;

  /// The student's function, named only. It returns void or cudaError_t.
  entry_type entry = detail::missing_entry<entry_type, A...>();
  names_type parameters = detail::missing_parameters<names_type, A...>();
  arguments_type arguments = detail::missing_arguments<arguments_type, A...>();
  reference_type reference = detail::missing_reference<reference_type, A...>();
  detail::tolerance_rule tolerance = detail::missing_tolerance<detail::tolerance_rule, A...>();
  std::vector<test_case> cases = detail::missing_cases<std::vector<test_case>, A...>();
  benchmark_sizes benchmark = detail::missing_benchmark<benchmark_sizes, A...>();
  std::function<work(const test_case&)> model = detail::missing_model<std::function<work(const test_case&)>, A...>();
  std::vector<criterion> criteria = detail::missing_criteria<std::vector<criterion>, A...>();
  std::optional<product_claim> proof =
      {};  ///< how a benchmark's answer is checked when the reference would take minutes
  case_limits limits = {};
  std::vector<severity_override> severities = {};
  double pass_at = 60;

  operator lab() const {
    lab core;
    core.kind = Kind;
    core.returns_error = entry.returns_error;
    std::size_t i = 0;
    (core.arguments.push_back(detail::describe_argument<A>(parameters.list[i++])), ...);
    core.cases = cases;
    core.benchmark = benchmark;
    core.criteria = criteria;
    core.severities = severities;
    core.limits = limits;
    core.pass_at = pass_at;
    core.proof = proof;
    core.make_arguments = [make = arguments.call](const test_case& c, random_source& random) {
      const auto made = make(c, random);
      return [&made]<std::size_t... I>(std::index_sequence<I...>) {
        return std::vector<argument_value>{detail::erased<A>(std::get<I>(made))...};
      }
      (std::index_sequence_for<A...>{});
    };
    core.run_reference = [compute = reference.call](std::vector<argument_value>& values) {
      [&]<std::size_t... I>(std::index_sequence<I...>) { compute(detail::restored<A>(values[I])...); }
      (std::index_sequence_for<A...>{});
    };
    core.tolerance_of = tolerance.call;
    core.model = model;
    return core;
  }
};

/// A device entry: the harness allocates, copies, checks and frees; the entry gets device pointers and launches kernels.
template <class... A>
using lab_spec = basic_lab_spec<entry_kind::device, A...>;
/// A host entry: it gets host pointers and does its own allocation and copies.
template <class... A>
using host_lab_spec = basic_lab_spec<entry_kind::host, A...>;

}  // namespace simtlab
