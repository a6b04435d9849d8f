// A text as the translator leaves it.
#pragma once

#include <string>

#include "translator/source_translator.h"

namespace simtlab::emulator {

inline std::string translated(const std::string& source) { return translate_source(source, "a.cu"); }

}  // namespace simtlab::emulator
