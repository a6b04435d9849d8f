// lab: 08-bank-conflicts
// expect: pass
// Words of the system in comments and strings: asm("nop"); fork(); #line 5; __attribute__((constructor)).
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

/* asm volatile("syscall"); the emulator (simtlab) would not run it
#line 7 "somewhere.cu"
#include "/etc/passwd"
*/
static const char* const notes = "fork(), exit(0), asm(\"nop\"), __has_include, // #include <thread>";
static const char* const raw = R"(
# 1 "/usr/include/stdio.h" 1 3
#line 12
asm("nop"); simtlab_launch();
)";

#if 0
  this isn't code: asm("nop") and __attribute__((weak)) don't matter here
#endif

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  // the next line does not fork: \
     nor does this one, asm("nop");
  if (std::strlen(notes) + std::strlen(raw) < 2) std::puts(notes);
  const char quote = '"', million = char(1'000'000 % 2);  // "
  if (quote == million) return;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
