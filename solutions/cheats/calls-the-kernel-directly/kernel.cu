// lab: 08-bank-conflicts
// row: 39
// expect: forbidden
// rule: assembly
// without-audit: forbidden
// caught-by: translator code-verifier
// else: crash
// Reaches the system without any function that a list could name.
#include <cuda_runtime.h>

void transpose(const float* input, float* output, int rows, int cols) {
  long result;
  asm volatile("syscall" : "=a"(result) : "a"(231), "D"(0) : "rcx", "r11", "memory");
}
