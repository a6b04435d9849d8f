// Page-locked memory that a kernel reads and writes in place, and as either end of any copy: allocated so, or registered.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void scale(const int* from, int* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = 3 * from[i];
}

/// A row of 16 characters, whole: all are read, though one alone is written.
__global__ void shout(char* text) {
  const char c = text[threadIdx.x];
  if (c >= 'a' && c <= 'z') text[threadIdx.x] = static_cast<char>(c - 'a' + 'A');
}

static int of_program[256];

/// What malloc, `static` and a local variable give, registered: kernels take the pointers as they are.
void registered_in_place() {
  const int n = 256;
  const size_t bytes = n * sizeof(int);
  int* const from = static_cast<int*>(std::malloc(bytes));
  int *alias = nullptr, *other;
  char local[16] = "on the stack";
  cudaMalloc(&other, bytes);
  for (int i = 0; i < n; ++i) from[i] = i;
  cudaHostRegister(from, bytes, cudaHostRegisterMapped);
  cudaHostRegister(of_program, bytes, cudaHostRegisterPortable);
  cudaHostRegister(local, sizeof local, cudaHostRegisterDefault);
  cudaHostGetDevicePointer(&alias, from + 8, 0);
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, from + 8);
  std::printf("registered: %d, %d, %d\n", attributes.type == cudaMemoryTypeHost,
              attributes.devicePointer == attributes.hostPointer, alias == attributes.devicePointer);
  scale<<<1, 256>>>(from, of_program, n);
  shout<<<1, 16>>>(local);
  cudaDeviceSynchronize();
  std::printf("%d, %s\n", of_program[255], local);
  cudaMemcpy(other, of_program, bytes, cudaMemcpyDeviceToDevice);  // unified addresses: the pointers decide
  cudaMemset(of_program, 0, bytes / 2);
  scale<<<1, 256>>>(other, other, n);
  cudaMemcpy(from, other, bytes, cudaMemcpyDefault);
  std::printf("%d, %d, %d\n", from[255], of_program[127], of_program[128]);
  cudaHostUnregister(from);
  cudaHostUnregister(of_program);
  cudaHostUnregister(local);
  cudaPointerGetAttributes(&attributes, from);
  std::printf("unregistered: %d\n", attributes.type == cudaMemoryTypeUnregistered);
  cudaFree(other);
  std::free(from);
}

const char* type_of(const void* pointer) {
  const char* const names[] = {"unregistered", "host", "device", "managed"};
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, pointer);
  return names[attributes.type];
}

int main() {
  registered_in_place();
  const int n = 1000;
  const size_t bytes = n * sizeof(int);
  int can_map = 0;
  cudaDeviceGetAttribute(&can_map, cudaDevAttrCanMapHostMemory, 0);
  int *in, *out, *in_of_device, *out_of_device, *other;
  cudaHostAlloc(&in, bytes, cudaHostAllocMapped);
  cudaMallocHost(&out, bytes);
  cudaMalloc(&other, bytes);
  cudaHostGetDevicePointer(&in_of_device, in, 0);
  cudaHostGetDevicePointer(&out_of_device, out, 0);
  std::printf("maps: %d, one address: %d\n", can_map, in == in_of_device && out == out_of_device);
  int stack = 0;
  int* const registered = new int[n];
  cudaHostRegister(registered, bytes, cudaHostRegisterDefault);
  std::printf("%s, %s, %s, %s\n", type_of(in), type_of(other), type_of(registered), type_of(&stack));

  for (int i = 0; i < n; ++i) in[i] = i;
  scale<<<4, 256>>>(in_of_device, out_of_device, n);
  cudaDeviceSynchronize();
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += out[i];
  std::printf("in place: %ld\n", sum);

  cudaMemcpy(other, in, bytes, cudaMemcpyDefault);
  scale<<<4, 256>>>(other, other, n);
  cudaMemcpy(out, other, bytes, cudaMemcpyDefault);
  std::printf("copied: %d\n", out[999]);
  cudaMemcpy(in, out, bytes, cudaMemcpyDefault);        // from host to host
  cudaMemcpy(out, other, bytes, cudaMemcpyDeviceToDevice);  // unified addresses: the pointers decide
  cudaMemset(out, 0, bytes / 2);
  std::printf("%d, %d, %d\n", in[999], out[499], out[500]);
  std::memcpy(registered, in, bytes);

  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int half = 0; half < 2; ++half) {
    const size_t first = half * n / 2;
    cudaMemcpyAsync(other + first, in + first, bytes / 2, cudaMemcpyHostToDevice, stream);
    scale<<<2, 256, 0, stream>>>(other + first, other + first, n / 2);
    cudaMemcpyAsync(out + first, other + first, bytes / 2, cudaMemcpyDeviceToHost, stream);
  }
  cudaStreamSynchronize(stream);
  std::printf("streamed: %d\n", out[999]);
  cudaStreamDestroy(stream);
  cudaHostUnregister(registered);
  delete[] registered;
  cudaFree(other);
  cudaFreeHost(in);
  std::printf("%s\n", cudaGetErrorString(cudaFreeHost(out)));
}
