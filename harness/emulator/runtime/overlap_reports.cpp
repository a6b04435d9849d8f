#include "runtime/overlap_reports.h"

#include <utility>

#include "checks/region_text.h"

namespace simtlab::emulator {

overlap_reports::overlap_reports(finding_log& findings, const memory_map& map, const host_names& names,
                                 address_range page_locked, const host_report& host)
    : findings_(findings), map_(map), names_(names), page_locked_(page_locked), host_(host) {}

void overlap_reports::between_streams(const std::vector<stream_order::overlap>& found, const std::string& kernel) {
  for (const stream_order::overlap& o : found) {
    const memory_region* region = map_.find(o.conflict.at);
    const variable_id variable = region == nullptr ? 0 : region->id;
    const sighting rank{host_.launches, 0, 0};
    if (!findings_.first_time(rule::global_race, o.conflict.other.where, o.conflict.mine.where, variable, rank))
      continue;
    const host_name* const named =
        region == nullptr ? names_.of(reinterpret_cast<const void*>(o.conflict.at)) : nullptr;
    const std::string touched =
        named == nullptr ? element_text(region, memory_space::global, o.conflict.at, 1) : named->name;
    const auto place = [&](const footprint::side& s, const std::string& of_kernel, const char* stream_text) {
      return raw_place{s.where,
                       false,
                       {},
                       {},
                       std::string("of ") + (of_kernel.empty() ? "a copy" : "kernel " + of_kernel) + " in " +
                           stream_text + " " + verb(s.kind) + " " + touched};
    };
    findings_.add(
        {rule::global_race, kernel.empty() ? o.earlier->what : kernel, region == nullptr ? "" : region->name,
         place(o.conflict.other, o.earlier->what, "one stream"), place(o.conflict.mine, kernel, "another stream"),
         "Work in two streams touches the same memory, at least one of them writes, and nothing orders the two: "
         "they may run at the same time. Put both into one stream, let the second stream wait for an event that "
         "the first records (cudaStreamWaitEvent), or synchronise between them."},
        variable, rank);
  }
}

void overlap_reports::with_host(const std::vector<stream_order::overlap>& found) {
  for (const stream_order::overlap& o : found) {
    const memory_region* region = map_.find(o.conflict.at);
    const variable_id variable = region == nullptr ? 0 : region->id;
    const footprint::side &mine = o.conflict.mine, &other = o.conflict.other;
    const sighting rank{host_.launches, 0, 0};
    if (!findings_.first_time(rule::unsynchronised_host_access, mine.where, other.where, variable, rank)) continue;
    const std::string by = o.earlier->what.empty() ? "a copy" : "kernel " + o.earlier->what;
    const host_name* const named =
        region == nullptr ? names_.of(reinterpret_cast<const void*>(o.conflict.at)) : nullptr;
    const std::string kind = region == nullptr || region->of_host || page_locked_.contains(o.conflict.at)
                                 ? "page-locked memory"
                                 : "managed memory";
    const std::string name = region != nullptr ? region->name : named != nullptr ? named->name : "";
    const std::string touched = name.empty() ? kind : name;
    const auto place = [&](const footprint::side& s, std::string who) {
      return raw_place{s.where, false, {}, {}, who.append(" ").append(verb(s.kind)).append(" ").append(touched)};
    };
    std::string message = mine.kind == access::write ? "Host code writes to " : "Host code reads ";
    message.append(kind).append(" while ").append(by);
    message +=
        " may still be at work on it: a launch and an asynchronous copy return at once, and nothing has waited for "
        "this one. Wait before the host touches it: cudaDeviceSynchronize(), cudaStreamSynchronize() of its stream, "
        "or cudaEventSynchronize() of an event behind it.";
    findings_.add({rule::unsynchronised_host_access, o.earlier->what, name, place(mine, "host code"), place(other, by),
                   std::move(message)},
                  variable, rank);
  }
}

void overlap_reports::unfinished_copies(stream_order& streams) {
  for (const host_name& named : names_.all()) {
    footprint all;
    all.add(0, access::read, reinterpret_cast<address>(named.begin), named.bytes);
    for (const stream_order::overlap& o : streams.of_host(all)) {
      const sighting rank{host_.launches, 0, 0};
      const site copy = o.conflict.other.where;
      if (!findings_.first_time(rule::unsynchronised_host_access, copy, 0, 0, rank)) continue;
      findings_.add({rule::unsynchronised_host_access,
                     "",
                     named.name,
                     {copy, false, {}, {}, "a copy writes " + named.name},
                     {},
                     "The function returns while this copy may still be writing to " + named.name +
                         ": an asynchronous copy returns at once, and nothing has waited for this one. Whoever called "
                         "may read what was there before. Wait before the return: cudaStreamSynchronize() of its "
                         "stream, or cudaDeviceSynchronize()."},
                    0, rank);
    }
  }
}

}  // namespace simtlab::emulator
