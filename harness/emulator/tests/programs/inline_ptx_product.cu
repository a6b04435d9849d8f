// A tiled matrix product in the manner of tuned kernels: tiles come by cp.async into two buffers, fragments by ld.shared.v4, sums
// leave by st.global.cs; a second kernel adds all elements up with shuffles and red.global.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

#define CHECK(call)                                                                     \
  do {                                                                                  \
    const cudaError_t status = (call);                                                  \
    if (status != cudaSuccess) {                                                        \
      printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));            \
      return 1;                                                                         \
    }                                                                                   \
  } while (0)

#define CP_ASYNC_CG(to, from, bytes) \
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(to), "l"(from), "n"(bytes))
#define CP_ASYNC_COMMIT() asm volatile("cp.async.commit_group;\n" ::)
#define CP_ASYNC_WAIT(groups) asm volatile("cp.async.wait_group %0;\n" ::"n"(groups))

constexpr int tile = 32, depth = 16;

__device__ __forceinline__ uint32_t shared_offset(const void *pointer) {
  uint32_t offset;
  asm("{ .reg .u64 generic; cvta.to.shared.u64 generic, %1; cvt.u32.u64 %0, generic; }" : "=r"(offset) : "l"(pointer));
  return offset;
}
__device__ __forceinline__ float4 load_shared(uint32_t offset) {
  float4 v;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"(offset));
  return v;
}
__device__ __forceinline__ void store_streaming(float *to, float4 v) {
  asm volatile("st.global.cs.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
}

// 128 threads; each copies 16 bytes of A (32 x 16) and of B (16 x 32) per step and makes 2 x 4 elements of C.
__global__ void __launch_bounds__(128) product(const float *a, const float *b, float *c, int n) {
  __shared__ __align__(16) float as[2][tile][depth], bs[2][depth][tile];
  const int t = threadIdx.x, row0 = blockIdx.y * tile, column0 = blockIdx.x * tile;
  const int a_row = t / 4, a_column = t % 4 * 4, b_row = t / 8, b_column = t % 8 * 4;
  const int c_row = t / 8 * 2, c_column = t % 8 * 4;
  float4 sum[2] = {};
  auto fetch = [&](int step, int buffer) {
    CP_ASYNC_CG(shared_offset(&as[buffer][a_row][a_column]), a + (row0 + a_row) * n + step * depth + a_column, 16);
    CP_ASYNC_CG(shared_offset(&bs[buffer][b_row][b_column]), b + (step * depth + b_row) * n + column0 + b_column, 16);
    CP_ASYNC_COMMIT();
  };
  fetch(0, 0);
  for (int step = 0; step < n / depth; ++step) {
    if (step + 1 < n / depth) {
      fetch(step + 1, (step + 1) % 2);
      CP_ASYNC_WAIT(1);
    } else {
      CP_ASYNC_WAIT(0);
    }
    __syncthreads();
    for (int k = 0; k < depth; ++k) {
      const float4 right = load_shared(shared_offset(&bs[step % 2][k][c_column]));
      for (int r = 0; r < 2; ++r) {
        const float left = as[step % 2][c_row + r][k];
        asm("fma.rn.f32 %0, %1, %2, %0;" : "+f"(sum[r].x) : "f"(left), "f"(right.x));
        asm("fma.rn.f32 %0, %1, %2, %0;" : "+f"(sum[r].y) : "f"(left), "f"(right.y));
        asm("fma.rn.f32 %0, %1, %2, %0;" : "+f"(sum[r].z) : "f"(left), "f"(right.z));
        asm("fma.rn.f32 %0, %1, %2, %0;" : "+f"(sum[r].w) : "f"(left), "f"(right.w));
      }
    }
    asm volatile("bar.sync 0;" ::: "memory");
  }
  for (int r = 0; r < 2; ++r) store_streaming(c + (row0 + c_row + r) * n + column0 + c_column, sum[r]);
}

// Each warp adds its numbers with shuffles; lane 0 adds the warp's sum to the whole, of which a ticket tells the last block.
__global__ void add_up(const int *numbers, int count, int *sum, unsigned *tickets, unsigned *last) {
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    int value;
    asm volatile("ld.global.nc.s32 %0, [%1];" : "=r"(value) : "l"(numbers + i));
    mine += value;
  }
  for (int step = 16; step > 0; step /= 2) {
    int other;
    asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(other) : "r"(mine), "r"(step));
    mine += other;
  }
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("{ .reg .pred first; setp.eq.u32 first, %0, 0; @first red.global.add.s32 [%1], %2; }" ::"r"(lane), "l"(sum), "r"(mine)
               : "memory");
  asm volatile("membar.gl;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned ticket;
    asm volatile("atom.global.inc.u32 %0, [%1], %2;" : "=r"(ticket) : "l"(tickets), "r"(gridDim.x - 1) : "memory");
    if (ticket == gridDim.x - 1) asm volatile("st.global.u32 [%0], %1;" ::"l"(last), "r"(1) : "memory");
  }
}

int main() {
  constexpr int n = 64, count = 5000;
  std::mt19937 random(7);
  std::uniform_real_distribution<float> real(-1, 1);
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (float &x : a) x = real(random);
  for (float &x : b) x = real(random);
  float *da, *db, *dc;
  CHECK(cudaMalloc(&da, n * n * sizeof(float)));
  CHECK(cudaMalloc(&db, n * n * sizeof(float)));
  CHECK(cudaMalloc(&dc, n * n * sizeof(float)));
  CHECK(cudaMemcpy(da, a.data(), n * n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, b.data(), n * n * sizeof(float), cudaMemcpyHostToDevice));
  product<<<dim3(n / tile, n / tile), 128>>>(da, db, dc, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(c.data(), dc, n * n * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float right = 0;
      for (int k = 0; k < n; ++k) right = std::fma(a[i * n + k], b[k * n + j], right);
      wrong += c[i * n + j] != right;
    }
  printf("product: %d of %d elements wrong\n", wrong, n * n);

  std::vector<int> numbers(count);
  int right = 0;
  for (int &x : numbers) right += x = (int)(random() % 1000) - 500;
  int *dn, *dsum, sum;
  unsigned *dtickets, last[2];
  CHECK(cudaMalloc(&dn, count * sizeof(int)));
  CHECK(cudaMalloc(&dsum, sizeof(int)));
  CHECK(cudaMalloc(&dtickets, 2 * sizeof(unsigned)));
  CHECK(cudaMemcpy(dn, numbers.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(dsum, 0, sizeof(int)));
  CHECK(cudaMemset(dtickets, 0, 2 * sizeof(unsigned)));
  add_up<<<7, 96>>>(dn, count, dsum, dtickets, dtickets + 1);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&sum, dsum, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(last, dtickets, 2 * sizeof(unsigned), cudaMemcpyDeviceToHost));
  printf("sum: %s, tickets %u, last block %u\n", sum == right ? "right" : "wrong", last[0], last[1]);
  for (void *p : {(void *)da, (void *)db, (void *)dc, (void *)dn, (void *)dsum, (void *)dtickets}) cudaFree(p);
  return wrong != 0 || sum != right;
}
