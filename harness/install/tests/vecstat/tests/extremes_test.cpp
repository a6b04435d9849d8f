#include <vecstat/vecstat.hpp>
#include "cases.hpp"
static add extremes("extremes", [] {
  std::vector<float> values(333, -2.0F);
  values[200] = 7.5F;
  return vecstat::largest(values) == 7.5F;
});
