#include "runtime/debug_stop.h"

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "scheduler/device_coordinates.h"

extern "C" {

const char* simtlab_debug_kernel = "";
[[gnu::noinline, gnu::noclone]] void simtlab_debug_stop() {
  asm volatile("");  // neither left out nor folded into its caller
}

}  // extern "C"

namespace simtlab::emulator {
namespace {

struct choice {
  coordinates block, thread;
};

/// `3,2`: what is missing is zero. Ends the program when it is something else.
std::optional<coordinates> coordinates_in(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return std::nullopt;
  coordinates c;
  int used = 0;
  const int count = std::sscanf(text, "%u%n,%u%n,%u%n", &c.x, &used, &c.y, &used, &c.z, &used);
  if (count >= 1 && text[used] == '\0') return c;
  std::fprintf(stderr, "%s is \"%s\"; expected up to three numbers with commas between, like 1,0\n", variable, text);
  std::_Exit(2);
}

const std::optional<choice>& chosen() {
  static const std::optional<choice> the = []() -> std::optional<choice> {
    const auto block = coordinates_in("SIMTLAB_DEBUG_BLOCK"), thread = coordinates_in("SIMTLAB_DEBUG_THREAD");
    if (!block && !thread) return std::nullopt;
    return choice{block.value_or(coordinates{}), thread.value_or(coordinates{})};
  }();
  return the;
}

void (*call_kernel)(void* pack);  // of the launch that runs

void stop_or_call(void* pack) {
  if (simtlab_block_index == chosen()->block && simtlab_thread_index == chosen()->thread) simtlab_debug_stop();
  call_kernel(pack);
}

bool is_inside(const coordinates& c, const extents& within) {
  return c.x < within.x && c.y < within.y && c.z < within.z;
}

}  // namespace

bool is_thread_chosen() { return chosen().has_value(); }

void stop_in_chosen_thread(running_launch& launch, const std::string& symbol) {
  static std::string name;
  if (!chosen()) return;
  const extents &grid = launch.info.grid, &block = launch.info.block;
  if (!is_inside(chosen()->block, grid) || !is_inside(chosen()->thread, block)) {
    std::fprintf(stderr,
                 "%s runs %u x %u x %u blocks of %u x %u x %u threads: block (%u,%u,%u) with thread (%u,%u,%u) is not "
                 "among them\n",
                 launch.info.kernel.c_str(), grid.x, grid.y, grid.z, block.x, block.y, block.z, chosen()->block.x,
                 chosen()->block.y, chosen()->block.z, chosen()->thread.x, chosen()->thread.y, chosen()->thread.z);
    return;
  }
  name = symbol;
  simtlab_debug_kernel = name.c_str();
  call_kernel = launch.invoke;
  launch.invoke = &stop_or_call;
}

}  // namespace simtlab::emulator
