// A lab in the style of many courses: the blanks between the //@@ marks are filled in.
#include <wb.h>

#define TILE 4

#define wbCheck(stmt)                                                    \
  do {                                                                   \
    cudaError_t err = stmt;                                              \
    if (err != cudaSuccess) {                                            \
      wbLog(ERROR, "Failed to run stmt ", #stmt);                        \
      wbLog(ERROR, "Got CUDA error ...  ", cudaGetErrorString(err));     \
      return -1;                                                         \
    }                                                                    \
  } while (0)

// Compute C = A * B
__global__ void matrixMultiplyShared(float *A, float *B, float *C, int numARows, int numAColumns, int numBRows,
                                     int numBColumns, int numCRows, int numCColumns) {
  //@@ Insert code to implement matrix multiplication here
  __shared__ float subA[TILE][TILE], subB[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float value = 0;
  for (int m = 0; m < (numAColumns - 1) / TILE + 1; ++m) {
    subA[threadIdx.y][threadIdx.x] =
        row < numARows && m * TILE + threadIdx.x < numAColumns ? A[row * numAColumns + m * TILE + threadIdx.x] : 0;
    subB[threadIdx.y][threadIdx.x] =
        m * TILE + threadIdx.y < numBRows && col < numBColumns ? B[(m * TILE + threadIdx.y) * numBColumns + col] : 0;
    __syncthreads();
    for (int k = 0; k < TILE; ++k) value += subA[threadIdx.y][k] * subB[k][threadIdx.x];
    __syncthreads();
  }
  if (row < numCRows && col < numCColumns) C[row * numCColumns + col] = value;
}

int main(int argc, char **argv) {
  wbArg_t args;
  float *hostA, *hostB, *hostC;
  float *deviceA, *deviceB, *deviceC;
  int numARows, numAColumns, numBRows, numBColumns, numCRows, numCColumns;

  args = wbArg_read(argc, argv);

  wbTime_start(Generic, "Importing data and creating memory on host");
  hostA = (float *)wbImport(wbArg_getInputFile(args, 0), &numARows, &numAColumns);
  hostB = (float *)wbImport(wbArg_getInputFile(args, 1), &numBRows, &numBColumns);
  //@@ Set numCRows and numCColumns
  numCRows = numARows;
  numCColumns = numBColumns;
  hostC = (float *)malloc(numCRows * numCColumns * sizeof(float));
  wbTime_stop(Generic, "Importing data and creating memory on host");

  wbLog(TRACE, "The dimensions of A are ", numARows, " x ", numAColumns);
  wbLog(TRACE, "The dimensions of B are ", numBRows, " x ", numBColumns);

  wbTime_start(GPU, "Allocating GPU memory.");
  wbCheck(cudaMalloc((void **)&deviceA, numARows * numAColumns * sizeof(float)));
  wbCheck(cudaMalloc((void **)&deviceB, numBRows * numBColumns * sizeof(float)));
  wbCheck(cudaMalloc((void **)&deviceC, numCRows * numCColumns * sizeof(float)));
  wbTime_stop(GPU, "Allocating GPU memory.");

  cudaMemcpy(deviceA, hostA, numARows * numAColumns * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(deviceB, hostB, numBRows * numBColumns * sizeof(float), cudaMemcpyHostToDevice);

  dim3 grid((numCColumns - 1) / TILE + 1, (numCRows - 1) / TILE + 1), block(TILE, TILE);
  matrixMultiplyShared<<<grid, block>>>(deviceA, deviceB, deviceC, numARows, numAColumns, numBRows, numBColumns,
                                        numCRows, numCColumns);
  wbCheck(cudaDeviceSynchronize());

  wbTime_start(Copy, "Copying output memory to the CPU");
  cudaMemcpy(hostC, deviceC, numCRows * numCColumns * sizeof(float), cudaMemcpyDeviceToHost);
  wbTime_stop(Copy, "Copying output memory to the CPU");

  cudaFree(deviceA);
  cudaFree(deviceB);
  cudaFree(deviceC);

  wbSolution(args, hostC, numCRows, numCColumns);

  free(hostA);
  free(hostB);
  free(hostC);
  return 0;
}
