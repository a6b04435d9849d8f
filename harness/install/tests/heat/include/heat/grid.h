#pragma once
#include <cstddef>
#include <vector>
namespace heat {
struct extent {
  int width;
  int height;
  constexpr std::size_t cells() const { return static_cast<std::size_t>(width) * height; }
};
std::vector<float> hot_edge(extent size, float degrees);
std::vector<float> step_on_host(const std::vector<float>& from, extent size, float rate);
}  // namespace heat
