// make_int2(x, y) and its like for every vector type.
#pragma once  // IWYU pragma: private, include <cuda_runtime.h>
#pragma GCC system_header
#define __VECTOR_FUNCTIONS_H__  // the toolkit's guard, for headers that look for it

#include "vector_types.h"

#ifdef __cplusplus
#define SIMTLAB_MAKE constexpr inline __attribute__((always_inline, artificial))
#define SIMTLAB_OF(type) type
#else
#define SIMTLAB_MAKE static inline __attribute__((always_inline, unused))
#define SIMTLAB_OF(type) (type)
#endif
SIMTLAB_MAKE char1 make_char1(signed char x) { return SIMTLAB_OF(char1){x}; }
SIMTLAB_MAKE char2 make_char2(signed char x, signed char y) { return SIMTLAB_OF(char2){x, y}; }
SIMTLAB_MAKE char3 make_char3(signed char x, signed char y, signed char z) { return SIMTLAB_OF(char3){x, y, z}; }
SIMTLAB_MAKE char4 make_char4(signed char x, signed char y, signed char z, signed char w) {
  return SIMTLAB_OF(char4){x, y, z, w};
}
SIMTLAB_MAKE uchar1 make_uchar1(unsigned char x) { return SIMTLAB_OF(uchar1){x}; }
SIMTLAB_MAKE uchar2 make_uchar2(unsigned char x, unsigned char y) { return SIMTLAB_OF(uchar2){x, y}; }
SIMTLAB_MAKE uchar3 make_uchar3(unsigned char x, unsigned char y, unsigned char z) {
  return SIMTLAB_OF(uchar3){x, y, z};
}
SIMTLAB_MAKE uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) {
  return SIMTLAB_OF(uchar4){x, y, z, w};
}
SIMTLAB_MAKE short1 make_short1(short x) { return SIMTLAB_OF(short1){x}; }
SIMTLAB_MAKE short2 make_short2(short x, short y) { return SIMTLAB_OF(short2){x, y}; }
SIMTLAB_MAKE short3 make_short3(short x, short y, short z) { return SIMTLAB_OF(short3){x, y, z}; }
SIMTLAB_MAKE short4 make_short4(short x, short y, short z, short w) { return SIMTLAB_OF(short4){x, y, z, w}; }
SIMTLAB_MAKE ushort1 make_ushort1(unsigned short x) { return SIMTLAB_OF(ushort1){x}; }
SIMTLAB_MAKE ushort2 make_ushort2(unsigned short x, unsigned short y) { return SIMTLAB_OF(ushort2){x, y}; }
SIMTLAB_MAKE ushort3 make_ushort3(unsigned short x, unsigned short y, unsigned short z) {
  return SIMTLAB_OF(ushort3){x, y, z};
}
SIMTLAB_MAKE ushort4 make_ushort4(unsigned short x, unsigned short y, unsigned short z, unsigned short w) {
  return SIMTLAB_OF(ushort4){x, y, z, w};
}
SIMTLAB_MAKE int1 make_int1(int x) { return SIMTLAB_OF(int1){x}; }
SIMTLAB_MAKE int2 make_int2(int x, int y) { return SIMTLAB_OF(int2){x, y}; }
SIMTLAB_MAKE int3 make_int3(int x, int y, int z) { return SIMTLAB_OF(int3){x, y, z}; }
SIMTLAB_MAKE int4 make_int4(int x, int y, int z, int w) { return SIMTLAB_OF(int4){x, y, z, w}; }
SIMTLAB_MAKE uint1 make_uint1(unsigned int x) { return SIMTLAB_OF(uint1){x}; }
SIMTLAB_MAKE uint2 make_uint2(unsigned int x, unsigned int y) { return SIMTLAB_OF(uint2){x, y}; }
SIMTLAB_MAKE uint3 make_uint3(unsigned int x, unsigned int y, unsigned int z) { return SIMTLAB_OF(uint3){x, y, z}; }
SIMTLAB_MAKE uint4 make_uint4(unsigned int x, unsigned int y, unsigned int z, unsigned int w) {
  return SIMTLAB_OF(uint4){x, y, z, w};
}
SIMTLAB_MAKE long1 make_long1(long int x) { return SIMTLAB_OF(long1){x}; }
SIMTLAB_MAKE long2 make_long2(long int x, long int y) { return SIMTLAB_OF(long2){x, y}; }
SIMTLAB_MAKE long3 make_long3(long int x, long int y, long int z) { return SIMTLAB_OF(long3){x, y, z}; }
SIMTLAB_MAKE long4 make_long4(long int x, long int y, long int z, long int w) { return SIMTLAB_OF(long4){x, y, z, w}; }
SIMTLAB_MAKE ulong1 make_ulong1(unsigned long int x) { return SIMTLAB_OF(ulong1){x}; }
SIMTLAB_MAKE ulong2 make_ulong2(unsigned long int x, unsigned long int y) { return SIMTLAB_OF(ulong2){x, y}; }
SIMTLAB_MAKE ulong3 make_ulong3(unsigned long int x, unsigned long int y, unsigned long int z) {
  return SIMTLAB_OF(ulong3){x, y, z};
}
SIMTLAB_MAKE ulong4 make_ulong4(unsigned long int x, unsigned long int y, unsigned long int z, unsigned long int w) {
  return SIMTLAB_OF(ulong4){x, y, z, w};
}
SIMTLAB_MAKE longlong1 make_longlong1(long long int x) { return SIMTLAB_OF(longlong1){x}; }
SIMTLAB_MAKE longlong2 make_longlong2(long long int x, long long int y) { return SIMTLAB_OF(longlong2){x, y}; }
SIMTLAB_MAKE longlong3 make_longlong3(long long int x, long long int y, long long int z) {
  return SIMTLAB_OF(longlong3){x, y, z};
}
SIMTLAB_MAKE longlong4 make_longlong4(long long int x, long long int y, long long int z, long long int w) {
  return SIMTLAB_OF(longlong4){x, y, z, w};
}
SIMTLAB_MAKE ulonglong1 make_ulonglong1(unsigned long long int x) { return SIMTLAB_OF(ulonglong1){x}; }
SIMTLAB_MAKE ulonglong2 make_ulonglong2(unsigned long long int x, unsigned long long int y) {
  return SIMTLAB_OF(ulonglong2){x, y};
}
SIMTLAB_MAKE ulonglong3 make_ulonglong3(unsigned long long int x, unsigned long long int y, unsigned long long int z) {
  return SIMTLAB_OF(ulonglong3){x, y, z};
}
SIMTLAB_MAKE ulonglong4 make_ulonglong4(unsigned long long int x, unsigned long long int y, unsigned long long int z,
                                        unsigned long long int w) {
  return SIMTLAB_OF(ulonglong4){x, y, z, w};
}
SIMTLAB_MAKE float1 make_float1(float x) { return SIMTLAB_OF(float1){x}; }
SIMTLAB_MAKE float2 make_float2(float x, float y) { return SIMTLAB_OF(float2){x, y}; }
SIMTLAB_MAKE float3 make_float3(float x, float y, float z) { return SIMTLAB_OF(float3){x, y, z}; }
SIMTLAB_MAKE float4 make_float4(float x, float y, float z, float w) { return SIMTLAB_OF(float4){x, y, z, w}; }
SIMTLAB_MAKE double1 make_double1(double x) { return SIMTLAB_OF(double1){x}; }
SIMTLAB_MAKE double2 make_double2(double x, double y) { return SIMTLAB_OF(double2){x, y}; }
SIMTLAB_MAKE double3 make_double3(double x, double y, double z) { return SIMTLAB_OF(double3){x, y, z}; }
SIMTLAB_MAKE double4 make_double4(double x, double y, double z, double w) { return SIMTLAB_OF(double4){x, y, z, w}; }
SIMTLAB_MAKE long4_16a make_long4_16a(long int x, long int y, long int z, long int w) {
  return SIMTLAB_OF(long4_16a){x, y, z, w};
}
SIMTLAB_MAKE long4_32a make_long4_32a(long int x, long int y, long int z, long int w) {
  return SIMTLAB_OF(long4_32a){x, y, z, w};
}
SIMTLAB_MAKE ulong4_16a make_ulong4_16a(unsigned long int x, unsigned long int y, unsigned long int z,
                                        unsigned long int w) {
  return SIMTLAB_OF(ulong4_16a){x, y, z, w};
}
SIMTLAB_MAKE ulong4_32a make_ulong4_32a(unsigned long int x, unsigned long int y, unsigned long int z,
                                        unsigned long int w) {
  return SIMTLAB_OF(ulong4_32a){x, y, z, w};
}
SIMTLAB_MAKE longlong4_16a make_longlong4_16a(long long int x, long long int y, long long int z, long long int w) {
  return SIMTLAB_OF(longlong4_16a){x, y, z, w};
}
SIMTLAB_MAKE longlong4_32a make_longlong4_32a(long long int x, long long int y, long long int z, long long int w) {
  return SIMTLAB_OF(longlong4_32a){x, y, z, w};
}
SIMTLAB_MAKE ulonglong4_16a make_ulonglong4_16a(unsigned long long int x, unsigned long long int y,
                                                unsigned long long int z, unsigned long long int w) {
  return SIMTLAB_OF(ulonglong4_16a){x, y, z, w};
}
SIMTLAB_MAKE ulonglong4_32a make_ulonglong4_32a(unsigned long long int x, unsigned long long int y,
                                                unsigned long long int z, unsigned long long int w) {
  return SIMTLAB_OF(ulonglong4_32a){x, y, z, w};
}
SIMTLAB_MAKE double4_16a make_double4_16a(double x, double y, double z, double w) {
  return SIMTLAB_OF(double4_16a){x, y, z, w};
}
SIMTLAB_MAKE double4_32a make_double4_32a(double x, double y, double z, double w) {
  return SIMTLAB_OF(double4_32a){x, y, z, w};
}
#undef SIMTLAB_OF
#undef SIMTLAB_MAKE
