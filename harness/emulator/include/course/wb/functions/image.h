// What wb/image.h declares, and images in files.
#pragma once

#include <cstdio>
#include <cstring>
#include <vector>

#include "../image.h"
#include "../type.h"

SIMTLAB_WB_FUNCTION wbImage_t wbImage_new(int width, int height, int channels) {
  if (width < 0 || height < 0 || channels < 1)
    simtlab_wb::give_up("wbImage_new", "an image needs a width, a height and channels");
  const size_t bytes = static_cast<size_t>(width) * height * channels * sizeof(wbReal_t);
  wbReal_t* const data = static_cast<wbReal_t*>(simtlab_wb::allocate(bytes));
  memset(data, 0, bytes);
  return wbImage_new(width, height, channels, data);
}

namespace simtlab_wb {

/// A number of a netpbm header: what is before it may hold comments.
inline long header_number(FILE* file, const char* name) {
  int c = fgetc(file);
  while (c == '#' || c == ' ' || c == '\t' || c == '\r' || c == '\n') {
    if (c == '#')
      while (c != '\n' && c != EOF) c = fgetc(file);
    c = fgetc(file);
  }
  long number = 0;
  if (c < '0' || c > '9') give_up(name, "a number is missing in the image's header (P6, width, height, largest value)");
  for (; c >= '0' && c <= '9'; c = fgetc(file)) {
    number = number * 10 + (c - '0');
    if (number > 1000000) give_up(name, "a number in the image's header is larger than a million");
  }
  return number;  // the one blank behind it is read
}

inline wbImage_t read_image(const char* name) {
  FILE* const file = fopen(name, "rb");
  if (file == nullptr) give_up(name, "there is no such file, or it may not be read");
  const int p = fgetc(file), kind = fgetc(file);
  if (p != 'P' || (kind != '5' && kind != '6')) give_up(name, "this is no image of format P6 (colour) or P5 (grey)");
  const long width = header_number(file, name), height = header_number(file, name);
  const long largest = header_number(file, name);
  if (largest < 1 || largest > 255) give_up(name, "the image's largest value must be from 1 to 255");
  const int channels = kind == '6' ? 3 : 1;
  // Read row by row, so that a header that promises too much costs nothing.
  std::vector<wbReal_t> values;
  std::vector<unsigned char> row(static_cast<size_t>(width) * channels);
  for (long y = 0; y < height; ++y) {
    if (fread(row.data(), 1, row.size(), file) != row.size()) give_up(name, "the image ends before its last row");
    for (const unsigned char v : row) values.push_back(static_cast<wbReal_t>(v) / static_cast<wbReal_t>(largest));
  }
  fclose(file);
  const wbImage_t image = wbImage_new(static_cast<int>(width), static_cast<int>(height), channels);
  if (!values.empty()) memcpy(image->data, values.data(), values.size() * sizeof(wbReal_t));
  return image;
}

inline void write_image(const char* name, const wbImage* image) {
  if (image->channels != 1 && image->channels != 3) give_up(name, "only images of 1 or 3 channels can be written");
  FILE* const file = fopen(name, "wb");
  if (file == nullptr) give_up(name, "the file cannot be written");
  fprintf(file, "P%d\n%d %d\n255\n", image->channels == 3 ? 6 : 5, image->width, image->height);
  const size_t count = static_cast<size_t>(image->width) * image->height * image->channels;
  for (size_t i = 0; i < count; ++i) {
    const wbReal_t v = image->data[i];
    fputc(v > 0 ? static_cast<int>((v < 1 ? v : 1) * 255 + wbReal_t(0.5)) : 0, file);
  }
  if (fclose(file) != 0) give_up(name, "the file cannot be written to its end");
}

}  // namespace simtlab_wb
