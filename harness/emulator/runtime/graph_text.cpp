#include "runtime/graph_text.h"

#include <array>
#include <map>
#include <string_view>

namespace simtlab::emulator {
namespace {

std::string shape_text(const dim3& s) {
  return "{" + std::to_string(s.x) + "," + std::to_string(s.y) + "," + std::to_string(s.z) + "}";
}

std::string kind_text(cudaMemcpyKind kind) {
  constexpr std::array<std::string_view, 5> names{"HtoH", "HtoD", "DtoH", "DtoD", "UtoU"};
  return std::string(names.at(static_cast<std::size_t>(kind)));
}

class graph_writer {
 public:
  graph_writer(bool verbose, const std::function<std::string(const void*)>& name_of)
      : verbose_(verbose), name_of_(name_of) {}

  std::string write(const CUgraph_st& graph) {
    const std::string name = "graph_" + std::to_string(++graphs_);
    std::string text =
        "subgraph cluster_" + std::to_string(graphs_) + " {\nlabel=\"" + name + "\" graph[style=\"dashed\"];\n";
    std::string children;
    std::map<const CUgraphNode_st*, std::string> names;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const CUgraphNode_st& node = *graph.nodes[i];
      names[&node] = '"' + name + "_node_" + std::to_string(i) + '"';
      text += names[&node] + "[style=\"" + (node.type() == cudaGraphNodeTypeKernel ? "bold" : "solid") + "\" shape=\"" +
              figure_of(node) + "\" label=\"" + std::to_string(i) + "\n" + label_of(node) + "\n\"];\n";
      if (const auto* child = std::get_if<std::shared_ptr<CUgraph_st>>(&node.work); child != nullptr)
        children += write(**child);
    }
    for (const auto& node : graph.nodes)
      for (const CUgraphNode_st* before : node->after) text += names[before] + " -> " + names[node.get()] + ";\n";
    return text + children + "}\n";
  }

 private:
  static std::string figure_of(const CUgraphNode_st& node) {
    switch (node.type()) {
      case cudaGraphNodeTypeKernel:
        return "octagon";
      case cudaGraphNodeTypeMemset:
        return "invtrapezium";
      case cudaGraphNodeTypeMemcpy:
        return "trapezium";
      default:
        return "rectangle";
    }
  }

  [[nodiscard]] std::string label_of(const CUgraphNode_st& node) const {
    if (const auto* launch = std::get_if<std::shared_ptr<const kept_launch>>(&node.work); launch != nullptr) {
      std::shared_ptr<void> arguments;
      const cudaKernelNodeParams p = (*launch)->parameters(arguments);
      const std::string called = name_of_(p.func);
      if (!verbose_) return called;
      return called + "<<<" + shape_text(p.gridDim) + "," + shape_text(p.blockDim) + "," +
             std::to_string(p.sharedMemBytes) + ">>>";
    }
    if (const auto* c = std::get_if<kept_copy>(&node.work); c != nullptr)
      return "MEMCPY\n(" + kind_text(c->kind) + "," + std::to_string(c->shape.bytes * c->shape.rows) + ")";
    if (const auto* box = std::get_if<cudaMemcpy3DParms>(&node.work); box != nullptr)
      return "MEMCPY\n(" + kind_text(box->kind) + "," +
             std::to_string(box->extent.width * box->extent.height * box->extent.depth) + ")";
    if (const auto* f = std::get_if<kept_fill>(&node.work); f != nullptr)
      return "MEMSET\n(" + std::to_string(f->value) + "," + std::to_string(f->shape.bytes * f->shape.rows) + ")";
    switch (node.type()) {
      case cudaGraphNodeTypeHost:
        return "HOST";
      case cudaGraphNodeTypeEventRecord:
        return "EVENT_RECORD";
      case cudaGraphNodeTypeWaitEvent:
        return "EVENT_WAIT";
      case cudaGraphNodeTypeGraph:
        return "CHILD_GRAPH";
      default:
        return "EMPTY";
    }
  }

  bool verbose_;
  const std::function<std::string(const void*)>& name_of_;
  unsigned graphs_ = 0;
};

}  // namespace

std::string dot_text(const CUgraph_st& graph, bool verbose, const std::function<std::string(const void*)>& name_of) {
  return "digraph dot {\n" + graph_writer(verbose, name_of).write(graph) + "}\n";
}

}  // namespace simtlab::emulator
