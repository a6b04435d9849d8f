// Decides which accesses to a piece of memory race: `severity_of` compares two of them, one with what was done to the memory
// since its accesses were last ordered, which is its history.
//
// A history is a set of entries (code site, kind and width of access), each with labels that tell which agents made it, and one bit
// that tells whether its writes stored different values. Interned: equal histories share a 16-bit id, so that a memory cell
// holds an id instead of a history, and checking an access is a look at the step (id, access) -> id. Which entries conflict
// is worked out once per step, never per access.
//
// Agents are threads when the cell speaks of one block (block_shadow.h), and blocks when it speaks of a launch
// (grid_shadow.h). Labels stand for agents; a cell knows which agent a label means.
#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/lazy_memory.h"
#include "core/mix64.h"
#include "observers/observer.h"

namespace simtlab::emulator {

using labels = std::uint16_t;

namespace label {
// Threads of one block. The home warp is the one that the cell's first thread belongs to.
inline constexpr labels thread_a = 1;        ///< the cell's first thread
inline constexpr labels thread_b = 2;        ///< its second thread, of the home warp
inline constexpr labels thread_other = 4;    ///< other threads of the home warp
inline constexpr labels thread_before = 8;   ///< threads of the home warp, ordered before all it does now
inline constexpr labels foreign_b = 16;      ///< the cell's second thread, of another warp
inline constexpr labels foreign_other = 32;  ///< other threads of other warps
// Blocks of one launch, each label one block.
inline constexpr labels block_a = 64;
inline constexpr labels block_b = 128;
inline constexpr labels first_block = 256;  ///< and the bits above
inline constexpr unsigned further_blocks = 8;
}  // namespace label

/// The width of an access in bytes, and what else races depend on: atomic operations only.
namespace width_trait {
inline constexpr std::uint16_t in_block = 0x8000;         ///< of block scope
inline constexpr std::uint16_t changes_nothing = 0x4000;  ///< whatever stands there
inline constexpr std::uint16_t all_bytes = 0x3fff;
[[nodiscard]] inline std::uint16_t of(const warp_request& r) {
  const std::uint32_t traits = (r.in_block ? in_block : 0U) | (r.changes_nothing ? changes_nothing : 0U);
  return static_cast<std::uint16_t>((r.width < all_bytes ? r.width : all_bytes) | traits);
}
}  // namespace width_trait

using history_id = std::uint16_t;
inline constexpr history_id no_history = 0;
struct history_access {
  site where = 0;
  access kind = access::read;
  std::uint16_t width = 4;  ///< bytes, with its traits
  labels by = 0;            ///< none: only for an entry that exists
  bool differs = false;     ///< a write of another value than an earlier write of the history
};

struct history_transition {
  history_id next = no_history;
  bool conflicts = false;  ///< the access made pairs of entries conflict that did not before
};

/// Two entries that conflict.
struct access_conflict {
  struct side {
    site where = 0;
    access kind{};
    std::uint16_t width = 0;  ///< bytes, with their traits
    friend auto operator<=>(const side&, const side&) = default;
  };
  side earlier;           ///< the history's entry
  labels earlier_by = 0;  ///< whose it was before this access
  side later;
  bool same_value = false;  ///< two writes, and all writes of the history stored one value
  bool scope = false;       ///< two strong accesses, one of them of block scope
  /// A volatile read of what a volatile write left, by a thread that has seen a later store of the one that wrote.
  bool out_of_order = false;
};

/// Shared by all workers and safe to use from all at once.
class interned_histories {
 public:
  /// Ids are below.
  static constexpr std::size_t most_sets = 0xff00;

  interned_histories();

  [[nodiscard]] history_transition add(history_id from, const history_access&);
  /// The pairs that made `add` say `conflicts`.
  [[nodiscard]] std::vector<access_conflict> conflicts(history_id from, const history_access&) const;
  /// The history after the home warp's accesses have been ordered before all that the warp does from now on.
  /// `differs`: what it writes from now on are other values than before.
  [[nodiscard]] history_id before(history_id from, bool differs = false);
  /// Whether the set's entry for this access has been made by two blocks or more, so that one more tells nothing new.
  [[nodiscard]] bool is_saturated(history_id, const history_access&) const;
  /// The unit that all plain writes of the history store: 1, 2 or 4 bytes, the last for all wider ones as well. 0: it has no
  /// write, or only ones before that differ; `mixed_units`: different ones, or known to store different values. Needs no lock.
  [[nodiscard]] std::uint8_t stored_units(history_id id) const { return units_[id].load(std::memory_order_relaxed); }
  static constexpr std::uint8_t mixed_units = 0xff;
  [[nodiscard]] static constexpr std::uint8_t unit_of(std::uint32_t width) {
    return width == 1 ? std::uint8_t{1} : width == 2 ? std::uint8_t{2} : std::uint8_t{4};
  }
  /// Whether a plain write was made by a block other than the ones in `by`.
  [[nodiscard]] bool has_write_besides(history_id, labels by) const;

