#include "runtime/graph_handles.h"

#include <algorithm>
#include <string>

namespace simtlab::emulator {

void report_handle(device& d, const api_caller& caller, const char* kind, const char* maker) {
  d.report_host(rule::invalid_address, caller.where, "",
                std::string(caller.function) + ": this is no " + kind + " that " + maker +
                    " made, or it was destroyed. Is its variable set, and did the call that makes it succeed?");
}

CUgraph_st* graph_of(device& d, const api_caller& caller, cudaGraph_t graph) {
  if (const auto found = graph_tables::instance().find(graph); found != nullptr) return found.get();
  report_handle(d, caller, "graph", "cudaGraphCreate or cudaStreamEndCapture");
  return nullptr;
}

CUgraphExec_st* instance_of(device& d, const api_caller& caller, cudaGraphExec_t exec) {
  const auto& instances = graph_tables::instance().instances;
  if (const auto found = instances.find(exec); found != instances.end()) return found->second.get();
  report_handle(d, caller, "graph's instance", "cudaGraphInstantiate");
  return nullptr;
}

CUgraphNode_st* node_of(device& d, const api_caller& caller, cudaGraphNode_t node) {
  for (const auto& graph : graph_tables::instance().all_graphs())
    for (const auto& n : graph->nodes)
      if (n.get() == node) return n.get();
  report_handle(d, caller, "node", "a call of cudaGraphAdd…");
  return nullptr;
}

CUgraphNode_st* node_in(device& d, const api_caller& caller, cudaGraphExec_t exec, cudaGraphNode_t node) {
  const CUgraphExec_st* const instance = instance_of(d, caller, exec);
  if (instance == nullptr) return nullptr;
  if (const auto made = instance->made_of.find(node); made != instance->made_of.end()) return made->second;
  report_handle(d, caller, "node", "a call of cudaGraphAdd… with this instance's graph");
  return nullptr;
}

error_code read_nodes(device& d, const api_caller& caller, const CUgraph_st& graph, const cudaGraphNode_t* listed,
                      std::size_t count, node_list& nodes) {
  if (!caller.may_read(d, listed, count * sizeof(cudaGraphNode_t)) || (listed == nullptr && count > 0))
    return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < count; ++i) {
    if (!graph.holds(listed[i])) {
      report_handle(d, caller, "node", "a call of cudaGraphAdd… with this graph");
      return cudaErrorInvalidValue;
    }
    nodes.push_back(listed[i]);
  }
  return cudaSuccess;
}

error_code store_nodes(device& d, const api_caller& caller, const node_list& all, cudaGraphNode_t* to,
                       std::size_t room) {
  if (!caller.may_store(d, to, room * sizeof(cudaGraphNode_t))) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < room; ++i) to[i] = i < all.size() ? const_cast<cudaGraphNode_t>(all[i]) : nullptr;
  return cudaSuccess;
}

error_code give_nodes(device& d, const api_caller& caller, const node_list& all, cudaGraphNode_t* to,
                      std::size_t* count) {
  if (!caller.may_set(d, count)) return cudaErrorInvalidValue;
  const std::size_t room = to == nullptr ? 0 : *count;
  if (const error_code e = store_nodes(d, caller, all, to, room); e != cudaSuccess) return e;
  *count = to == nullptr ? all.size() : std::min(room, all.size());
  return cudaSuccess;
}

}  // namespace simtlab::emulator
