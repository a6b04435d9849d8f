// Graphs and the capture of streams. Instances hold copies: what is changed in a graph afterwards changes no instance.
#include "runtime/graph.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "include/cuda_runtime.h"
#include "runtime/api_call.h"
#include "runtime/graph_handles.h"
#include "runtime/outermost_frame.h"
#include "runtime/running_callback.h"

using namespace simtlab::emulator;

namespace {

graph_tables& tables() { return graph_tables::instance(); }

/// A launch of the kernel that a graph or an instance keeps, which tells its parameters where the program has cast no name of it.
std::shared_ptr<const kept_launch> kept_of(const void* kernel) {
  std::vector<std::shared_ptr<CUgraph_st>> all = tables().all_graphs();
  for (const auto& [handle, instance] : tables().instances) all.push_back(instance->graph);
  for (const auto& graph : all)
    for (const auto& n : graph->nodes)
      if (const auto* launch = std::get_if<std::shared_ptr<const kept_launch>>(&n->work);
          launch != nullptr && (*launch)->kernel() == kernel)
        return *launch;
  return nullptr;
}

/// Keeps a launch of the kernel by its address; none where it fails, which the call then reports.
std::shared_ptr<const kept_launch> kept(const api_caller& caller, const cudaKernelNodeParams& p) {
  std::shared_ptr<const kept_launch> launch;
  {
    const emulator_call inside;
    device& d = device::instance();
    const std::lock_guard guard(d.lock);
    d.recorded = &launch;
    if (const auto like = launcher_of(p.func) != nullptr ? nullptr : kept_of(p.func); like != nullptr) {
      d.launch_site = caller.where;
      if (!like->launch_with(d, caller, p)) d.record(cudaErrorInvalidValue);
      d.recorded = nullptr;
      return launch;
    }
  }
  const simtlab_launch_request request =
      simtlab::request_of("cudaGraphAddKernelNode", p.gridDim, p.blockDim, p.sharedMemBytes, nullptr);
  launch_known_at(caller, p.func, request, p.kernelParams);
  const emulator_call inside;
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  d.recorded = nullptr;
  return launch;
}

/// What `work` makes of the parameters, which it gives an error number for if it can't, becomes a node of the graph.
template <class Work>
cudaError_t add_node(const api_caller& caller, cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                     size_t count, Work work) {
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, node)) return cudaErrorInvalidValue;
    CUgraph_st* const to = graph_of(d, caller, graph);
    if (to == nullptr) return cudaErrorInvalidValue;
    node_list before;
    if (const error_code e = read_nodes(d, caller, *to, after, count, before); e != cudaSuccess) return e;
    kept_work made;
    if (const error_code e = work(d, made); e != cudaSuccess) return e;
    *node = to->add(std::move(made), caller, std::move(before));
    return cudaSuccess;
  });
}

/// A node of the graph, or the one that the instance made of it, gets other work of the same type.
template <class Work>
cudaError_t change(const api_caller& caller, const cudaGraphExec_t* exec, cudaGraphNode_t node, Work work) {
  return cuda_call(caller, [&](device& d) -> error_code {
    CUgraphNode_st* const target = exec == nullptr ? node_of(d, caller, node) : node_in(d, caller, *exec, node);
    if (target == nullptr) return cudaErrorInvalidValue;
    kept_work made;
    if (const error_code e = work(d, made); e != cudaSuccess) return e;
    const cudaGraphNodeType before = target->type();
    kept_work old = std::exchange(target->work, std::move(made));
    if (target->type() == before) return cudaSuccess;
    target->work = std::move(old);
    return cudaErrorInvalidValue;
  });
}

error_code work_of(device& d, const api_caller& caller, const cudaMemsetParams* p, kept_work& made) {
  if (!caller.may_load(d, p)) return cudaErrorInvalidValue;
  if (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4) return cudaErrorInvalidValue;
  made = kept_fill{p->dst, p->value, p->elementSize, {p->width * p->elementSize, p->height, p->pitch}};
  return cudaSuccess;
}
error_code work_of(device& d, const api_caller& caller, const cudaMemcpy3DParms* p, kept_work& made) {
  if (!caller.may_load(d, p)) return cudaErrorInvalidValue;
  made = *p;
  return cudaSuccess;
}
error_code work_of(device& d, const api_caller& caller, const cudaHostNodeParams* p, kept_work& made) {
  if (!caller.may_load(d, p) || p->fn == nullptr) return cudaErrorInvalidValue;
  caller.look_at_callback(d, reinterpret_cast<const void*>(p->fn));
  made = *p;
  return cudaSuccess;
}

