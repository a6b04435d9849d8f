// A course's own support header: logging, timing, reading, comparing.
#pragma once
#include <cuda_runtime.h>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <map>
#include <sstream>
#include <string>
#include <vector>
enum Level { OFF, ERROR, INFO, TRACE };
static std::map<std::string, double> started;
#define courseLog(level, ...) logLine(level, #level, __FUNCTION__, __LINE__, __VA_ARGS__)
#define courseTime_start(kind, ...) courseLog(TRACE, "start " #kind " ", __VA_ARGS__)
#define CheckCuda(stmt)                                       \
  do {                                                        \
    cudaError_t err = stmt;                                   \
    if (err != cudaSuccess) {                                 \
      courseLog(ERROR, "Failed to run stmt ", #stmt);         \
      courseLog(ERROR, "Got CUDA error ...  ", cudaGetErrorString(err)); \
      return -1;                                              \
    }                                                         \
  } while (0)
template <typename... Args>
void logLine(Level, const char* name, const char* function, int, const Args&... args) {
  std::ostringstream line;
  line << "[" << name << "] " << function << ": ";
  (line << ... << args);
  puts(line.str().c_str());
}
template <typename T, typename S>
static inline T divideUp(const T& a, const S& b) {
  return (a + b - 1) / b;
}
inline float* read(const char* name, int* n) {
  std::ifstream in(name);
  in >> *n;
  float* data = (float*)malloc(*n * sizeof(float));
  for (int i = 0; i < *n; ++i) in >> data[i];
  return data;
}
void report(const float* a, int n);  // defined in a C++ file
