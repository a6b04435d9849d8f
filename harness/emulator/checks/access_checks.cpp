#include "checks/access_checks.h"

namespace simtlab::emulator {

access_checks::access_checks(shared_state& shared, finding_log& findings)
    : shared_(shared),
      memory_(shared.borrow()),
      bounds_(shared.map(), findings),
      local_(findings),
      initialisation_(shared, *memory_, findings),
      stale_(shared.map(), findings),
      copies_(shared.map(), findings),
      races_(make_race_engine(shared, *memory_, findings)) {}

access_checks::~access_checks() { shared_.give_back(std::move(memory_)); }

void access_checks::launch_begins(const launch_info& l) {
  memory_->patterns.clear();
  initialisation_.launch_begins(l);
  races_->launch_begins(l);
}

void access_checks::block_begins(const block_info& b) {
  block_ = b;
  bounds_.block_begins(block_);
  local_.block_begins(block_);
  initialisation_.block_begins(block_);
  stale_.block_begins(block_);
  copies_.block_begins(block_);
  races_->block_begins(block_);
}

void access_checks::request(const warp_request& r) {
  if (r.space == memory_space::local) return local_.check(r);
  if (r.space == memory_space::texture) return fetch(r);
  if (r.atomic == atomic_kind::probe) return;  // what the lanes do instead comes next
  const access_pattern& pattern = memory_->patterns.of(r);
  const lane_mask lanes = bounds_.check(r, pattern);
  if (lanes == 0) return;
  if (r.kind != access::read && r.space == memory_space::global && !block_.launch->textures.empty())
    stale_.note_store(r, lanes);
  if (r.space == memory_space::shared) copies_.check(r, lanes);
  initialisation_.check(r, pattern, lanes);
  if (!r.of_atomic) return races_->check(r, pattern, lanes);
  warp_request part = r;
  part.kind = access::atomic;
  part.changes_nothing = r.kind == access::read;
  races_->check(part, pattern, lanes);
}

/// A read of global memory to all checks but that of bounds: a texture's fetch reads inside of it, whatever the coordinates.
void access_checks::fetch(const warp_request& r) {
  if (r.texels == 0) return;
  warp_request read = r;
  read.space = memory_space::global;
  read.active = r.texels;
  const access_pattern& pattern = memory_->patterns.of(read);
  initialisation_.check(read, pattern, read.active);
  stale_.check(r);
  races_->check(read, pattern, read.active);
}

void access_checks::launch_ends() {
  initialisation_.launch_ends([this](address a, std::uint64_t bytes, std::uint64_t block) {
    return races_->is_written_by_others(a, bytes, block);
  });
  races_->launch_ends();
}

}  // namespace simtlab::emulator
