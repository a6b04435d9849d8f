// What the names of CUDA's types promise: the alignment that an access through a cast pointer has to have.
#pragma once

#include <string_view>

namespace simtlab::emulator {

/// The alignment of the type in `MEM[(struct float4 *)&arr + 4B]`, as g++ names an access at a place that it knows; 0 if
/// the object has no such name, or names a type that is none of the language's or of CUDA's vectors.
[[nodiscard]] unsigned alignment_of_cast(std::string_view object);

}  // namespace simtlab::emulator
