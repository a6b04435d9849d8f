// Writes a result of its own and leaves: the judge must not take it for one.
#include <unistd.h>

#include <cstdio>
void scale(const float* input, float* output, int rows, int cols);
void scale(const float*, float*, int, int) {
  if (std::FILE* f = std::fopen("result.json", "w")) {
    std::fputs("{\"format\": \"simtlab-result\", \"version\": 1, \"ended\": \"returned\", \"score\": 100}", f);
    std::fclose(f);
  }
  _exit(0);
}
