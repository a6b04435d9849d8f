// Lab 03: how are the fields of a structure laid out?
//
// A ring of n cells, each a record of eight quantities. In each step every cell's temperature moves towards that of the
// cell `reach` places further on; all cells step at once. In the end each cell gets a summary of all its quantities.
// `cells` and `summaries` are device memory; n and steps are at least 1, reach is at least 0.
#include <cuda_runtime.h>

// A cell as it is delivered: eight floats, 32 bytes, the next cell right behind it.
struct cell {
  float temperature, pressure, humidity, density, wind_x, wind_y, wind_z, exchange;
};

// The same fields by number. The ninth is room for temperatures while the old ones are still needed.
enum field { temperature, pressure, humidity, density, wind_x, wind_y, wind_z, exchange, next_temperature };
constexpr int delivered_fields = 8;
constexpr int stored_fields = 9;

struct  // what each cell gets, four floats: how must it be aligned, so that a thread can store it as one, in 16 bytes?
    //@@ begin solution
    alignas(16)  // like the largest load or store
    //@@ end solution
    summary {
  float temperature, moisture, energy, flux;
};

// Your layout: the place of field `f` of cell `i` in memory of your own, counted in floats. A row of your layout is
// `pitch` floats long, if it has rows.
__device__ size_t place_of(size_t i, int f, size_t pitch) {
  size_t place = 0;
  //@@ begin solution
  place = f * pitch + i;
  //@@ end solution
  return place;
}

// Given: brings the records to your layout, a thread for each float. It is counted like the rest.
__global__ void convert(const float* cells, float* store, size_t pitch, int n) {
  const size_t word = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (word < static_cast<size_t>(n) * delivered_fields)
    store[place_of(word / delivered_fields, word % delivered_fields, pitch)] = cells[word];
}

// One step of all cells: new temperatures, field `to`, from the old ones, field `from`.
__global__ void step(float* store, size_t pitch, int n, int reach, int from, int to) {
  //@@ begin solution
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float own = store[place_of(i, from, pitch)];
    const float other = store[place_of((i + reach) % n, from, pitch)];
    store[place_of(i, to, pitch)] = own + store[place_of(i, exchange, pitch)] * (other - own);
  }
  //@@ end solution
}

// The summaries of all cells, when their last temperatures are field `last`: one store for each.
__global__ void summarise(const float* store, size_t pitch, summary* summaries, int n, int last) {
  //@@ begin solution
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float warmth = store[place_of(i, last, pitch)];
    const float x = store[place_of(i, wind_x, pitch)];
    const float y = store[place_of(i, wind_y, pitch)];
    const float z = store[place_of(i, wind_z, pitch)];
    summary s;
    s.temperature = warmth;
    s.moisture = store[place_of(i, humidity, pitch)] * store[place_of(i, pressure, pitch)];
    s.energy = store[place_of(i, density, pitch)] * (x * x + y * y + z * z);
    s.flux = store[place_of(i, exchange, pitch)] * warmth;
    summaries[i] = s;
  }
  //@@ end solution
}

// Called by the tests. Returns cudaSuccess, or the first error that a CUDA call reported.
cudaError_t forecast(const cell* cells, summary* summaries, int n, int reach, int steps) {
  // Step 1: allocate memory for stored_fields fields of n cells in your layout. How long is a row of it, in floats?
  cudaError_t status = cudaSuccess;
  float* store = nullptr;
  size_t pitch = 0;
  //@@ begin solution
  size_t row_bytes = 0;
  status = cudaMallocPitch(&store, &row_bytes, n * sizeof(float), stored_fields);
  pitch = row_bytes / sizeof(float);
  //@@ end solution

  // Step 2, given: bring the records there.
  if (status != cudaSuccess || store == nullptr) return status;
  const int block = 256;
  const int words_grid = static_cast<int>((static_cast<size_t>(n) * delivered_fields + block - 1) / block);
  convert<<<words_grid, block>>>(reinterpret_cast<const float*>(cells), store, pitch, n);

  // Step 3: the steps. Each reads the temperatures that the one before it has stored.
  //@@ begin solution
  const int grid = (n + block - 1) / block;
  int last = temperature;
  for (int s = 0; s < steps; ++s) {
    const int next = last == temperature ? next_temperature : temperature;
    step<<<grid, block>>>(store, pitch, n, reach, last, next);
    last = next;
  }
  //@@ end solution

  // Step 4: the summaries; then give the memory back, and say whether a launch went wrong.
  //@@ begin solution
  summarise<<<grid, block>>>(store, pitch, summaries, n, last);
  status = cudaGetLastError();
  cudaFree(store);
  //@@ end solution
  return status;
}