template <class Parameters>
auto by(const api_caller& caller, const Parameters* parameters) {
  return [&caller, parameters](device& d, kept_work& made) { return work_of(d, caller, parameters, made); };
}
/// A copy of so many bytes.
auto by_copy(const kept_copy& copy) {
  return [copy](device&, kept_work& made) -> error_code {
    made = copy;
    return cudaSuccess;
  };
}

auto by_event(const api_caller& caller, const kept_event& asked) {
  return [&caller, asked](device& d, kept_work& made) -> error_code {
    if (caller.event_of(d, asked.event) == nullptr) return cudaErrorInvalidResourceHandle;
    made = asked;
    return cudaSuccess;
  };
}

/// Calls `use(work)`, which adds or changes a node, with a launch of the kernel.
template <class Use>
cudaError_t with_launch(const api_caller& caller, const cudaKernelNodeParams* parameters, Use use) {
  cudaKernelNodeParams p{};
  const cudaError_t unread = cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.may_load(d, parameters) || parameters->extra != nullptr) return cudaErrorInvalidValue;
    p = *parameters;
    return cudaSuccess;
  });
  if (unread) return unread;
  const std::shared_ptr<const kept_launch> launch = kept(caller, p);
  const error_code failed = launch ? error_code{} : cudaPeekAtLastError();
  return use([&](device&, kept_work& made) -> error_code {  // which looks at the graph or the node first
    if (launch != nullptr) made = launch;
    return failed;
  });
}

error_code fill(device& d, const api_caller& caller, const kept_fill& f) {
  const fill_shape& s = f.shape;
  const auto byte = static_cast<unsigned char>(f.value);
  std::array<unsigned char, sizeof f.value> bytes{};
  std::memcpy(bytes.data(), &f.value, sizeof f.value);
  const bool is_one_byte =
      std::all_of(bytes.begin(), bytes.begin() + f.element_bytes, [&](unsigned char b) { return b == byte; });
  if (const error_code e = fill(d, caller, f.where, byte, s); e != cudaSuccess || is_one_byte) return e;
  const arena::access open(d.memory);
  for (size_t row = 0; row < s.rows; ++row) {
    auto* const at = static_cast<char*>(f.where) + row * s.pitch;
    for (size_t i = 0; i < s.bytes; i += f.element_bytes) std::memcpy(at + i, bytes.data(), f.element_bytes);
  }
  return cudaSuccess;
}

/// Streams of the nodes of a launch: a chain of nodes has one, the first chain the stream that the graph is launched in.
class launch_streams {
 public:
  launch_streams(device& d, stream_handle own) : device_(d), own_(own), begin_(d.streams.now_in(own)) {}
  ~launch_streams() = default;
  launch_streams(const launch_streams&) = delete;  // it has streams to give back
  launch_streams& operator=(const launch_streams&) = delete;

  stream_handle begin(const CUgraphNode_st& node) {
    stream_handle in = nullptr;
    for (const CUgraphNode_st* before : node.after)
      if (in == nullptr && continued_.insert(before).second) in = of_.at(before);
    if (in == nullptr && node.after.empty() && !std::exchange(own_is_taken_, true)) in = own_;
    if (in == nullptr) {
      in = device_.stream_handles.make();
      device_.streams.created(in, true);
      device_.streams.wait_in(in, begin_);
      made_.push_back(in);
    }
    for (const CUgraphNode_st* before : node.after) device_.streams.wait_in(in, ended_.at(before));
    return of_[&node] = in;
  }
  void end(const CUgraphNode_st& node) { ended_[&node] = device_.streams.now_in(of_.at(&node)); }
  /// The stream of the graph goes on when all is over.
  void join() {
    for (const stream_handle s : made_) {
      device_.streams.wait_in(own_, device_.streams.now_in(s));
      device_.stream_handles.destroy(s);
    }
  }

