// Kernels take memory with malloc and new and misuse it: what is found names the line that allocated it. What is in order stays
// unmentioned: blocks of many threads, of another launch, of one thread for all of its block.
#include <cstdio>

__device__ int* kept[64];
__device__ struct node {
  int key;
  node* next;
}* head;

__global__ void one_past_the_end(int* out) {
  int* p = (int*)malloc(16 * sizeof(int));
  for (int i = 0; i <= 16; ++i)
    p[i] = i;
  *out = p[3];
  free(p);
}

__global__ void before_the_begin(int* out) {
  float* p = new float[8];
  for (int i = 0; i < 8; ++i) p[i] = i;
  *out = (int)p[-1];
  delete[] p;
}

__global__ void far_beyond(int* out) {
  int* p = (int*)malloc(64);
  p[1 << 20] = 1;
  free(p);
}

__global__ void allocate_and_free() {
  int* p = kept[threadIdx.x] = (int*)malloc(sizeof(int));
  *p = threadIdx.x;
  free(p);
}
__global__ void read_in_a_later_launch(int* out) { *out = *kept[5]; }

__global__ void build() {
  for (int i = 0; i < 3; ++i) {
    node* n = (node*)malloc(sizeof(node));
    n->key = i;
    n->next = head;
    head = n;
  }
}
__global__ void destroy() {
  for (node* p = head; p != nullptr;) {
    free(p);
    p = p->next;
  }
}

__global__ void free_behind_a_barrier(int* out) {
  __shared__ int* p;
  if (threadIdx.x == 0) p = new int[64];
  __syncthreads();
  p[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 40) delete[] p;
  __syncthreads();
  out[threadIdx.x] = p[threadIdx.x];
}

__global__ void race() {
  __shared__ int* p;
  if (threadIdx.x == 0) p = new int[64];
  __syncthreads();
  p[threadIdx.x / 2] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) delete[] p;
}

__global__ void never_freed() { kept[threadIdx.x] = new int[4]; }

__global__ void each_its_own(int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int* p = (int*)malloc(16);
  p[0] = threadIdx.x;
  p[3] = blockIdx.x;
  out[i] = p[0] + p[3];
  free(p);
}
__global__ void allocate() { *(kept[threadIdx.x] = (int*)malloc(sizeof(int))) = threadIdx.x; }
__global__ void use_and_free(int* out) {
  out[threadIdx.x] = *kept[threadIdx.x];
  free(kept[threadIdx.x]);
}
__global__ void more_than_there_is(int* out) {
  void* p = malloc(64 << 20);
  *out = p == nullptr;
  free(p);
}

__global__ void twice() {
  int* p = (int*)malloc(64);
  p[0] = 1;
  free(p);
  free(p);
}

int main() {
  int *out, first;
  cudaMalloc(&out, 256 * sizeof(int));
  each_its_own<<<4, 64>>>(out);
  allocate<<<1, 64>>>();
  use_and_free<<<1, 64>>>(out);
  more_than_there_is<<<1, 1>>>(out);
  cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
  printf("in order: %s; none left: %d\n", cudaGetErrorName(cudaDeviceSynchronize()), first);
  one_past_the_end<<<1, 1>>>(out);
  before_the_begin<<<1, 1>>>(out);
  far_beyond<<<1, 1>>>(out);
  allocate_and_free<<<1, 64>>>();
  read_in_a_later_launch<<<1, 1>>>(out);
  build<<<1, 1>>>();
  destroy<<<1, 1>>>();
  free_behind_a_barrier<<<1, 64>>>(out);
  race<<<1, 64>>>();
  printf("misused: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  never_freed<<<1, 32>>>();
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaDeviceReset();
  twice<<<1, 1>>>();
  printf("freed twice: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
