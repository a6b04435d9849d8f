#include "checks/memory/initialisation.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "checks/region_text.h"
#include "core/bit_words.h"

namespace simtlab::emulator {
namespace {

/// Wider than this, a request's lanes are looked at one by one.
constexpr std::int64_t widest_span = 4096;
/// Places of unset reads that one worker remembers; there is no defect left to find in the ones beyond.
constexpr std::size_t most_unset_reads = 1 << 20;

/// Calls `visit(begin, bytes)` for stretches that hold all bytes of the request and of nothing but it, if it is `exact`, until it
/// says false. Whether there are such stretches, and it never did.
template <class Visit>
bool each_stretch(const warp_request& r, const access_pattern& pattern, bool exact, Visit&& visit) {
  const address first = first_address(r);
  if (!pattern.runs.empty()) {
    return std::all_of(pattern.runs.begin(), pattern.runs.end(), [&](const lane_run& run) {
      return visit(first + static_cast<address>(run.distance), std::uint64_t{run.lanes} * r.width);
    });
  }
  if (pattern.high - pattern.low > widest_span || (exact && !pattern.dense)) return false;
  return visit(first + static_cast<address>(pattern.low), static_cast<std::uint64_t>(pattern.high - pattern.low));
}

}  // namespace

void initialisation::launch_begins(const launch_info& l) {
  launch_ = l;
  unset_reads_.clear();
  shared_variables_.clear();
  const memory_map& map = shared_.map();
  variable_id last = 0;
  for (const memory_region* r = map.below_shared(~address{0}); r != nullptr;
       r = r->begin == 0 ? nullptr : map.below_shared(r->begin - 1)) {
    shared_variables_.push_back({r->id, r->begin, r->begin + r->bytes, r->begin});
    last = std::max(last, r->id);
  }
  is_whole_.assign(shared_variables_.empty() ? 0 : std::size_t{last} + 1, false);
}

void initialisation::block_begins(const block_info& b) {
  block_ = &b;
  recent_unset_reads_.clear();
  for (shared_variable& v : shared_variables_) {
    v.set_below = v.begin;
    is_whole_[v.id] = false;
    each_bit_word(v.begin, v.end - v.begin, [this](std::uint64_t word, std::uint64_t bits) {
      memory_.initialised_shared[word] &= ~bits;
      return true;
    });
  }
}

/// Bytes are only ever set while a block runs, so that none of a variable is looked at twice.
void initialisation::find_whole_variables() {
  for (shared_variable& v : shared_variables_) {
    if (v.set_below == v.end) continue;
    each_bit_word(v.set_below, v.end - v.set_below, [&](std::uint64_t word, std::uint64_t bits) {
      if ((memory_.initialised_shared[word] & bits) != bits) return false;
      v.set_below = std::min(v.end, (word + 1) * 64);
      return true;
    });
    is_whole_[v.id] = v.set_below == v.end;
  }
}

/// A compiler copies a structure whole, with its padding, which nobody sets, and reads a word for the half of it that an atomic
/// operation is on: a load counts where none of the bytes is set.
bool initialisation::is_set_shared(const warp_request& r, address at) const {
  return !each_bit_word(at, r.width, [this](std::uint64_t word, std::uint64_t bits) {
    return (memory_.initialised_shared[word] & bits) == 0;
  });
}

bool initialisation::all_shared(address at, std::uint64_t bytes) const {
  return each_bit_word(at, bytes, [this](std::uint64_t word, std::uint64_t bits) {
    return (memory_.initialised_shared[word] & bits) == bits;
  });
}

void initialisation::mark_shared(address at, std::uint64_t bytes) {
  each_bit_word(at, bytes, [this](std::uint64_t word, std::uint64_t bits) {
    memory_.initialised_shared[word] |= bits;
    return true;
  });
}

void initialisation::check(const warp_request& r, const access_pattern& pattern, lane_mask lanes) {
  if (r.space == memory_space::shared) {
    // A request that repeats lies in one variable.
    if (!r.repeats || !is_whole(r.variable)) check_shared(r, pattern, lanes);
  } else if (r.space == memory_space::global) {
    check_global(r, pattern, lanes);
  }
}

void initialisation::check_shared(const warp_request& r, const access_pattern& pattern, lane_mask lanes) {
  if (lanes == r.active) {
    if (each_stretch(r, pattern, false, [this](address at, std::uint64_t bytes) { return all_shared(at, bytes); }))
      return;
    const auto mark = [this](address at, std::uint64_t bytes) { return mark_shared(at, bytes), true; };
    if (r.kind == access::write && recent_unset_reads_.empty() && each_stretch(r, pattern, true, mark)) return;
  }
  if (r.kind != access::read && !recent_unset_reads_.empty()) note_stores(r, lanes);
  for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const address at = r.addresses[lane];
    if (r.kind != access::write && !r.reads_nothing && !is_set_shared(r, at)) {
      const std::uint64_t thread = r.thread(lane);
      if (r.kind == access::read) {
        note_unset_read(r, lane);
      } else {
        report(rule::uninitialised_shared, r.where, r.kind, r.space, at, r.width, &thread,
               {launch_.ordinal, block_->index, thread}, 1);
      }
    }
    if (r.kind != access::read) mark_shared(at, r.width);
  }
}

