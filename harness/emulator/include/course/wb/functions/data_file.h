// What wb/data_file.h declares.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../data_file.h"
#include "../type.h"
#include "image.h"

namespace simtlab_wb {

/// A whole file, and how far it was read.
struct contents {
  std::string text;
  size_t at = 0;

  explicit contents(const char* name) {
    if (name == nullptr) give_up(nullptr, "the name of a file is missing");
    FILE* const file = fopen(name, "rb");
    if (file == nullptr) give_up(name, "there is no such file, or it may not be read");
    char piece[4096];
    for (size_t read; (read = fread(piece, 1, sizeof piece, file)) > 0;) text.append(piece, read);
    fclose(file);
  }
};

inline std::string ending(const char* name) {
  const std::string path = name == nullptr ? "" : name;
  const size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(dot + 1);
}

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ','; }

/// The next number, where `at` stands; false when nothing but blanks is left.
template <class T>
bool read_number(contents& from, T& value, const char* name) {
  while (from.at < from.text.size() && is_blank(from.text[from.at])) ++from.at;
  if (from.at >= from.text.size()) return false;
  const char* const begin = from.text.c_str() + from.at;
  char* end = nullptr;
  if (std::is_floating_point<T>::value)
    value = static_cast<T>(strtof(begin, &end));
  else
    value = static_cast<T>(strtol(begin, &end, 10));
  // A whole number may be written as 3.0 or 3e0: what is behind the point is cut off, as a conversion to int does.
  if (!std::is_floating_point<T>::value && end != begin && (*end == '.' || *end == 'e'))
    value = static_cast<T>(strtof(begin, &end));
  if (end == begin || (*end != '\0' && !is_blank(*end))) {
    const size_t line = 1 + static_cast<size_t>(std::count(from.text.begin(), from.text.begin() + from.at, '\n'));
    give_up(name, ("line " + std::to_string(line) + " holds something that is no number").c_str());
  }
  from.at += static_cast<size_t>(end - begin);
  return true;
}

template <class T>
T* copy_of(const std::vector<T>& values) {
  T* const copy = static_cast<T*>(allocate(values.size() * sizeof(T)));
  if (!values.empty()) memcpy(copy, values.data(), values.size() * sizeof(T));
  return copy;
}

template <class T>
T* read_values(const char* name, int& rows, int& columns) {
  contents from(name);
  std::vector<T> values;
  T value{};
  const std::string kind = ending(name);
  if (kind == "csv" || kind == "tsv") {
    const size_t first_line = from.text.find('\n');
    rows = columns = 0;
    while (read_number(from, value, name)) {
      values.push_back(value);
      if (from.at <= first_line) ++columns;
    }
    if (columns == 0) give_up(name, "the file holds no values");
    if (values.size() % static_cast<size_t>(columns) != 0) give_up(name, "the rows are not all of one length");
    rows = static_cast<int>(values.size()) / columns;
  } else if (kind == "raw" || kind == "dat") {
    const size_t first_line = std::min(from.text.find('\n'), from.text.size());
    contents header = from;
    header.text.resize(first_line);
    columns = 1;
    if (!read_number(header, rows, name) || rows < 0)
      give_up(name, "the first line must say how many values follow: `rows` or `rows columns`");
    if (read_number(header, columns, name) && columns < 0) give_up(name, "the number of columns is below zero");
    from.at = first_line;
    while (read_number(from, value, name)) values.push_back(value);
    const size_t wanted = static_cast<size_t>(rows) * static_cast<size_t>(columns);
    if (values.size() < wanted)
      give_up(name, ("the first line promises " + std::to_string(wanted) + " values, but the file has " +
                     std::to_string(values.size()))
                        .c_str());
    values.resize(wanted);
  } else {
    give_up(name, "the ending of a file of values is .raw, .dat, .csv or .tsv");
  }
  if (rows == 1 && columns > 0) std::swap(rows, columns);
  return copy_of(values);
}

template <class T>
void write_values(const char* name, const T* values, int rows, int columns) {
  FILE* const file = fopen(name, "wb");
  if (file == nullptr) give_up(name, "the file cannot be written");
  const bool table = ending(name) == "csv" || ending(name) == "tsv";
  if (!table && columns == 1) fprintf(file, "%d\n", rows);
  if (!table && columns != 1) fprintf(file, "%d %d\n", rows, columns);
  const size_t in_row = static_cast<size_t>(columns), count = static_cast<size_t>(rows) * in_row;
  for (size_t i = 0; i < count; ++i) {
    const bool last = i % in_row + 1 == in_row;
    fprintf(file, "%.9g%s", static_cast<double>(values[i]), last ? "\n" : ending(name) == "csv" ? "," : " ");
  }
  if (fclose(file) != 0) give_up(name, "the file cannot be written to its end");
}

}  // namespace simtlab_wb

SIMTLAB_WB_FUNCTION void* wbImport(const char* file, int* rows, int* columns, const char* type) {
  int found_rows = 0, found_columns = 1;
  void* values = nullptr;
  const std::string kind = simtlab_wb::ending(file);
  if (strcmp(type, "Text") == 0 || kind == "txt" || kind == "text") {
    const simtlab_wb::contents from(file);
    found_rows = static_cast<int>(from.text.size());
    values = simtlab_wb::copy_of(std::vector<char>(from.text.c_str(), from.text.c_str() + from.text.size() + 1));
  } else if (strcmp(type, "Real") == 0) {
    values = simtlab_wb::read_values<wbReal_t>(file, found_rows, found_columns);
  } else if (strcmp(type, "Integer") == 0) {
    values = simtlab_wb::read_values<int>(file, found_rows, found_columns);
  } else {
    simtlab_wb::give_up(type, "wbImport knows the types \"Real\", \"Integer\" and \"Text\"");
  }
  if (rows != nullptr) *rows = found_rows;
  if (columns != nullptr) *columns = found_columns;
  return values;
}
SIMTLAB_WB_FUNCTION wbImage_t wbImport(const char* file) { return simtlab_wb::read_image(file); }
SIMTLAB_WB_FUNCTION int wbImport_flag(const char* file) {
  simtlab_wb::contents from(file);
  int flag = 0;
  if (!simtlab_wb::read_number(from, flag, file)) simtlab_wb::give_up(file, "the file holds no number");
  return flag;
}

SIMTLAB_WB_FUNCTION void wbExport(const char* file, const wbReal_t* data, int rows, int columns) {
  simtlab_wb::write_values(file, data, rows, columns);
}
SIMTLAB_WB_FUNCTION void wbExport(const char* file, const int* data, int rows, int columns) {
  simtlab_wb::write_values(file, data, rows, columns);
}
SIMTLAB_WB_FUNCTION void wbExport(const char* file, const unsigned char* data, int rows, int columns) {
  simtlab_wb::write_values(file, data, rows, columns);
}
SIMTLAB_WB_FUNCTION void wbExport(const char* file, const wbImage* image) { simtlab_wb::write_image(file, image); }
