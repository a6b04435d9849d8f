// What `kernel<<<grid, block, shared, stream>>>(arguments)` becomes.
//
// The translator writes `::simtlab::launch("kernel", plain, deduced, asked)._(grid, block, shared, stream)._(arguments)`.
// These are generic lambdas: `plain` returns the kernel as a function pointer and does not compile for a template whose
// arguments are to be deduced; `deduced` calls the kernel with whatever it gets; `asked`, which stands there where the
// kernel may be a template, says whether that would compile. With a function pointer the parameter types are known, and
// each argument is converted to its parameter's type as in any call (0 and NULL to a pointer, int to float). Without one
// that is done with objects that convert to a pointer or a number. The arguments are stored once and copied into the
// kernel's parameters by every thread.
// `._(` is as long as `<<<`, and `)._` as `>>>`, so the columns of the source stay; and nobody has a macro named `_`.
#pragma once  // IWYU pragma: private, include <cuda_runtime.h>
#pragma GCC system_header

#include <stddef.h>

#include <type_traits>
#include <utility>

#include "../cuda_runtime_api.h"
#include "../host_defines.h"
#include "emulator_entry.h"

#define SIMTLAB_INLINE inline __attribute__((always_inline, artificial))

namespace simtlab {

/// Behind the declaration of a local array whose indices only the running program knows (translator/local_arrays.h): from here on
/// its address is no secret of one thread, so that accesses to it are logged.
SIMTLAB_INLINE void let_out(const volatile void* address) { __asm__ volatile("" : : "r"(address) : "memory"); }
template <class T>
SIMTLAB_INLINE __host__ __device__ constexpr void watch_local(T& array) {
  if (!__builtin_is_constant_evaluated()) let_out(&array);
}
/// The same of an object, where the member is an array of its own.
template <class T, class Member>
SIMTLAB_INLINE __host__ __device__ constexpr void watch_member(T& object, Member&) {
  if (std::is_array_v<Member> && !__builtin_is_constant_evaluated()) let_out(&object);
}

/// Stands between two passes of a loop (translator/loop_passes.cpp): a place of the program where all lanes come, which g++ keeps.
SIMTLAB_INLINE void keep_pass() { __asm__ volatile(""); }
SIMTLAB_INLINE __host__ __device__ constexpr void next_pass() {
  if (!__builtin_is_constant_evaluated()) keep_pass();
}

/// Makes an expression dependent, so that whether it compiles can be asked.
struct tag {};

template <class... Parameter>
struct plain_kernel {
  void (*function)(Parameter...);
};
template <class... Parameter>
SIMTLAB_INLINE plain_kernel<Parameter...> plain(tag, void (*kernel)(Parameter...)) {
  return {kernel};
}

/// Of a kernel's parameters, each at a multiple of its alignment.
template <class... Parameter>
constexpr size_t parameter_bytes() {
  size_t end = 0;
  ((end = (end + alignof(Parameter) - 1) / alignof(Parameter) * alignof(Parameter) + sizeof(Parameter)), ...);
  return end;
}

template <size_t Index, class T>
struct stored_argument {
  T value;
};
template <class Indices, class Kernel, class... Parameter>
struct argument_pack;
template <size_t... Index, class Kernel, class... Parameter>
struct argument_pack<std::index_sequence<Index...>, Kernel, Parameter...> : stored_argument<Index, Parameter>... {
  Kernel kernel;

  SIMTLAB_INLINE argument_pack(const Kernel& called, Parameter&... p)
      : stored_argument<Index, Parameter>{static_cast<Parameter&&>(p)}..., kernel(called) {}

  __attribute__((noinline)) SIMTLAB_NO_HOOKS static void invoke(void* memory) {
    auto* pack = static_cast<argument_pack*>(memory);
    pack->kernel(static_cast<stored_argument<Index, Parameter>&>(*pack).value...);
  }