void initialisation::note_unset_read(const warp_request& r, unsigned lane) {
  const std::tuple place{r.addresses[lane], r.where, r.thread(lane)};
  if (recent_unset_reads_.size() == most_unset_reads && !recent_unset_reads_.contains(place)) {
    forgot_reads_ = true;
    return;
  }
  recent_unset_read& u = recent_unset_reads_[place];
  u.space = r.space;
  u.width = r.width;
  u.variable = r.variable;
  u.block = block_->index;
  ++u.count;
}

void initialisation::note_stores(const warp_request& r, lane_mask lanes) {
  for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const address at = r.addresses[lane];
    // A read that begins up to 16 bytes earlier may reach into this store.
    auto u = recent_unset_reads_.lower_bound({at < 16 ? 0 : at - 16, 0, 0});
    for (; u != recent_unset_reads_.end() && std::get<0>(u->first) < at + r.width; ++u) {
      const std::uint32_t reader = std::get<2>(u->first);
      const bool overlaps = std::get<0>(u->first) + u->second.width > at;
      const bool comes_behind = reader / warp_size == r.warp && (u->second.ordered >> lane & 1) != 0;
      u->second.stored_by_another |= overlaps && reader != r.thread(lane) && !comes_behind;
    }
  }
}

void initialisation::orders_lanes(std::uint32_t warp, lane_mask mask) {
  for (auto& [place, read] : recent_unset_reads_) {
    const std::uint32_t reader = std::get<2>(place);
    if (reader / warp_size == warp && (mask >> reader % warp_size & 1) != 0) read.ordered |= mask;
  }
}

void initialisation::barrier() {
  for (const auto& [place, read] : recent_unset_reads_) {
    const auto& [at, where, thread] = place;
    if (read.stored_by_another) continue;
    const std::uint64_t reader = thread;
    if (read.space == memory_space::shared)
      report(rule::uninitialised_shared, where, access::read, memory_space::shared, at, read.width, &reader,
             {launch_.ordinal, read.block, reader}, read.count);
    else
      keep_until_launch_ends(at, where, reader, read);
  }
  recent_unset_reads_.clear();
  find_whole_variables();
}

void initialisation::keep_until_launch_ends(address at, site where, std::uint64_t thread,
                                            const recent_unset_read& read) {
  if (unset_reads_.size() == most_unset_reads && !unset_reads_.contains({where, at})) {
    forgot_reads_ = true;
    return;
  }
  unset_read& u = unset_reads_[{where, at}];
  if (u.count == 0) u = {read.width, read.variable, read.block, thread, 0};
  u.count += read.count;
}

