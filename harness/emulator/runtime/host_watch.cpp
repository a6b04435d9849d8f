#include "runtime/host_watch.h"

#include <algorithm>

#include "core/closed_memory.h"
#include "core/private_memory.h"
#include "runtime/program_image.h"
#include "trace/hook_state.h"
#include "trace/text_base.h"

namespace simtlab::emulator {

/// Whether host code is kept from what kernels and copies left in memory that it shares with them, so that each read is seen.
bool host_watch::watches_reads() const {
  constexpr std::uint64_t more_than_any_flag = 4096;  // nobody asks how many more were read
  return handed_.is_guarded() && work_.was_handed_device_memory() && work_.read().bytes < more_than_any_flag;
}

void host_watch::watch() {
  if (handed_.is_guarded()) memory_.set_view(host_view::watched);
}

void host_watch::close() {
  if (watches_reads()) memory_.set_view(host_view::closed);
}

/// What host code can read where a page opens: variables share pages, and one that is open shows them all.
std::uint64_t host_watch::bytes_shown_by(address page) const {
  std::uint64_t bytes = 0;
  for (std::uint32_t id = 1; id <= map_.size(); ++id) {
    const memory_region& r = map_.region(id);
    const address begin = std::max(page, r.begin), end = std::min(page + arena::page, r.begin + r.bytes);
    if (r.live && r.begin != heap_ && begin < end) bytes += end - begin;
  }
  return bytes == 0 ? arena::page : bytes;
}

touch host_watch::touched(const fault& f, address instruction, address stack_pointer) {
  const host_view view = memory_.view_at(f.where);
  if (view == host_view::open) return touch::foreign;
  const private_allocation own;
  const bool is_own = program_code().contains(instruction);
  const site where = is_own ? site_at(reinterpret_cast<const void*>(instruction + 1)) : calling_site(stack_pointer);
  if (view == host_view::closed && !watches_reads()) {
    memory_.set_view(host_view::watched);
    return touch::let_go_on;
  }
  if (view == host_view::watched) {
    memory_.open_part(f.where, where);
    return touch::let_go_on;
  }
  const bool is_told = may_be_closed() ? noted_.tells(f.where) : is_own || attributed_site != 0;
  if (is_told && pages_of_step_count_ < pages_of_step_.size()) {
    memory_.open_page(f.where);
    pages_of_step_[pages_of_step_count_++] = f.where;
    return touch::let_step;
  }
  memory_.open_part(f.where, where);
  if (is_told) return touch::let_go_on;
  const address page = f.where / arena::page * arena::page;
  work_.accessed_managed(page, bytes_shown_by(page), false, where);
  return touch::let_go_on;
}

void host_watch::stepped() {
  while (pages_of_step_count_ > 0) memory_.close_page(pages_of_step_[--pages_of_step_count_]);
}

site host_watch::calling_site(address stack_pointer) {
  const address_range code = program_code();
  const auto* place = reinterpret_cast<const address*>(stack_pointer / sizeof(address) * sizeof(address));
  const auto* const last = place + 4096 / sizeof(address);
  while (place != last && !code.contains(*place)) ++place;
  return place == last ? 0 : site_at(reinterpret_cast<const void*>(*place));
}

}  // namespace simtlab::emulator
