#pragma once
#include <vector>

#include "physics.h"

void report(const std::vector<particle>& particles, int steps);
