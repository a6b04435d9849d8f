// What a program asks of graphs, of their nodes and instances, and of captures. What is told by pointers lies in memory of the
// program's, as long as the node or the capture is there.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "include/cuda_runtime.h"
#include "runtime/api_call.h"
#include "runtime/graph_handles.h"
#include "runtime/graph_text.h"

using namespace simtlab::emulator;

namespace {

node_list nodes_of(const CUgraph_st& graph, bool roots_only) {
  node_list all;
  for (const auto& n : graph.nodes)
    if (!roots_only || n->after.empty()) all.push_back(n.get());
  return all;
}

cudaError_t ask_graph(const api_caller& caller, cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count,
                      bool roots_only) {
  return cuda_call(caller, [&](device& d) -> error_code {
    const CUgraph_st* const of = graph_of(d, caller, graph);
    return of == nullptr ? cudaErrorInvalidValue : give_nodes(d, caller, nodes_of(*of, roots_only), nodes, count);
  });
}

/// `tell(node, *to)` sets what the program asks of the node, or returns an error number where it is of another kind.
template <class T, class Tell>
cudaError_t ask_node(const api_caller& caller, cudaGraphNode_t node, T* to, Tell tell) {
  return cuda_call(caller, [&](device& d) -> error_code {
    CUgraphNode_st* const n = node_of(d, caller, node);
    if (n == nullptr || !caller.may_set(d, to)) return cudaErrorInvalidValue;
    return tell(*n, *to);
  });
}

cudaError_t ask_event(const api_caller& caller, cudaGraphNode_t node, cudaEvent_t* event, bool waits) {
  return ask_node(caller, node, event, [waits](const CUgraphNode_st& n, cudaEvent_t& to) -> error_code {
    const auto* const kept = std::get_if<kept_event>(&n.work);
    if (kept == nullptr || kept->is_wait != waits) return cudaErrorInvalidValue;
    to = kept->event;
    return cudaSuccess;
  });
}

/// As CUDA tells of a copy of one row: it has no pitch.
cudaMemcpy3DParms as_box(const kept_copy& c) {
  const bool is_one_row = c.shape.rows == 1;
  cudaMemcpy3DParms box{};
  box.dstPtr = {c.to, is_one_row ? 0 : c.shape.to_pitch, 0, 0};
  box.srcPtr = {const_cast<void*>(c.from), is_one_row ? 0 : c.shape.from_pitch, 0, 0};
  box.extent = {c.shape.bytes, c.shape.rows, 1};
  box.kind = c.kind;
  return box;
}

/// Only of kernels, copies and fills.
bool can_be_disabled(const CUgraphNode_st& node) {
  const cudaGraphNodeType type = node.type();
  return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy || type == cudaGraphNodeTypeMemset;
}

cudaStreamCaptureStatus status_of(const stream_captures::capture* c) {
  return c == nullptr    ? cudaStreamCaptureStatusNone
         : c->is_invalid ? cudaStreamCaptureStatusInvalidated
                         : cudaStreamCaptureStatusActive;
}

/// Sets `*to` if the program asks for it.
template <class T>
void tell_if_asked(T* to, T value) {
  if (to != nullptr) *to = value;
}

/// A path that the program gives; none where it ends in no memory of the program's.
std::string path_at(device& d, const api_caller& caller, const char* path) {
  std::string text;
  if (path == nullptr) return text;
  for (const char* at = path; caller.may_read(d, at, 1) && *at != 0; ++at) text += *at;
  return text;
}

}  // namespace

