#include "runtime/timeline.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace simtlab::emulator {
namespace {

/// How much of [begin, end) the sorted intervals cover.
double covered(const std::vector<std::pair<double, double>>& sorted, double begin, double end) {
  double sum = 0, from = begin;
  for (const auto& [b, e] : sorted) {
    const double first = std::max(from, b), last = std::min(end, e);
    if (last <= first) continue;
    sum += last - first;
    from = last;
  }
  return sum;
}

}  // namespace

double timeline::run(timed_operation o, double ready, double takes) {
  double& engine = free_at_[static_cast<std::size_t>(o.kind)];
  o.begin = std::max(ready, engine);
  o.end = engine = o.begin + takes;
  if (operations_.size() < most_operations) operations_.push_back(std::move(o));
  return engine;
}

timeline::overlap timeline::overlapped_copies() const {
  overlap all;
  for (const timed_operation_kind kind : {timed_operation_kind::to_device, timed_operation_kind::to_host}) {
    std::vector<std::pair<double, double>> others;
    for (const timed_operation& o : operations_)
      if (o.kind != kind) others.emplace_back(o.begin, o.end);
    std::ranges::sort(others);
    for (const timed_operation& o : operations_) {
      if (o.kind != kind || o.stream == 0 || o.is_prefetch || o.end <= o.begin) continue;
      all.bytes += o.bytes;
      const double share = covered(others, o.begin, o.end) / (o.end - o.begin);
      all.overlapped += static_cast<std::uint64_t>(std::llround(share * static_cast<double>(o.bytes)));
    }
  }
  return all;
}

}  // namespace simtlab::emulator
