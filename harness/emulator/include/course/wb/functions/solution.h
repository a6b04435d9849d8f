// What wb/solution.h declares.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "../message.h"
#include "../solution.h"
#include "data_file.h"

namespace simtlab_wb {

/// Real numbers may be 0.2 apart, however large they are; from zero they must be less than 0.2 away.
inline bool same(wbReal_t a, wbReal_t b) {
  const wbReal_t apart = a < b ? b - a : a - b;
  return a == b || (a == 0 || b == 0 ? apart < wbReal_t(0.2) : apart <= wbReal_t(0.2));
}
inline bool same(int a, int b) { return a == b; }

/// Empty when the result is right.
template <class Found, class Expected>
std::string difference(const Found* found, int rows, int columns, const Expected* expected, int wanted_rows,
                       int wanted_columns) {
  if (rows == 1 && columns > 1) std::swap(rows, columns);
  if (rows != wanted_rows || columns != wanted_columns)
    return text_of("The solution has ", rows, " rows and ", columns, " columns, but ", wanted_rows, " rows and ",
                   wanted_columns, " columns were expected.");
  const size_t count = static_cast<size_t>(rows) * static_cast<size_t>(columns);
  for (size_t i = 0; i < count; ++i) {
    const Expected value = static_cast<Expected>(found[i]);
    if (same(value, expected[i])) continue;
    const int line = static_cast<int>(i) / columns, place = static_cast<int>(i) % columns;
    return text_of("The solution did not match the expected results at ",
                   columns == 1 ? std::string() : text_of("column ", place, " and "), "row ", line, ". Expecting ",
                   expected[i], " but got ", value, ".");
  }
  return std::string();
}

inline std::string difference(const wbImage* found, const wbImage* expected) {
  if (found->width != expected->width || found->height != expected->height || found->channels != expected->channels)
    return text_of("The image is ", found->width, " x ", found->height, " pixels with ", found->channels,
                   " channels, but ", expected->width, " x ", expected->height, " with ", expected->channels,
                   " were expected.");
  for (int y = 0; y < found->height; ++y)
    for (int x = 0; x < found->width; ++x)
      for (int c = 0; c < found->channels; ++c) {
        const wbReal_t a = wbImage_getPixel(found, x, y, c), b = wbImage_getPixel(expected, x, y, c);
        const wbReal_t inside = a < 0 ? 0 : a > 1 ? 1 : a;
        if (!same(inside, b))
          return text_of("The image pixels do not match at position row ", y, ", column ", x, ", channel ", c,
                         ". Expecting ", b, " but got ", inside, ".");
      }
  return std::string();
}

inline bool tell(const std::string& difference) {
  printf("%s\n", difference.empty() ? "Solution is correct." : difference.c_str());
  fflush(stdout);
  return difference.empty();
}

template <class Found, class Expected>
bool check_values(const wbArg_t& arguments, const Found* data, int rows, int columns) {
  int wanted_rows = 0, wanted_columns = 0;
  Expected* const expected = read_values<Expected>(arguments.expectedOutput, wanted_rows, wanted_columns);
  const std::string different = difference(data, rows, columns, expected, wanted_rows, wanted_columns);
  free(expected);
  if (arguments.outputFile != nullptr) wbExport(arguments.outputFile, data, rows, columns);
  return tell(different);
}

inline std::string type_of(const wbArg_t& arguments) {
  if (arguments.expectedOutput == nullptr)
    give_up(nullptr, "there is nothing to compare the result with. Start the program with -e EXPECTED -t TYPE");
  return arguments.type == nullptr ? "vector" : arguments.type;
}

}  // namespace simtlab_wb

SIMTLAB_WB_FUNCTION wbBool wbSolution(const wbArg_t& arguments, const wbImage* image) {
  simtlab_wb::type_of(arguments);
  const wbImage_t expected = simtlab_wb::read_image(arguments.expectedOutput);
  const std::string different = simtlab_wb::difference(image, expected);
  wbImage_delete(expected);
  if (arguments.outputFile != nullptr) simtlab_wb::write_image(arguments.outputFile, image);
  return simtlab_wb::tell(different);
}

SIMTLAB_WB_FUNCTION wbBool wbSolution(const wbArg_t& arguments, const void* data, int rows, int columns, int depth) {
  const std::string type = simtlab_wb::type_of(arguments);
  columns *= depth;
  if (type == "image") return wbSolution(arguments, static_cast<const wbImage*>(data));
  if (type == "vector" || type == "matrix")
    return simtlab_wb::check_values<wbReal_t, wbReal_t>(arguments, static_cast<const wbReal_t*>(data), rows, columns);
  if (type == "integral_vector")
    return simtlab_wb::check_values<int, int>(arguments, static_cast<const int*>(data), rows, columns);
  if (type == "histogram")
    return simtlab_wb::check_values<unsigned char, int>(arguments, static_cast<const unsigned char*>(data), rows,
                                                        columns);
  if (type != "text")
    simtlab_wb::give_up(type.c_str(), "-t knows vector, matrix, integral_vector, histogram, image and text");
  const simtlab_wb::contents expected(arguments.expectedOutput);
  const std::string found(static_cast<const char*>(data), static_cast<size_t>(rows) * columns);
  return simtlab_wb::tell(found == expected.text ? std::string() : "The text is not the expected one.");
}