void initialisation::check_global(const warp_request& r, const access_pattern& pattern, lane_mask lanes) {
  initialised_bytes& bytes = shared_.initialised();
  if (lanes == r.active) {
    if (each_stretch(r, pattern, false, [&](address at, std::uint64_t count) { return bytes.all(at, count); })) return;
    const auto mark = [&](address at, std::uint64_t count) { return bytes.mark(at, count), true; };
    if (r.kind == access::write && recent_unset_reads_.empty() && each_stretch(r, pattern, true, mark)) return;
  }
  if (r.kind != access::read && !recent_unset_reads_.empty()) note_stores(r, lanes);
  for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const address at = r.addresses[lane];
    switch (r.kind) {
      case access::write:
        bytes.mark(at, r.width);
        break;
      case access::atomic: {
        const bool was_set = bytes.any(at, r.width);
        if (!bytes.mark_and_tell(at, r.width) && !was_set && !r.reads_nothing) {
          report(rule::uninitialised_global, r.where, r.kind, r.space, at, r.width, nullptr, {launch_.ordinal, 0, 0},
                 1);
        }
        break;
      }
      case access::read:
        if (!bytes.any(at, r.width)) note_unset_read(r, lane);
        break;
    }
  }
}

void initialisation::launch_ends(const written_by_others& is_written_by_others) {
  struct example {
    address at;
    unset_read read;
  };
  // Of a block that an error ended: what its shared memory still lacked, nobody knows.
  std::erase_if(recent_unset_reads_, [](const auto& read) { return read.second.space == memory_space::shared; });
  barrier();
  std::map<std::tuple<site, variable_id>, example> examples;
  for (const auto& [place, read] : unset_reads_) {
    const auto& [where, at] = place;
    if (is_written_by_others(at, read.width, read.block)) continue;
    const memory_region* region = region_of(shared_.map(), memory_space::global, at);
    const auto [e, fresh] = examples.try_emplace({where, region == nullptr ? 0 : region->id}, example{at, read});
    if (fresh) continue;
    const std::uint64_t count = e->second.read.count + read.count;
    if (std::tuple(read.block, read.thread) < std::tuple(e->second.read.block, e->second.read.thread)) {
      e->second = {at, read};
    }
    e->second.read.count = count;
  }
  for (const auto& [key, e] : examples) {
    report(rule::uninitialised_global, std::get<0>(key), access::read, memory_space::global, e.at, e.read.width,
           &e.read.thread, {launch_.ordinal, e.read.block, e.read.thread}, e.read.count);
  }
  unset_reads_.clear();
  const sighting rank{launch_.ordinal, 0, 0};
  if (!std::exchange(forgot_reads_, false) || !findings_.first_time(rule::incomplete_check, 0, 0, 0, rank)) return;
  findings_.add(
      {rule::incomplete_check,
       launch_.kernel,
       "",
       {},
       {},
       "Reads of unset memory may have been missed: this launch reads more than a million places that nobody set."},
      0, rank);
}

void initialisation::report(rule what, site where, access kind, memory_space space, address at, std::uint32_t width,
                            const std::uint64_t* thread, const sighting& rank, std::uint64_t times) {
  const memory_region* region = region_of(shared_.map(), space, at);
  const variable_id variable = region == nullptr ? 0 : region->id;
  if (!findings_.first_time(what, where, 0, variable, rank, times)) return;
  raw_place place{
      where, thread != nullptr, {}, {}, std::string(verb(kind)) + " " + element_text(region, space, at, width)};
  if (thread != nullptr) {
    place.thread = coordinates_of(*thread, launch_.block);
    place.block = coordinates_of(rank.block, launch_.grid);
  }
  std::string message =
      what == rule::uninitialised_shared
          ? "No thread of the block has written this element yet, and shared memory holds garbage when a block starts. "
            "Every element that is read must be written first. Threads whose element lies outside of the input write "
            "a value that does not change the result: 0 in a sum, the smallest float in a maximum."
      : region != nullptr && region->block != nullptr ? "Nothing was ever stored here, and malloc and new do not clear "
                                                        "memory. Store a value before the first read: "
                                                        "memset, new T[n]() with its parentheses, or a loop."
      : kind == access::atomic
          ? "Nothing was ever stored here, and cudaMalloc does not clear memory. It is updated in place: clear it with "
            "cudaMemset before the launch."
          : "Nothing was ever stored here, and cudaMalloc does not clear memory. A result is written with =: += reads "
            "it first. An input, or a sum, is set before the launch: cudaMemcpy, cudaMemset.";
  findings_.add({what, launch_.kernel, region == nullptr ? "" : region->name, std::move(place), {}, std::move(message)},
                variable, rank);
}

}  // namespace simtlab::emulator
