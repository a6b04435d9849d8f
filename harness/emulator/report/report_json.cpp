#include "report/report_json.h"

#include "report/json_writer.h"

namespace simtlab::emulator {
namespace {

constexpr int version = 1;

void write(json_writer& out, unsigned x, unsigned y, unsigned z) { out.begin('[').value(x).value(y).value(z).end(']'); }

void write(json_writer& out, const access_counters& a) {
  const request_counters& c = a.counters;
  out.begin('{').member("file", a.where.file).member("line", a.where.line);
  out.member("space", space_name(a.space)).member("access", access_name(a.kind)).member("variable", a.variable);
  out.member("width", a.width).member("requests", c.requests).member("lanes", c.lanes).member("bytes", c.bytes);
  out.member("sectors", c.sectors).member("minimum_sectors", c.minimum_sectors).member("lines", c.lines);
  out.member("wavefronts", c.wavefronts).member("minimum_wavefronts", c.minimum_wavefronts);
  out.member("largest_wavefronts", c.largest_wavefronts).member("distinct_words", c.distinct_words);
  out.member("same_address_lanes", c.same_address_lanes).end('}');
}

void write(json_writer& out, const launch_report& l) {
  out.begin('{').member("kernel", l.kernel).key("grid");
  write(out, l.grid.x, l.grid.y, l.grid.z);
  out.key("block");
  write(out, l.block.x, l.block.y, l.block.z);
  out.member("static_shared_bytes", l.static_shared_bytes).member("dynamic_shared_bytes", l.dynamic_shared_bytes);
  out.key("occupancy").begin('{').member("blocks", l.fits.blocks).member("warps", l.fits.warps);
  out.member("most_warps", l.fits.most_warps).member("limited_by", limit_name(l.fits.limited_by)).end('}');
  out.member("completed", l.completed).member("steps", l.steps).member("divergent_steps", l.divergent_steps);
  out.member("barriers", l.barriers).key("accesses").begin('[');
  for (const access_counters& a : l.accesses) write(out.element(), a);
  out.end(']').end('}');
}

void write(json_writer& out, const finding_place& p) {
  out.begin('{').member("file", p.where.file).member("line", p.where.line).key("thread");
  p.has_thread ? write(out, p.thread.x, p.thread.y, p.thread.z) : void(out.null());
  out.key("block");
  p.has_thread ? write(out, p.block.x, p.block.y, p.block.z) : void(out.null());
  out.member("action", p.action).end('}');
}

void write(json_writer& out, const finding& f) {
  out.begin('{').member("rule", rule_name(f.what)).member("severity", severity_name(f.level));
  out.member("kernel", f.kernel).member("variable", f.variable).member("message", f.message).key("first");
  write(out, f.first);
  out.key("second");
  f.second.where.line != 0 ? write(out, f.second) : void(out.null());
  out.member("count", f.count).end('}');
}

void write(json_writer& out, const host_report& h) {
  out.begin('{').member("api_calls", h.api_calls).member("launches", h.launches);
  out.member("synchronisations", h.synchronisations).member("allocations", h.allocations).member("frees", h.frees);
  out.member("allocated_bytes", h.allocated_bytes).member("leaked_bytes", h.leaked_bytes);
  out.member("copies_to_device", h.copies_to_device).member("bytes_to_device", h.bytes_to_device);
  out.member("copies_to_host", h.copies_to_host).member("bytes_to_host", h.bytes_to_host);
  out.member("redundant_bytes", h.redundant_bytes).end('}');
}

}  // namespace

std::string report_json(const report& r, bool ended) {
  json_writer out;
  out.begin('{').member("format", "simtlab-report").member("version", version).member("gpu", r.gpu);
  out.member("ended", ended).key("launches").begin('[');
  for (const launch_report& l : r.launches) write(out.element(), l);
  out.end(']').key("findings").begin('[');
  for (const finding& f : r.findings) write(out.element(), f);
  out.end(']').key("host");
  write(out, r.host);
  return out.end('}').take();
}

const char* space_name(memory_space space) {
  switch (space) {
    case memory_space::global:
      return "global";
    case memory_space::shared:
      return "shared";
    case memory_space::constant:
      return "constant";
    case memory_space::local:
      return "local";
    case memory_space::texture:
      return "texture";
    default:
      return "other";
  }
}

const char* access_name(access kind) {
  switch (kind) {
    case access::read:
      return "read";
    case access::write:
      return "write";
    default:
      return "atomic";
  }
}

}  // namespace simtlab::emulator
