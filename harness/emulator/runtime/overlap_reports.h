// What is told of work in streams that nothing orders: with work of other streams, and with what the host does meanwhile.
#pragma once

#include <string>
#include <vector>

#include "core/memory_map.h"
#include "report/finding_log.h"
#include "report/report.h"
#include "runtime/host_names.h"
#include "runtime/stream_order.h"

namespace simtlab::emulator {

class overlap_reports {
 public:
  /// Refers to all of them. `page_locked` is where such memory can be.
  overlap_reports(finding_log&, const memory_map&, const host_names&, address_range page_locked, const host_report&);

  /// `kernel` has begun meanwhile; empty: a copy has.
  void between_streams(const std::vector<stream_order::overlap>&, const std::string& kernel);
  void with_host(const std::vector<stream_order::overlap>&);
  /// The program hands its memory back while copies may still be at work on it.
  void unfinished_copies(stream_order&);

 private:
  finding_log& findings_;
  const memory_map& map_;
  const host_names& names_;
  address_range page_locked_;
  const host_report& host_;
};

}  // namespace simtlab::emulator
