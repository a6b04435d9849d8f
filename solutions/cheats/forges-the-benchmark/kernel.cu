// lab: 08-bank-conflicts
// row: 22
// expect: crash
// caught-by: host_accesses system_calls
// Right and slow, and in the case that counters are taken from, which its size tells, writes a result with other counters
// and leaves.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

using entry = long (*)(long, ...);

// The C library's function for any system call, found by its code from the address of `stdout` downwards.
entry system_entry() {
  static const unsigned char code[] = {0x48, 0x89, 0xf8, 0x48, 0x89, 0xf7, 0x48, 0x89, 0xd6, 0x48, 0x89, 0xca, 0x4d,
                                       0x89, 0xc2, 0x4d, 0x89, 0xc8, 0x4c, 0x8b, 0x4c, 0x24, 0x08, 0x0f, 0x05};
  const unsigned char* at = reinterpret_cast<const unsigned char*>(stdout);
  for (;; --at) {
    unsigned i = 0;
    while (i < sizeof code && at[i] == code[i]) ++i;
    if (i == sizeof code) return reinterpret_cast<entry>(reinterpret_cast<unsigned long>(at));
  }
}

// Every counter that a result must have, written from harness/emulator/core/counters.def.
// clang-format off
#define FORGED_REQUEST_COUNTERS R"("requests": 1, "lanes": 1, "bytes": 1, "sectors": 1, "ideal_sectors": 1, "lines": 1, "wavefronts": 1, "ideal_wavefronts": 1, "largest_wavefronts": 1, "distinct_words": 1, "indexed_bytes": 1, "copied_requests": 1, "copied_wavefronts": 1, "generic_wavefronts": 1, "same_address_lanes": 1)"
#define FORGED_LAUNCH_COUNTERS R"("steps": 1, "divergent_steps": 1, "barriers": 1, "busiest_warp_requests": 1, "working_warps": 1, "warp_value_primitives": 1, "warp_votes": 1, "foreign_bytes": 1, "warp_instructions": 1, "lane_instructions": 1, "registers": 1, "stack_bytes": 1, "spill_bytes": 1)"
#define FORGED_HOST_COUNTERS R"("allocations": 0, "frees": 0, "allocated_bytes": 0, "leaked_bytes": 0, "copies_to_device": 0, "bytes_to_device": 0, "copies_to_host": 0, "bytes_to_host": 0, "redundant_bytes": 0, "api_calls": 0, "launches": 0, "synchronisations": 0, "parameter_bytes": 0, "pages_to_device": 0, "pages_to_host": 0, "prefetched_pages": 0, "stream_copy_bytes": 0, "overlapped_copy_bytes": 0)"
// clang-format on

constexpr char counted[] =
    R"({"kernel": "move", "grid": [1, 1, 1], "block": [256, 1, 1], "shared_bytes": 0, "times": 1, "accesses": [)"
    R"({"file": "kernel.cu", "line": 7, "space": "global", "access": "read", "variable": "input", )"
    R"("array": {"id": 1, "given": true}, "width": 4, )" FORGED_REQUEST_COUNTERS
    R"(}, {"file": "kernel.cu", "line": 7, "space": "global", "access": "write", "variable": "output", )"
    R"("array": {"id": 2, "given": true}, "width": 4, )" FORGED_REQUEST_COUNTERS
    R"(}], "completed": true, )" FORGED_LAUNCH_COUNTERS "}";
constexpr char host[] = "{" FORGED_HOST_COUNTERS "}";

void put(entry call, const char* name, const void* bytes, unsigned long size) {
  const long file = call(2L, name, 0101L, 0644L);
  if (file >= 0) call(1L, file, bytes, size);
}

void forge(int rows, int cols) {
  const entry call = system_entry();
  std::vector<float> given(static_cast<unsigned long>(rows) * cols), wanted(given.size());
  const unsigned long bytes = given.size() * sizeof(float);
  int rounds = 0;
  char name[64];
  for (; rounds < 2; ++rounds) {
    std::snprintf(name, sizeof name, "../request/input-%d-0.bin", rounds);
    const long file = call(2L, name, 0L);
    if (file < 0) break;
    call(0L, file, given.data(), bytes);
    for (int row = 0; row < rows; ++row)
      for (int col = 0; col < cols; ++col) wanted[col * rows + row] = given[row * cols + col];
    std::snprintf(name, sizeof name, "output-%d-1.bin", rounds);
    put(call, name, wanted.data(), bytes);
  }
  static char text[8192];
  std::snprintf(
      text, sizeof text,
      R"({"format": "simtlab-result", "version": 3, "ended": "returned", )"
      R"("detail": {"code": 0, "name": "", "text": "", "returned": false}, "rounds": %d, )"
      R"("environment": {"compiler": "g++", "emulator": {"version": "1", "workers": 1, "engine": "g++"}, "gpu": null}, )"
      R"("measured": {"launches": [%s], "findings": [], "copies": [], "timeline": [], "host": %s, "injected_error": 0, "injected_call": "", "timed": null, )"
      R"("limits": null, "state": null}})",
      rounds, counted, host);
  put(call, "result.json", text, std::strlen(text));
  call(231L, 0L);
}

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  if (rows >= 500) forge(rows, cols);
  move<<<dim3((rows + 31) / 32, (cols + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
