// The template with its fast path must give the very requests that a lane-by-lane merge of complete logs gives.
#include <doctest/doctest.h>
#include <sys/mman.h>

#include <bit>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "scheduler/fiber.h"
#include "trace/hook_state.h"
#include "trace/text_base.h"
#include "trace/warp_log.h"

using namespace simtlab::emulator;

namespace {

struct event {
  record_key key;
  address where;
  std::size_t claims = 0;  ///< events of the bundle that begins here; 0: inside of one, or in none
  friend bool operator==(const event&, const event&) = default;
};

/// What an observer is told, flattened.
struct seen {
  site where;
  lane_mask active;
  std::vector<address> addresses;
  friend bool operator==(const seen&, const seen&) = default;
};

class recorder : public observer {
 public:
  void request(const warp_request& r) override {
    seen s{r.where, r.active, {}};
    for (unsigned lane = 0; lane < warp_size; ++lane)
      if ((r.active >> lane & 1) != 0) s.addresses.push_back(r.addresses[lane]);
    all.push_back(s);
  }
  [[nodiscard]] detail step_detail() const override { return detail::full; }
  void step(const warp_step& s) override { all.push_back({s.where, s.active, {}}); }
  std::vector<seen> all;
};

/// A random structured program: accesses, branches and loops whose conditions differ by lane, and calls.
class random_program {
 public:
  explicit random_program(std::uint64_t seed) : random_(seed) { body_ = block(3); }

  std::vector<event> run(unsigned lane) {
    std::vector<event> log;
    execute(body_, lane, 0, log);
    return log;
  }

 private:
  struct statement {
    enum { access, branch, loop, call } what = access;
    site where = 0;
    std::uint32_t decision = 0;  // branch: lanes that take it; loop: seed of the trip counts
    std::vector<statement> first, second;
  };

  std::vector<statement> block(int depth) {
    std::vector<statement> statements(1 + random_() % 4);
    for (statement& s : statements) {
      s.where = ++next_site_;
      s.decision = static_cast<std::uint32_t>(random_());
      const auto kind = random_() % (depth > 0 ? 6 : 2);
      s.what = kind < 3    ? statement::access
               : kind == 3 ? statement::branch
               : kind == 4 ? statement::loop
                           : statement::call;
      if (s.what != statement::access) s.first = block(depth - 1);
      if (s.what == statement::branch && random_() % 2 == 0) s.second = block(depth - 1);
      ++next_site_;
    }
    return statements;
  }

  /// Accesses one after the other, from statement `i` on.
  static std::size_t run_of_accesses(const std::vector<statement>& body, std::size_t i) {
    std::size_t end = i;
    while (end < body.size() && end < i + 4 && body[end].what == statement::access) ++end;
    return end - i;
  }

  /// The first `claimed` accesses belong to the bundle of the entry of the block.
  void execute(const std::vector<statement>& body, unsigned lane, std::uint8_t depth, std::vector<event>& log,
               std::size_t claimed = 0) {
    for (std::size_t place = 0; place < body.size(); ++place) {
      const statement& s = body[place];
      const auto step = [&](site where, std::size_t claims = 0) {
        log.push_back({make_key(where, 0, record_kind::step, depth), 0, claims});
      };
      switch (s.what) {
        case statement::access: {
          const bool is_lone = claimed == 0 && s.decision % 8 == 0;
          const std::size_t claims = claimed > 0 || is_lone ? 0 : run_of_accesses(body, place);
          claimed = claimed > 0 ? claimed - 1 : claims > 0 ? claims - 1 : 0;
          log.push_back({make_key(s.where, 4, record_kind::read, depth),
                         0x1000 + 4 * ((s.decision + lane * (s.decision % 5)) % 4096), claims});
          break;
        }
        case statement::branch:
          step(s.where);
          execute((s.decision >> lane & 1) != 0 ? s.first : s.second, lane, depth, log);
          break;
        case statement::loop:
          for (unsigned i = 0; i < 1 + (s.decision >> (lane % 8)) % 5 * (s.decision % 3 == 0 ? 40 : 1); ++i) {
            if (log.size() > most_events) break;
            const std::size_t reads = run_of_accesses(s.first, 0);
            step(s.where, 1 + reads);
            execute(s.first, lane, depth, log, reads);
          }
          break;
        case statement::call:
          execute(s.first, lane, static_cast<std::uint8_t>(depth + 1), log);
          break;
      }
    }
  }

