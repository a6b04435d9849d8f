// Rows with a pitch: two and three dimensions.
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>
__global__ void addOne(char* base, size_t pitch, int width, int height) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < height && col < width) {
    float* r = (float*)(base + row * pitch);
    r[col] += 1;
  }
}
__global__ void cube(cudaPitchedPtr p, cudaExtent e) {
  char* slice = (char*)p.ptr + blockIdx.x * p.pitch * e.height;
  float* row = (float*)(slice + threadIdx.y * p.pitch);
  row[threadIdx.x] = blockIdx.x * 100 + threadIdx.y * 10 + threadIdx.x;
}
// Time in proportion to the rows, in a stream as well: a quadratic copy of these takes minutes.
void copies_a_tall_matrix() {
  const size_t rows = 100000, width = 4 * sizeof(int);
  int* host = new int[rows * 4];
  for (size_t i = 0; i < rows * 4; ++i) host[i] = static_cast<int>(i);
  void *device, *other;
  size_t pitch;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocPitch(&device, &pitch, width, rows);
  cudaMallocPitch(&other, &pitch, width, rows);
  cudaMemset2D(device, pitch, 0, width, rows);
  cudaMemcpy2DAsync(device, pitch, host, width, width, rows, cudaMemcpyHostToDevice, stream);
  cudaMemcpy2DAsync(other, pitch, device, pitch, width, rows, cudaMemcpyDeviceToDevice, stream);
  for (size_t i = 0; i < rows * 4; ++i) host[i] = 0;
  cudaMemcpy2DAsync(host, width, other, pitch, width, rows, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy3DParms slices = {0};
  slices.srcPtr = make_cudaPitchedPtr(other, pitch, width, rows / 4);
  slices.dstPtr = make_cudaPitchedPtr(device, pitch, width, rows / 4);
  slices.extent = make_cudaExtent(width, rows / 4, 4);
  slices.kind = cudaMemcpyDeviceToDevice;
  cudaMemcpy3D(&slices);
  printf("%d %s\n", host[rows * 4 - 1], cudaGetErrorString(cudaGetLastError()));
  cudaFree(device);
  cudaFree(other);
  cudaStreamDestroy(stream);
  delete[] host;
}

int main() {
  copies_a_tall_matrix();
  const int W = 37, H = 11;
  float h[H][W], back[H][W];
  for (int i = 0; i < W * H; ++i) (&h[0][0])[i] = i;
  float *d, *e;
  size_t pitch, pitch2;
  cudaMallocPitch((void**)&d, &pitch, W * sizeof(float), H);
  cudaMallocPitch(&e, &pitch2, W * sizeof(float), H);
  cudaMemset2D(d, pitch, 0, W * sizeof(float), H);
  cudaMemcpy2D(d, pitch, h, W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice);
  dim3 threads(16, 16);
  dim3 blocks((W + threads.x - 1) / threads.x, (H + threads.y - 1) / threads.y);
  addOne<<<blocks, threads>>>((char*)d, pitch, W, H);
  cudaMemcpy2D(e, pitch2, d, pitch, W * sizeof(float), H, cudaMemcpyDeviceToDevice);
  cudaMemcpy2D(back, W * sizeof(float), e, pitch2, W * sizeof(float), H, cudaMemcpyDefault);
  printf("%.0f %.0f\n", back[0][0], back[H - 1][W - 1]);
  cudaExtent extent = make_cudaExtent(8 * sizeof(float), 4, 3);
  cudaPitchedPtr p;
  cudaMalloc3D(&p, extent);
  cudaMemset3D(p, 0, extent);
  cube<<<3, dim3(8, 4)>>>(p, extent);
  float volume[3][4][8];
  cudaMemcpy3DParms parms = {0};
  parms.srcPtr = p;
  parms.dstPtr = make_cudaPitchedPtr(volume, 8 * sizeof(float), 8, 4);
  parms.extent = extent;
  parms.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&parms);
  printf("%.0f %s\n", volume[2][3][7], cudaGetErrorString(cudaGetLastError()));
  cudaFree(d);
  cudaFree(e);
  cudaFree(p.ptr);
  return 0;
}
