#include "sass/machine_code.h"

namespace simtlab::emulator::sass {

std::shared_ptr<const machine_code> machine_code::load(std::span<const std::byte>, std::string_view) {
  throw unreadable_code("machine code cannot be read yet");
}

}  // namespace simtlab::emulator::sass
