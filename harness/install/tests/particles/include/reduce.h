#pragma once

/// The sum of `count` numbers in device memory.
float sum(const float* numbers, int count);
