// A ring of cells, each a structure of eight fields: few of them are used often, all of them once. The layout is chosen.
#include <cmath>
#include <vector>

#include "spec/lab.h"

using namespace simtlab;

struct cell {
  float temperature, pressure, humidity, density, wind_x, wind_y, wind_z, exchange;
};
struct summary {
  float temperature, moisture, energy, flux;
};
// Implemented by the student in kernel.cu.
cudaError_t forecast(const cell* cells, summary* summaries, int n, int reach, int steps);

template <>
struct simtlab::element_traits<cell> : simtlab::components<float, 8> {};
template <>
struct simtlab::element_traits<summary> : simtlab::components<float, 4> {};

namespace {

// Temperatures after all steps: each moves towards that of the cell `reach` places further on.
std::vector<double> last_temperatures(std::span<const cell> cells, std::size_t reach, int steps) {
  const std::size_t n = cells.size();
  std::vector<double> now(n), next(n);
  for (std::size_t i = 0; i < n; ++i) now[i] = static_cast<double>(cells[i].temperature);
  for (int s = 0; s < steps; ++s) {
    const auto step = [&](std::size_t begin, std::size_t end) {
      std::size_t other = (begin + reach) % n;
      for (std::size_t i = begin; i < end; ++i) {
        next[i] = now[i] + static_cast<double>(cells[i].exchange) * (now[other] - now[i]);
        if (++other == n) other = 0;
      }
    };
    in_pieces(n, step, n);
    now.swap(next);
  }
  return now;
}

}  // namespace

lab define_lab() {
  return lab_spec<in<cell>, out<summary>, int, int, int>{
      .entry = forecast,
      .parameters = {"cells", "summaries", "n", "reach", "steps"},
      // Shares that are exchanged lie between 0 and 1, so that temperatures stay where they are.
      .arguments =
          [](const test_case& c, random_source& random) {
            const int n = c["n"];
            const std::vector<float> values = random["cells"].uniform<float>(8 * n);
            std::vector<cell> cells;
            for (std::size_t w = 0; w < values.size(); w += 8)
              cells.push_back({values[w], values[w + 1], values[w + 2], values[w + 3], values[w + 4], values[w + 5],
                               values[w + 6], std::fabs(values[w + 7])});
            return arguments(std::move(cells), elements(n), n, c["reach"], c["steps"]);
          },
      .reference =
          [](std::span<const cell> cells, std::span<summary> summaries, int, int reach, int steps) {
            const std::vector<double> last = last_temperatures(cells, static_cast<std::size_t>(reach), steps);
            for (std::size_t i = 0; i < cells.size(); ++i) {
              const cell& c = cells[i];
              const double x = c.wind_x, y = c.wind_y, z = c.wind_z;
              summaries[i] = {static_cast<float>(last[i]),
                              static_cast<float>(static_cast<double>(c.humidity) * static_cast<double>(c.pressure)),
                              static_cast<float>(static_cast<double>(c.density) * (x * x + y * y + z * z)),
                              static_cast<float>(static_cast<double>(c.exchange) * last[i])};
            }
          },
      .tolerance = within(1e-5, 1e-5),  // some twenty roundings of values below 1, and sums of three squares
      .cases = {{"one cell", {{"n", 1}, {"reach", 0}, {"steps", 1}}},
                {"less than a warp", {{"n", 31}, {"reach", 1}, {"steps", 2}}},
                {"one block of 256", {{"n", 256}, {"reach", 32}, {"steps", 1}}},
                {"a prime", {{"n", 1009}, {"reach", 64}, {"steps", 3}}},
                {"once around and further", {{"n", 300}, {"reach", 1007}, {"steps", 4}}},
                {"ragged", {{"n", 5003}, {"reach", 2500}, {"steps", 5}}}},
      .benchmark = {.emulator = {{"n", 50051}, {"reach", 1024}, {"steps", 16}},
                    .gpu = {{"n", 8388619}, {"reach", 65536}, {"steps", 64}}},
      // What the forecast needs in any layout: a step two temperatures and a share, and a temperature stored; a summary all
      // eight fields, and four floats stored. A conversion is no part of it.
      .model =
          [](const test_case& c) {
            const double n = c["n"], steps = c["steps"];
            return work{.bytes_read = n * (12 * steps + 32),
                        .bytes_written = n * (4 * steps + 16),
                        .operations = n * (3 * steps + 8)};
          },
      .criteria =
          {{metric::useful_share, full_at(0.75), none_at(0.25),
            "Write down the addresses that lanes 0, 1 and 2 read of one field. How many bytes of each sector of 32 "
            "does the request use? Does each row of your layout begin where a sector does, and does a thread store "
            "its summary at once?"},
           {metric::time_among_anchors,
            {anchor("pairs", 1), anchor("exchange-left-in-the-records", 0.5), anchor("groups-of-4", 0.35),
             anchor("records", 0)},
            "Each step is a copy that reads three fields and writes one. How many bytes does it move?"}},
      .severities = {{"leak", severity::error}},  // what the function allocates on each call it has to give back
      .pass_at = 60,
  };
}
