// The C library as clang's CUDA has to see it (driver/front_end.h, and clangd in an editor): mathematics, strings and assert
// are for both sides, and of the rest the device has what CUDA gives it. clang's own wrappers do that beside NVIDIA's headers.
#pragma once  // IWYU pragma: private, include <cuda_runtime.h>
#pragma GCC system_header

#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS  // the C library's files alone; <cmath> would make all of them the device's, too
#include <stdlib.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <stdio.h>
#include <time.h>

#include <limits>
#include <utility>
#if __has_include(<bits/stl_algobase.h>)  // which <cmath> brings along
#include <bits/stl_algobase.h>
#endif

#pragma clang force_cuda_host_device begin
#include <assert.h>
#include <math.h>
#include <string.h>

#include <cmath>
#include <cstring>
#pragma clang force_cuda_host_device end

extern "C" {
__attribute__((device)) int printf(const char*, ...);
__attribute__((device)) int vprintf(const char*, __builtin_va_list);
__attribute__((device)) void* malloc(size_t);
__attribute__((device)) void free(void*);
__attribute__((device)) clock_t clock();
}

#if __cplusplus > 201703L && __clang_major__ < 15
// Behind a precompiled preamble, as clangd makes one, clang 14 no longer sees the host's `operator delete(void*)` in the bodies of
// templates. To a call that sees it this one is the worse.
struct simtlab_no_argument;
__attribute__((host, device)) void operator delete(void*, simtlab_no_argument* = nullptr) noexcept;
#endif
