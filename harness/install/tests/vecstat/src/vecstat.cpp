#include <cuda_runtime_api.h>
#include <stdexcept>
#include <vecstat/vecstat.hpp>
#include "kernels.hpp"
namespace vecstat {
namespace {
void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}
template <typename T>
class buffer {
 public:
  explicit buffer(std::size_t count) { check(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T))); }
  ~buffer() { cudaFree(data_); }
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;
  T* get() const { return data_; }

 private:
  T* data_ = nullptr;
};
}  // namespace
moments moments_of(const std::vector<float>& values) {
  buffer<float> in(values.size());
  buffer<double> out(2);
  double sums[2];
  check(cudaMemcpy(in.get(), values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemset(out.get(), 0, sizeof sums));
  check(detail::moments(in.get(), static_cast<int>(values.size()), out.get(), nullptr));
  check(cudaMemcpy(sums, out.get(), sizeof sums, cudaMemcpyDeviceToHost));
  const double mean = sums[0] / static_cast<double>(values.size());
  return {mean, sums[1] / static_cast<double>(values.size()) - mean * mean};
}
float largest(const std::vector<float>& values) {
  buffer<float> in(values.size()), out(1);
  float result = 0;
  check(cudaMemcpy(in.get(), values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(detail::extremes(in.get(), static_cast<int>(values.size()), out.get(), cudaStreamPerThread));
  check(cudaDeviceSynchronize());
  check(cudaMemcpy(&result, out.get(), sizeof result, cudaMemcpyDeviceToHost));
  return result;
}
}  // namespace vecstat
