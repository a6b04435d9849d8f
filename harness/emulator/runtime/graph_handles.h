// A program's handles of graphs, their instances and nodes, and lists of nodes in its memory.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/graph.h"

namespace simtlab::emulator {

using node_list = std::vector<const CUgraphNode_st*>;

void report_handle(device&, const api_caller&, const char* kind, const char* maker);
/// Null after a report.
[[nodiscard]] CUgraph_st* graph_of(device&, const api_caller&, cudaGraph_t);
[[nodiscard]] CUgraphExec_st* instance_of(device&, const api_caller&, cudaGraphExec_t);
[[nodiscard]] CUgraphNode_st* node_of(device&, const api_caller&, cudaGraphNode_t);
/// What the instance made of its graph's node.
[[nodiscard]] CUgraphNode_st* node_in(device&, const api_caller&, cudaGraphExec_t, cudaGraphNode_t);
/// Nodes of the graph that the program lists; an error number if they are not.
[[nodiscard]] error_code read_nodes(device&, const api_caller&, const CUgraph_st&, const cudaGraphNode_t* listed,
                                    std::size_t count, node_list& nodes);

/// As many of the nodes as there is room for; null behind them.
[[nodiscard]] error_code store_nodes(device&, const api_caller&, const node_list& all, cudaGraphNode_t* to,
                                     std::size_t room);
/// The same, and how many there are; `to` may be null.
[[nodiscard]] error_code give_nodes(device&, const api_caller&, const node_list& all, cudaGraphNode_t* to,
                                    std::size_t* count);

}  // namespace simtlab::emulator