 private:
  device& device_;
  stream_handle own_;
  stream_order::clock begin_;
  bool own_is_taken_ = false;
  std::map<const CUgraphNode_st*, stream_handle> of_;
  std::map<const CUgraphNode_st*, stream_order::clock> ended_;
  std::set<const CUgraphNode_st*> continued_;
  std::vector<stream_handle> made_;
};

/// All but host functions and graphs.
error_code run(device& d, const CUgraphNode_st& node, stream_handle stream) {
  const in_stream here(d, stream);
  if (const auto* launch = std::get_if<std::shared_ptr<const kept_launch>>(&node.work))
    return (*launch)->run(d, stream);
  if (const auto* c = std::get_if<kept_copy>(&node.work))
    return copy(d, node.made_by, c->to, c->from, c->shape, c->kind);
  if (const auto* box = std::get_if<cudaMemcpy3DParms>(&node.work)) return copy_box(d, node.made_by, *box);
  if (const auto* f = std::get_if<kept_fill>(&node.work)) return fill(d, node.made_by, *f);
  if (const auto* e = std::get_if<kept_event>(&node.work)) {
    CUevent_st* const event = node.made_by.event_of(d, e->event);
    if (event == nullptr) return cudaErrorInvalidResourceHandle;
    if (e->is_wait)
      d.streams.wait_in(stream, event->order);
    else
      event->record_now(d.streams.now_in(stream));
  }
  return cudaSuccess;
}

cudaError_t launch(const api_caller& caller, const CUgraph_st& graph, stream_handle stream) {
  std::vector<CUgraphNode_st*> order;
  std::optional<launch_streams> streams;
  cudaError_t e = cuda_call(caller, [&](device& d) -> error_code {
    order = *graph.in_order();
    streams.emplace(d, stream);
    return cudaSuccess;
  });
  for (const CUgraphNode_st* node : order) {
    if (e != cudaSuccess) return e;
    stream_handle in = nullptr;
    e = cuda_call(caller, [&](device& d) -> error_code {
      in = streams->begin(*node);
      return node->is_enabled ? run(d, *node, in) : cudaSuccess;
    });
    if (const auto* host = std::get_if<cudaHostNodeParams>(&node->work); host != nullptr && e == cudaSuccess) {
      const running_callback its_accesses_are_ordered;
      const outermost_frame called_back;
      host->fn(host->userData);
    }
    if (const auto* child = std::get_if<std::shared_ptr<CUgraph_st>>(&node->work); child != nullptr && e == cudaSuccess)
      e = launch(caller, **child, in);
    const emulator_call inside;
    const std::lock_guard guard(device::instance().lock);
    streams->end(*node);
  }
  return cuda_call(caller, [&](device&) -> error_code {
    streams->join();
    return e;
  });
}

cudaError_t instantiate(const api_caller& caller, cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, exec)) return cudaErrorInvalidValue;
    const CUgraph_st* const from = graph_of(d, caller, graph);
    if (from == nullptr || !from->in_order()) return cudaErrorInvalidValue;
    auto made = std::make_shared<CUgraphExec_st>();
    made->graph = from->clone(made->made_of);
    made->flags = flags;
    *exec = made.get();
    tables().instances[made.get()] = std::move(made);
    return cudaSuccess;
  });
}

