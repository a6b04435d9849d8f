// The vector types of CUDA with CUDA's sizes and alignments. They are trivially copyable without a user's copy
// constructor, so that one copy of a float4 is one access of 16 bytes.
#pragma once  // IWYU pragma: private, include <cuda_runtime.h>
#pragma GCC system_header
#define __VECTOR_TYPES_H__  // the toolkit's guard, for headers that look for it

struct char1 {
  signed char x;
};
struct uchar1 {
  unsigned char x;
};
struct alignas(2) char2 {
  signed char x, y;
};
struct alignas(2) uchar2 {
  unsigned char x, y;
};
struct char3 {
  signed char x, y, z;
};
struct uchar3 {
  unsigned char x, y, z;
};
struct alignas(4) char4 {
  signed char x, y, z, w;
};
struct alignas(4) uchar4 {
  unsigned char x, y, z, w;
};

struct short1 {
  short x;
};
struct ushort1 {
  unsigned short x;
};
struct alignas(4) short2 {
  short x, y;
};
struct alignas(4) ushort2 {
  unsigned short x, y;
};
struct short3 {
  short x, y, z;
};
struct ushort3 {
  unsigned short x, y, z;
};
struct alignas(8) short4 {
  short x, y, z, w;
};
struct alignas(8) ushort4 {
  unsigned short x, y, z, w;
};

struct int1 {
  int x;
};
struct uint1 {
  unsigned int x;
};
struct alignas(8) int2 {
  int x, y;
};
struct alignas(8) uint2 {
  unsigned int x, y;
};
struct int3 {
  int x, y, z;
};
struct uint3 {
  unsigned int x, y, z;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(16) uint4 {
  unsigned int x, y, z, w;
};

struct long1 {
  long int x;
};
struct ulong1 {
  unsigned long x;
};
struct alignas(2 * sizeof(long)) long2 {
  long int x, y;
};
struct alignas(2 * sizeof(long)) ulong2 {
  unsigned long int x, y;
};
struct long3 {
  long int x, y, z;
};
struct ulong3 {
  unsigned long int x, y, z;
};
struct alignas(16) long4 {
  long int x, y, z, w;
};
struct alignas(16) ulong4 {
  unsigned long int x, y, z, w;
};

struct longlong1 {
  long long int x;
};
struct ulonglong1 {
  unsigned long long int x;
};
struct alignas(16) longlong2 {
  long long int x, y;
};
struct alignas(16) ulonglong2 {
  unsigned long long int x, y;
};
struct longlong3 {
  long long int x, y, z;
};
struct ulonglong3 {
  unsigned long long int x, y, z;
};
struct alignas(16) longlong4 {
  long long int x, y, z, w;
};
struct alignas(16) ulonglong4 {
  unsigned long long int x, y, z, w;
};

struct float1 {
  float x;
};
struct alignas(8) float2 {
  float x, y;
};
struct float3 {
  float x, y, z;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct double1 {
  double x;
};
struct alignas(16) double2 {
  double x, y;
};
struct double3 {
  double x, y, z;
};
struct alignas(16) double4 {
  double x, y, z, w;
};

// Four numbers of 64 bits with the alignment in their name, which CUDA 13 wants in place of those without one.
struct alignas(16) long4_16a {
  long int x, y, z, w;
};
struct alignas(32) long4_32a {
  long int x, y, z, w;
};
struct alignas(16) ulong4_16a {
  unsigned long int x, y, z, w;
};
struct alignas(32) ulong4_32a {
  unsigned long int x, y, z, w;
};
struct alignas(16) longlong4_16a {
  long long int x, y, z, w;
};
struct alignas(32) longlong4_32a {
  long long int x, y, z, w;
};
struct alignas(16) ulonglong4_16a {
  unsigned long long int x, y, z, w;
};
struct alignas(32) ulonglong4_32a {
  unsigned long long int x, y, z, w;
};
struct alignas(16) double4_16a {
  double x, y, z, w;
};
struct alignas(32) double4_32a {
  double x, y, z, w;
};

/// Extents of a grid or a block; what is left out is 1.
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};
