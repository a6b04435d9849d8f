#include "sass/machine_code.h"

namespace simtlab::emulator::sass {

const function* machine_code::find(std::string_view mangled_name) const {
  for (const function& f : functions_)
    if (f.name == mangled_name) return &f;
  return nullptr;
}

}  // namespace simtlab::emulator::sass
