#pragma once
#include <heat/grid.h>
#include <memory>
#include <vector>
namespace heat {
class simulation {
 public:
  simulation(extent size, const std::vector<float>& start, float rate);
  ~simulation();
  simulation(const simulation&) = delete;
  simulation& operator=(const simulation&) = delete;
  void run(int steps);
  std::vector<float> values() const;
  double total() const;
  float milliseconds() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};
}  // namespace heat
