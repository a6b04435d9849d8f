// nvcuda::wmma: fragments of matrices that a warp holds together, loaded, multiplied and stored by all of its 32 lanes.
//
// A lane has elements that lie side by side in the fragment's memory, 16 bytes of them an access, so that a load costs as many
// sectors as the fragment's rows have. Which element stands where in `x` is the library's own affair, as in CUDA. Products are the
// host's: of half, bfloat16 and tf32 exact, summed up in float one after the other, where a tensor core adds several at a time, so
// that last digits may differ; of 8-bit integers exact.
#pragma once
#ifndef __clang__  // device_functions.h
#pragma GCC system_header
#endif
#define __CUDA_MMA_H__  // the toolkit's guard, for headers that look for it

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "device_launch_parameters.h"
#include "simtlab/emulator_entry.h"

#define SIMTLAB_MMA __device__ inline __attribute__((always_inline, artificial))

namespace nvcuda::wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

SIMTLAB_MMA float __float_to_tf32(float x) {  // to the nearest, from the middle away from 0
  const uint32_t bits = __builtin_bit_cast(uint32_t, x);
  return (bits >> 23 & 255) == 255 ? x : __builtin_bit_cast(float, (bits + 0x1000u) & 0xffffe000u);
}

}  // namespace nvcuda::wmma

namespace simtlab::wmma {

using nvcuda::wmma::accumulator;
using nvcuda::wmma::col_major;
using nvcuda::wmma::matrix_a;
using nvcuda::wmma::matrix_b;
using nvcuda::wmma::row_major;
using nvcuda::wmma::precision::tf32;

template <class T>
struct storage {
  using type = T;
};
template <>
struct storage<tf32> {
  using type = float;
};

/// Rows and columns of a part of a product of M x K by K x N.
template <class Use, int Height, int Width, int Depth>
constexpr int rows_of = std::is_same<Use, matrix_b>::value ? Depth : Height;
template <class Use, int Height, int Width, int Depth>
constexpr int columns_of = std::is_same<Use, matrix_a>::value ? Depth : Width;

template <class Use, class T>
constexpr bool is_element() {
  if constexpr (std::is_same<Use, accumulator>::value)
    return std::is_same<T, float>::value || std::is_same<T, __half>::value || std::is_same<T, int>::value ||
           std::is_same<T, double>::value;
  else
    return std::is_same<T, __half>::value || std::is_same<T, __nv_bfloat16>::value ||
           std::is_same<T, signed char>::value || std::is_same<T, unsigned char>::value ||
           std::is_same<T, tf32>::value || std::is_same<T, double>::value;
}
template <int Height, int Width, int Depth, class T>
constexpr bool is_shape() {
  if (std::is_same<T, tf32>::value) return Height == 16 && Width == 16 && Depth == 8;
  if (std::is_same<T, double>::value) return Height == 8 && Width == 8 && Depth == 4;
  const bool is_usual =
      Depth == 16 && ((Height == 16 && Width == 16) || (Height == 32 && Width == 8) || (Height == 8 && Width == 32));
  return is_usual || (std::is_same<T, float>::value && Height == 16 && Width == 16 && Depth == 8);
}

template <class Use, int Height, int Width, int Depth, class T>
struct shape {
  static constexpr int rows = rows_of<Use, Height, Width, Depth>, columns = columns_of<Use, Height, Width, Depth>,
                       own = rows * columns / 32;
  /// Halves of a and b stand twice where a lane has fewer than 16 of its own.
  static constexpr int held = std::is_same<T, __half>::value && !std::is_same<Use, accumulator>::value ? 16 : own;
};

/// The place of a lane's element: consecutive ones are neighbours in a row, or in a column.
template <class Shape, bool InRows>
constexpr int row_of(int lane, int element) {
  const int place = lane * Shape::own + element;
  return InRows ? place / Shape::columns : place % Shape::rows;
}
template <class Shape, bool InRows>
constexpr int column_of(int lane, int element) {
  const int place = lane * Shape::own + element;
  return InRows ? place % Shape::columns : place / Shape::rows;
}

SIMTLAB_MMA int lane() {
  return static_cast<int>((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32);
}

template <size_t Bytes>
struct piece {
  typedef uint4 __attribute__((may_alias)) type;
};
template <>
struct piece<8> {
  typedef uint2 __attribute__((may_alias)) type;
};
template <>
struct piece<4> {
  typedef unsigned __attribute__((may_alias)) type;
};
template <size_t Bytes>
constexpr size_t piece_bytes = Bytes >= 16 ? 16 : Bytes;

/// A lane's elements, one after the other in memory.
template <int Own, class T>
SIMTLAB_MMA void load_pieces(T* x, const T* from) {
  constexpr size_t bytes = piece_bytes<Own * sizeof(T)>;
  using word = typename piece<bytes>::type;
#pragma GCC unroll 4
  for (size_t index = 0; index < Own * sizeof(T) / bytes; ++index) {
    const word w = reinterpret_cast<const word*>(from)[index];
    __builtin_memcpy(x + index * bytes / sizeof(T), &w, bytes);
  }
}
template <int Own, class T>
SIMTLAB_MMA void store_pieces(T* to, const T* x) {
  constexpr size_t bytes = piece_bytes<Own * sizeof(T)>;
  using word = typename piece<bytes>::type;
#pragma GCC unroll 4
  for (size_t index = 0; index < Own * sizeof(T) / bytes; ++index) {
    word w;
    __builtin_memcpy(&w, x + index * bytes / sizeof(T), bytes);
    reinterpret_cast<word*>(to)[index] = w;
  }
}

}  // namespace simtlab::wmma

namespace nvcuda::wmma {

template <class Use, int Height, int Width, int Depth, class T, class Layout = void>
class fragment {
  static_assert(simtlab::wmma::is_element<Use, T>(),
                "a fragment of wmma holds half, __nv_bfloat16, signed or unsigned char, precision::tf32 or double; an "
                "accumulator half, float, int or double");
  static_assert(simtlab::wmma::is_shape<Height, Width, Depth, T>(),
                "the shape of a wmma fragment is 16x16x16, 32x8x16 or 8x32x16, of tf32 16x16x8, of double 8x8x4");
  static_assert(std::is_same<Use, accumulator>::value == std::is_void<Layout>::value,
                "a fragment of matrix_a or matrix_b has a layout, row_major or col_major, and an accumulator none");

