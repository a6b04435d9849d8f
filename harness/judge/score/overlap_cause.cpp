#include "judge/score/overlap_cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "judge/wording.h"

namespace simtlab {
namespace {

constexpr std::size_t few_pieces = 3;

bool is_kernel(const timed_operation& o) { return o.kind == "kernel"; }
bool is_stream_copy(const timed_operation& o) { return o.copy.has_value() && o.stream != 0; }

// "signal at kernel.cu:98 and streamed at kernel.cu:102": each place once.
std::string places_of(const std::vector<const timed_operation*>& copies) {
  std::vector<std::string> places;
  for (const timed_operation* o : copies) {
    const std::string& array = o->copy->on_host.array;
    std::string place = fmt::format("{}{}:{}", array.empty() ? "" : array + " at ", o->copy->file, o->copy->line);
    if (std::ranges::find(places, place) == places.end()) places.push_back(std::move(place));
  }
  return listed(places);
}

// The first copy of a stream that the host makes when all that other streams had to do is over.
const timed_operation* issued_after_a_wait(const std::vector<timed_operation>& all) {
  double end = 0;
  const timed_operation* waited = nullptr;
  std::size_t waits = 0, turns = 0;
  const timed_operation* before = nullptr;
  for (const timed_operation& o : all) {
    if (o.stream == 0) continue;
    if (before != nullptr && before->stream != o.stream) {
      ++turns;
      if (o.issued >= end) {
        ++waits;
        if (waited == nullptr && o.copy) waited = &o;
      }
    }
    end = std::max(end, o.end);
    before = &o;
  }
  return 2 * waits >= turns ? waited : nullptr;  // most of the times that another stream takes its turn
}

}  // namespace

std::string overlap_cause(const std::vector<timed_operation>& all) {
  std::vector<const timed_operation*> copies, pageable;
  std::set<std::uint64_t> streams;
  std::size_t launches = 0, launches_in_default = 0, to_device = 0;
  for (const timed_operation& o : all) {
    if (!is_stream_copy(o)) continue;
    copies.push_back(&o);
    streams.insert(o.stream);
    if (!o.copy->is_page_locked) pageable.push_back(&o);
    if (o.kind == "to_device") ++to_device;
  }
  if (copies.empty())
    return "All copies are in the default stream, which does one thing after the other. Give each piece's copies and "
           "launches to a stream of cudaStreamCreate.";
  if (2 * pageable.size() >= copies.size())
    return fmt::format(
        "The host's memory is not page-locked ({}): such a copy makes the host wait, and nothing else is "
        "issued meanwhile. Page-lock it before the first copy: cudaHostRegister, or memory of "
        "cudaMallocHost.",
        places_of(pageable));
  if (streams.size() == 1)
    return fmt::format(
        "All {} copies are in one stream, whose operations run one after the other. Give neighbouring "
        "pieces to different streams.",
        copies.size());
  for (const timed_operation* o = copies.front(); o != copies.back(); ++o) {
    if (!is_kernel(*o)) continue;
    ++launches;
    if (o->stream == 0) ++launches_in_default;
  }
  if (launches_in_default > 0 && 2 * launches_in_default >= launches)
    return "The launches between the copies are in the default stream, which waits for all other streams and makes "
           "them wait. Name the piece's stream in the launch, as its fourth value: <<<blocks, threads, 0, stream>>>.";
  if (const timed_operation* const after = issued_after_a_wait(all); after != nullptr)
    return fmt::format(
        "The host waits before it goes on to the next stream: when it issues the copy at {}:{}, all that "
        "was issued before is over. Issue the work of all pieces first, and wait once, behind the loop.",
        after->copy->file, after->copy->line);
  if (to_device < few_pieces)
    return fmt::format(
        "The copies to the device come in {} piece{}: the first one's copy in and the last one's copy out "
        "have nothing beside them. Cut smaller pieces.",
        to_device, to_device == 1 ? "" : "s");
  return "";
}

}  // namespace simtlab
