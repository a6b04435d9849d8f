// A graph in the language of Graphviz, as cudaGraphDebugDotPrint writes it.
#pragma once

#include <functional>
#include <string>

#include "runtime/graph.h"

namespace simtlab::emulator {

/// A node's name is its place in the graph. `verbose`: also the shapes of launches. `name_of` gives the name of a kernel.
[[nodiscard]] std::string dot_text(const CUgraph_st&, bool verbose,
                                   const std::function<std::string(const void*)>& name_of);

}  // namespace simtlab::emulator
