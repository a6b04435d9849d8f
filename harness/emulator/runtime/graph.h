// Graphs: operations that are put together once and launched many times (CUDA C++ Programming Guide, "CUDA Graphs").
//
// A graph is made call by call, or by capturing what streams are given. An instance is a copy in an order in which every node
// comes behind those it waits for. Nodes that may run at the same time get streams of their own at a launch, so that the checks of
// streams see what a graph does not order.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "include/driver_types.h"
#include "runtime/api_caller.h"
#include "runtime/device.h"
#include "runtime/device_copy.h"
#include "runtime/launcher.h"

namespace simtlab::emulator {

struct kept_copy {
  void* to;
  const void* from;
  copy_shape shape;
  cudaMemcpyKind kind;
};
struct kept_fill {
  void* where;
  unsigned value;
  unsigned element_bytes;  ///< 1, 2 or 4
  fill_shape shape;
};
struct kept_event {
  cudaEvent_t event;
  bool is_wait;
};
using kept_work = std::variant<std::monostate, std::shared_ptr<const kept_launch>, kept_copy, cudaMemcpy3DParms,
                               kept_fill, cudaHostNodeParams, kept_event, std::shared_ptr<CUgraph_st>>;
/// The same of a graph of its own, where the work is one.
[[nodiscard]] kept_work copy_of(const kept_work&);

}  // namespace simtlab::emulator

struct CUgraphNode_st {
  simtlab::emulator::kept_work work;
  simtlab::emulator::api_caller made_by;
  std::vector<const CUgraphNode_st*> after;
  bool is_enabled = true;                    ///< of an instance: a launch runs it
  std::vector<std::shared_ptr<void>> given;  ///< memory of the program's that tells of the node

  [[nodiscard]] cudaGraphNodeType type() const;
};

struct CUgraph_st {
  std::vector<std::shared_ptr<CUgraphNode_st>> nodes;    ///< in the order in which they were added
  std::vector<std::shared_ptr<CUgraphNode_st>> removed;  ///< so that no address is another node's later
  std::map<const CUgraphNode_st*, CUgraphNode_st*>
      of_original;  ///< of a clone, by the node of the graph that was cloned

  CUgraphNode_st* add(simtlab::emulator::kept_work, const simtlab::emulator::api_caller&,
                      std::vector<const CUgraphNode_st*> after);
  [[nodiscard]] bool holds(const CUgraphNode_st*) const;
  /// The node and the edges to and from it are gone.
  void remove(const CUgraphNode_st*);
  /// A graph of the same nodes, made anew; `copies` says which stands for which.
  [[nodiscard]] std::shared_ptr<CUgraph_st> clone(std::map<const CUgraphNode_st*, CUgraphNode_st*>& copies) const;
  /// Each node behind those it waits for; none where nodes wait for one another in a circle.
  [[nodiscard]] std::optional<std::vector<CUgraphNode_st*>> in_order() const;
};

struct CUgraphExec_st {
  std::shared_ptr<CUgraph_st> graph;
  std::map<const CUgraphNode_st*, CUgraphNode_st*> made_of;  ///< by the node of the graph that was instantiated
  simtlab::emulator::stream_order::clock last;               ///< when its last launch is over
  unsigned long long flags = 0;                              ///< that it was made with
};

namespace simtlab::emulator {

/// Streams whose calls make a graph.
class stream_captures {
 public:
  struct capture {
    std::shared_ptr<CUgraph_st> graph = std::make_shared<CUgraph_st>();
    stream_handle origin = nullptr;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    bool is_invalid = false;
    std::map<stream_handle, std::vector<const CUgraphNode_st*>> last;  ///< what the next call in the stream waits for
    std::shared_ptr<void> given;  ///< memory of the program's that tells what a stream's next call waits for
  };
  /// The capture that a stream takes part in; null: none.
  [[nodiscard]] capture* of(stream_handle) const;
  [[nodiscard]] bool any() const { return !captures_.empty(); }
  [[nodiscard]] const std::vector<std::shared_ptr<capture>>& all() const { return captures_; }
  /// The stream's calls are added to the graph, or to a new one; the first waits for those nodes.
  void begin(stream_handle, cudaStreamCaptureMode, std::shared_ptr<CUgraph_st> to = nullptr,
             std::vector<const CUgraphNode_st*> after = {});
  /// The capture is over, whatever it has come to.
  [[nodiscard]] std::shared_ptr<capture> end(stream_handle origin);
  /// An operation in a stream: recorded where the stream is captured, which gives an error number. None: it is to be done now.
  std::optional<error_code> take(stream_handle, const api_caller&, kept_work);
  /// The same of a call that no graph can hold.
  std::optional<error_code> refuse(stream_handle);
  /// And of one that waits for the device, or changes it, whatever the stream.
  std::optional<error_code> refuse_everywhere();

  // What an event carries from stream to stream.
  bool record(stream_handle, CUevent_st*);
  bool wait(stream_handle, const CUevent_st*);

 private:
  /// A call in the default stream waits for streams that are captured.
  std::optional<error_code> refuse_implicit(stream_handle);

  std::vector<std::shared_ptr<capture>> captures_;
  struct mark {
    std::weak_ptr<capture> in;
    std::vector<const CUgraphNode_st*> after;
  };
  std::map<const CUevent_st*, mark> marks_;
};

/// What graphs, instances and captures of the process there are.
struct graph_tables {
  std::map<const void*, std::shared_ptr<CUgraph_st>> graphs;
  std::map<const void*, std::shared_ptr<CUgraphExec_st>> instances;
  stream_captures captures;

  /// The graph with this handle, one that is captured now included; null if there is none.
  [[nodiscard]] std::shared_ptr<CUgraph_st> find(const void* handle) const;
  /// All of them.
  [[nodiscard]] std::vector<std::shared_ptr<CUgraph_st>> all_graphs() const;

  static graph_tables& instance();
};

/// An operation in a stream that is captured; none: it is to be done now.
[[nodiscard]] inline std::optional<error_code> captured(stream_handle stream, const api_caller& caller,
                                                        kept_work work) {
  return graph_tables::instance().captures.take(stream, caller, std::move(work));
}
/// The same of a call that no graph can hold.
[[nodiscard]] inline std::optional<error_code> refused_in_capture(stream_handle stream) {
  return graph_tables::instance().captures.refuse(stream);
}

}  // namespace simtlab::emulator
