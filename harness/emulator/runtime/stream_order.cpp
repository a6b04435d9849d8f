#include "runtime/stream_order.h"

#include <algorithm>
#include <utility>

namespace simtlab::emulator {
namespace {

constexpr std::uintptr_t legacy_handle = 1;  // cudaStreamLegacy

void join(stream_order::clock& to, const stream_order::clock& from) {
  for (const auto& [stream, ended] : from.ended) to.ended[stream] = std::max(to.ended[stream], ended);
  to.at = std::max(to.at, from.at);
}

}  // namespace

void stream_order::created(stream_handle handle, bool non_blocking) {
  has_streams_ = true;
  streams_[handle] = {next_number_++, non_blocking, 0, 0, {}};
}

stream_order::stream& stream_order::of(stream_handle handle) {
  if (reinterpret_cast<std::uintptr_t>(handle) == legacy_handle) handle = nullptr;
  const auto [at, fresh] = streams_.try_emplace(handle);
  if (fresh && handle != nullptr) at->second.number = next_number_++;
  return at->second;
}

stream_order::clock stream_order::begin_of_next(const stream& s) const {
  clock begin = host_;
  join(begin, s.ended);
  for (const auto& [handle, other] : streams_) {
    const bool waits = s.number == default_stream ? !other.non_blocking : other.number == default_stream;
    if (waits && !s.non_blocking) join(begin, other.ended);
  }
  return begin;
}

std::vector<stream_order::overlap> stream_order::add(stream_handle handle, operation what) {
  std::vector<overlap> found;
  stream& s = of(handle);
  s.ended = begin_of_next(s);
  for (const running& r : running_) {
    const auto ended = s.ended.ended.find(r.stream);
    if (ended != s.ended.ended.end() && ended->second >= r.number) continue;
    what.touched.each_conflict(r.what.touched, [&](const footprint::conflict& c) { found.push_back({&r.what, c}); });
  }
  s.ended.at =
      times_.run({what.kind, what.what, s.number, what.bytes, what.is_prefetch, std::move(what.copy), host_.at},
                 s.ended.at, what.takes);
  s.ended.ended[s.number] = ++s.operations;
  if (!what.touched.empty() && !joins_running(s, what)) running_.push_back({s.number, s.operations, std::move(what)});
  return found;
}

bool stream_order::joins_running(const stream& s, const operation& what) {
  if (has_streams_) return false;
  for (running& r : running_) {
    if (r.stream != s.number || r.what.what != what.what || r.number <= s.marked) continue;
    r.what.touched.merge(what.touched);
    r.number = s.operations;
    return true;
  }
  return false;
}

std::vector<stream_order::overlap> stream_order::of_host(const footprint& touched) const {
  std::vector<overlap> found;
  for (const running& r : running_)
    touched.each_conflict(r.what.touched, [&](const footprint::conflict& c) { found.push_back({&r.what, c}); });
  return found;
}

void stream_order::wait_for_what_touches(const footprint& touched) {
  for (const running& r : running_) {
    bool meets = false;
    touched.each_conflict(r.what.touched, [&](const footprint::conflict&) { meets = true; });
    if (meets) host_.ended[r.stream] = std::max(host_.ended[r.stream], r.number);
  }
  forget_ended();
}

void stream_order::forget_ended() {
  running_.remove_if([this](const running& r) {
    const auto ended = host_.ended.find(r.stream);
    return ended != host_.ended.end() && ended->second >= r.number;
  });
}

void stream_order::wait_for_all() {
  for (const auto& [handle, s] : streams_) join(host_, s.ended);
  forget_ended();
}

void stream_order::wait_for(stream_handle handle) { wait_for(now_in(handle)); }

stream_order::clock stream_order::now_in(stream_handle handle) {
  stream& s = of(handle);
  s.marked = s.operations;
  return begin_of_next(s);
}

void stream_order::hold_host(stream_handle handle) { host_.at = std::max(host_.at, of(handle).ended.at); }

void stream_order::wait_for(const clock& c) {
  join(host_, c);
  forget_ended();
}

void stream_order::wait_in(stream_handle handle, const clock& c) { join(of(handle).ended, c); }

}  // namespace simtlab::emulator
