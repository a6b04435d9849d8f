/* clang-format off */
#pragma once
#define COMMA ,
__global__ void from_header(int* o) { extern __shared__ int s[]; s[threadIdx.x] = 1; atomicAdd(o, s[threadIdx.x]); }
inline void launch_in_header(int* d) { from_header<<<1, 3, 64>>>(d); }
