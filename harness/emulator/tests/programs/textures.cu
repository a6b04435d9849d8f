// Texture objects over an array, over rows with a pitch and over linear memory, in the style of course code: an image is rotated,
// smoothed and looked up. Compiles with nvcc as it is.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                              \
  do {                                                                           \
    cudaError_t e = (call);                                                      \
    if (e != cudaSuccess) {                                                      \
      printf("line %d: %s\n", __LINE__, cudaGetErrorString(e));                  \
      exit(1);                                                                   \
    }                                                                            \
  } while (0)

const int W = 20, H = 12;

__global__ void turn(float *output, cudaTextureObject_t tex, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float u = (width - 1 - x + 0.5f) / width, v = (height - 1 - y + 0.5f) / height;
  output[y * width + x] = tex2D<float>(tex, u, v);
}

__global__ void smooth(uchar4 *output, cudaTextureObject_t image, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float4 a = tex2D<float4>(image, x + 1.0f, y + 1.0f);  // between four texels
  output[y * width + x] = make_uchar4(a.x * 255 + 0.5f, a.y * 255 + 0.5f, a.z * 255 + 0.5f, a.w * 255 + 0.5f);
}

__global__ void look_up(int *output, const int *index, cudaTextureObject_t table, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) output[i] = tex1Dfetch<int>(table, index[i]);
}

__global__ void slices(float *output, cudaTextureObject_t volume) {
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  float v;
  tex3D(&v, volume, x + 0.5f, y + 0.5f, z + 0.5f);
  output[(z * blockDim.y + y) * blockDim.x + x] = v;
}

int main() {
  dim3 threads(8, 8), blocks((W + 7) / 8, (H + 7) / 8);
  float *image = (float *)malloc(W * H * sizeof(float)), *turned = (float *)malloc(W * H * sizeof(float)), *d_turned;
  for (int i = 0; i < W * H; ++i) image[i] = i;

  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, W, H));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, image, W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeWrap;
  how.filterMode = cudaFilterModeLinear;
  how.readMode = cudaReadModeElementType;
  how.normalizedCoords = 1;
  cudaTextureObject_t tex = 0;
  CHECK(cudaCreateTextureObject(&tex, &resource, &how, NULL));
  CHECK(cudaMalloc(&d_turned, W * H * sizeof(float)));
  turn<<<blocks, threads>>>(d_turned, tex, W, H);
  CHECK(cudaMemcpy(turned, d_turned, W * H * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < W * H; ++i) wrong += fabsf(turned[i] - (W * H - 1 - i)) > 0.5f;
  printf("turned: %d wrong\n", wrong);
  CHECK(cudaDestroyTextureObject(tex));
  CHECK(cudaFreeArray(array));

  uchar4 *pixels = (uchar4 *)malloc(W * H * sizeof(uchar4)), *d_pixels, *d_smooth;
  for (int i = 0; i < W * H; ++i) pixels[i] = make_uchar4(i % W * 4, i / W * 4, 100, 255);
  size_t pitch;
  CHECK(cudaMallocPitch(&d_pixels, &pitch, W * sizeof(uchar4), H));
  CHECK(cudaMemcpy2D(d_pixels, pitch, pixels, W * sizeof(uchar4), W * sizeof(uchar4), H, cudaMemcpyHostToDevice));
  CHECK(cudaMalloc(&d_smooth, W * H * sizeof(uchar4)));
  resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = d_pixels;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
  resource.res.pitch2D.width = W;
  resource.res.pitch2D.height = H;
  resource.res.pitch2D.pitchInBytes = pitch;
  how = {};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModeLinear;
  how.readMode = cudaReadModeNormalizedFloat;
  CHECK(cudaCreateTextureObject(&tex, &resource, &how, NULL));
  smooth<<<blocks, threads>>>(d_smooth, tex, W, H);
  CHECK(cudaMemcpy(pixels, d_smooth, W * H * sizeof(uchar4), cudaMemcpyDeviceToHost));
  printf("smooth: %d %d %d %d, %d %d at the edge\n", pixels[21].x, pixels[21].y, pixels[21].z, pixels[21].w,
         pixels[W * H - 1].x, pixels[W * H - 1].y);
  CHECK(cudaDestroyTextureObject(tex));

  int table[16], index[40], *d_table, *d_index, *d_found;
  for (int i = 0; i < 16; ++i) table[i] = i * i;
  for (int i = 0; i < 40; ++i) index[i] = i * 7 % 16;
  CHECK(cudaMalloc(&d_table, sizeof(table)));
  CHECK(cudaMalloc(&d_index, sizeof(index)));
  CHECK(cudaMalloc(&d_found, sizeof(index)));
  CHECK(cudaMemcpy(d_table, table, sizeof(table), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_index, index, sizeof(index), cudaMemcpyHostToDevice));
  resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = d_table;
  resource.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  resource.res.linear.sizeInBytes = sizeof(table);
  how = {};
  how.readMode = cudaReadModeElementType;
  CHECK(cudaCreateTextureObject(&tex, &resource, &how, NULL));
  look_up<<<2, 32>>>(d_found, d_index, tex, 40);
  CHECK(cudaMemcpy(index, d_found, sizeof(index), cudaMemcpyDeviceToHost));
  printf("found: %d %d %d\n", index[1], index[2], index[39]);
  CHECK(cudaDestroyTextureObject(tex));

  float volume[4][3][5], read[4][3][5];
  for (int i = 0; i < 60; ++i) (&volume[0][0][0])[i] = i * 0.5f;
  cudaExtent extent = make_cudaExtent(5, 3, 4);
  CHECK(cudaMalloc3DArray(&array, &format, extent));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(volume, 5 * sizeof(float), 5, 3);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  CHECK(cudaCreateTextureObject(&tex, &resource, &how, NULL));
  slices<<<1, dim3(5, 3, 4)>>>(d_turned, tex);
  CHECK(cudaMemcpy(read, d_turned, sizeof(read), cudaMemcpyDeviceToHost));
  wrong = 0;
  for (int i = 0; i < 60; ++i) wrong += (&read[0][0][0])[i] != i * 0.5f;
  printf("volume: %d wrong\n", wrong);
  CHECK(cudaDestroyTextureObject(tex));
  CHECK(cudaFreeArray(array));

  cudaFree(d_turned);
  cudaFree(d_pixels);
  cudaFree(d_smooth);
  cudaFree(d_table);
  cudaFree(d_index);
  cudaFree(d_found);
  free(image);
  free(turned);
  free(pixels);
  return 0;
}
