#include "judge/score/criteria.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "core/gpu_model.h"
#include "judge/score/array_flow.h"
#include "judge/score/memory_passes.h"
#include "judge/score/number.h"
#include "judge/score/overlap_cause.h"
#include "judge/score/residency.h"
#include "judge/score/shared_passes.h"
#include "judge/score/threads.h"
#include "judge/score/whole_work.h"
#include "judge/wording.h"

namespace simtlab {
namespace {

using counter = std::uint64_t access_counters::*;

// Sums of counters over the accesses that a criterion is about, and the line that adds most to its cost.
class access_sum {
 public:
  template <class Wanted, class Cost>
  access_sum(const measurements& m, Wanted wanted, Cost cost) {
    double worst = 0;
    for (const launch_counters& l : m.launches) {
      for (const access_counters& a : l.accesses) {
        if (!wanted(a)) continue;
        matching_.push_back(&a);
        if (const double c = cost(a); c > worst && a.line > 0) {
          worst = c;
          where_ = source_place{a.file, a.line};
        }
      }
    }
  }
  [[nodiscard]] double total(counter c) const {
    double sum = 0;
    for (const access_counters* a : matching_) sum += static_cast<double>(a->*c);
    return sum;
  }
  [[nodiscard]] const std::optional<source_place>& where() const { return where_; }

