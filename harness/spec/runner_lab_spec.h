// The specification of a lab as the runner sees it: the entry, the types and the names of its arguments. Reference, cases,
// arguments and criteria are parsed and dropped: every type that could hold them here is empty, and lab.cpp is compiled
// with optimisation, so that neither their code nor their strings reach the object file (a test reads it to prove that).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "spec/argument.h"
#include "spec/cuda_types.h"
#include "spec/metric.h"
#include "spec/pieces.h"
#include "spec/random_source.h"
#include "spec/tolerance.h"
#include "spec/values.h"
#include "spec/work.h"

namespace simtlab {

inline namespace runner_view {

struct named_size {
  constexpr named_size(const char*, long long) {}
};
struct sizes {
  constexpr sizes() = default;
  constexpr sizes(std::initializer_list<named_size>) {}
};
struct fail_api_call {
  constexpr fail_api_call() = default;
  constexpr explicit fail_api_call(std::uint64_t) {}
};
struct test_case {
  constexpr test_case(const char*, sizes, fail_api_call = {}) {}
  int operator[](std::string_view size) const;  // never called, never defined
};
struct anchor {
  constexpr anchor(const char*, double) {}
};
struct criterion {
  constexpr criterion(measurable, full_at, none_at, const char*, weight = weight(1)) {}
  constexpr criterion(measurable, std::initializer_list<anchor>, const char*, weight = weight(1)) {}
};
struct severity_override {
  constexpr severity_override(const char*, severity) {}
};
struct benchmark_sizes {
  sizes emulator, gpu;
};

/// Takes anything and keeps nothing.
struct absent {
  constexpr absent() = default;
  template <class T>
  constexpr absent(const T&) {}
};
constexpr absent by_columns(const char*) { return {}; }
constexpr absent product_of(const char*, const absent&, const char*) { return {}; }
template <class Element>
struct absent_list {
  constexpr absent_list() = default;
  constexpr absent_list(std::initializer_list<Element>) {}
  template <class T>
  constexpr absent_list(const T&) {}
};

/// Any function pointer; each thunk knows the real type.
using any_function = void (*)();

/// What the runner knows of a lab.
struct lab {
  entry_kind kind = entry_kind::device;
  std::vector<argument_description> arguments;
  /// Calls the entry. `slots[i]` points to the i-th argument's value: a pointer for an array, the value for a scalar.
  /// Returns the entry's cudaError_t, 0 for a void entry.
  int (*call)(any_function entry, void* const* slots) = nullptr;
  any_function entry = nullptr;
};

template <class... P>
struct entry_point {
  constexpr entry_point(void (*f)(P...)) : without_error(f) {}
  constexpr entry_point(cudaError_t (*f)(P...)) : with_error(f) {}
  void (*without_error)(P...) = nullptr;
  cudaError_t (*with_error)(P...) = nullptr;

  template <class Return>
  static int call(any_function entry, void* const* slots) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto typed = reinterpret_cast<Return (*)(P...)>(entry);
      if constexpr (std::is_void_v<Return>) {
        typed(*static_cast<P*>(slots[I])...);
        return 0;
      } else {
        return static_cast<int>(typed(*static_cast<P*>(slots[I])...));
      }
    }
    (std::index_sequence_for<P...>{});
  }
};

template <std::size_t Count>
struct parameter_names {
  template <class... Name>
  constexpr parameter_names(const Name&... name) : list{name...} {}
  std::array<const char*, Count> list;
};

template <entry_kind Kind, class... A>
struct basic_lab_spec {
  entry_point<typename detail::argument_traits<A>::parameter...> entry;
  parameter_names<sizeof...(A)> parameters;
  absent arguments, reference, tolerance;
  absent_list<test_case> cases;
  benchmark_sizes benchmark;
  absent model;
  absent_list<criterion> criteria;
  absent proof = {};
  case_limits limits = {};
  absent_list<severity_override> severities = {};
  absent pass_at = {};

  operator lab() const {
    lab core;
    core.kind = Kind;
    std::size_t i = 0;
    (core.arguments.push_back(detail::describe_argument<A>(parameters.list[i++])), ...);
    using entry_type = decltype(entry);
    if (entry.with_error != nullptr) {
      core.entry = reinterpret_cast<any_function>(entry.with_error);
      core.call = &entry_type::template call<cudaError_t>;
    } else {
      core.entry = reinterpret_cast<any_function>(entry.without_error);
      core.call = &entry_type::template call<void>;
    }
    return core;
  }
};

template <class... A>
using lab_spec = basic_lab_spec<entry_kind::device, A...>;
template <class... A>
using host_lab_spec = basic_lab_spec<entry_kind::host, A...>;

}  // namespace runner_view
}  // namespace simtlab
