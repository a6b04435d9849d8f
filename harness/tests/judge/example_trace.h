// The warps of a block that transposes a tile, as a trace: four alike, of which one takes a branch of its own, and one that is not
// full.
#pragma once

#include "protocol/measurement.h"

namespace simtlab::example {

inline block_trace transpose_trace() {
  block_trace t;
  t.block = {1, 0, 0};
  t.places = {{"kernel.cu", 5, "request", "global", "read", "input"},
              {"kernel.cu", 5, "request", "shared", "write", "tile"},
              {"kernel.cu", 6, "request", "shared", "read", "tile"},
              {"kernel.cu", 6, "request", "global", "write", "output"},
              {"kernel.cu", 7, "branch", "", "", ""},
              {"kernel.cu", 7, "request", "global", "write", "output"},
              {"other.h", 3, "shuffle", "", "", ""}};
  t.barriers = {{"kernel.cu", 5}, {"kernel.cu", 7}};
  t.barriers_in_all = 2;
  for (std::uint64_t warp = 0; warp < 5; ++warp) {
    const std::uint64_t lanes = warp < 4 ? 32 : 8, all = (std::uint64_t{1} << lanes) - 1;
    traced_warp w{lanes, 0, {}};
    w.events = {{0, 0, all, 4, 4}, {1, 0, all, 1, 1}, {2, 1, all, lanes, 1}, {3, 1, all, 5, 4}};
    if (warp == 2) w.events.insert(w.events.end(), {{4, 1, 0xff, 0, 0}, {5, 1, 0xff, 8, 1}, {5, 1, 0x3, 2, 1}});
    for (int i = 0; i < 3; ++i) w.events.push_back({6, 2, all, 0, 0});
    w.events_in_all = w.events.size();
    t.warps.push_back(w);
  }
  return t;
}

}  // namespace simtlab::example
