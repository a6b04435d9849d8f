// lab: 08-bank-conflicts
// row: 22
// expect: forbidden
// rule: function
// without-audit: crash
// caught-by: outputs
// else: crash
// Writes a verdict to every descriptor that it may have inherited, and leaves.
#include <cuda_runtime.h>

extern "C" long write(int descriptor, const void* bytes, unsigned long count);
extern "C" void _exit(int status);

void transpose(const float* input, float* output, int rows, int cols) {
  static const char verdict[] = "{\"verdict\": \"pass\", \"score\": 100}\n";
  for (int descriptor = 1; descriptor < 32; ++descriptor) write(descriptor, verdict, sizeof verdict - 1);
  _exit(0);
}
