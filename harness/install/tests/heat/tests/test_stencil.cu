#include <heat/simulation.h>
#include <cmath>
#include <cstdio>
int main() {
  const heat::extent size{37, 21};
  auto expected = heat::hot_edge(size, 90.0F);
  heat::simulation plate(size, expected, 0.125F);
  for (int step = 0; step < 3; ++step) expected = heat::step_on_host(expected, size, 0.125F);
  plate.run(3);
  const auto found = plate.values();
  for (std::size_t at = 0; at < found.size(); ++at)
    if (std::fabs(found[at] - expected[at]) > 1e-3F) {
      std::printf("cell %zu: expected %g, found %g\n", at, expected[at], found[at]);
      return 1;
    }
  return plate.milliseconds() >= 0 ? 0 : 1;
}