  /// The ids ran out: histories were cut short and races may have been missed since `restart`.
  [[nodiscard]] bool is_exhausted() const;
  /// Between launches, when no cell holds an id any more: forgets all sets if many are in use. Ids of an earlier
  /// generation are invalid.
  void restart();
  [[nodiscard]] std::uint32_t generation() const { return generation_; }

 private:
  struct entry {
    access_conflict::side what;
    labels by;
    friend bool operator==(const entry&, const entry&) = default;
  };
  struct history {
    std::vector<entry> entries;   // ordered by what was done
    bool differs = false;         // the writes, but those before
    bool before_differs = false;  // writes before from those after
    friend bool operator==(const history&, const history&) = default;
  };
  static history extended(const history&, const history_access&);
  static int severity_of(const entry&, const entry&, const history&);
  template <class Found>
  static void each_conflict(const history& from, const history_access&, Found&&);
  history_id intern(history, history_id otherwise);

  mutable std::mutex mutex_;
  std::deque<history> sets_;
  std::unordered_multimap<std::size_t, history_id> index_;
  lazy_memory<std::atomic<std::uint8_t>> units_{std::size_t{1} << 16};
  bool exhausted_ = false;
  std::uint32_t generation_ = 1;
};

/// Steps that one worker took lately.
class history_transition_cache {
 public:
  explicit history_transition_cache(interned_histories& sets) : sets_(sets) {}

  [[nodiscard]] history_transition add(history_id from, const history_access& a) {
    const std::uint64_t key = std::uint64_t{a.where} << 32 | std::uint64_t{from} << 16 | a.by;
    const std::uint32_t tag = tag_of(a) | (a.differs ? 1U : 0U);
    line& l = lines_[line_of(key, tag)];
    if (l.key == key && l.tag == tag && l.generation == sets_.generation()) [[likely]]
      return l.step;
    l = {key, tag, sets_.generation(), sets_.add(from, a)};
    return l.step;
  }
  [[nodiscard]] history_id before(history_id from, bool differs = false) {
    const std::uint32_t tag = before_tag | (differs ? 1U : 0U);
    line& l = lines_[line_of(from, tag)];
    if (l.key == from && l.tag == tag && l.generation == sets_.generation()) [[likely]]
      return l.step.next;
    l = {from, tag, sets_.generation(), {sets_.before(from, differs), false}};
    return l.step.next;
  }
  [[nodiscard]] bool is_saturated(history_id from, const history_access& a) {
    const std::uint64_t key = std::uint64_t{a.where} << 32 | std::uint64_t{from} << 16;
    const std::uint32_t tag = saturated_tag | tag_of(a);
    line& l = lines_[line_of(key, tag)];
    if (l.key == key && l.tag == tag && l.generation == sets_.generation()) [[likely]]
      return l.step.conflicts;
    l = {key, tag, sets_.generation(), {no_history, sets_.is_saturated(from, a)}};
    return l.step.conflicts;
  }
  [[nodiscard]] interned_histories& sets() { return sets_; }

 private:
  static constexpr unsigned bits = 11;
  // Tags beside the kinds of access, for lines that answer the other two questions.
  static constexpr std::uint32_t before_tag = 0x80;
  static constexpr std::uint32_t saturated_tag = 0x40;
  static constexpr std::uint32_t tag_of(const history_access& a) {
    return std::uint32_t{a.width} << 8 | static_cast<std::uint32_t>(a.kind) << 1;
  }
  struct line {
    std::uint64_t key = 0;
    std::uint32_t tag = 0;
    std::uint32_t generation = 0;
    history_transition step;
  };
  static constexpr std::size_t line_of(std::uint64_t key, std::uint32_t tag) {
    return mix64(key ^ mix64(tag)) >> (64 - bits);
  }
  interned_histories& sets_;
  std::vector<line> lines_ = std::vector<line>(std::size_t{1} << bits);
};

/// The steps of one request: its words tend to take the same one.
class request_transitions {
 public:
  /// `width`: with its traits.
  request_transitions(history_transition_cache& cache, site where, access kind, std::uint32_t width)
      : cache_(cache), last_{where, kind, static_cast<std::uint16_t>(width), 0, false} {}

  [[nodiscard]] history_transition add(history_id from, labels by, bool differs) {
    if (from != from_ || by != last_.by || differs != last_.differs || !known_) {
      from_ = from;
      last_.by = by;
      last_.differs = differs;
      step_ = cache_.add(from, last_);
      known_ = true;
    }
    return step_;
  }
  /// What the last call of `add` added.
  [[nodiscard]] const history_access& last() const { return last_; }
  [[nodiscard]] history_transition_cache& cache() { return cache_; }
  [[nodiscard]] bool is_saturated(history_id from) { return cache_.is_saturated(from, last_); }

 private:
  history_transition_cache& cache_;
  history_access last_;
  history_id from_ = no_history;
  history_transition step_;
  bool known_ = false;
};

}  // namespace simtlab::emulator