  SIMTLAB_INLINE void launch(simtlab_launch_request& request) {
    static_assert(parameter_bytes<Parameter...>() <= 32764,
                  "a kernel's parameters take at most 32,764 bytes (4,096 before CUDA 12.1): pass a pointer to more");
    static_assert(
        !(std::is_polymorphic<Parameter>::value || ... || false),
        "a kernel takes no object with virtual functions by value: host code has made it, and it points to the "
        "host's functions. Make the object in a kernel, or pass what it is made from");
    const void* const addresses[sizeof...(Parameter) + 1] = {
        __builtin_addressof(static_cast<stored_argument<Index, Parameter>&>(*this).value)..., nullptr};
    const unsigned bytes[sizeof...(Parameter) + 1] = {sizeof(stored_argument<Index, Parameter>)..., 0};
    const unsigned char is_pointer[sizeof...(Parameter) + 1] = {std::is_pointer<Parameter>::value..., 0};
    request.invoke = &argument_pack::invoke;
    request.pack = this;
    request.pack_bytes = sizeof(*this);
    request.arguments = addresses;
    request.argument_bytes = bytes;
    request.argument_is_pointer = is_pointer;
    request.argument_count = sizeof...(Parameter);
    simtlab_launch(&request);
  }
};

template <class... Parameter>
struct parameters {};

/// A kernel whose parameter types are known, launched with `Given` arguments: `Rest` take their default values, which the
/// call by name (`Deduced`) fills in.
template <class Deduced, class Given, class Rest>
struct plain_launch;
template <class Deduced, class... Parameter>
struct plain_launch<Deduced, parameters<Parameter...>, parameters<>> {
  void (*function)(Parameter...);
  Deduced deduced;
  simtlab_launch_request request;

  SIMTLAB_INLINE plain_launch(void (*f)(Parameter...), const Deduced& d, const simtlab_launch_request& asked)
      : function(f), deduced(d), request(asked) {
    request.function = reinterpret_cast<const void*>(f);
  }
  SIMTLAB_INLINE void _(Parameter... arguments) {
    argument_pack<std::index_sequence_for<Parameter...>, void (*)(Parameter...), Parameter...> pack(function,
                                                                                                    arguments...);
    pack.launch(request);
  }
};
template <class Deduced, class... Parameter, class Next, class... Rest>
struct plain_launch<Deduced, parameters<Parameter...>, parameters<Next, Rest...>>
    : plain_launch<Deduced, parameters<Parameter..., Next>, parameters<Rest...>> {
  using plain_launch<Deduced, parameters<Parameter..., Next>, parameters<Rest...>>::plain_launch;
  using plain_launch<Deduced, parameters<Parameter..., Next>, parameters<Rest...>>::_;

  SIMTLAB_INLINE void _(Parameter... arguments) {
    argument_pack<std::index_sequence_for<Parameter...>, Deduced, Parameter...> pack(this->deduced, arguments...);
    pack.launch(this->request);
  }
};

SIMTLAB_INLINE simtlab_launch_request request_of(const char* name, dim3 grid, dim3 block, size_t dynamic_shared,
                                                 cudaStream_t stream) {
  return {name,
          nullptr,
          {grid.x, grid.y, grid.z},
          {block.x, block.y, block.z},
          dynamic_shared,
          stream,
          nullptr,
          nullptr,
          0,
          nullptr,
          nullptr,
          nullptr,
          0,
          nullptr,
          0};
}

/// The pointer or number that an object converts to; any other type itself.
template <class T, class = void>
struct converted {
  using type = T;
};
template <class T>
struct converted<T, std::void_t<std::enable_if_t<std::is_class<T>::value>, decltype(+std::declval<T&>())>> {
  using value = std::decay_t<decltype(+std::declval<T&>())>;
  static constexpr bool is_data =
      std::is_scalar<value>::value && !std::is_function<std::remove_pointer_t<value>>::value;
  using type = std::conditional_t<is_data, value, T>;
};
/// What only a parameter takes whose type is deduced from it.
struct any_class {};
/// What converts to a T, and takes no second step to another class.
template <class T>
struct exactly {
  operator T() const;
};

/// The types as which a kernel gets arguments of the types `T`, where the launch does not know its parameters: their own types,
/// but that of a pointer or a number where the parameter is one, and an object converts to it.
template <class Asked, class Indices, class... T>
struct passed;
template <class Asked, size_t... Index, class... T>
struct passed<Asked, std::index_sequence<Index...>, T...> {
  template <size_t At, class With>
  using takes = std::is_invocable<Asked, std::conditional_t<Index == At, With, T&>...>;
  template <size_t At, class Own, class Other>
  using is_converted = std::conjunction<std::negation<std::is_same<Own, Other>>, std::negation<takes<At, any_class&>>,
                                        std::negation<takes<At, exactly<Own>>>, takes<At, exactly<Other>>>;
  using types = parameters<std::conditional_t<is_converted<Index, T, typename converted<T>::type>::value,
                                              typename converted<T>::type, T>...>;
};

/// A template whose arguments the call deduces, or an overloaded kernel.
template <class Kernel, class Asked>  // or void where no template is launched
struct prepared_launch {
  Kernel kernel;
  simtlab_launch_request request;

