#pragma once

__device__ __forceinline__ void store(float* where) {
  where[1] = 4;  // line: write in a header
}
