// A program that names its parts for a profiler.
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

__global__ void fill(int *out) { out[threadIdx.x] = threadIdx.x; }

int main() {
  int *out, last = 0;
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.colorType = NVTX_COLOR_ARGB;
  attributes.color = 0xff00ff00;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = "fill";
  nvtxRangePush("all");
  nvtxRangePushEx(&attributes);
  cudaMalloc(&out, 32 * sizeof(int));
  fill<<<1, 32>>>(out);
  nvtxRangePop();
  nvtxMark("copy");
  const nvtxRangeId_t range = nvtxRangeStart("copy");
  cudaMemcpy(&last, out + 31, sizeof(int), cudaMemcpyDeviceToHost);
  nvtxRangeEnd(range);
  cudaFree(out);
  nvtxRangePop();
  printf("%d\n", last);
  return 0;
}
