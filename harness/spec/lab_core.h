// A lab without its types: what the judge works with. lab_spec<…> (lab_spec.h) turns into it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "spec/anchor.h"
#include "spec/argument.h"
#include "spec/metric.h"
#include "spec/product_claim.h"
#include "spec/random_source.h"
#include "spec/test_case.h"
#include "spec/tolerance.h"
#include "spec/values.h"
#include "spec/work.h"

namespace simtlab {

/// `{metric::sector_efficiency("input"), full_at(1.0), none_at(0.125), "Let neighbouring lanes read …"}`. The hint gives the
/// idea, not the code. A last member `weight(2)` makes it count twice.
struct criterion {
  criterion(measurable m, full_at full, none_at none, std::string idea, weight w = weight(1))
      : metric(m), full_value(full.value), none_value(none.value), hint(std::move(idea)), share(w.value) {}
  /// `{metric::time_among_anchors, {anchor("solution", 1), anchor("unpadded", 0.4)}, "How many loads …"}`, fastest first.
  criterion(measurable m, std::vector<anchor> measured_beside, std::string idea, weight w = weight(1))
      : metric(m), hint(std::move(idea)), share(w.value), anchors(std::move(measured_beside)) {}
  measurable metric;
  double full_value = 1, none_value = 0;
  std::string hint;
  double share;
  std::vector<anchor> anchors;  ///< of `time_among_anchors` alone
};

/// `{"exited-before-barrier", severity::warning}`: what a rule of the emulator means in this lab.
struct severity_override {
  std::string rule;  ///< as findings name it, kebab case
  severity level = severity::error;
};

/// One argument of one call, as bytes.
struct argument_value {
  std::vector<std::byte> bytes;  ///< inputs and scalars: the value; outputs: zeros of the right size
  shape extents;                 ///< empty for a scalar
  bool is_image = false;         ///< extents are rows, columns and channels of 8-bit values
};

struct lab {
  entry_kind kind = entry_kind::device;
  bool returns_error = false;  ///< the entry returns cudaError_t
  std::vector<argument_description> arguments;
  std::vector<test_case> cases;
  benchmark_sizes benchmark;
  std::vector<criterion> criteria;
  std::vector<severity_override> severities;
  case_limits limits;
  double pass_at = 60;

  std::function<std::vector<argument_value>(const test_case&, random_source&)> make_arguments;
  /// Fills the outputs with the expected values.
  std::function<void(std::vector<argument_value>&)> run_reference;
  std::function<tolerance(const test_case&)> tolerance_of;
  std::function<work(const test_case&)> model;
  std::optional<product_claim> proof;
};

/// Every contradiction in a specification that its types cannot exclude, one sentence each; empty: none.
[[nodiscard]] std::vector<std::string> contradictions(const lab&);

}  // namespace simtlab
