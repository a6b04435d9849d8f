#include <cuda_runtime_api.h>
#include <heat/grid.h>
#include <algorithm>
namespace heat {
std::vector<float> hot_edge(extent size, float degrees) {
  std::vector<float> field(size.cells(), 20.0F);
  std::fill_n(field.begin(), size.width, degrees);
  return field;
}
std::vector<float> step_on_host(const std::vector<float>& from, extent size, float rate) {
  std::vector<float> to(from.size());
  auto at = [&](int x, int y) {
    return from[static_cast<std::size_t>(std::clamp(y, 0, size.height - 1)) * size.width +
                std::clamp(x, 0, size.width - 1)];
  };
  for (int y = 0; y < size.height; ++y)
    for (int x = 0; x < size.width; ++x)
      to[static_cast<std::size_t>(y) * size.width + x] =
          at(x, y) + rate * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) - 4 * at(x, y));
  return to;
}
}  // namespace heat
