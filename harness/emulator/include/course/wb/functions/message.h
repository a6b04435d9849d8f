// What wb/message.h declares.
#pragma once

#include <chrono>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "../message.h"

namespace simtlab_wb {

SIMTLAB_WB_FUNCTION joined_text::joined_text() : whole_(new std::ostringstream) {}
SIMTLAB_WB_FUNCTION joined_text::~joined_text() { delete whole_; }
SIMTLAB_WB_FUNCTION std::ostream& joined_text::stream() { return *whole_; }
SIMTLAB_WB_FUNCTION std::string joined_text::text() const { return whole_->str(); }

SIMTLAB_WB_FUNCTION int print_message(const char* level, const char* function, int line, const std::string& message) {
  return printf("[%s] %s:%d %s\n", level, function, line, message.c_str());
}

typedef std::chrono::steady_clock::time_point moment;
/// What was started and not stopped yet, by kind and text.
inline std::map<std::pair<std::string, std::string>, moment>& running_times() {
  static std::map<std::pair<std::string, std::string>, moment> times;
  return times;
}
SIMTLAB_WB_FUNCTION void start_time(const char* kind, const std::string& text) {
  running_times()[std::make_pair(std::string(kind), text)] = std::chrono::steady_clock::now();
}
SIMTLAB_WB_FUNCTION void stop_time(const char* kind, const std::string& text, int line) {
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