 public:
  using element_type = T;
  using storage_element_type = typename simtlab::wmma::storage<T>::type;
  enum { num_elements = simtlab::wmma::shape<Use, Height, Width, Depth, T>::held };
  enum { num_storage_elements = num_elements };
  storage_element_type x[num_elements];
};

}  // namespace nvcuda::wmma

namespace simtlab::wmma {

using nvcuda::wmma::fragment;

/// What all lanes give to a product.
template <class Left, class Right, class Before, class After>
struct operands {
  Left a;
  Right b;
  Before c;
  After d;
  bool saturates;
};
template <class Sum, class T>
SIMTLAB_NO_HOOKS inline Sum number(T x) {
  return static_cast<Sum>(x);
}
/// A tensor core reads the upper 19 bits of a tf32.
SIMTLAB_NO_HOOKS inline float of_tf32(float x) {
  return __builtin_bit_cast(float, __builtin_bit_cast(uint32_t, x) & 0xffffe000u);
}

template <int Height, int Width, int Depth, class Of, class AInRows, class BInRows, class TC, class TD, class Operands>
__attribute__((noinline)) SIMTLAB_NO_HOOKS void multiply(void* const* values) {
  using sum = std::conditional_t<std::is_same<TC, int>::value, int,
                                 std::conditional_t<std::is_same<TC, double>::value, double, float>>;
  using a_shape = shape<matrix_a, Height, Width, Depth, Of>;
  using b_shape = shape<matrix_b, Height, Width, Depth, Of>;
  using c_shape = shape<accumulator, Height, Width, Depth, TC>;
  sum a[Height][Depth], b[Width][Depth];
  for (int lane = 0; lane < 32; ++lane) {
    const auto& given = *static_cast<const Operands*>(values[lane]);
    for (int e = 0; e < a_shape::own; ++e) {
      sum x = number<sum>(given.a.x[e]);
      if constexpr (std::is_same<Of, tf32>::value) x = of_tf32(x);
      a[row_of<a_shape, AInRows::value>(lane, e)][column_of<a_shape, AInRows::value>(lane, e)] = x;
    }
    for (int e = 0; e < b_shape::own; ++e) {
      sum x = number<sum>(given.b.x[e]);
      if constexpr (std::is_same<Of, tf32>::value) x = of_tf32(x);
      b[column_of<b_shape, BInRows::value>(lane, e)][row_of<b_shape, BInRows::value>(lane, e)] = x;
    }
  }
  for (int lane = 0; lane < 32; ++lane) {
    auto& given = *static_cast<Operands*>(values[lane]);
    for (int e = 0; e < c_shape::own; ++e) {
      const int row = row_of<c_shape, true>(lane, e), column = column_of<c_shape, true>(lane, e);
      if constexpr (std::is_same<TC, int>::value) {
        int64_t whole = given.c.x[e];
        for (int step = 0; step < Depth; ++step) whole += int64_t{a[row][step]} * b[column][step];
        if (given.saturates) whole = whole < INT32_MIN ? INT32_MIN : whole > INT32_MAX ? INT32_MAX : whole;
        given.d.x[e] = static_cast<int>(static_cast<uint32_t>(whole));
      } else {
        sum total = number<sum>(given.c.x[e]);
        for (int step = 0; step < Depth; ++step) {
          if constexpr (std::is_same<TC, double>::value)
            total = fma(a[row][step], b[column][step], total);
          else
            total += a[row][step] * b[column][step];
        }
        given.d.x[e] = static_cast<TD>(total);
      }
    }
  }
}
/// By value, so that fragments stay a lane's own and no access to them is logged.
template <class After, int Height, int Width, int Depth, class Of, class AInRows, class BInRows, class TC, class TD,
          class Left, class Right, class Before>
__device__ __attribute__((noinline)) SIMTLAB_NO_HOOKS After product(Left a, Right b, Before c, bool saturates) {
  using all = operands<Left, Right, Before, After>;
  all given{a, b, c, {}, saturates};
  simtlab_together(&multiply<Height, Width, Depth, Of, AInRows, BInRows, TC, TD, all>, &given);
  return given.d;
}

}  // namespace simtlab::wmma

namespace nvcuda::wmma {

template <class Use, int Height, int Width, int Depth, class T, class Layout, class Value>
SIMTLAB_MMA void fill_fragment(fragment<Use, Height, Width, Depth, T, Layout>& to, const Value& value) {
  using element = typename fragment<Use, Height, Width, Depth, T, Layout>::storage_element_type;
#pragma GCC unroll 16
  for (int index = 0; index < to.num_elements; ++index) to.x[index] = static_cast<element>(value);
}

template <class Use, int Height, int Width, int Depth, class T, class Layout>
SIMTLAB_MMA void load_matrix_sync(
    fragment<Use, Height, Width, Depth, T, Layout>& to,
    const typename fragment<Use, Height, Width, Depth, T, Layout>::storage_element_type* from, unsigned stride) {
  static_assert(!std::is_void<Layout>::value,
                "an accumulator is loaded with mem_row_major or mem_col_major behind the stride");
  simtlab_whole_warp("load_matrix_sync");
  using shape = simtlab::wmma::shape<Use, Height, Width, Depth, T>;
  constexpr bool in_rows = std::is_same<Layout, row_major>::value;
  const int lane = simtlab::wmma::lane();
  const int row = simtlab::wmma::row_of<shape, in_rows>(lane, 0),
            column = simtlab::wmma::column_of<shape, in_rows>(lane, 0);
  const size_t offset = in_rows ? static_cast<size_t>(row) * stride + static_cast<size_t>(column)
                                : static_cast<size_t>(column) * stride + static_cast<size_t>(row);
  simtlab::wmma::load_pieces<shape::own>(to.x, from + offset);
#pragma GCC unroll 16
  for (int index = shape::own; index < to.num_elements; ++index) to.x[index] = to.x[index - shape::own];
}
template <int Height, int Width, int Depth, class T>
SIMTLAB_MMA void load_matrix_sync(fragment<accumulator, Height, Width, Depth, T>& to, const T* from, unsigned stride,
                                  layout_t layout) {
  simtlab_whole_warp("load_matrix_sync");
  using shape = simtlab::wmma::shape<accumulator, Height, Width, Depth, T>;
  const int lane = simtlab::wmma::lane();
  const auto row = static_cast<size_t>(simtlab::wmma::row_of<shape, true>(lane, 0));
  const auto column = static_cast<size_t>(simtlab::wmma::column_of<shape, true>(lane, 0));
  if (layout == mem_row_major) {
    simtlab::wmma::load_pieces<shape::own>(to.x, from + row * stride + column);
  } else {
#pragma GCC unroll 8
    for (int index = 0; index < shape::own; ++index)
      to.x[index] = from[(column + static_cast<size_t>(index)) * stride + row];
  }
}
template <int Height, int Width, int Depth, class T>
SIMTLAB_MMA void store_matrix_sync(T* to, const fragment<accumulator, Height, Width, Depth, T>& from, unsigned stride,
                                   layout_t layout) {
  simtlab_whole_warp("store_matrix_sync");
  using shape = simtlab::wmma::shape<accumulator, Height, Width, Depth, T>;
  const int lane = simtlab::wmma::lane();
  const auto row = static_cast<size_t>(simtlab::wmma::row_of<shape, true>(lane, 0));
  const auto column = static_cast<size_t>(simtlab::wmma::column_of<shape, true>(lane, 0));
  if (layout == mem_row_major) {
    simtlab::wmma::store_pieces<shape::own>(to + row * stride + column, from.x);
  } else {
#pragma GCC unroll 8
    for (int index = 0; index < shape::own; ++index)
      to[(column + static_cast<size_t>(index)) * stride + row] = from.x[index];
  }
}

/// d = a * b + c; d may be c.
template <int Height, int Width, int Depth, class T, class ALayout, class BLayout, class TC, class TD>
SIMTLAB_MMA void mma_sync(fragment<accumulator, Height, Width, Depth, TD>& d,
                          const fragment<matrix_a, Height, Width, Depth, T, ALayout>& a,
                          const fragment<matrix_b, Height, Width, Depth, T, BLayout>& b,
                          const fragment<accumulator, Height, Width, Depth, TC>& c, bool satf = false) {
  constexpr bool of_bytes = std::is_same<T, signed char>::value || std::is_same<T, unsigned char>::value;
  static_assert(of_bytes                         ? std::is_same<TC, int>::value && std::is_same<TD, int>::value
                : std::is_same<T, double>::value ? std::is_same<TC, double>::value && std::is_same<TD, double>::value
                : std::is_same<T, __half>::value
                    ? (std::is_same<TC, float>::value || std::is_same<TC, __half>::value) &&
                          (std::is_same<TD, float>::value || std::is_same<TD, __half>::value)
                    : std::is_same<TC, float>::value && std::is_same<TD, float>::value,
                "mma_sync sums up half in half or float, __nv_bfloat16 and tf32 in float, 8-bit integers in int, "
                "double in double");
  simtlab_whole_warp("mma_sync");
  d = simtlab::wmma::product<fragment<accumulator, Height, Width, Depth, TD>, Height, Width, Depth, T,
                             std::is_same<ALayout, row_major>, std::is_same<BLayout, row_major>, TC, TD>(a, b, c, satf);
}

}  // namespace nvcuda::wmma

#undef SIMTLAB_MMA