  template <class... Argument>
  using types = typename passed<Asked, std::index_sequence_for<Argument...>, Argument...>::types;
  template <class... Argument>
  static constexpr bool are_own = std::is_same<types<Argument...>, parameters<Argument...>>::value;

  template <class... Argument, std::enable_if_t<are_own<Argument...>, int> = 0>
  SIMTLAB_INLINE void _(Argument... arguments) {
    argument_pack<std::index_sequence_for<Argument...>, Kernel, Argument...> pack(kernel, arguments...);
    pack.launch(request);
  }
  template <class... Argument, std::enable_if_t<!are_own<std::decay_t<Argument>...>, int> = 0>
  SIMTLAB_INLINE void _(Argument&&... arguments) {
    convert(types<std::decay_t<Argument>...>(), static_cast<Argument&&>(arguments)...);
  }
  template <class... Parameter, class... Argument>
  SIMTLAB_INLINE void convert(parameters<Parameter...>, Argument&&... arguments) {
    _<Parameter...>(static_cast<Parameter>(static_cast<Argument&&>(arguments))...);
  }
};

template <class Plain, class Deduced>
struct kernel_launch;
template <class Deduced, class Asked>
struct deduced_launch {
  const char* name;
  Deduced kernel;

  SIMTLAB_INLINE prepared_launch<Deduced, Asked> _(dim3 grid, dim3 block, size_t dynamic_shared = 0,
                                                   cudaStream_t stream = 0) const {
    return {kernel, request_of(name, grid, block, dynamic_shared, stream)};
  }
};
template <class... Parameter, class Deduced>
struct kernel_launch<plain_kernel<Parameter...>, Deduced> {
  const char* name;
  plain_kernel<Parameter...> kernel;
  Deduced deduced;

  SIMTLAB_INLINE plain_launch<Deduced, parameters<>, parameters<Parameter...>> _(dim3 grid, dim3 block,
                                                                                 size_t dynamic_shared = 0,
                                                                                 cudaStream_t stream = 0) const {
    return plain_launch<Deduced, parameters<>, parameters<Parameter...>>(
        kernel.function, deduced, request_of(name, grid, block, dynamic_shared, stream));
  }
};
template <class Asked = void, class Plain, class Deduced>
SIMTLAB_INLINE auto launch(const char* name, Plain plain, Deduced deduced) {
  if constexpr (std::is_invocable<Plain, tag>::value) {
    return kernel_launch<decltype(plain(tag())), Deduced>{name, plain(tag()), deduced};
  } else {
    return deduced_launch<Deduced, Asked>{name, deduced};
  }
}

template <class Plain, class Deduced, class Asked>
SIMTLAB_INLINE auto launch(const char* name, Plain plain, Deduced deduced, Asked) {
  return launch<Asked>(name, plain, deduced);
}

/// Where the kernel has no name to call it by, so that its default arguments are out of reach.
struct no_defaults {};
template <size_t... Index, class... Parameter>
SIMTLAB_INLINE void launch_with(std::index_sequence<Index...>,
                                plain_launch<no_defaults, parameters<>, parameters<Parameter...>> prepared,
                                void** arguments) {
  if (!simtlab_has_arguments(&prepared.request, arguments, sizeof...(Index))) return;
  prepared._(*static_cast<Parameter*>(arguments[Index])...);
}

template <class... Parameter>
SIMTLAB_NO_HOOKS void launch_by_address(const void* kernel, const simtlab_launch_request* request, void** arguments) {
  launch_with(std::index_sequence_for<Parameter...>(),
              plain_launch<no_defaults, parameters<>, parameters<Parameter...>>(
                  reinterpret_cast<void (*)(Parameter...)>(const_cast<void*>(kernel)), {}, *request),
              arguments);
}
/// Stands around a kernel's name where a cast takes its type away (translator/launch_rewriter.cpp).
template <class... Parameter>
SIMTLAB_INLINE auto known(void (&kernel)(Parameter...)) -> void (&)(Parameter...) {
  simtlab_know_kernel(reinterpret_cast<const void*>(&kernel), &launch_by_address<Parameter...>);
  return kernel;
}
template <class T>
SIMTLAB_INLINE constexpr T&& known(T&& other) {
  return static_cast<T&&>(other);
}
/// Stands behind a kernel whose name is a value somewhere; `plain` as for a launch. Of an overloaded one the type is not known.
template <class Plain>
SIMTLAB_INLINE bool know(Plain plain) {
  if constexpr (std::is_invocable<Plain, tag>::value) known(*plain(tag()).function);
  return true;
}

}  // namespace simtlab

