// Lab 16, predict: fixed snippets about managed memory and copies. Read them, answer in predict.toml, then write your own.
#include <numeric>
#include <vector>

#include "predict/question.h"

using namespace simtlab::predict;

namespace {

constexpr int page = 65536;

__global__ void add_one(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ++x[i];
}

void launch(int* x, int n) { add_one<<<(n + 255) / 256, 256>>>(x, n); }

// The host writes all elements, a kernel changes all, the host reads the first `looks`.
void write_launch_look(int n, int looks) {
  int* x = nullptr;
  cudaMallocManaged(&x, n * sizeof(int));
  std::iota(x, x + n, 0);
  launch(x, n);
  cudaDeviceSynchronize();
  if (std::accumulate(x, x + looks, 0L) == 0) launch(x, n);
  cudaFree(x);
}

// The host reads x[0] after each launch.
void look_after_each(int launches) {
  const int n = 4 * page / static_cast<int>(sizeof(int));
  int* x = nullptr;
  cudaMallocManaged(&x, n * sizeof(int));
  std::iota(x, x + n, 0);
  for (int k = 0; k < launches; ++k) {
    launch(x, n);
    cudaDeviceSynchronize();
    if (x[0] != k + 1) break;
  }
  cudaFree(x);
}

// The whole array is prefetched, and the kernel works on part of it.
void prefetch_all(int pages, int used) {
  int* x = nullptr;
  cudaMallocManaged(&x, static_cast<size_t>(pages) * page);
  std::iota(x, x + pages * page / 4, 0);
  cudaMemPrefetchAsync(x, static_cast<size_t>(pages) * page, 0, nullptr);
  launch(x, used * page / 4);
  cudaDeviceSynchronize();
  cudaFree(x);
}

// Explicit copies, there and back around each launch.
void copy_around_each(int n, int launches) {
  std::vector<int> values(n);
  int* x = nullptr;
  cudaMalloc(&x, n * sizeof(int));
  for (int k = 0; k < launches; ++k) {
    cudaMemcpy(x, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    launch(x, n);
    cudaMemcpy(values.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost);
  }
  cudaFree(x);
}

}  // namespace

std::vector<question> define_questions() {
  return {
      {.name = "pages",
       .text =
           "A page of managed memory has 65,536 bytes, and nothing moves at the first touch. The host writes {n} "
           "ints, a kernel changes all of them, the host then reads the first {looks} (write_launch_look). How many "
           "pages move, there and back together?",
       .numbers = {{"n", {40000, 20000, 50000, 70000, 90000}}, {"looks", {1, 17000, 100, 19000}}},
       .run = [](const drawn& n) { write_launch_look(n["n"], n["looks"]); },
       .measurement = [](const auto& r) { return double(r.host.pages_to_device + r.host.pages_to_host); }},
      {.name = "between",
       .text = "An array of 4 pages; the host wrote it. {launches} launches change all of it, and behind each the host "
               "reads x[0] (look_after_each). How many pages move to the device?",
       .numbers = {{"launches", {3, 2, 4, 5, 6}}},
       .run = [](const drawn& n) { look_after_each(n["launches"]); },
       .measurement = [](const auto& r) { return double(r.host.pages_to_device); }},
      {.name = "prefetch",
       .text =
           "The host wrote an array of {pages} pages. It is prefetched to the device as a whole, and a kernel works "
           "on the first {used} pages (prefetch_all). How many pages move?",
       .numbers = {{"pages", {6, 4, 5, 7, 8}}, {"used", {2, 1, 3}}},
       .run = [](const drawn& n) { prefetch_all(n["pages"], n["used"]); },
       .measurement = [](const auto& r) { return double(r.host.pages_to_device + r.host.pages_to_host); }},
      {.name = "copies",
       .text = "{n} ints are copied to the device and back around each of {launches} launches (copy_around_each). How "
               "many bytes would still cross the bus, of all that do, if the array stayed on the device between the "
               "launches?",
       .numbers = {{"n", {1000, 500, 2000, 3000}}, {"launches", {4, 3, 5}}},
       .run = [](const drawn& n) { copy_around_each(n["n"], n["launches"]); },
       .measurement =
           [](const auto& r) {
             return double(r.host.bytes_to_device + r.host.bytes_to_host) / double(r.host.launches);
           }},
  };
}
