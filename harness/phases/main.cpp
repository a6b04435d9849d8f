// phases-NN-name: runs the toys of a lab with one kernel, and prints which thread loaded and stored what in which phase, as the
// emulator recorded it. Exit codes: 0 whatever the kernel does; 1 there is no table, for a reason of the kernel's; 3 our fault or
// the lab author's.
#include <cuda_runtime.h>

#include <iostream>

#include "emulator.h"
#include "phases/table.h"
#include "phases/toy.h"

namespace simtlab::phases {
namespace {

constexpr int success = 0, no_table = 1, our_fault = 3;
constexpr std::size_t most_accesses = 100'000;

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(std::string("phases.cu: ") + cudaGetErrorString(error));
}

float* on_device(const matrix& m) {
  std::vector<float> values(static_cast<std::size_t>(m.rows) * static_cast<std::size_t>(m.columns));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i + 1);
  float* data = nullptr;
  check(cudaMalloc(reinterpret_cast<void**>(&data), values.size() * sizeof(float)));
  if (m.is_input) check(cudaMemcpy(data, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice));
  emulator::name_memory(data, values.size() * sizeof(float), m.name);
  return data;
}

void print(const toy& of, const emulator::report& report) {
  if (report.launches.empty()) throw not_a_toy("no kernel was launched: write the kernel and its launch first");
  for (const emulator::launch_report& launch : report.launches) {
    std::cout << of.title << ": " << launch.grid.y << " x " << launch.grid.x << " blocks of " << launch.block.y << " x "
              << launch.block.x << " threads\n"
              << table_of(of, launch) << "\n";
  }
  for (const emulator::finding& f : report.findings)
    if (f.level != emulator::severity::note && !f.kernel.empty())
      std::cout << emulator::rule_name(f.what) << ", line " << f.first.where.line << ": " << f.message << "\n\n";
}

int run() {
  emulator::options wanted;
  wanted.recorded_accesses = most_accesses;
  emulator::configure(wanted);
  for (const toy& of : define_toys()) {
    static_cast<void>(emulator::take_report());
    std::vector<float*> data;
    data.reserve(of.matrices.size());
    for (const matrix& m : of.matrices) data.push_back(on_device(m));
    of.run(data);
    static_cast<void>(cudaDeviceSynchronize());
    static_cast<void>(cudaGetLastError());
    print(of, emulator::take_report());
    for (float* d : data) cudaFree(d);
  }
  return success;
}

}  // namespace
}  // namespace simtlab::phases

int main() {
  using namespace simtlab::phases;
  try {
    return run();
  } catch (const not_a_toy& e) {
    std::cerr << e.what() << '\n';
    return no_table;
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return our_fault;
  }
}
