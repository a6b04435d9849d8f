// All accesses of one block to a sample of elements: which thread touched which of them, and between which barriers
// (options::sampled_accesses). An element is in the sample with every access to it, or not at all: where there are too many
// accesses, every second element of the sample goes.
#pragma once

#include <functional>
#include <vector>

#include "core/memory_map.h"
#include "observers/observer.h"
#include "report/report.h"

namespace simtlab::emulator {

class element_sampler final : public observer {
 public:
  /// Keeps at most `most` accesses, of the launch's second block, or of its only one. Local memory is left out.
  explicit element_sampler(std::size_t most) : most_(most) {}

  void launch_begins(const launch_info&) override;
  void block_begins(const block_info&) override;
  void block_ends() override { is_inside_ = false; }
  void request(const warp_request&) override;
  void barrier(const barrier_event&) override;

  [[nodiscard]] bool has_seen_block() const { return has_seen_block_; }
  [[nodiscard]] element_sample resolve(const std::function<source_line(site)>& line_of, const memory_map& names) const;

 private:
  struct entry {
    std::uint64_t epoch = 0;
    std::uint32_t thread = 0, width = 0;
    site where = 0;
    memory_space space{};
    access kind{};
    address at = 0;
  };
  [[nodiscard]] bool is_in_sample(memory_space, address) const;
  void thin_out();

  std::size_t most_;
  std::uint64_t chosen_ = 0;  // the block
  unsigned halvings_ = 0;
  bool is_inside_ = false, has_seen_block_ = false;
  coordinates block_;
  std::vector<site> barriers_;
  std::vector<entry> seen_;
};

}  // namespace simtlab::emulator
