// Messages of a program, and the time that its parts take, on stdout.
#pragma once

#include <chrono>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "type.h"

enum wbLogLevel {
  wbLogLevel_OFF,
  wbLogLevel_FATAL,
  wbLogLevel_ERROR,
  wbLogLevel_WARN,
  wbLogLevel_INFO,
  wbLogLevel_DEBUG,
  wbLogLevel_TRACE
};

namespace simtlab_wb {

inline void add_to(std::ostringstream&) {}
template <class First, class... Rest>
void add_to(std::ostringstream& line, const First& first, const Rest&... rest) {
  line << first;
  add_to(line, rest...);
}
template <class... Parts>
std::string text_of(const Parts&... parts) {
  std::ostringstream line;
  add_to(line, parts...);
  return line.str();
}

typedef std::chrono::steady_clock::time_point moment;
/// What was started and not stopped yet, by kind and text.
inline std::map<std::pair<std::string, std::string>, moment>& running_times() {
  static std::map<std::pair<std::string, std::string>, moment> times;
  return times;
}
inline void start_time(const char* kind, const std::string& text) {
  running_times()[std::make_pair(std::string(kind), text)] = std::chrono::steady_clock::now();
}
inline void stop_time(const char* kind, const std::string& text, int line) {
  const auto begun = running_times().find(std::make_pair(std::string(kind), text));
  if (begun == running_times().end()) {
    printf("[%s] line %d stops \"%s\", which was not started with the same words\n", kind, line, text.c_str());
    return;
  }
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begun->second;
  running_times().erase(begun);
  printf("[%s] %.3f ms %s\n", kind, taken.count(), text.c_str());
}

}  // namespace simtlab_wb

/// Its parts, one behind the other, as a text.
template <class... Parts>
std::string wbString(const Parts&... parts) {
  return simtlab_wb::text_of(parts...);
}

/// wbLog(INFO, "The length is ", n): the level is one of wbLogLevel's, without its beginning.
#define wbLog(level, ...)               \
  (wbLogLevel_##level == wbLogLevel_OFF \
       ? 0                              \
       : printf("[%s] %s:%d %s\n", #level, __func__, __LINE__, simtlab_wb::text_of(__VA_ARGS__).c_str()))

/// wbTime_start(GPU, "Copying"); wbTime_stop(GPU, "Copying"); kinds are Generic, IO, GPU, Copy, Driver, CopyAsync, Compute.
#define wbTime_start(kind, ...) simtlab_wb::start_time(#kind, simtlab_wb::text_of(__VA_ARGS__))
#define wbTime_stop(kind, ...) simtlab_wb::stop_time(#kind, simtlab_wb::text_of(__VA_ARGS__), __LINE__)
