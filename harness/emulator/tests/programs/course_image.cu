// A lab in the style of many courses whose filled-in part has the columns of the mask mixed up with its rows: the program runs
// without a finding, and its answer is wrong.
#include "wb.h"

#define MASK_WIDTH 3
#define RADIUS (MASK_WIDTH / 2)
#define clamp(x) (min(max((x), 0.0), 1.0))

//@@ INSERT CODE HERE
__global__ void convolution(float *in, const float *__restrict__ mask, float *out, int channels, int width,
                            int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  for (int c = 0; c < channels; ++c) {
    float sum = 0;
    for (int i = -RADIUS; i <= RADIUS; ++i)
      for (int j = -RADIUS; j <= RADIUS; ++j)
        if (y + i >= 0 && y + i < height && x + j >= 0 && x + j < width)
          sum += in[((y + i) * width + x + j) * channels + c] * mask[(j + RADIUS) * MASK_WIDTH + i + RADIUS];
    out[(y * width + x) * channels + c] = clamp(sum);
  }
}

int main(int argc, char *argv[]) {
  wbArg_t arg = wbArg_read(argc, argv);
  int maskRows, maskColumns;
  wbImage_t inputImage = wbImport(wbArg_getInputFile(arg, 0));
  float *hostMaskData = (float *)wbImport(wbArg_getInputFile(arg, 1), &maskRows, &maskColumns);
  wbAssert(maskRows == MASK_WIDTH);
  wbAssert(maskColumns == MASK_WIDTH);

  int imageWidth = wbImage_getWidth(inputImage);
  int imageHeight = wbImage_getHeight(inputImage);
  int imageChannels = wbImage_getChannels(inputImage);
  wbImage_t outputImage = wbImage_new(imageWidth, imageHeight, imageChannels);
  float *hostInputImageData = wbImage_getData(inputImage);
  float *hostOutputImageData = wbImage_getData(outputImage);
  int bytes = imageWidth * imageHeight * imageChannels * sizeof(float);

  float *deviceInputImageData, *deviceOutputImageData, *deviceMaskData;
  cudaMalloc((void **)&deviceInputImageData, bytes);
  cudaMalloc((void **)&deviceOutputImageData, bytes);
  cudaMalloc((void **)&deviceMaskData, maskRows * maskColumns * sizeof(float));
  cudaMemcpy(deviceInputImageData, hostInputImageData, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(deviceMaskData, hostMaskData, maskRows * maskColumns * sizeof(float), cudaMemcpyHostToDevice);
  dim3 block(8, 8, 1);
  convolution<<<dim3((imageWidth + 7) / 8, (imageHeight + 7) / 8), block>>>(
      deviceInputImageData, deviceMaskData, deviceOutputImageData, imageChannels, imageWidth, imageHeight);
  cudaMemcpy(hostOutputImageData, deviceOutputImageData, bytes, cudaMemcpyDeviceToHost);

  wbSolution(arg, outputImage);

  cudaFree(deviceInputImageData);
  cudaFree(deviceOutputImageData);
  cudaFree(deviceMaskData);
  free(hostMaskData);
  wbImage_delete(outputImage);
  wbImage_delete(inputImage);
  return 0;
}
