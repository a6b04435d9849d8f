// What `kernel<<<grid, block, shared, stream>>>(arguments)` becomes.
//
// The translator writes `::simtlab::launch("kernel", plain, deduced)._(grid, block, shared, stream)._(arguments)`. Both
// `plain` and `deduced` are generic lambdas: `plain` returns the kernel as a function pointer and does not compile for a
// template whose arguments are to be deduced; `deduced` calls the kernel with whatever it gets. With a function pointer
// the parameter types are known, and each argument is converted to its parameter's type as in any call (0 and NULL to a
// pointer, int to float). The arguments are stored once and copied into the kernel's parameters by every thread.
// `._(` is as long as `<<<`, and `)._` as `>>>`, so the columns of the source stay; and nobody has a macro named `_`.
#pragma once
#pragma GCC system_header

#include <stddef.h>

#include <type_traits>
#include <utility>

#include "../cuda_runtime_api.h"
#include "emulator_entry.h"

#define SIMTLAB_INLINE inline __attribute__((always_inline, artificial))
// A launch's invocation runs as device code: a hook in it would be counted as the student's.
#ifdef __clang__
#define SIMTLAB_NO_HOOKS __attribute__((no_sanitize("thread", "coverage", "bounds")))
#else
#define SIMTLAB_NO_HOOKS __attribute__((no_sanitize("thread", "undefined"), no_sanitize_coverage))
#endif

namespace simtlab {

/// Makes an expression dependent, so that whether it compiles can be asked.
struct tag {};

template <class... P>
struct plain_kernel {
  void (*function)(P...);
};
template <class... P>
SIMTLAB_INLINE plain_kernel<P...> plain(tag, void (*kernel)(P...)) {
  return {kernel};
}

template <size_t Index, class T>
struct stored_argument {
  T value;
};
template <class Indices, class Kernel, class... P>
struct argument_pack;
template <size_t... Index, class Kernel, class... P>
struct argument_pack<std::index_sequence<Index...>, Kernel, P...> : stored_argument<Index, P>... {
  Kernel kernel;

  SIMTLAB_INLINE argument_pack(const Kernel& k, P&... p)
      : stored_argument<Index, P>{static_cast<P&&>(p)}..., kernel(k) {}

  __attribute__((noinline)) SIMTLAB_NO_HOOKS static void invoke(void* memory) {
    auto* pack = static_cast<argument_pack*>(memory);
    pack->kernel(static_cast<stored_argument<Index, P>&>(*pack).value...);
  }

  SIMTLAB_INLINE void launch(simtlab_launch_request& request) {
    const void* const addresses[sizeof...(P) + 1] = {
        __builtin_addressof(static_cast<stored_argument<Index, P>&>(*this).value)..., nullptr};
    const unsigned bytes[sizeof...(P) + 1] = {sizeof(stored_argument<Index, P>)..., 0};
    const unsigned char is_pointer[sizeof...(P) + 1] = {std::is_pointer<P>::value..., 0};
    request.invoke = &argument_pack::invoke;
    request.pack = this;
    request.pack_bytes = sizeof(*this);
    request.arguments = addresses;
    request.argument_bytes = bytes;
    request.argument_is_pointer = is_pointer;
    request.argument_count = sizeof...(P);
    simtlab_launch(&request);
  }
};

template <class Kernel>
struct prepared_launch;

/// A kernel whose parameter types are known.
template <class... P>
struct prepared_launch<plain_kernel<P...>> {
  plain_kernel<P...> kernel;
  simtlab_launch_request request;

  SIMTLAB_INLINE void _(P... arguments) {
    request.function = reinterpret_cast<const void*>(kernel.function);
    argument_pack<std::index_sequence_for<P...>, void (*)(P...), P...> pack(kernel.function, arguments...);
    pack.launch(request);
  }
};

/// A template whose arguments the call deduces, or an overloaded kernel.
template <class Kernel>
struct prepared_launch {
  Kernel kernel;
  simtlab_launch_request request;

  template <class... A>
  SIMTLAB_INLINE void _(A... arguments) {
    argument_pack<std::index_sequence_for<A...>, Kernel, A...> pack(kernel, arguments...);
    pack.launch(request);
  }
};

template <class Kernel>
struct kernel_launch {
  const char* name;
  Kernel kernel;

  SIMTLAB_INLINE prepared_launch<Kernel> _(dim3 grid, dim3 block, size_t dynamic_shared = 0,
                                           cudaStream_t stream = 0) const {
    return {kernel,
            {name,
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
             0}};
  }
};

template <class Plain, class Deduced>
SIMTLAB_INLINE auto launch(const char* name, Plain plain, Deduced deduced) {
  if constexpr (std::is_invocable<Plain, tag>::value) {
    (void)deduced;
    return kernel_launch<decltype(plain(tag()))>{name, plain(tag())};
  } else {
    return kernel_launch<Deduced>{name, deduced};
  }
}

template <size_t... Index, class... P>
SIMTLAB_INLINE void launch_with(std::index_sequence<Index...>, prepared_launch<plain_kernel<P...>> prepared,
                                void** arguments) {
  prepared._(*static_cast<P*>(arguments[Index])...);
}

}  // namespace simtlab

/// The launch as a function. The kernel's own type says what `arguments` point to.
template <class... P>
SIMTLAB_INLINE cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                                            size_t dynamic_shared = 0, cudaStream_t stream = 0) {
  const simtlab::kernel_launch<simtlab::plain_kernel<P...>> launch{"cudaLaunchKernel", {kernel}};
  simtlab::launch_with(std::index_sequence_for<P...>(), launch._(grid, block, dynamic_shared, stream), arguments);
  return cudaPeekAtLastError();
}
/// A kernel whose type was cast away cannot be called without knowing its parameters.
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t dynamic_shared = 0,
                             cudaStream_t stream = 0)
    __attribute__((error("cudaLaunchKernel needs the kernel's type in the emulator: pass the kernel without a cast")));

#undef SIMTLAB_INLINE
#undef SIMTLAB_NO_HOOKS
