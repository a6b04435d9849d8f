#include "runtime/graph.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <utility>

using namespace simtlab::emulator;

cudaGraphNodeType CUgraphNode_st::type() const {
  if (const auto* e = std::get_if<kept_event>(&work))
    return e->is_wait ? cudaGraphNodeTypeWaitEvent : cudaGraphNodeTypeEventRecord;
  constexpr std::array types{cudaGraphNodeTypeEmpty,       cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemcpy,
                             cudaGraphNodeTypeMemcpy,      cudaGraphNodeTypeMemset, cudaGraphNodeTypeHost,
                             cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeGraph};
  static_assert(types.size() == std::variant_size_v<kept_work>);
  return types.at(work.index());
}

CUgraphNode_st* CUgraph_st::add(kept_work work, const api_caller& caller, std::vector<const CUgraphNode_st*> after) {
  std::ranges::sort(after);
  after.erase(std::unique(after.begin(), after.end()), after.end());
  nodes.push_back(
      std::make_shared<CUgraphNode_st>(CUgraphNode_st{std::move(work), caller, std::move(after), true, {}}));
  return nodes.back().get();
}

bool CUgraph_st::holds(const CUgraphNode_st* node) const {
  return std::ranges::any_of(nodes, [node](const auto& n) { return n.get() == node; });
}

void CUgraph_st::remove(const CUgraphNode_st* node) {
  for (const auto& n : nodes) std::erase(n->after, node);
  const auto found = std::ranges::find_if(nodes, [node](const auto& n) { return n.get() == node; });
  removed.push_back(*found);
  nodes.erase(found);
}

kept_work simtlab::emulator::copy_of(const kept_work& work) {
  const auto* child = std::get_if<std::shared_ptr<CUgraph_st>>(&work);
  std::map<const CUgraphNode_st*, CUgraphNode_st*> copies;
  return child == nullptr ? work : (*child)->clone(copies);
}

std::shared_ptr<CUgraph_st> CUgraph_st::clone(std::map<const CUgraphNode_st*, CUgraphNode_st*>& copies) const {
  auto made = std::make_shared<CUgraph_st>();
  for (const auto& n : nodes) {
    CUgraphNode_st* const copy = made->add(copy_of(n->work), n->made_by, {});
    copy->is_enabled = n->is_enabled;
    copies[n.get()] = copy;
  }
  for (const auto& n : nodes)
    for (const CUgraphNode_st* before : n->after) copies[n.get()]->after.push_back(copies.at(before));
  return made;
}

std::optional<std::vector<CUgraphNode_st*>> CUgraph_st::in_order() const {
  std::map<const CUgraphNode_st*, std::vector<CUgraphNode_st*>> behind;
  std::map<const CUgraphNode_st*, std::size_t> waits_for;
  std::vector<CUgraphNode_st*> order;
  for (const auto& n : nodes) {
    waits_for[n.get()] = n->after.size();
    for (const CUgraphNode_st* before : n->after) behind[before].push_back(n.get());
    if (n->after.empty()) order.push_back(n.get());
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    for (CUgraphNode_st* next : behind[order[i]])
      if (--waits_for[next] == 0) order.push_back(next);
  if (order.size() != nodes.size()) return std::nullopt;
  return order;
}

namespace simtlab::emulator {

graph_tables& graph_tables::instance() {
  // Never destroyed, as the device.
  alignas(graph_tables) static std::array<std::byte, sizeof(graph_tables)> room;
  static auto* const the = new (room.data()) graph_tables;
  return *the;
}

stream_captures::capture* stream_captures::of(stream_handle stream) const {
  for (const auto& c : captures_)
    if (c->last.contains(stream)) return c.get();
  return nullptr;
}

std::shared_ptr<CUgraph_st> graph_tables::find(const void* handle) const {
  if (const auto found = graphs.find(handle); found != graphs.end()) return found->second;
  for (const auto& c : captures.all())
    if (c->graph.get() == handle) return c->graph;
  return nullptr;
}

std::vector<std::shared_ptr<CUgraph_st>> graph_tables::all_graphs() const {
  std::vector<std::shared_ptr<CUgraph_st>> all;
  for (const auto& [handle, graph] : graphs) all.push_back(graph);
  for (const auto& c : captures.all()) all.push_back(c->graph);
  return all;
}

void stream_captures::begin(stream_handle stream, cudaStreamCaptureMode mode, std::shared_ptr<CUgraph_st> to,
                            std::vector<const CUgraphNode_st*> after) {
  auto begun = std::make_shared<capture>();
  if (to != nullptr) begun->graph = std::move(to);
  begun->origin = stream;
  begun->mode = mode;
  begun->last[stream] = std::move(after);
  captures_.push_back(std::move(begun));
}

std::shared_ptr<stream_captures::capture> stream_captures::end(stream_handle origin) {
  const auto found = std::ranges::find_if(captures_, [&](const auto& c) { return c->origin == origin; });
  std::shared_ptr<capture> ended = *found;
  captures_.erase(found);
  return ended;
}

std::optional<error_code> stream_captures::refuse_implicit(stream_handle stream) {
  if (stream != nullptr && stream != cudaStreamLegacy) return std::nullopt;
  for (const auto& c : captures_) {
    if (c->mode == cudaStreamCaptureModeRelaxed) continue;
    c->is_invalid = true;
    return cudaErrorStreamCaptureImplicit;
  }
  return std::nullopt;
}

std::optional<error_code> stream_captures::take(stream_handle stream, const api_caller& caller, kept_work work) {
  capture* const c = of(stream);
  if (c == nullptr) return refuse_implicit(stream);
  if (c->is_invalid) return cudaErrorStreamCaptureInvalidated;
  const CUgraphNode_st* const node = c->graph->add(std::move(work), caller, c->last[stream]);
  c->last[stream] = {node};
  return cudaSuccess;
}

std::optional<error_code> stream_captures::refuse(stream_handle stream) {
  capture* const c = of(stream);
  if (c == nullptr) return refuse_implicit(stream);
  c->is_invalid = true;
  return cudaErrorStreamCaptureUnsupported;
}

std::optional<error_code> stream_captures::refuse_everywhere() {
  for (const auto& c : captures_) {
    if (c->mode == cudaStreamCaptureModeRelaxed) continue;
    c->is_invalid = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  return std::nullopt;
}

bool stream_captures::record(stream_handle stream, CUevent_st* event) {
  for (const auto& c : captures_) {
    if (!c->last.contains(stream)) continue;
    marks_[event] = {c, c->last[stream]};
    return true;
  }
  marks_.erase(event);
  return false;
}

bool stream_captures::wait(stream_handle stream, const CUevent_st* event) {
  const auto found = marks_.find(event);
  if (found == marks_.end()) return false;
  const std::shared_ptr<capture> c = found->second.in.lock();
  if (c == nullptr || std::ranges::find(captures_, c) == captures_.end()) return false;
  auto& last = c->last[stream];
  last.insert(last.end(), found->second.after.begin(), found->second.after.end());
  return true;
}

}  // namespace simtlab::emulator
