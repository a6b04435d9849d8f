// Which pages of managed memory one launch touches, for the model of migration (managed_pages.h).
#pragma once

#include <set>

#include "costs/managed_pages.h"
#include "observers/observer.h"

namespace simtlab::emulator {

/// Adds the pages that one worker's blocks touch to the launch's when the launch is over.
class managed_touches final : public observer {
 public:
  /// Both must outlive the observer; `pages` does not change meanwhile.
  managed_touches(std::set<address>& of_launch, const managed_pages& pages) : of_launch_(of_launch), pages_(pages) {}
  void request(const warp_request&) override;
  void launch_ends() override { of_launch_.merge(own_); }

 private:
  std::set<address>& of_launch_;
  const managed_pages& pages_;
  std::set<address> own_;
  address last_ = 0;  // the page that was touched last
};

}  // namespace simtlab::emulator
