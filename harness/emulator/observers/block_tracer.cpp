#include "observers/block_tracer.h"

#include <algorithm>
#include <map>

#include "core/request_figures.h"
#include "costs/request_costs.h"

namespace simtlab::emulator {
namespace {

traced_action action_of(warp_operation operation) {
  switch (operation) {
    case warp_operation::syncwarp:
      return traced_action::syncwarp;
    case warp_operation::shuffle:
      return traced_action::shuffle;
    case warp_operation::vote:
      return traced_action::vote;
    case warp_operation::match:
      return traced_action::match;
    case warp_operation::reduce:
      break;
  }
  return traced_action::reduce;
}

}  // namespace

void block_tracer::launch_begins(const launch_info&) {
  warps_.clear();
  barriers_.clear();
  barriers_in_all_ = 0;
  is_inside_ = false;
}

void block_tracer::block_begins(const block_info& b) {
  is_inside_ = b.where == block_;
  if (!is_inside_) return;
  for (unsigned first = 0; first < b.threads; first += warp_size)
    warps_.push_back({.lanes = std::min(warp_size, b.threads - first), .events_in_all = 0, .events = {}});
}

block_tracer::event* block_tracer::next_of(std::uint32_t number) {
  if (!is_inside_ || number >= warps_.size()) return nullptr;
  warp& of = warps_[number];
  ++of.events_in_all;
  return of.events.size() < most_events ? &of.events.emplace_back() : nullptr;
}

void block_tracer::request(const warp_request& r) {
  if (!is_inside_ || r.is_extra_filter_tap || !is_shown_by_line(r.space)) return;
  event* const e = next_of(r.warp);
  if (e == nullptr) return;
  const request_figures figures = figures_of(r.space, cost_of(r));
  *e = {.where = r.where,
        .what = traced_action::request,
        .space = r.space,
        .kind = r.kind,
        .variable = r.variable,
        .told = {.place = 0,
                 .epoch = barriers_in_all_,
                 .active = r.active,
                 .cost = figures.sectors + figures.wavefronts,
                 .fewest = figures.fewest()}};
}

void block_tracer::divergent_step(const warp_step& s) {
  if (!is_inside_) return;
  if (event* const e = next_of(s.warp); e != nullptr)
    *e = {.where = s.where,
          .what = traced_action::branch,
          .told = {.place = 0, .epoch = barriers_in_all_, .active = s.active, .cost = 0, .fewest = 0}};
}

void block_tracer::warp_primitive(const warp_primitive_event& p) {
  if (!is_inside_) return;
  if (event* const e = next_of(p.warp); e != nullptr)
    *e = {.where = p.where,
          .what = action_of(p.operation),
          .told = {.place = 0, .epoch = barriers_in_all_, .active = p.arrived, .cost = 0, .fewest = 0}};
}

void block_tracer::barrier(const barrier_event& b) {
  if (!is_inside_) return;
  ++barriers_in_all_;
  if (barriers_.size() < most_events)
    barriers_.push_back({b.arrivals.empty() ? 0 : b.arrivals.front().where, b.of_grid});
}

block_trace block_tracer::resolve(const std::function<source_line(site)>& line_of, const memory_map& names) const {
  block_trace made{.block = block_, .places = {}, .barriers = {}, .barriers_in_all = barriers_in_all_, .warps = {}};
  const auto place_of = [&](const event& e) {
    return traced_place{.where = line_of(e.where),
                        .what = e.what,
                        .space = e.space,
                        .kind = e.kind,
                        .variable = e.variable == 0 ? "" : names.name(e.variable)};
  };
  std::map<traced_place, std::uint32_t> numbers;
  for (const warp& w : warps_)
    for (const event& e : w.events) numbers.try_emplace(place_of(e), 0);
  for (auto& [place, number] : numbers) {
    number = static_cast<std::uint32_t>(made.places.size());
    made.places.push_back(place);
  }
  for (const auto& [where, of_grid] : barriers_) made.barriers.push_back({line_of(where), of_grid});
  for (const warp& w : warps_) {
    traced_warp& told = made.warps.emplace_back();
    told.lanes = w.lanes;
    told.events_in_all = w.events_in_all;
    for (const event& e : w.events) {
      told.events.push_back(e.told);
      told.events.back().place = numbers.at(place_of(e));
    }
  }
  return made;
}

}  // namespace simtlab::emulator
