// A device without a program: memory, findings, and workers that are fed with requests by hand.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "observers/observer_set.h"
#include "report/source_map.h"
#include "request_builder.h"

namespace simtlab::emulator::testing {

constexpr auto shared = memory_space::shared;
constexpr auto global = memory_space::global;

/// Sites are lines of kernel.cu.
inline source_line line_of(site s) { return {"kernel.cu", static_cast<int>(s & (source_map::first_machine_site - 1))}; }

class test_device {
 public:
  memory_map map;
  finding_log log;
  shared_state shared{map};
  launch_info launch;

  /// Global memory far from any other, at the address that is returned.
  address allocate(std::string name, std::uint64_t bytes, bool initialised = true) {
    next_ += 1 << 24;
    map.add({0, memory_space::global, next_, bytes, std::move(name), true});
    if (initialised) shared.initialised().mark(next_, bytes);
    return next_;
  }
  /// A shared variable at an offset of the window.
  variable_id shared_array(std::string name, address offset, std::uint64_t bytes) {
    return map.add({0, memory_space::shared, offset, bytes, std::move(name), true});
  }
  void begin_launch(extents grid, extents block, std::size_t dynamic_shared_bytes = 0, bool with_fences = false) {
    launch = {launch.ordinal + 1, "kernel", grid, block, dynamic_shared_bytes, {}, false, 0, {}};
    shared.launch_begins(launch, with_fences);
  }
  std::vector<finding> findings() { return log.take(line_of, {}); }

 private:
  address next_ = 0x7e00'0000'0000;
};

/// The observers of one worker during one launch. `begin_launch` of the device comes first.
class test_worker {
 public:
  explicit test_worker(test_device& d, observer_options wanted = {}) : device(d), set(d.shared, d.log, wanted) {
    for (observer* o : set.observers()) o->launch_begins(d.launch);
  }

  void begin_block(std::uint64_t index) {
    block_ = {&device.launch, index, coordinates_of(index, device.launch.grid),
              static_cast<unsigned>(device.launch.block.count())};
    if (happens_before* order = device.shared.order(); order != nullptr) order->block_begins(index, block_.threads);
    for (observer* o : set.observers()) o->block_begins(block_);
  }
  void end_block() {
    for (observer* o : set.observers()) o->block_ends();
    if (happens_before* order = device.shared.order(); order != nullptr) order->block_ends(block_.index);
  }
  void request(request_builder& b) {
    const warp_request& given = b.get();
    warp_request r = given;
    if (r.variable == 0) {  // as the trace does
      const address first = r.addresses[static_cast<unsigned>(__builtin_ctz(r.active))];
      const memory_region* region =
          r.space == memory_space::shared ? device.map.find_shared(first) : device.map.find(first);
      if (region != nullptr) r.variable = region->id;
    }
    for (observer* o : set.observers()) o->request(r);
  }
  void request(request_builder&& b) { request(b); }
  /// One thread of the present block accesses `at`.
  void access_by(unsigned thread, memory_space space, access kind, site where, address at, std::uint64_t value = 0,
                 std::uint32_t width = 4) {
    request(request_builder(space, kind, where)
                .width(width)
                .warp(thread / warp_size)
                .lane(thread % warp_size, at)
                .values([=](unsigned) { return value; }));
  }
  void barrier(site where = 900) {
    barrier_event e;
    e.arrivals = {{where, block_.threads, 0}};
    e.threads = block_.threads;
    for (observer* o : set.observers()) o->barrier(e);
  }
  void syncwarp(unsigned warp = 0, lane_mask mask = full_warp, lane_mask exited = 0) {
    warp_primitive_event e;
    e.where = 901;
    e.warp = warp;
    e.mask = mask;
    e.exited = exited & mask;
    e.arrived = mask & ~e.exited;
    for (observer* o : set.observers()) o->warp_primitive(e);
  }
  void end_launch() {
    for (observer* o : set.observers()) o->launch_ends();
  }

  test_device& device;
  observer_set set;

 private:
  block_info block_;
};

/// The worker's launch ends: what its observers tell of it.
inline launch_report report_of(const test_device& d, test_worker& w) {
  w.end_launch();
  launch_report result;
  observer_set* const set = &w.set;
  collect({&set, 1}, line_of, d.map, result);
  return result;
}

/// One worker that runs block 0 of a launch of one block, and the findings when it is done.
class single_block {
 public:
  explicit single_block(unsigned threads) : threads_(threads) {}
  test_device device;

  test_worker& run() {
    if (worker_ == nullptr) {
      device.begin_launch({1, 1, 1}, {threads_, 1, 1});
      worker_ = std::make_unique<test_worker>(device);
      worker_->begin_block(0);
    }
    return *worker_;
  }
  std::vector<finding> findings() {
    run().end_block();
    run().end_launch();
    worker_.reset();
    return device.findings();
  }

 private:
  unsigned threads_;
  std::unique_ptr<test_worker> worker_;
};

/// `shared-race 3-7 tile`: what makes a finding the same as another.
inline std::string identity(const finding& f) {
  const auto [low, high] = std::minmax(f.first.where.line, f.second.where.line);
  return std::string(rule_name(f.what)) + " " + std::to_string(low) + "-" + std::to_string(high) + " " + f.variable;
}
inline std::vector<std::string> identities(const std::vector<finding>& findings) {
  std::vector<std::string> all;
  all.reserve(findings.size());
  for (const finding& f : findings) all.push_back(identity(f));
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace simtlab::emulator::testing
