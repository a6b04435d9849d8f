// What one thread makes of a result, and how far it is threads, and not the size of their blocks, that fetch little.
#pragma once

#include <optional>
#include <vector>

#include "judge/score/argument_accesses.h"
#include "judge/score/argument_size.h"
#include "judge/score/criteria.h"
#include "judge/score/share_of_work.h"

namespace simtlab {

/// Elements of the result over the threads that make them: those of a launch count in full when it reads an element once an
/// operation, from memory or by a shuffle, and else in proportion. Who brings results back has made none. `movers`: with the
/// threads of launches that only move.
[[nodiscard]] std::optional<double> results_of_a_thread(const criterion_input&, const argument_size& result,
                                                        bool movers);

/// Of what `value` loads of all inputs an operation earn, the share that is due to threads of many results. Larger blocks make
/// larger tiles, so that fewer loads do for threads of one result.
[[nodiscard]] share_of_work fetched_by_threads(const criterion&, const std::vector<criterion>& all,
                                               const criterion_input&, const argument_accesses&, double value);

}  // namespace simtlab