 private:
  std::vector<const access_counters*> matching_;
  std::optional<source_place> where_;
};

struct metric_reading {
  std::optional<double> value;
  std::string reason;
  std::optional<source_place> where;
};

metric_reading ratio(const access_sum& sum, double above, double below, std::string if_nothing) {
  if (below == 0) return {std::nullopt, std::move(if_nothing), std::nullopt};
  return {above / below, "", sum.where()};
}

// Sizes and counts: of one launch, pointers to memory not counted, and of all launches together.
constexpr std::uint64_t usual_parameter_bytes = 64, most_usual_bytes = 4096;

double difference(std::uint64_t a, std::uint64_t b) { return number(a) - number(b); }

// The launches that make this kind of access to an argument in global memory, with all that they do.
measurements launches_with(const measurements& m, std::string_view kind, std::string_view argument) {
  measurements some;
  for (const launch_counters& l : m.launches)
    if (std::ranges::any_of(l.accesses, [&](const access_counters& a) {
          return a.space == "global" && a.access == kind && a.variable == argument;
        }))
      some.launches.push_back(l);
  return some;
}

metric_reading read_atomics_per_block(const measurable& m, const criterion_input& in) {
  const measurements made = launches_with(in.measured, "atomic", m.of);
  double blocks = 0;
  for (const launch_counters& l : made.launches) blocks += number(l.times * l.grid[0] * l.grid[1] * l.grid[2]);
  const access_sum sum(
      made, [&](const access_counters& a) { return a.access == "atomic" && a.variable == m.of; },
      [](const access_counters& a) { return number(a.lanes); });
  if (blocks == 0) return {0, "", std::nullopt};
  return {sum.total(&access_counters::lanes) / blocks, "", sum.where()};
}

// Why a metric found nothing of `variable` (of any, when empty) in a memory that is known by names alone, and which other
// name was there.
std::string unseen(const measurements& m, std::string_view space, std::string_view variable) {
  if (variable.empty()) return fmt::format("no access to {} memory was seen", space);
  std::string text = fmt::format("no access to {} in {} memory was seen", variable, space);
  for (const launch_counters& l : m.launches)
    for (const access_counters& a : l.accesses)
      if (a.space == space && !a.variable.empty())
        return text + fmt::format(", but to {}: the array must be called {} to be counted", a.variable, variable);
  return text;
}

// Of an argument, by kernels with a shuffle: less is a look at it.
constexpr double least_exchanged = 0.25;

metric_reading read_shared_wavefronts(const measurable& m, const criterion_input& in) {
  const measurements readers = launches_with(in.measured, "read", m.of);
  const argument_size* const argument = argument_called(in.arguments, m.of);
  const double all = argument == nullptr ? 0 : argument->bytes;
  const std::size_t element = argument == nullptr ? 0 : argument->element_bytes;
  double warps = 0, passes = 0, exchanged = 0;
  for (const launch_counters& l : readers.launches) {
    warps += number(l.times) * warps_in_grid(l);
    double items = 0, bytes = 0;
    for (const access_counters& a : l.accesses)
      if (a.access == "read" && a.variable == m.of) {
        if (a.space == "global") items += elements_in(a, element);
        bytes += number(a.bytes);
      }
    if (l.warp_value_primitives > l.warp_votes) exchanged += bytes;
    passes += shared_passes(l, items);
  }
  if (warps == 0) return {std::nullopt, fmt::format("no kernel that reads {} was seen", m.of), std::nullopt};
  if (exchanged == 0 || exchanged < least_exchanged * all)
    return {std::nullopt, fmt::format("no shuffle was seen in a kernel that reads {}", m.of), std::nullopt};
  const access_sum sum(
      readers, [](const access_counters& a) { return a.space == "shared"; },
      [](const access_counters& a) { return shared_passes(a); });
  return {passes / warps, "", sum.where()};
}

// Of launches alone: copies inside the device are the second bound's (whole_work.h).
double moved_by_plain_launches(const criterion_input& in) {
  measurements made;
  made.launches = in.measured.launches;
  return moved_by_plain_copies(made, bytes_by_name(in.arguments));
}

metric_reading read_counters(const measurable& m, const criterion_input& in) {
  using ac = access_counters;
  const auto of_variable = [&](const char* space) {
    return [&m, space](const ac& a) { return a.space == space && (m.of.empty() || a.variable == m.of); };
  };
  const auto of_kind = [&](const char* kind) {
    return [&m, kind](const ac& a) { return a.space == "global" && a.access == kind && a.variable == m.of; };
  };
  // An atomic asks for what is there like a load, and so does a texture fetch.
  const auto of_loads = [&](const ac& a) {
    if ((a.space != "global" && a.space != "texture") || a.access == "write") return false;
    return m.of.empty() ? is_input(in.arguments, a.variable) : a.variable == m.of;
  };
  const auto lanes = [](const ac& a) { return number(a.lanes); };
  // What lanes read or write of the argument: a vector of four elements counts as four.
  const argument_size* const known = argument_called(in.arguments, m.of);
  const double element = known == nullptr ? 0 : number(known->element_bytes);
  const auto elements = [element](const access_sum& sum) {
    const double by_lanes = sum.total(&ac::lanes);
    return element == 0 ? by_lanes : std::max(by_lanes, sum.total(&ac::bytes) / element);
  };
  const bool is_fetched = std::ranges::any_of(in.measured.launches, [&m](const launch_counters& l) {
    return std::ranges::any_of(l.accesses, [&m](const ac& a) { return a.space == "texture" && a.variable == m.of; });
  });
  const std::string no_access =
      fmt::format("no access to {} in global memory was seen{}", m.of.empty() ? "the inputs" : m.of,
                  is_fetched ? ", but fetches of a texture, which nobody can count the sectors of" : "");
  const std::string no_operations = "the lab's model has no operations";

  switch (m.what) {
    case quantity::sector_efficiency: {
      const access_sum sum(in.measured, of_variable("global"),
                           [](const ac& a) { return difference(a.sectors, a.ideal_sectors); });
      return ratio(sum, sum.total(&ac::ideal_sectors), sum.total(&ac::sectors), no_access);
    }
    case quantity::wavefronts_over_minimum: {
      const access_sum sum(in.measured, of_variable("shared"),
                           [](const ac& a) { return difference(a.wavefronts, a.ideal_wavefronts); });
      return ratio(sum, sum.total(&ac::wavefronts), sum.total(&ac::ideal_wavefronts),
                   unseen(in.measured, "shared", m.of));
    }
    case quantity::requested_bytes_per_operation: {
      const access_sum sum(in.measured, of_variable("global"), [](const ac& a) { return number(a.bytes); });
      if (sum.total(&ac::bytes) == 0) return {std::nullopt, no_access, std::nullopt};
      return ratio(sum, sum.total(&ac::bytes), in.model.operations, no_operations);
    }
    case quantity::moved_bytes_per_operation: {
      const access_sum sum(in.measured, of_variable("global"), [](const ac& a) { return number(a.sectors); });
      if (sum.total(&ac::sectors) == 0) return {std::nullopt, no_access, std::nullopt};
      return ratio(sum, 32 * sum.total(&ac::sectors), in.model.operations, no_operations);
    }
    case quantity::useful_share: {
      const access_sum sum(in.measured, of_variable("global"),
                           [](const ac& a) { return difference(a.sectors, a.ideal_sectors); });
      return ratio(sum, in.model.bytes_read + in.model.bytes_written,
                   32 * sum.total(&ac::sectors) - moved_by_plain_launches(in), "no access to global memory was seen");
    }
    case quantity::lane_loads_per_operation: {
      const access_sum sum(in.measured, of_loads, lanes);
      if (sum.total(&ac::lanes) == 0) return {std::nullopt, no_access, std::nullopt};
      return ratio(sum, sum.total(&ac::lanes), in.model.operations, no_operations);
    }
    case quantity::atomics_per_operation: {
      const access_sum sum(in.measured, of_kind("atomic"), lanes);
      return ratio(sum, sum.total(&ac::lanes), in.model.operations, no_operations);
    }
    case quantity::atomics_per_block:
      return read_atomics_per_block(m, in);
    case quantity::shared_wavefronts_per_warp:
      return read_shared_wavefronts(m, in);
    case quantity::same_address_lanes: {
      const access_sum sum(
          in.measured, [&](const ac& a) { return a.access == "atomic" && (m.of.empty() || a.variable == m.of); },
          [](const ac& a) { return number(a.same_address_lanes); });
      return ratio(sum, sum.total(&ac::same_address_lanes), sum.total(&ac::requests),
                   fmt::format("no atomic operation on {} was seen", m.of));
    }
    case quantity::constant_words_per_request: {
      const access_sum sum(
          in.measured,
          [&](const ac& a) {
            return of_variable("constant")(a) || (a.space == "constant" && is_parameter(a.variable));
          },
          [](const ac& a) { return difference(a.distinct_words, a.requests); });
      return ratio(sum, sum.total(&ac::distinct_words), sum.total(&ac::requests),
                   unseen(in.measured, "constant", m.of));
    }
    case quantity::constant_share: {
      const access_sum constant(
          in.measured, [](const ac& a) { return a.space == "constant"; }, lanes);
      const access_sum global(in.measured, of_loads, lanes);
      const double from_constant = constant.total(&ac::lanes);
      return ratio(global, from_constant, from_constant + global.total(&ac::lanes),
                   fmt::format("no read of {} was seen, nor of constant memory", m.of));
    }
    case quantity::texture_share: {
      const access_sum fetches(in.measured, of_variable("texture"), lanes),
          loads(in.measured, of_variable("global"), lanes);
      const double fetched = fetches.total(&ac::lanes);
      if (fetched == 0) return {std::nullopt, fmt::format("no texture fetch of {} was seen", m.of), loads.where()};
      return ratio(loads, fetched, fetched + loads.total(&ac::lanes), "");
    }
    case quantity::stores_per_thread: {
      const auto stores = [&m](const ac& a) { return a.space == "global" && a.access != "read" && a.variable == m.of; };
      measurements made;  // by launches that do more than bring results back
      double threads = 0;
      const argument_bytes sizes = bytes_by_name(in.arguments);
      for (const launch_counters& l : in.measured.launches) {
        if (only_brings_back(l, sizes)) continue;
        made.launches.push_back(l);
        if (std::ranges::any_of(l.accesses, stores)) threads += threads_at_work(l);
      }
      const access_sum sum(made, stores, lanes);
      return ratio(sum, elements(sum), threads, fmt::format("no store to {} in global memory was seen", m.of));
    }
    case quantity::operations_per_pass: {
      const access_sum sum(
          in.measured, [](const ac&) { return true; }, [](const ac& a) { return memory_passes(a); });
      double passes = 0;
      for (const launch_counters& l : in.measured.launches) passes += memory_passes(l);
      passes -= moved_by_plain_launches(in) / bytes_of_a_pass;
      return ratio(sum, in.model.operations, passes, "no access to memory was seen");
    }
    case quantity::active_lanes: {
      const access_sum sum(
          in.measured, [](const ac& a) { return a.space == "global" || a.space == "shared"; },
          [](const ac& a) { return 32 * number(a.requests) - number(a.lanes); });
      return ratio(sum, sum.total(&ac::lanes), sum.total(&ac::requests), "no access to memory was seen");
    }
    case quantity::local_bytes_per_operation: {
      const access_sum sum(
          in.measured, [](const ac& a) { return a.space == "local"; },
          [](const ac& a) { return number(a.indexed_bytes); });
      return ratio(sum, sum.total(&ac::indexed_bytes), in.model.operations, no_operations);
    }
    case quantity::resident_warps: {
      const residency fewest = fewest_resident_warps(in.measured, m.of);
      return {fewest.warps, fewest.reason, std::nullopt};
    }
    default:
      return {};
  }
}

bool is_of_host(quantity q) {
  switch (q) {
    case quantity::leaked_bytes:
    case quantity::copied_bytes_over_minimum:
    case quantity::pages_migrated_over_minimum:
    case quantity::prefetched_page_share:
    case quantity::overlapped_copy_share:
      return true;
    default:
      return false;
  }
}

// Too few are as far from what the model needs as too many.
metric_reading over_needed(double made, double needed, const std::string& what, std::string text) {
  if (made == 0) return {std::nullopt, fmt::format("no {} was seen", what), std::nullopt};
  if (made < needed) text += fmt::format("; the lab asks for {}", grouped(static_cast<std::uint64_t>(needed)));
  return {std::max(made / needed, needed / made), std::move(text), std::nullopt};
}

metric_reading read_pages(const measurable& m, const criterion_input& in) {
  const host_counters& h = in.measured.host;
  const std::uint64_t pages = h.pages_to_device + h.pages_to_host;
  std::string text =
      fmt::format("{} page{} moved to the device and {} back, {} of them by a prefetch", grouped(h.pages_to_device),
                  h.pages_to_device == 1 ? "" : "s", grouped(h.pages_to_host), grouped(h.prefetched_pages));
  if (m.what == quantity::pages_migrated_over_minimum)
    return over_needed(number(pages), in.model.migrated_pages, "move of a page of managed memory", std::move(text));
  if (pages == 0) return {std::nullopt, "no move of a page of managed memory was seen", std::nullopt};
  return {number(h.prefetched_pages) / std::max(number(pages), in.model.migrated_pages), std::move(text), std::nullopt};
}

metric_reading read_overlap(const criterion_input& in) {
  const host_counters& h = in.measured.host;
  if (h.stream_copy_bytes == 0)
    return {std::nullopt, "no copy in a stream that the program created was seen", std::nullopt};
  return {number(h.overlapped_copy_bytes) / std::max(number(h.stream_copy_bytes), in.model.streamed_bytes),
          fmt::format("{} of {} bytes that streams copy cross while something else is under way",
                      grouped(h.overlapped_copy_bytes), grouped(h.stream_copy_bytes)),
          std::nullopt};
}

metric_reading read_host(const measurable& m, const criterion_input& in) {
  const host_counters& h = in.measured.host;
  if (m.what == quantity::pages_migrated_over_minimum || m.what == quantity::prefetched_page_share)
    return read_pages(m, in);
  if (m.what == quantity::overlapped_copy_share) return read_overlap(in);
  if (m.what == quantity::leaked_bytes) {
    const auto leak = std::ranges::find(in.measured.findings, "leak", &finding::rule);
    if (leak == in.measured.findings.end()) return {number(h.leaked_bytes), "", std::nullopt};
    return {number(h.leaked_bytes), "", source_place{leak->first.file, leak->first.line}};
  }
  if (in.argument_bytes == 0) return {std::nullopt, "the arguments have no bytes", std::nullopt};
  // A launch's sizes and counts are nobody's copies; more than that is data.
  const std::uint64_t sizes = std::min(h.launches * usual_parameter_bytes, most_usual_bytes);
  const std::uint64_t carried = h.parameter_bytes > sizes ? h.parameter_bytes - sizes : 0;
  std::string text = fmt::format("{} bytes went to the device in {} copies and {} back in {}; the arguments have {}",
                                 grouped(h.bytes_to_device), h.copies_to_device, grouped(h.bytes_to_host),
                                 h.copies_to_host, grouped(static_cast<std::uint64_t>(in.argument_bytes)));
  if (carried > 0) text += fmt::format("; parameters of kernels carried {} more", grouped(carried));
  const double bytes = number(h.bytes_to_device + h.bytes_to_host + carried);
  if (in.model.copied_bytes > 0) return over_needed(bytes, in.model.copied_bytes, "copy", std::move(text));
  return {bytes / in.argument_bytes, std::move(text), std::nullopt};
}

// A time that may not be graded leaves the criterion unmeasured: that is no fault of the submission.
void read_time(const timing_evidence* timing, evaluated_criterion& e) {
  const criterion& c = *e.of;
  std::optional<timed_reading> r;
  if (timing == nullptr)
    e.reason = "no time was taken";
  else if (c.metric.what == quantity::copy_bandwidth_fraction)
    r = read_copy_fraction(*timing, e.reason);
  else if (c.metric.what == quantity::time_among_anchors)
    r = read_among_anchors(*timing, c.anchors, e.reason);
  else
    r = read_baseline_ratio(*timing, std::string(c.metric.of), e.reason);
  e.measured = r.has_value();
  if (!r) return;
  e.value = r->value;
  e.bounds = r->bounds;
  e.favoured = r->value < c.full_value && r->bounds.holds(c.full_value);
  e.fraction = e.favoured ? 1 : fraction_earned(r->value, c.full_value, c.none_value);
  e.best_fraction = fraction_earned(r->bounds.high, c.full_value, c.none_value);
}

// The smaller fraction counts. A program that works on copies alone has no other reading.
void bound_by_whole_work(evaluated_criterion& e, const whole_reading& whole) {
  constexpr double rounding = 1e-9;
  if (!whole.value) return;
  const criterion& c = *e.of;
  const double least = fraction_earned(*whole.value, c.full_value, c.none_value);
  const bool only_copies = !e.value && !whole.through.empty() && whole.covered > 0;
  if (!only_copies && (!e.value || least * whole.covered >= e.fraction - rounding)) return;
  if (only_copies || least < e.fraction - rounding) {
    e.value = whole.value;
    e.where = whole.where;
    e.reason = whole.through.empty() ? "counted over all the memory that the kernels use, arrays of your own included, "
                                       "and compared with what the task needs"
                                     : fmt::format("counted with {}, which {} for {}", listed(whole.through),
                                                   whole.through.size() == 1 ? "stands" : "stand", c.metric.of);
  }
  if (!whole.missing.empty()) e.reason += (e.reason.empty() ? "" : "; ") + whole.missing;
  e.fraction = least * whole.covered;
  if (least >= 1 && !whole.missing.empty() && c.metric.what == quantity::sector_efficiency) {
    e.reason = "the value itself is full, but " + whole.missing;
    e.idea = "The addresses are right as they are: the points go with what is said here alone.";
  }
}

// Sectors too many count there as well (whole_work.cpp).
void tell_of_global_memory(evaluated_criterion& e, const measurements& m) {
  if (e.of->metric.what != quantity::wavefronts_over_minimum || !e.where || e.fraction >= 1) return;
  bool is_global = false;
  for (const launch_counters& l : m.launches)
    for (const access_counters& a : l.accesses) {
      if (a.file != e.where->file || a.line != e.where->line) continue;
      if (a.space == "shared" && a.wavefronts > a.ideal_wavefronts) return;
      is_global = is_global || (a.space == "global" && a.sectors > a.ideal_sectors);
    }
  if (is_global)
    e.idea =
        "Most is lost in global memory here: a sector too many counts as a wavefront too many. Which addresses do "
        "neighbouring lanes ask for?";
}

// An array of the program's own, in global or shared memory, may be called like an argument, and is not that argument.
measurements without_namesakes(measurements m, const std::vector<argument_size>& arguments) {
  for (launch_counters& l : m.launches)
    for (access_counters& a : l.accesses)
      if ((a.space == "global" || a.space == "shared") && !a.array.given &&
          std::ranges::count(arguments, a.variable, &argument_size::name) > 0)
        a.variable = "own " + a.variable;
  return m;
}

// "tile_a and tile_b are filled and never read", with the lines that fill them; empty where every shared array is read.
std::string unread_shared_arrays(const measurements& m) {
  std::map<std::string, int> filled;
  std::set<std::string> read;
  for (const launch_counters& l : m.launches)
    for (const access_counters& a : l.accesses) {
      if (a.space != "shared") continue;
      if (a.access == "write")
        filled.emplace(a.variable, a.line);
      else
        read.insert(a.variable);
    }
  std::vector<std::string> names;
  for (const auto& [name, line] : filled)
    if (!read.contains(name)) names.push_back(fmt::format("{} (line {})", name, line));
  if (names.empty()) return "";
  return fmt::format("{} {} filled and never read: take the values from there", listed(names),
                     names.size() == 1 ? "is" : "are");
}

constexpr std::array<std::string_view, 7> baselines{"cublas_sgemm",  "cublas_geam",   "cub_reduce", "cub_scan",
                                                    "cub_histogram", "cub_transform", "solution"};

double total_score(const std::vector<evaluated_criterion>& all, double evaluated_criterion::*fraction) {
  double score = 0;
  for (const evaluated_criterion& e : all) score += e.percent * e.*fraction;
  constexpr double digits = 1e9;  // weights like 1/3 must not keep full marks at 99.99999999999999
  return std::clamp(std::round(score * digits) / digits, 0.0, 100.0);
}

}  // namespace

bool is_for(backend_kind backend, const criterion& c, entry_kind kind) {
  const metric_description& d = description_of(c.metric.what);
  return backend == backend_kind::emulator ? d.emulator : d.gpu && kind == entry_kind::device;
}

std::string unsupported_reason(const criterion& c, backend_kind backend, entry_kind kind) {
  const metric_description& d = description_of(c.metric.what);
  if (backend == backend_kind::emulator && !d.emulator) return "time is measured on a GPU";
  if (backend == backend_kind::cuda && !d.gpu) return "counters come from the emulator";
  if (c.metric.what == quantity::ratio_to_baseline && std::ranges::find(baselines, c.metric.of) == baselines.end())
    return fmt::format("there is no baseline \"{}\"", c.metric.of);
  if (c.metric.what == quantity::resident_warps && emulator::find_gpu(c.metric.of) == nullptr)
    return fmt::format("there is no GPU \"{}\" among those of emulator/core/gpu_model.cpp", c.metric.of);
  if (d.gpu && kind == entry_kind::host) return "the time of a host entry is not graded";
  return "";
}

std::vector<evaluated_criterion> evaluate(const std::vector<criterion>& criteria, const criterion_input& in) {
  std::vector<evaluated_criterion> all;
  const array_flow flow(in.measured);
  const measurements measured = without_namesakes(in.measured, in.arguments);
  const criterion_input named{measured, in.model, in.argument_bytes, in.backend, in.kind, in.timing, in.arguments};
  const bool works_in_inputs =
      std::ranges::find(in.measured.findings, input_changed_rule, &finding::rule) != in.measured.findings.end();
  double measured_weight = 0;
  for (const criterion& c : criteria) {
    evaluated_criterion e;
    e.of = &c;
    e.reason = unsupported_reason(c, in.backend, in.kind);
    e.measured = e.reason.empty();
    if (e.measured && description_of(c.metric.what).gpu) {
      read_time(in.timing, e);
    } else if (e.measured) {
      const bool is_host = is_of_host(c.metric.what);
      metric_reading r = is_host ? read_host(c.metric, named) : read_counters(c.metric, named);
      e.value = r.value;
      e.reason = std::move(r.reason);
      e.where = std::move(r.where);
      if (c.metric.what == quantity::overlapped_copy_share) e.idea = overlap_cause(in.measured.timeline);
      e.fraction = e.value ? fraction_earned(*e.value, c.full_value, c.none_value) : 0;
      if (!is_host && in.whole_work) bound_by_whole_work(e, read_whole_work(c, criteria, in, flow));
      tell_of_global_memory(e, in.measured);
      if (!is_host && works_in_inputs) {  // what is counted for an input is then not what was asked of it
        e.fraction = 0;
        e.reason = "an input was stored to";
      }
      e.best_fraction = e.fraction;
      if (e.fraction >= 1) e.reason.clear();
    }
    if (c.metric.what == quantity::lane_loads_per_operation && e.value && e.fraction < 1 && e.reason.empty())
      e.reason = unread_shared_arrays(in.measured);
    if (e.measured) measured_weight += c.share;
    all.push_back(std::move(e));
  }
  for (evaluated_criterion& e : all)
    if (e.measured) e.percent = 100 * e.of->share / measured_weight;
  return all;
}

std::string idea_of(const evaluated_criterion& e) {
  if (!e.idea.empty()) return e.idea;
  if (e.measured && !e.value && e.of->metric.what == quantity::same_address_lanes)
    return "These points are for results that meet by atomic operations. What does a block know when it is done, and "
           "how "
           "can all blocks add theirs to one result?";
  if (!e.measured || e.value || !e.of->metric.of.empty()) return std::string(e.of->hint);
  if (e.of->metric.what == quantity::wavefronts_over_minimum)
    return "These points are for how shared memory is used. What could the threads of a block keep there for one "
           "another?";
  if (e.of->metric.what == quantity::constant_words_per_request)
    return "These points are for how constant memory is used. Which values do all threads read?";
  return std::string(e.of->hint);
}

std::optional<double> score_of(const std::vector<evaluated_criterion>& all) {
  if (std::ranges::none_of(all, &evaluated_criterion::measured)) return std::nullopt;
  return total_score(all, &evaluated_criterion::fraction);
}

std::optional<double> best_score_of(const std::vector<evaluated_criterion>& all) {
  if (std::ranges::none_of(all, &evaluated_criterion::measured)) return std::nullopt;
  return std::max(total_score(all, &evaluated_criterion::fraction),
                  total_score(all, &evaluated_criterion::best_fraction));
}

}  // namespace simtlab
