#pragma once
__global__ void negate(float*, int);
