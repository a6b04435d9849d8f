#include <cstdio>
#include <cstdlib>

#include "physics.h"
#include "report.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: simulate PARTICLES STEPS\n");
    return 2;
  }
  std::vector<particle> particles(static_cast<std::size_t>(std::atoi(argv[1])));
  for (std::size_t i = 0; i < particles.size(); ++i) particles[i] = {i % 7 * 0.1f, 0.0f, 1.0f};
  const int steps = std::atoi(argv[2]);
  set_stiffness(2.0f);
  simulate(particles, steps, 0.01f);
  report(particles, steps);
  return 0;
}
