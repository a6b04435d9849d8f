// What wb/type.h declares.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "../type.h"

namespace simtlab_wb {

SIMTLAB_WB_FUNCTION void give_up(const char* file, const char* what) {
  fflush(stdout);
  if (file != nullptr)
    fprintf(stderr, "wb.h: %s: %s\n", file, what);
  else
    fprintf(stderr, "wb.h: %s\n", what);
  exit(1);
}

SIMTLAB_WB_FUNCTION void* allocate(size_t bytes) {
  void* const memory = malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) give_up(nullptr, "there is not enough memory on the host");
  return memory;
}

SIMTLAB_WB_FUNCTION void assert_that(bool holds, const char* text, const char* file, int line) {
  if (holds) return;
  fflush(stdout);
  fprintf(stderr, "%s:%d: wbAssert(%s) does not hold\n", file, line, text);
  abort();
}

}  // namespace simtlab_wb
