// Every way in which code accesses memory: for mutations of the hooks and guards that stand for it.
#include <cuda_runtime.h>

struct vec3 {
  float x, y, z;
};
struct large {
  double values[20];
};
struct alignas(64) aligned_argument {
  float values[16];
};
struct counted {
  int* place;
  int kept;
  counted(const counted& other) : place(other.place), kept(other.kept + 1) {}
  explicit counted(int* p) : place(p), kept(0) {}
};
struct with_a_table {
  virtual int of(int) const = 0;
};

__constant__ float weights[8];
__device__ int total;

__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[8][8], tile_b[8][8];
  const int row = blockIdx.y * 8 + threadIdx.y, column = blockIdx.x * 8 + threadIdx.x;
  float sum = 0;
  for (int phase = 0; phase < n / 8; ++phase) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + phase * 8 + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(phase * 8 + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 8; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum * weights[threadIdx.x];
}

__global__ void structures(vec3* to, const vec3* from, large* far, const large* near, volatile int* flag) {
  const unsigned i = threadIdx.x;
  vec3 v = from[i];
  v.x += 1;
  to[i] = v;
  far[i] = near[i];
  *flag = *flag + 1;
}

__device__ __attribute__((noinline)) large returned(const large* from, float x) {
  large made = *from;
  made.values[0] += x;
  return made;
}
__global__ void results(large* to, const large* from) { to[threadIdx.x] = returned(from + threadIdx.x, 2); }

__global__ void locals(int* out, int n) {
  int own[16];
  for (int i = 0; i < 16; ++i) own[i] = i * n;
  own[n & 15] += 3;
  out[threadIdx.x] = own[(n + 1) & 15] + own[out[threadIdx.x] & 15];
  total = n;
}

__global__ void many(int a, int b, int c, int d, int e, int f, int g, large h, int* out) {
  out[0] = a + b + c + d + e + f + g + static_cast<int>(h.values[threadIdx.x]);
}
__global__ void of_aligned(aligned_argument a, int n, int* out, aligned_argument b) {
  out[0] = static_cast<int>(a.values[n] + b.values[n & 15]);
}
__global__ void by_copy(counted c) { *c.place = c.kept; }

__global__ void large_locals(int* out, int n) {
  int own[2000];
  for (int i = 0; i < 2000; ++i) own[i] = i * n;
  out[threadIdx.x] = own[out[threadIdx.x] & 1023];
}
int of_any_length(const int* from, int n) {
  int sum = 0;
  for (int length = 1; length < n; ++length) {
    int own[length];
    for (int i = 0; i < length; ++i) own[i] = from[i];
    for (int i = 0; i < length; ++i) sum += own[length - 1 - i];
  }
  int all[n];
  for (int i = 0; i < n; ++i) all[i] = sum + from[i];
  return all[n / 2];
}

/// Their guards run where the stack pointer is at a distance from the frame that is not known.
float with_known_indices(const float* from, int n, int m) {
  float values[n];
  double products[m];
  values[0] = from[0];
  values[n - 1] = from[1];
  products[1] = values[0] * values[n - 1];
  if (m > 3) {
    char letters[n + m];
    letters[n] = letters[0] = 'a';
    products[2] = letters[m];
  }
  return values[1] + static_cast<float>(products[m - 1] + products[1]);
}
int compared(long double a, double b) { return (a < b) + 2 * (a == b) + 4 * (a >= b * 3.14159265358979323846L); }

int by_host(float* a, const large& from, large* to, int n, const with_a_table& w) {
  a[n] += a[n + 1] * 2;
  to[n] = from;
  static int calls;
  ++calls;
  char letters[40] = {};
  letters[n] = 'a';
  return letters[n / 2] + calls + w.of(n);
}

void run(const float* a, const float* b, float* c, int n, vec3* v, large* l, int* out) {
  product<<<dim3(n, n), dim3(8, 8)>>>(a, b, c, n);
  structures<<<1, 32>>>(v, v + 32, l, l + 32, out);
  results<<<1, 32>>>(l, l + 32);
  locals<<<1, 32>>>(out, n);
  large_locals<<<1, 32>>>(out, of_any_length(out, n));
  locals<<<1, 32>>>(out, static_cast<int>(with_known_indices(a, n, n)) + compared(n, 2));
  many<<<1, 1>>>(1, 2, 3, 4, 5, 6, 7, *l, out);
  by_copy<<<1, 1>>>(counted(out));
  of_aligned<<<1, 1>>>(aligned_argument{}, n, out, aligned_argument{});
}