/// Whether `own` has the nodes and edges of `graph`; then `made_of` says which of its nodes stands for which, else `wrong` what
/// stands alone.
cudaGraphExecUpdateResult match_nodes(const CUgraph_st& own, const CUgraph_st& graph,
                                      std::map<const CUgraphNode_st*, CUgraphNode_st*>& made_of,
                                      const CUgraphNode_st*& wrong) {
  if (own.nodes.size() != graph.nodes.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  for (size_t i = 0; i < graph.nodes.size(); ++i) made_of[graph.nodes[i].get()] = own.nodes[i].get();
  for (const auto& n : graph.nodes) {
    const CUgraphNode_st& mine = *made_of[n.get()];
    wrong = n.get();
    if (mine.type() != n->type()) return cudaGraphExecUpdateErrorNodeTypeChanged;
    std::set<const CUgraphNode_st*> theirs;
    for (const CUgraphNode_st* before : n->after) theirs.insert(made_of[before]);
    if (theirs != std::set<const CUgraphNode_st*>(mine.after.begin(), mine.after.end()))
      return cudaGraphExecUpdateErrorTopologyChanged;
  }
  wrong = nullptr;
  return cudaGraphExecUpdateSuccess;
}

/// The instance does what the graph says from now on, if the two have the same nodes and edges.
cudaGraphExecUpdateResult update(CUgraphExec_st& exec, const CUgraph_st& graph, const CUgraphNode_st*& wrong) {
  std::map<const CUgraphNode_st*, CUgraphNode_st*> made_of;
  if (const auto result = match_nodes(*exec.graph, graph, made_of, wrong); result != cudaGraphExecUpdateSuccess)
    return result;
  for (const auto& n : graph.nodes) {
    CUgraphNode_st& mine = *made_of[n.get()];
    mine.work = copy_of(n->work);
    exec.made_of[n.get()] = &mine;
  }
  return cudaGraphExecUpdateSuccess;
}

/// Whether each stream that takes part has been waited for by the one that began.
bool is_joined(const stream_captures::capture& c) {
  std::set<const CUgraphNode_st*> waited_for;
  node_list open = c.last.at(c.origin);
  while (!open.empty()) {
    const CUgraphNode_st* const n = open.back();
    open.pop_back();
    if (waited_for.insert(n).second) open.insert(open.end(), n->after.begin(), n->after.end());
  }
  return std::ranges::all_of(c.last, [&](const auto& of_stream) {
    return std::ranges::all_of(of_stream.second, [&](const CUgraphNode_st* n) { return waited_for.contains(n); });
  });
}

error_code may_begin(device& d, const api_caller& caller, cudaStream_t stream, cudaStreamCaptureMode mode) {
  if (!caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
  if (stream == nullptr || stream == cudaStreamLegacy) return cudaErrorStreamCaptureUnsupported;
  if (tables().captures.of(stream) != nullptr) return cudaErrorIllegalState;
  const bool is_known = mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed;
  return is_known ? cudaSuccess : cudaErrorInvalidValue;
}

error_code read_edges(device& d, const api_caller& caller, cudaGraph_t graph, const cudaGraphNode_t* from,
                      const cudaGraphNode_t* to, size_t count, node_list& begins, node_list& ends) {
  const CUgraph_st* const of = graph_of(d, caller, graph);
  if (of == nullptr) return cudaErrorInvalidValue;
  const error_code e = read_nodes(d, caller, *of, from, count, begins);
  return e == cudaSuccess ? read_nodes(d, caller, *of, to, count, ends) : e;
}

/// A child of a graph, or of an instance.
auto by_child(const api_caller& caller, cudaGraph_t of, cudaGraph_t child) {
  return [&caller, of, child](device& d, kept_work& made) -> error_code {
    const CUgraph_st* const from = graph_of(d, caller, child);
    if (from == nullptr || child == of || !from->in_order()) return cudaErrorInvalidValue;
    std::map<const CUgraphNode_st*, CUgraphNode_st*> copies;
    made = from->clone(copies);
    return cudaSuccess;
  };
}

}  // namespace

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (const error_code e = may_begin(d, caller, stream, mode); e != cudaSuccess) return e;
    tables().captures.begin(stream, mode);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* after,
                                          const cudaGraphEdgeData* data, size_t count, cudaStreamCaptureMode mode) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (const error_code e = may_begin(d, caller, stream, mode); e != cudaSuccess) return e;
    const CUgraph_st* const to = graph_of(d, caller, graph);
    if (to == nullptr || !caller.may_read(d, data, data == nullptr ? 0 : count * sizeof *data))
      return cudaErrorInvalidValue;
    node_list before;
    if (const error_code e = read_nodes(d, caller, *to, after, count, before); e != cudaSuccess) return e;
    tables().captures.begin(stream, mode, tables().find(graph), std::move(before));
    return cudaSuccess;
  });
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
    if (!caller.may_set(d, graph)) return cudaErrorInvalidValue;
    *graph = nullptr;
    const stream_captures::capture* const now = tables().captures.of(stream);
    if (now == nullptr) return cudaErrorIllegalState;
    if (now->origin != stream) return cudaErrorStreamCaptureUnmatched;
    const auto ended = tables().captures.end(stream);
    if (ended->is_invalid) return cudaErrorStreamCaptureInvalidated;
    if (!is_joined(*ended)) return cudaErrorStreamCaptureUnjoined;
    *graph = ended->graph.get();
    tables().graphs[ended->graph.get()] = ended->graph;
    return cudaSuccess;
  });
}
/// The emulator asks the capture for its mode, and no thread.
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    thread_local cudaStreamCaptureMode of_thread = cudaStreamCaptureModeGlobal;
    if (!caller.may_set(d, mode)) return cudaErrorInvalidValue;
    std::swap(*mode, of_thread);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (!caller.may_set(d, graph) || flags != 0) return cudaErrorInvalidValue;
    auto made = std::make_shared<CUgraph_st>();
    *graph = made.get();
    tables().graphs[made.get()] = std::move(made);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    const CUgraph_st* const from = graph_of(d, caller, graph);
    if (from == nullptr || !caller.may_set(d, clone)) return cudaErrorInvalidValue;
    std::map<const CUgraphNode_st*, CUgraphNode_st*> copies;
    auto made = from->clone(copies);
    made->of_original = std::move(copies);
    *clone = made.get();
    tables().graphs[made.get()] = std::move(made);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (graph_of(d, caller, graph) == nullptr) return cudaErrorInvalidValue;
    tables().graphs.erase(graph);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (instance_of(d, caller, exec) == nullptr) return cudaErrorInvalidValue;
    tables().instances.erase(exec);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                   const cudaKernelNodeParams* parameters) {
  const api_caller caller = SIMTLAB_API_CALLER;
  const cudaError_t e = cuda_call(caller, [&](device& d) -> error_code {
    const bool are_own = caller.may_set(d, node) && caller.may_read(d, after, count * sizeof(cudaGraphNode_t));
    return are_own && graph_of(d, caller, graph) != nullptr ? cudaSuccess : cudaErrorInvalidValue;
  });
  if (e != cudaSuccess) return e;
  return with_launch(caller, parameters, [&](auto work) { return add_node(caller, node, graph, after, count, work); });
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return add_node(caller, node, graph, after, count, by(caller, parameters));
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return add_node(caller, node, graph, after, count, by_copy({to, from, {bytes}, kind}));
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                   const cudaMemsetParams* parameters) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return add_node(caller, node, graph, after, count, by(caller, parameters));
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                 const cudaHostNodeParams* parameters) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return add_node(caller, node, graph, after, count, by(caller, parameters));
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  size_t count) {
  return add_node(SIMTLAB_API_CALLER, node, graph, after, count,
                  [](device&, kept_work&) -> error_code { return cudaSuccess; });
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                        size_t count, cudaEvent_t event) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return add_node(caller, node, graph, after, count, by_event(caller, {event, false}));
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                      size_t count, cudaEvent_t event) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return add_node(caller, node, graph, after, count, by_event(caller, {event, true}));
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       size_t count, cudaGraph_t child) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return add_node(caller, node, graph, after, count, by_child(caller, graph, child));
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     size_t count) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    node_list begins, ends;
    if (const error_code e = read_edges(d, caller, graph, from, to, count, begins, ends); e != cudaSuccess) return e;
    std::size_t edge = 0;
    for (const auto* const end : ends)
      if (begins[edge++] == end) return cudaErrorInvalidValue;
    edge = 0;
    for (const auto* const begin : begins) to[edge++]->after.push_back(begin);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        size_t count) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    node_list begins, ends;
    if (const error_code e = read_edges(d, caller, graph, from, to, count, begins, ends); e != cudaSuccess) return e;
    std::size_t edge = 0;
    for (const auto* const end : ends)
      if (std::ranges::find(end->after, begins[edge++]) == end->after.end()) return cudaErrorInvalidValue;
    edge = 0;
    for (const auto* const begin : begins) std::erase(to[edge++]->after, begin);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (node_of(d, caller, node) == nullptr) return cudaErrorInvalidValue;
    for (const auto& c : tables().captures.all())
      if (c->graph->holds(node)) return cudaErrorIllegalState;  // calls to come wait for it
    for (const auto& [handle, graph] : tables().graphs)
      if (graph->holds(node)) graph->remove(node);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return with_launch(caller, parameters, [&](auto work) { return change(caller, nullptr, node, work); });
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return with_launch(caller, parameters, [&](auto work) { return change(caller, &exec, node, work); });
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                           cudaMemcpyKind kind) {
  return change(SIMTLAB_API_CALLER, nullptr, node, by_copy({to, from, {bytes}, kind}));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to, const void* from,
                                               size_t bytes, cudaMemcpyKind kind) {
  return change(SIMTLAB_API_CALLER, &exec, node, by_copy({to, from, {bytes}, kind}));
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return change(caller, nullptr, node, by(caller, parameters));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return change(caller, &exec, node, by(caller, parameters));
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return change(caller, nullptr, node, by(caller, parameters));
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return change(caller, &exec, node, by(caller, parameters));
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return change(caller, nullptr, node, by(caller, parameters));
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return change(caller, &exec, node, by(caller, parameters));
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return change(caller, nullptr, node, by_event(caller, {event, false}));
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return change(caller, nullptr, node, by_event(caller, {event, true}));
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return change(caller, &exec, node, by_event(caller, {event, false}));
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return change(caller, &exec, node, by_event(caller, {event, true}));
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return change(caller, &exec, node, [&](device& d, kept_work& made) -> error_code {
    const CUgraphNode_st* const target = node_in(d, caller, exec, node);
    const CUgraph_st* const other = graph_of(d, caller, child);
    if (target == nullptr || other == nullptr) return cudaErrorInvalidValue;
    // A child of other nodes or edges is none that an instance can take (an H200).
    std::map<const CUgraphNode_st*, CUgraphNode_st*> made_of;
    const CUgraphNode_st* wrong = nullptr;
    const auto* const own = std::get_if<std::shared_ptr<CUgraph_st>>(&target->work);
    if (own != nullptr && match_nodes(**own, *other, made_of, wrong) != cudaGraphExecUpdateSuccess)
      return cudaErrorGraphExecUpdateFailure;
    return by_child(caller, nullptr, child)(d, made);
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  return instantiate(SIMTLAB_API_CALLER, exec, graph, flags);
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* result) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    CUgraphExec_st* const instance = instance_of(d, caller, exec);
    const CUgraph_st* const of = graph_of(d, caller, graph);
    if (instance == nullptr || of == nullptr || !caller.may_set(d, result)) return cudaErrorInvalidValue;
    const CUgraphNode_st* wrong = nullptr;
    *result = {update(*instance, *of, wrong), nullptr, nullptr};
    result->errorNode = const_cast<cudaGraphNode_t>(wrong);
    return result->result == cudaGraphExecUpdateSuccess ? cudaSuccess : cudaErrorGraphExecUpdateFailure;
  });
}
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  const api_caller caller = SIMTLAB_API_CALLER;
  return cuda_call(caller, [&](device& d) -> error_code {
    if (instance_of(d, caller, exec) == nullptr) return cudaErrorInvalidValue;
    return caller.is_stream(d, stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  const api_caller caller = SIMTLAB_API_CALLER;
  let_program_print(__builtin_dwarf_cfa());
  std::shared_ptr<CUgraphExec_st> instance;
  bool is_captured = false;
  const cudaError_t e = cuda_call(caller, [&](device& d) -> error_code {
    if (instance_of(d, caller, exec) == nullptr) return cudaErrorInvalidValue;
    if (!caller.is_stream(d, stream)) return cudaErrorInvalidResourceHandle;
    instance = tables().instances.at(exec);  // its host functions may destroy it
    const auto taken = tables().captures.take(stream, caller, std::shared_ptr<CUgraph_st>(instance->graph));
    is_captured = taken.has_value();
    if (!is_captured) d.streams.wait_in(stream, instance->last);
    return taken.value_or(cudaSuccess);
  });
  if (e != cudaSuccess || is_captured) return e;
  const cudaError_t ended = launch(caller, *instance->graph, stream);
  const emulator_call inside;
  device& d = device::instance();
  const std::lock_guard guard(d.lock);
  instance->last = d.streams.now_in(stream);
  return ended;
}

}  // extern "C"