  /// Loops end here, for three of 160 rounds inside one another would be millions: several times what a lane's log holds.
  static constexpr std::size_t most_events = 4 * warp_log::capacity;

  std::mt19937_64 random_;
  site next_site_ = 0;
  std::vector<statement> body_;
};

std::vector<seen> merged_lane_by_lane(const std::vector<std::vector<event>>& lanes) {
  std::vector<seen> result;
  std::vector<std::size_t> at(lanes.size(), 0);
  for (;;) {
    std::uint64_t first = ~std::uint64_t{0};
    for (std::size_t l = 0; l < lanes.size(); ++l)
      if (at[l] < lanes[l].size()) first = std::min(first, order_of(lanes[l][at[l]].key));
    if (first == ~std::uint64_t{0}) return result;
    seen s{};
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      if (at[l] >= lanes[l].size() || order_of(lanes[l][at[l]].key) != first) continue;
      const event& e = lanes[l][at[l]++];
      s.where = site_of(e.key);
      s.active |= lane_mask{1} << l;
      if (kind_of(e.key) != record_kind::step) s.addresses.push_back(e.where);
    }
    result.push_back(s);
  }
}

struct replayed_lane {
  fiber execution;
  const std::vector<event>* log = nullptr;
  bool full = false, done = false;
};

replayed_lane* running = nullptr;

/// Bundles of one program, where a token can hold their addresses.
class bundle_tables {
 public:
  bundle_tables()
      : next_(static_cast<std::uint64_t*>(
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0))),
        begin_(next_) {}
  ~bundle_tables() { munmap(begin_, bytes); }
  bundle_tables(const bundle_tables&) = delete;  // owns memory
  bundle_tables& operator=(const bundle_tables&) = delete;

  record_key token_of(const event* first) {
    std::uint64_t*& table = tables_[site_of(first->key)];
    if (table == nullptr) {
      table = next_;
      *next_++ = first->claims;
      for (std::size_t i = 0; i < first->claims; ++i) *next_++ = first[i].key & ~depth_bits;
    }
    return reinterpret_cast<record_key>(table);
  }

 private:
  static constexpr std::size_t bytes = 1 << 20;
  std::uint64_t *next_, *begin_;
  std::map<site, std::uint64_t*> tables_;
};

bundle_tables* tables = nullptr;

/// What inline hooks do.
std::size_t replay_bundle(const event* first) {
  const record_key token = tables->token_of(first) | hooks.depth;
  const std::size_t count = first->claims;
  if (*hooks.token() == token)
    hooks.advance(count);
  else
    enter_bundle(token);
  for (std::size_t i = 0; i < count; ++i) {
    if (kind_of(first[i].key) == record_kind::read)
      *(hooks.row - static_cast<std::ptrdiff_t>((count - i) * warp_size)) = first[i].where;
  }
  return count;
}

void replay(void* argument) {
  auto* lane = static_cast<replayed_lane*>(argument);
  for (std::size_t i = 0; i < lane->log->size();) {
    const event& e = (*lane->log)[i];
    hooks.depth = e.key & depth_bits;
    if (e.claims > 0) {
      i += replay_bundle(&e);
      continue;
    }
    ++i;
    log_access(reinterpret_cast<void*>(e.where), width_of(e.key), kind_of(e.key),
               reinterpret_cast<void*>(std::uint64_t{site_of(e.key)}));
  }
  lane->done = true;
}

