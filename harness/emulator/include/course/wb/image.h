// Images of floats between 0 and 1, row by row, the channels of a pixel beside each other; files in the netpbm formats P6
// (three channels) and P5 (one), a byte for each value.
#pragma once

#include <cstdlib>

#include "type.h"

struct wbImage {
  int width, height, channels, pitch;  ///< pitch: values in a row
  wbReal_t* data;
};
typedef wbImage* wbImage_t;

#define wbImage_channels 3

/// `data` becomes the image's own and is released with it.
inline wbImage_t wbImage_new(int width, int height, int channels, wbReal_t* data) {
  return new wbImage{width, height, channels, width * channels, data};
}
/// A black one.
SIMTLAB_WB_FUNCTION wbImage_t wbImage_new(int width, int height, int channels = wbImage_channels);
inline void wbImage_delete(wbImage_t image) {
  if (image != nullptr) free(image->data);
  delete image;
}
inline int wbImage_getWidth(const wbImage* image) { return image->width; }
inline int wbImage_getHeight(const wbImage* image) { return image->height; }
inline int wbImage_getChannels(const wbImage* image) { return image->channels; }
inline int wbImage_getPitch(const wbImage* image) { return image->pitch; }
inline wbReal_t* wbImage_getData(const wbImage* image) { return image->data; }
inline void wbImage_setData(wbImage_t image, wbReal_t* data) { image->data = data; }
inline wbReal_t wbImage_getPixel(const wbImage* image, int x, int y, int channel) {
  return image->data[static_cast<size_t>(y) * image->pitch + x * image->channels + channel];
}
inline void wbImage_setPixel(wbImage_t image, int x, int y, int channel, wbReal_t value) {
  image->data[static_cast<size_t>(y) * image->pitch + x * image->channels + channel] = value;
}
