#include <heat/checksum.h>
unsigned heat_checksum(const void* data, unsigned long bytes) {
  const unsigned char* at = data;
  unsigned sum = 2166136261u;
  for (unsigned long i = 0; i < bytes; ++i) sum = (sum ^ at[i]) * 16777619u;
  return sum;
}
