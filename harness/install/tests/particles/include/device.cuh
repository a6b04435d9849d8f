// What the device code of several files shares.
#pragma once

#include "physics.h"

extern __constant__ float stiffness_on_device;
extern __device__ unsigned int force_evaluations;

__device__ float force(const particle* all, int count, int i);
