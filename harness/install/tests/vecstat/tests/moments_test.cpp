#include <vecstat/vecstat.hpp>
#include "cases.hpp"
static add moments("moments", [] {
  std::vector<float> values(1001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 7);
  const auto found = vecstat::moments_of(values);
  return found.mean == 3.0 && found.variance > 3.99 && found.variance < 4.01;
});
