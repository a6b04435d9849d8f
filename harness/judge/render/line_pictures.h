// Which requests of a source line are drawn, wherever a line is: below the terminal's worst lines, and in the facts for a report.
#pragma once

#include <string>
#include <vector>

#include "judge/render/request_picture.h"
#include "judge/score/line_counters.h"
#include "protocol/bounded_json.h"
#include "protocol/measurement.h"

namespace simtlab {

struct kept_request {
  const example_place* place;
  const request_example* example;
};

/// The most frequent request of the row, and the worst where it is another. Of the first launch that has some; the measurements own
/// them.
[[nodiscard]] std::vector<kept_request> shown_requests(const measurements&, const line_row&);

struct drawn_request {
  std::string access;  ///< "read a"
  std::string words;   ///< `words_of_request`
  request_picture picture;
};

/// `shown_requests` of the rows that cost more than they must, dearest row first; of a line without such rows, of all. What has no
/// picture (constant memory) has its words and no rows.
[[nodiscard]] std::vector<drawn_request> drawn_requests(const measurements&, const source_line_counters&);

/// Whether the line is among the dearest four: by what they cost beyond the fewest, then by what they cost.
[[nodiscard]] bool is_drawn(const source_line_counters&, const std::vector<source_line_counters>& lines);

/// A drawn request as `drawn_request` of facts.schema.json describes it.
[[nodiscard]] json to_json(const drawn_request&);

}  // namespace simtlab
