#include "sass/surroundings.h"

#include <string>

#include "sass/block_runner.h"

namespace simtlab::emulator::sass {

std::uint64_t surroundings::call(const device_call& c) {
  throw machine_fault(machine_fault::reason::call, c.where,
                      "the kernel calls " + std::string(c.name) +
                          ", which nobody offers to machine code; run it without --engine sass");
}

void surroundings::fetch(const texture_fetch& f, fetched_texels&) {
  throw machine_fault(machine_fault::reason::call, f.where,
                      "the kernel reads a texture, which nobody offers to machine code; run it without --engine sass");
}

}  // namespace simtlab::emulator::sass
