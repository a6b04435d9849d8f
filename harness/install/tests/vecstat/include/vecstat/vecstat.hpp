#pragma once
#include <vector>
#if defined(__GNUC__)
#define VECSTAT_EXPORT __attribute__((visibility("default")))
#else
#define VECSTAT_EXPORT
#endif
namespace vecstat {
struct moments {
  double mean;
  double variance;
};
VECSTAT_EXPORT moments moments_of(const std::vector<float>& values);
VECSTAT_EXPORT float largest(const std::vector<float>& values);
}  // namespace vecstat
