#include "spec/pieces.h"

#include <algorithm>
#include <future>
#include <thread>
#include <vector>

namespace simtlab {

void in_pieces(std::size_t count, const std::function<void(std::size_t begin, std::size_t end)>& work,
               std::size_t elements) {
  if (count == 0) return;
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t pieces = std::max(count, elements) < fewest_to_share ? 1 : std::min(cores, count);
  std::vector<std::future<void>> others;
  for (std::size_t piece = 1; piece < pieces; ++piece)
    others.push_back(std::async(std::launch::async, work, count / pieces * piece,
                                piece + 1 == pieces ? count : count / pieces * (piece + 1)));
  work(0, pieces == 1 ? count : count / pieces);
  for (std::future<void>& other : others) other.get();
}

}  // namespace simtlab
