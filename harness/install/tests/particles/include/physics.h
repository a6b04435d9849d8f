// Host interface of the particles: plain C++ may include it.
#pragma once

#include <vector>

struct particle {
  float x, v, m;
};

/// Advances all particles by `steps` steps of `dt`.
void simulate(std::vector<particle>& particles, int steps, float dt);
/// Sets the strength of the spring between neighbours, on the device.
void set_stiffness(float k);
float stiffness();
