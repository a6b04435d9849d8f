// Messages of a program, and the time that its parts take, on stdout.
#pragma once

#include <ostream>
#include <sstream>
#include <string>

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

/// What parts are written to, one behind the other.
class joined_text {
 public:
  SIMTLAB_WB_FUNCTION joined_text();
  SIMTLAB_WB_FUNCTION ~joined_text();
  joined_text(const joined_text&) = delete;
  joined_text& operator=(const joined_text&) = delete;
  SIMTLAB_WB_FUNCTION std::ostream& stream();
  SIMTLAB_WB_FUNCTION std::string text() const;

 private:
  std::ostringstream* whole_;
};

inline void add_to(std::ostream&) {}
template <class First, class... Rest>
void add_to(std::ostream& line, const First& first, const Rest&... rest) {
  line << first;
  add_to(line, rest...);
}
template <class... Parts>
std::string text_of(const Parts&... parts) {
  joined_text whole;
  add_to(whole.stream(), parts...);
  return whole.text();
}

/// The number of characters, as printf has it.
SIMTLAB_WB_FUNCTION int print_message(const char* level, const char* function, int line, const std::string& message);
SIMTLAB_WB_FUNCTION void start_time(const char* kind, const std::string& text);
SIMTLAB_WB_FUNCTION void stop_time(const char* kind, const std::string& text, int line);

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
       : simtlab_wb::print_message(#level, __func__, __LINE__, simtlab_wb::text_of(__VA_ARGS__)))

/// wbTime_start(GPU, "Copying"); wbTime_stop(GPU, "Copying"); kinds are Generic, IO, GPU, Copy, Driver, CopyAsync, Compute.
#define wbTime_start(kind, ...) simtlab_wb::start_time(#kind, simtlab_wb::text_of(__VA_ARGS__))
#define wbTime_stop(kind, ...) simtlab_wb::stop_time(#kind, simtlab_wb::text_of(__VA_ARGS__), __LINE__)
