// Lab 15: resampling an image by a texture.
//
// `input` is an image in device memory: `height` rows of `width` floats, and from the begin of a row to that of the next
// it is `pitch` floats (pitch ≥ width, a multiple of 32, as cudaMallocPitch makes it). What lies between the rows belongs
// to nobody. `output` gets the same picture with new_width × new_height pixels, row after row without gaps.
//
// Pixel (x, y) covers the square from (x, y) to (x + 1, y + 1), so its middle is (x + 0.5, y + 0.5). The middle of a
// pixel of the output, times width / new_width and height / new_height, is the point of the input that it shows. The
// value there is bilinear: of the four pixels whose middles lie around it, each the more the nearer. Beyond the middles
// of the outermost pixels the nearest pixel's value goes on.
#include <cuda_runtime.h>

__global__ void resample_pixels(cudaTextureObject_t image, int width, int height, float* output, int new_width,
                                int new_height) {
  // Which pixel of the output is this thread's? Let neighbouring threads have neighbours of one row.
  //@@ your code here

  // Which point of the input does it show? One fetch there, and one store, if this thread has a pixel.
  //@@ your code here
}

// Called by the tests. `input` and `output` are device pointers.
void resample(const float* input, int width, int height, int pitch, float* output, int new_width, int new_height) {
  // Where the texels are: rows with a pitch, which is said in bytes.
  cudaResourceDesc rows = {};
  //@@ your code here

  // How they are read: what lies outside, and what lies between texels.
  cudaTextureDesc reading = {};
  //@@ your code here

  // Make the texture object, launch the kernel, and destroy the object when the kernel is done.
  //@@ your code here
}
