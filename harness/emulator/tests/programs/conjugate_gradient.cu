// Conjugate gradients in one cooperative launch: a sparse matrix in CSR, dot products by shuffles and atomics, grid.sync() between the
// steps, unified memory for everything.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>

namespace cg = cooperative_groups;

#define CUDA_CALL(x)                                                                         \
  do {                                                                                       \
    cudaError_t err = (x);                                                                   \
    if (err != cudaSuccess) {                                                                \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err));           \
      exit(EXIT_FAILURE);                                                                    \
    }                                                                                        \
  } while (0)

constexpr int THREADS_PER_BLOCK = 128;

struct CsrMatrix {
  int rows, nonzeros;
  int *row_begin, *column;
  double *value;
};

/// The five-point Laplacian on a square of side x side points.
CsrMatrix laplacian(int side) {
  CsrMatrix m;
  m.rows = side * side;
  CUDA_CALL(cudaMallocManaged(&m.row_begin, (m.rows + 1) * sizeof(int)));
  CUDA_CALL(cudaMallocManaged(&m.column, 5 * m.rows * sizeof(int)));
  CUDA_CALL(cudaMallocManaged(&m.value, 5 * m.rows * sizeof(double)));
  int n = 0;
  for (int row = 0; row < m.rows; ++row) {
    m.row_begin[row] = n;
    const int x = row % side, y = row / side;
    auto add = [&](int column, double v) {
      m.column[n] = column;
      m.value[n++] = v;
    };
    if (y > 0) add(row - side, -1.0);
    if (x > 0) add(row - 1, -1.0);
    add(row, 4.0);
    if (x < side - 1) add(row + 1, -1.0);
    if (y < side - 1) add(row + side, -1.0);
  }
  m.row_begin[m.rows] = m.nonzeros = n;
  return m;
}

__device__ void multiply(const CsrMatrix &m, const double *x, double *y, const cg::grid_group &grid) {
  for (int row = grid.thread_rank(); row < m.rows; row += grid.size()) {
    double sum = 0.0;
    for (int i = m.row_begin[row]; i < m.row_begin[row + 1]; ++i) sum += m.value[i] * x[m.column[i]];
    y[row] = sum;
  }
}

__device__ void add_dot(const double *x, const double *y, int n, double *result, const cg::thread_block &block, const cg::grid_group &grid) {
  extern __shared__ double warp_sums[];
  double sum = 0.0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += x[i] * y[i];
  auto tile = cg::tiled_partition<32>(block);
  for (int offset = tile.size() / 2; offset > 0; offset /= 2) sum += tile.shfl_down(sum, offset);
  if (tile.thread_rank() == 0) warp_sums[tile.meta_group_rank()] = sum;
  cg::sync(block);
  if (block.thread_rank() == 0) {
    double total = 0.0;
    for (unsigned i = 0; i < tile.meta_group_size(); ++i) total += warp_sums[i];
    atomicAdd(result, total);
  }
  cg::sync(block);
}

struct Progress {
  double rr, pap, rr_new;
  int iterations;
};

__global__ void conjugate_gradient(CsrMatrix m, const double *b, double *x, double *r, double *p, double *ap, Progress *progress, double tolerance, int most) {
  cg::thread_block block = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  for (int i = grid.thread_rank(); i < m.rows; i += grid.size()) {
    x[i] = 0.0;
    r[i] = p[i] = b[i];
  }
  grid.sync();
  add_dot(r, r, m.rows, &progress->rr, block, grid);
  grid.sync();
  int k = 0;
  for (; k < most && progress->rr > tolerance * tolerance; ++k) {
    multiply(m, p, ap, grid);
    if (grid.thread_rank() == 0) progress->pap = progress->rr_new = 0.0;
    grid.sync();
    add_dot(p, ap, m.rows, &progress->pap, block, grid);
    grid.sync();
    const double alpha = progress->rr / progress->pap;
    for (int i = grid.thread_rank(); i < m.rows; i += grid.size()) {
      x[i] += alpha * p[i];
      r[i] -= alpha * ap[i];
    }
    grid.sync();
    add_dot(r, r, m.rows, &progress->rr_new, block, grid);
    grid.sync();
    const double beta = progress->rr_new / progress->rr;
    for (int i = grid.thread_rank(); i < m.rows; i += grid.size()) p[i] = r[i] + beta * p[i];
    grid.sync();
    if (grid.thread_rank() == 0) progress->rr = progress->rr_new;
    grid.sync();
  }
  if (grid.thread_rank() == 0) progress->iterations = k;
}

int main() {
  int device = 0, cooperative = 0, multiprocessors = 0, blocks_per_sm = 0;
  CUDA_CALL(cudaGetDevice(&device));
  CUDA_CALL(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device));
  if (!cooperative) {
    printf("the device cannot launch cooperatively, waiving\n");
    return EXIT_SUCCESS;
  }
  CUDA_CALL(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const int shared_bytes = THREADS_PER_BLOCK / 32 * sizeof(double);
  CUDA_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, conjugate_gradient, THREADS_PER_BLOCK, shared_bytes));

  CsrMatrix m = laplacian(24);
  double *b, *x, *r, *p, *ap;
  Progress *progress;
  for (double **v : {&b, &x, &r, &p, &ap}) CUDA_CALL(cudaMallocManaged(v, m.rows * sizeof(double)));
  CUDA_CALL(cudaMallocManaged(&progress, sizeof(Progress)));
  *progress = Progress();
  for (int i = 0; i < m.rows; ++i) b[i] = 1.0;

  double tolerance = 1e-8;
  int most = 500;
  void *arguments[] = {&m, &b, &x, &r, &p, &ap, &progress, &tolerance, &most};
  const int blocks = std::min(multiprocessors * blocks_per_sm, (m.rows + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK);
  CUDA_CALL(cudaLaunchCooperativeKernel((void *)conjugate_gradient, dim3(blocks), dim3(THREADS_PER_BLOCK), arguments, shared_bytes, NULL));
  CUDA_CALL(cudaDeviceSynchronize());

  double worst = 0.0;
  for (int row = 0; row < m.rows; ++row) {
    double sum = 0.0;
    for (int i = m.row_begin[row]; i < m.row_begin[row + 1]; ++i) sum += m.value[i] * x[m.column[i]];
    worst = std::fmax(worst, std::fabs(sum - b[row]));
  }
  printf("%d unknowns, %d nonzeros, %d blocks\n", m.rows, m.nonzeros, blocks);
  printf("converged: %s, middle %.6f, error %s\n", progress->iterations < most ? "yes" : "no", x[m.rows / 2], worst < 1e-6 ? "small" : "large");
  for (void *v : {(void *)m.row_begin, (void *)m.column, (void *)m.value, (void *)b, (void *)x, (void *)r, (void *)p, (void *)ap, (void *)progress}) CUDA_CALL(cudaFree(v));
  return worst < 1e-6 ? EXIT_SUCCESS : EXIT_FAILURE;
}