/// The launch as a function. The kernel's own type says what `arguments` point to.
template <class... Parameter>
SIMTLAB_INLINE cudaError_t cudaLaunchKernel(void (*kernel)(Parameter...), dim3 grid, dim3 block, void** arguments,
                                            size_t dynamic_shared = 0, cudaStream_t stream = 0) {
  const simtlab::kernel_launch<simtlab::plain_kernel<Parameter...>, simtlab::no_defaults> launch{
      "cudaLaunchKernel", {kernel}, {}};
  simtlab::launch_with(std::index_sequence_for<Parameter...>(), launch._(grid, block, dynamic_shared, stream),
                       arguments);
  return cudaPeekAtLastError();
}
/// The same where a cast took the kernel's type away.
SIMTLAB_INLINE cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                            size_t dynamic_shared = 0, cudaStream_t stream = 0) {
  const simtlab_launch_request request = simtlab::request_of("cudaLaunchKernel", grid, block, dynamic_shared, stream);
  simtlab_launch_known(kernel, &request, arguments);
  return cudaPeekAtLastError();
}

/// The launch of a grid whose blocks may wait for one another (cooperative_groups.h).
template <class... Parameter>
SIMTLAB_INLINE cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameter...), dim3 grid, dim3 block,
                                                       void** arguments, size_t dynamic_shared = 0,
                                                       cudaStream_t stream = 0) {
  cudaLaunchAttribute cooperative{};
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  const simtlab::kernel_launch<simtlab::plain_kernel<Parameter...>, simtlab::no_defaults> launch{
      "cudaLaunchCooperativeKernel", {kernel}, {}};
  auto prepared = launch._(grid, block, dynamic_shared, stream);
  prepared.request.attributes = &cooperative;
  prepared.request.attribute_count = 1;
  simtlab::launch_with(std::index_sequence_for<Parameter...>(), prepared, arguments);
  return cudaPeekAtLastError();
}
SIMTLAB_INLINE cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                                       size_t dynamic_shared = 0, cudaStream_t stream = 0) {
  cudaLaunchAttribute cooperative{};
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  simtlab_launch_request request =
      simtlab::request_of("cudaLaunchCooperativeKernel", grid, block, dynamic_shared, stream);
  request.attributes = &cooperative;
  request.attribute_count = 1;
  simtlab_launch_known(kernel, &request, arguments);
  return cudaPeekAtLastError();
}

namespace simtlab {

template <class... Parameter>
SIMTLAB_INLINE plain_launch<no_defaults, parameters<>, parameters<Parameter...>> prepared_by(
    const char* function, const cudaLaunchConfig_t* config, void (*kernel)(Parameter...)) {
  const kernel_launch<plain_kernel<Parameter...>, no_defaults> launch{function, {kernel}, {}};
  auto prepared = launch._(config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream);
  prepared.request.attributes = config->attrs;
  prepared.request.attribute_count = config->numAttrs;
  return prepared;
}

}  // namespace simtlab

/// The launch as a function, with attributes; each argument is converted to its parameter's type.
template <class... Parameter, class... Argument>
SIMTLAB_INLINE cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameter...),
                                              Argument&&... arguments) {
  static_assert(sizeof...(Parameter) == sizeof...(Argument),
                "cudaLaunchKernelEx takes as many arguments behind the kernel as the kernel has parameters");
  simtlab::prepared_by("cudaLaunchKernelEx", config, kernel)._(static_cast<Argument&&>(arguments)...);
  return cudaPeekAtLastError();
}
template <class... Parameter>
SIMTLAB_INLINE cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, void (*kernel)(Parameter...),
                                               void** arguments) {
  simtlab::launch_with(std::index_sequence_for<Parameter...>(),
                       simtlab::prepared_by("cudaLaunchKernelExC", config, kernel), arguments);
  return cudaPeekAtLastError();
}
SIMTLAB_INLINE cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel, void** arguments) {
  simtlab_launch_request request = simtlab::request_of("cudaLaunchKernelExC", config->gridDim, config->blockDim,
                                                       config->dynamicSmemBytes, config->stream);
  request.attributes = config->attrs;
  request.attribute_count = config->numAttrs;
  simtlab_launch_known(kernel, &request, arguments);
  return cudaPeekAtLastError();
}

#undef SIMTLAB_INLINE