extern "C" {

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** after, const cudaGraphEdgeData** data,
                                     size_t* count) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
    const auto may = [&](auto* to) { return to == nullptr || caller.may_set(d, to); };
    if (!caller.may_set(d, status) || !may(id) || !may(graph) || !may(after) || !may(data) || !may(count))
      return cudaErrorInvalidValue;
    stream_captures::capture* const c = graph_tables::instance().captures.of(stream);
    *status = status_of(c);
    if (c == nullptr) return cudaSuccess;  // which leaves all else as it is
    node_list last = c->last.at(stream);
    std::ranges::sort(last);
    last.erase(std::unique(last.begin(), last.end()), last.end());
    // The nodes, and behind them what edges carry, which is nothing.
    auto* const memory = static_cast<cudaGraphNode_t*>(
        std::calloc(last.size() + 1, sizeof(cudaGraphNode_t) + sizeof(cudaGraphEdgeData)));  // NOLINT
    c->given = std::shared_ptr<void>(memory, [](void* p) { std::free(p); });                 // NOLINT
    std::ranges::transform(last, memory, [](const CUgraphNode_st* n) { return const_cast<cudaGraphNode_t>(n); });
    tell_if_asked(id, static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(c->graph.get())));
    tell_if_asked(graph, c->graph.get());
    tell_if_asked(after, static_cast<const cudaGraphNode_t*>(memory));
    tell_if_asked(data, reinterpret_cast<const cudaGraphEdgeData*>(memory + last.size()));
    tell_if_asked(count, last.size());
    return cudaSuccess;
  });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
    if (!caller.may_set(d, status)) return cudaErrorInvalidValue;
    *status = status_of(graph_tables::instance().captures.of(stream));
    return cudaSuccess;
  });
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* after, size_t count,
                                                unsigned flags) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
    if (flags > cudaStreamSetCaptureDependencies) return cudaErrorInvalidValue;
    stream_captures::capture* const c = graph_tables::instance().captures.of(stream);
    if (!caller.may_read(d, after, count * sizeof(cudaGraphNode_t))) return cudaErrorInvalidValue;
    if (c == nullptr) return cudaErrorIllegalState;
    node_list nodes;
    if (const error_code e = read_nodes(d, caller, *c->graph, after, count, nodes); e != cudaSuccess) return e;
    node_list& last = c->last[stream];
    if (flags == cudaStreamSetCaptureDependencies) last.clear();
    last.insert(last.end(), nodes.begin(), nodes.end());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return ask_graph(SIMTLAB_API_CALLER, graph, nodes, count, false);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return ask_graph(SIMTLAB_API_CALLER, graph, nodes, count, true);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    const CUgraph_st* const of = graph_of(d, caller, graph);
    if (of == nullptr || (from == nullptr) != (to == nullptr) || !caller.may_set(d, count))
      return cudaErrorInvalidValue;
    node_list begins, ends;
    for (const auto& n : of->nodes)
      for (const CUgraphNode_st* before : n->after) {
        begins.push_back(before);
        ends.push_back(n.get());
      }
    if (from != nullptr)
      if (const error_code e = store_nodes(d, caller, begins, from, *count); e != cudaSuccess) return e;
    return give_nodes(d, caller, ends, to, count);
  });
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  const auto tell = [](const CUgraphNode_st& n, cudaGraphNodeType& to) -> error_code {
    to = n.type();
    return cudaSuccess;
  };
  return ask_node(SIMTLAB_API_CALLER, node, type, tell);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    const CUgraphNode_st* const n = node_of(d, caller, node);
    return n == nullptr ? cudaErrorInvalidValue : give_nodes(d, caller, n->after, nodes, count);
  });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (node_of(d, caller, node) == nullptr) return cudaErrorInvalidValue;
    node_list behind;
    for (const auto& graph : graph_tables::instance().all_graphs())
      for (const auto& n : graph->nodes)
        if (std::ranges::find(n->after, node) != n->after.end()) behind.push_back(n.get());
    return give_nodes(d, caller, behind, nodes, count);
  });
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* copy, cudaGraphNode_t original, cudaGraph_t clone) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    const CUgraph_st* const in = graph_of(d, caller, clone);
    if (in == nullptr || node_of(d, caller, original) == nullptr || !caller.may_set(d, copy))
      return cudaErrorInvalidValue;
    const auto found = in->of_original.find(original);
    if (found == in->of_original.end() || !in->holds(found->second)) return cudaErrorInvalidValue;
    *copy = found->second;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  const auto tell = [](CUgraphNode_st& n, cudaKernelNodeParams& to) -> error_code {
    const auto* const launch = std::get_if<std::shared_ptr<const kept_launch>>(&n.work);
    if (launch == nullptr) return cudaErrorInvalidValue;
    to = (*launch)->parameters(n.given.emplace_back());
    return cudaSuccess;
  };
  return ask_node(SIMTLAB_API_CALLER, node, parameters, tell);
}
/// All attributes that a launch may have are hints, but for cooperation.
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    CUgraphNode_st *const target = node_of(d, caller, to), *const origin = node_of(d, caller, from);
    if (target == nullptr || origin == nullptr) return cudaErrorInvalidValue;
    auto* const mine = std::get_if<std::shared_ptr<const kept_launch>>(&target->work);
    const auto* const other = std::get_if<std::shared_ptr<const kept_launch>>(&origin->work);
    if (mine == nullptr || other == nullptr) return cudaErrorInvalidValue;
    *mine = (*mine)->with_attributes_of(**other);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* parameters) {
  const auto tell = [](const CUgraphNode_st& n, cudaMemcpy3DParms& to) -> error_code {
    if (const auto* const box = std::get_if<cudaMemcpy3DParms>(&n.work); box != nullptr)
      to = *box;
    else if (const auto* const copy = std::get_if<kept_copy>(&n.work); copy != nullptr)
      to = as_box(*copy);
    else
      return cudaErrorInvalidValue;
    return cudaSuccess;
  };
  return ask_node(SIMTLAB_API_CALLER, node, parameters, tell);
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* parameters) {
  const auto tell = [](const CUgraphNode_st& n, cudaMemsetParams& to) -> error_code {
    const auto* const f = std::get_if<kept_fill>(&n.work);
    if (f == nullptr) return cudaErrorInvalidValue;
    const unsigned mask = f->element_bytes == 4 ? ~0U : (1U << 8 * f->element_bytes) - 1;
    to = {f->where,     f->shape.pitch, f->value & mask, f->element_bytes, f->shape.bytes / f->element_bytes,
          f->shape.rows};
    return cudaSuccess;
  };
  return ask_node(SIMTLAB_API_CALLER, node, parameters, tell);
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* parameters) {
  const auto tell = [](const CUgraphNode_st& n, cudaHostNodeParams& to) -> error_code {
    const auto* const host = std::get_if<cudaHostNodeParams>(&n.work);
    if (host == nullptr) return cudaErrorInvalidValue;
    to = *host;
    return cudaSuccess;
  };
  return ask_node(SIMTLAB_API_CALLER, node, parameters, tell);
}
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return ask_event(SIMTLAB_API_CALLER, node, event, false);
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return ask_event(SIMTLAB_API_CALLER, node, event, true);
}
/// The graph that the node owns: what the program changes there, the node does.
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  const auto tell = [](const CUgraphNode_st& n, cudaGraph_t& to) -> error_code {
    const auto* const child = std::get_if<std::shared_ptr<CUgraph_st>>(&n.work);
    if (child == nullptr) return cudaErrorInvalidValue;
    to = child->get();
    graph_tables::instance().graphs[to] = *child;
    return cudaSuccess;
  };
  return ask_node(SIMTLAB_API_CALLER, node, graph, tell);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned is_enabled) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    CUgraphNode_st* const n = node_in(d, caller, exec, node);
    if (n == nullptr || !can_be_disabled(*n)) return cudaErrorInvalidValue;
    n->is_enabled = is_enabled != 0;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* is_enabled) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    const CUgraphNode_st* const n = node_in(d, caller, exec, node);
    if (n == nullptr || !caller.may_set(d, is_enabled) || !can_be_disabled(*n)) return cudaErrorInvalidValue;
    *is_enabled = n->is_enabled ? 1 : 0;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    const CUgraphExec_st* const instance = instance_of(d, caller, exec);
    if (instance == nullptr || !caller.may_set(d, flags)) return cudaErrorInvalidValue;
    *flags = instance->flags;
    return cudaSuccess;
  });
}

/// Not for programs that are kept to their own memory: they write no files.
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned flags) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    const CUgraph_st* const of = graph_of(d, caller, graph);
    const std::string file = path_at(d, caller, path);
    if (of == nullptr || file.empty()) return cudaErrorInvalidValue;
    if (d.host_memory.is_guarded()) return cudaErrorNotPermitted;
    const auto name_of = [&d](const void* kernel) {
      return d.sources.linkage_name_at(reinterpret_cast<address>(kernel));
    };
    std::ofstream out(file);
    out << dot_text(*of, flags != 0, name_of);
    out.close();
    return out ? cudaSuccess : cudaErrorOperatingSystem;
  });
}

}  // extern "C"