std::vector<seen> merged_by_warp_log(const std::vector<std::vector<event>>& lanes) {
  static constexpr std::size_t stack_bytes = 64 * 1024;
  memory_map map;
  map.add({0, memory_space::global, 0x1000, 1 << 20, "a", true});
  request_emitter emitter(map, 1 << 20);
  address_layout layout;
  layout.global = {0x1000, 0x1000 + (1 << 20)};
  recorder result;
  emitter.prepare(layout, {&result});
  bundle_tables own_tables;
  tables = &own_tables;
  warp_log log(emitter);
  current_log = &log;
  log.log_values(false);
  log.start_warp(0);
  std::vector<std::unique_ptr<char[]>> stacks;
  std::vector<std::unique_ptr<replayed_lane>> replays;
  for (unsigned l = 0; l < lanes.size(); ++l) {
    stacks.emplace_back(new char[stack_bytes]);
    replays.push_back(std::make_unique<replayed_lane>());
    replays[l]->log = &lanes[l];
    replays[l]->execution.set_stack(stacks[l].get(), stack_bytes);
    replays[l]->execution.start(&replay, replays[l].get(), l);
  }
  for (bool more = true; more;) {
    lane_mask full = 0;
    more = false;
    for (unsigned l = 0; l < lanes.size(); ++l) {
      replayed_lane& lane = *replays[l];
      if (!lane.done && (!lane.full || log.has_room(l))) {
        running = &lane;
        lane.full = false;
        log.enter_lane(l, 0);
        lane.execution.resume();
        log.leave_lane(l);
      }
      if (lane.full) full |= lane_mask{1} << l;
      more |= !lane.done;
    }
    log.merge(full);
  }
  return result.all;
}

}  // namespace

namespace simtlab::emulator {
std::uint64_t text_base = 0;
void suspend_full_lane() {
  running->full = true;
  running->execution.suspend();
}
void host_access(const void*, std::uint32_t, bool, const void*) { std::abort(); }
void host_looks_at(const void*, std::uint32_t, const void*) {}
void await_earlier_blocks() {}
void check_store(address, std::uint32_t) {}  // no lane here is guarded
void volatile_access(const void*, std::uint32_t, bool, const void*) {}
void volatile_store_begins(const void*, const void*) {}
void cas_probe_read(const void*, std::uint32_t, const void*) {}
bool is_on_own_stack(const void*) { return false; }
address counted_parameter(const void*, std::size_t) { return 0; }
void refuse_host_function(const char*, const void*) {}
void refuse_call(std::string, const void*) {}
void refuse_frame(const char*, const void*) {}
void note_library_call(address) {}
void look_at_callback(std::uintptr_t, const void*) {}
}  // namespace simtlab::emulator

TEST_CASE("the merge equals a lane-by-lane merge of complete logs on random control flow") {
  const char* asked = std::getenv("SIMTLAB_RANDOM_PROGRAMS");
  const int programs = asked == nullptr ? 400 : std::atoi(asked);
  for (int seed = 0; seed < programs; ++seed) {
    CAPTURE(seed);
    random_program program(static_cast<std::uint64_t>(seed));
    std::vector<std::vector<event>> lanes;
    const unsigned count = seed % 3 == 0 ? 1 + static_cast<unsigned>(seed) % warp_size : warp_size;
    for (unsigned lane = 0; lane < count; ++lane) lanes.push_back(program.run(lane));
    REQUIRE(merged_by_warp_log(lanes) == merged_lane_by_lane(lanes));
  }
}

TEST_CASE("lanes that do the same are one request each, however long they run") {
  std::vector<event> log;
  for (unsigned i = 0; i < 5 * warp_log::capacity; ++i)
    log.push_back({make_key(1 + i % 7, 4, record_kind::read, 0), 0x1000 + 4 * (i % 1000)});
  const auto all = merged_by_warp_log(std::vector<std::vector<event>>(warp_size, log));
  REQUIRE(all.size() == log.size());
  for (const seen& s : all) CHECK(s.active == full_warp);
}

TEST_CASE("a structure's access is a request for each of its pieces") {
  std::vector<std::vector<event>> lanes(warp_size);
  for (unsigned lane = 0; lane < warp_size; ++lane)
    lanes[lane] = {{make_key(7, width_in_pieces(12, 4), record_kind::read, 0), 0x1000 + 12 * lane},
                   {make_key(8, width_in_pieces(4, 8), record_kind::write, 0), 0x3000 + 4 * lane}};
  const auto all = merged_by_warp_log(lanes);
  REQUIRE(all.size() == 4);
  for (unsigned piece = 0; piece < 3; ++piece) {
    CHECK(all[piece].where == 7);
    CHECK(all[piece].addresses[5] == 0x1000 + 12 * 5 + 4 * piece);
  }
  CHECK(all[3].where == 8);
}
