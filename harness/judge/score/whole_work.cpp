#include "judge/score/whole_work.h"

#include "judge/score/argument_accesses.h"
#include "judge/score/coverage.h"
#include "judge/score/share_of_work.h"
#include "judge/score/side_by_side.h"
#include "judge/score/thread_work.h"
#include "judge/score/whole_value.h"

namespace simtlab {

whole_reading read_whole_work(const criterion& c, const std::vector<criterion>& all, const criterion_input& in,
                              const array_flow& flow) {
  const argument_accesses accesses(c, in, flow);
  const auto [value, where] = read_whole_value(c, all, in, accesses, flow);
  share_of_work done;
  if (value) {
    done = covered_work(c, in, accesses, flow);
    done *= side_by_side(in);
    done *= fetched_by_threads(c, all, in, accesses, *value);
  }
  return {value, done.share, done.missing, {accesses.through().begin(), accesses.through().end()}, where};
}

}  // namespace simtlab
