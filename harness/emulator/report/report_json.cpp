#include "report/report_json.h"

#include "core/memory_names.h"
#include "report/json_writer.h"

namespace simtlab::emulator {
namespace {

constexpr int version = 2;

void write(json_writer& out, unsigned x, unsigned y, unsigned z) { out.begin('[').value(x).value(y).value(z).end(']'); }

template <class Counters, class Table>
void write_counters(json_writer& out, const Counters& counters, const Table& table) {
  for (const auto& c : table) out.member(c.name, counters.*c.value);
}

template <class Table>
void write_fidelity(json_writer& out, const Table& table) {
  for (const auto& c : table) out.member(c.name, fidelity_name(c.exact));
}

void write(json_writer& out, const access_counters& a) {
  out.begin('{').member("file", a.where.file).member("line", a.where.line);
  out.member("space", space_name(a.space)).member("access", access_name(a.kind)).member("variable", a.variable);
  out.member("width", a.width);
  write_counters(out, a.counters, request_counter_table);
  out.end('}');
}

void write(json_writer& out, const launch_report& l) {
  out.begin('{').member("kernel", l.kernel).key("grid");
  write(out, l.grid.x, l.grid.y, l.grid.z);
  out.key("block");
  write(out, l.block.x, l.block.y, l.block.z);
  out.member("static_shared_bytes", l.static_shared_bytes).member("dynamic_shared_bytes", l.dynamic_shared_bytes);
  out.key("occupancy").begin('{').member("blocks", l.fits.blocks).member("warps", l.fits.warps);
  out.member("most_warps", l.fits.most_warps).member("limited_by", limit_name(l.fits.limited_by)).end('}');
  out.member("completed", l.completed);
  write_counters(out, l, launch_counter_table);
  out.key("accesses").begin('[');
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

}  // namespace

std::string report_json(const report& r, bool ended) {
  json_writer out;
  out.begin('{').member("format", "simtlab-report").member("version", version).member("gpu", r.gpu);
  out.member("ended", ended).key("launches").begin('[');
  for (const launch_report& l : r.launches) write(out.element(), l);
  out.end(']').key("findings").begin('[');
  for (const finding& f : r.findings) write(out.element(), f);
  out.end(']').key("host").begin('{');
  write_counters(out, r.host, host_counter_table);
  out.end('}').key("fidelity").begin('{');
  write_fidelity(out, request_counter_table);
  write_fidelity(out, launch_counter_table);
  write_fidelity(out, host_counter_table);
  return out.end('}').end('}').take();
}

}  // namespace simtlab::emulator
