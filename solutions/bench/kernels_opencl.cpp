// tiled_product.cu and kernels.cu in OpenCL, for a peer. Prints the seconds of wall and of processor time that one launch takes, the
// median of those behind a first one, which compiles.
//   kernels_opencl PLATFORM NAME SIZE LAUNCHES       PLATFORM: what the platform's name begins with; NAME: as in kernels.cu, or product
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr std::size_t side = 16, threads = 256, bins = 256;

const char* const source = R"(
#define SIDE 16
#define THREADS 256
kernel void product(global const float* a, global const float* b, global float* c, int size) {
  local float tile_a[SIDE][SIDE];
  local float tile_b[SIDE][SIDE];
  const int x = get_local_id(0), y = get_local_id(1);
  const int row = get_group_id(1) * SIDE + y, column = get_group_id(0) * SIDE + x;
  float sum = 0;
  for (int phase = 0; phase < size / SIDE; ++phase) {
    tile_a[y][x] = a[row * size + phase * SIDE + x];
    tile_b[y][x] = b[(phase * SIDE + y) * size + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < SIDE; ++k) sum += tile_a[y][k] * tile_b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * size + column] = sum;
}
kernel void stencil(global const float* in, global float* out, int size) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x < 1 || y < 1 || x >= size - 1 || y >= size - 1) return;
  const int at = y * size + x;
  out[at] = 0.25f * (in[at - 1] + in[at + 1] + in[at - size] + in[at + size]);
}
kernel void reduction(global const float* in, global float* sums, int size) {
  local float part[THREADS];
  const int t = get_local_id(0), at = get_global_id(0);
  part[t] = at < size ? in[at] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int stride = THREADS / 2; stride > 0; stride /= 2) {
    if (t < stride) part[t] += part[t + stride];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) sums[get_group_id(0)] = part[0];
}
kernel void histogram(global const int* in, global int* counts, int size) {
  local int own[THREADS];
  const int t = get_local_id(0);
  own[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < size; i += get_global_size(0)) atomic_inc(&own[in[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&counts[t], own[t]);
}
kernel void n_body(global const float4* bodies, global float4* forces, int size) {
  local float4 tile[THREADS];
  const int t = get_local_id(0);
  const float4 own = bodies[get_global_id(0)];
  float4 force = (float4)(0, 0, 0, 0);
  for (int first = 0; first < size; first += THREADS) {
    tile[t] = bodies[first + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < THREADS; ++i) {
      const float dx = tile[i].x - own.x, dy = tile[i].y - own.y, dz = tile[i].z - own.z;
      const float inverse = rsqrt(dx * dx + dy * dy + dz * dz + 0.01f);
      const float weight = tile[i].w * inverse * inverse * inverse;
      force.x += dx * weight;
      force.y += dy * weight;
      force.z += dz * weight;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  forces[get_global_id(0)] = force;
}
)";

void expect_success(const char* call, cl_int status) {
  if (status != CL_SUCCESS) throw std::runtime_error(std::string(call) + " ended with " + std::to_string(status));
}
void expect(bool holds) {
  if (!holds) throw std::runtime_error("the kernel's result came out wrong");
}

cl_device_id first_device_of(const std::string& wanted) {
  std::array<cl_platform_id, 16> platforms{};
  cl_uint count = 0;
  expect_success("clGetPlatformIDs", clGetPlatformIDs(platforms.size(), platforms.data(), &count));
  for (cl_uint i = 0; i < count; ++i) {
    std::array<char, 256> name{};
    expect_success("clGetPlatformInfo",
                   clGetPlatformInfo(platforms.at(i), CL_PLATFORM_NAME, name.size() - 1, name.data(), nullptr));
    if (std::string(name.data()).rfind(wanted, 0) != 0) continue;
    cl_device_id device = nullptr;
    expect_success("clGetDeviceIDs", clGetDeviceIDs(platforms.at(i), CL_DEVICE_TYPE_ALL, 1, &device, nullptr));
    return device;
  }
  throw std::runtime_error("no OpenCL platform's name begins with " + wanted);
}

struct seconds {
  double wall = 0, processor = 0;
};

struct work {
  const char* kernel;
  std::vector<std::vector<float>> memory;  ///< the arguments before the size; the last is the result
  std::vector<std::size_t> grid, group;    ///< in work items
};

float as_float(int bits) { return __builtin_bit_cast(float, bits); }

work work_of(const std::string& name, std::size_t size) {
  const auto number = [](std::size_t i) { return static_cast<float>(i); };
  if (name == "product") {
    const std::vector<float> ones(size * size, 1.0f);
    return {"product", {ones, ones, ones}, {size, size}, {side, side}};
  }
  if (name == "stencil") {
    std::vector<float> plane(size * size);
    for (std::size_t i = 0; i < plane.size(); ++i) plane[i] = number(i % size + i / size);
    return {"stencil", {plane, plane}, {size, size}, {side, side}};
  }
  if (name == "reduction")
    return {"reduction", {std::vector<float>(size, 1.0f), std::vector<float>(size / threads)}, {size}, {threads}};
  if (name == "histogram") {
    std::vector<float> values(size);
    for (std::size_t i = 0; i < size; ++i) values[i] = as_float(static_cast<int>(i * 7 % bins));
    return {"histogram", {values, std::vector<float>(bins, as_float(0))}, {64 * threads}, {threads}};
  }
  if (name != "n-body") throw std::runtime_error("no kernel is called " + name);
  std::vector<float> bodies;
  for (std::size_t i = 0; i < size; ++i)
    bodies.insert(bodies.end(), {number(i % 8), number(i / 8 % 8), number(i / 64), 1.0f});
  return {"n_body", {bodies, bodies}, {size}, {threads}};
}

void check(const work& w, const std::string& name, std::size_t size, int launches, const std::vector<float>& result) {
  const auto is_all = [&](float value) {
    return std::all_of(result.begin(), result.end(), [value](float x) { return x == value; });
  };
  if (name == "product") expect(is_all(static_cast<float>(size)));
  if (name == "stencil") expect(result == w.memory[0]);
  if (name == "reduction") expect(is_all(threads));
  if (name == "histogram") expect(is_all(as_float(launches * static_cast<int>(size / bins))));
  if (name != "n-body") return;
  double x = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const float* const b = &w.memory[0][4 * i];
    x += b[0] / std::pow(b[0] * b[0] + b[1] * b[1] + b[2] * b[2] + 0.01, 1.5);
  }
  expect(std::fabs(result[0] - x) < 1e-3 * x);
}

/// What OpenCL gave out goes back with the process.
seconds time_of(cl_device_id device, const std::string& name, std::size_t size, int launches) {
  const work w = work_of(name, size);
  cl_int status = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  expect_success("clCreateContext", status);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  expect_success("clCreateCommandQueue", status);
  const char* text = source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &status);
  expect_success("clCreateProgramWithSource", status);
  expect_success("clBuildProgram", clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  cl_kernel kernel = clCreateKernel(program, w.kernel, &status);
  expect_success("clCreateKernel", status);

  cl_uint argument = 0;
  cl_mem buffer = nullptr;
  for (const std::vector<float>& host : w.memory) {
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, host.size() * sizeof(float),
                            const_cast<float*>(host.data()), &status);
    expect_success("clCreateBuffer", status);
    expect_success("clSetKernelArg", clSetKernelArg(kernel, argument++, sizeof(cl_mem), &buffer));
  }
  const auto whole_size = static_cast<cl_int>(size);
  expect_success("clSetKernelArg", clSetKernelArg(kernel, argument, sizeof whole_size, &whole_size));

  std::vector<double> wall, processor;
  for (int launch = 0; launch < launches; ++launch) {
    const std::clock_t processor_begin = std::clock();
    const auto begin = std::chrono::steady_clock::now();
    expect_success("clEnqueueNDRangeKernel",
                   clEnqueueNDRangeKernel(queue, kernel, static_cast<cl_uint>(w.grid.size()), nullptr, w.grid.data(),
                                          w.group.data(), 0, nullptr, nullptr));
    expect_success("clFinish", clFinish(queue));
    if (launch == 0 && launches > 1) continue;
    wall.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    processor.push_back(static_cast<double>(std::clock() - processor_begin) / CLOCKS_PER_SEC);
  }
  std::vector<float> result(w.memory.back().size());
  expect_success("clEnqueueReadBuffer", clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, result.size() * sizeof(float),
                                                            result.data(), 0, nullptr, nullptr));
  check(w, name, size, launches, result);
  std::sort(wall.begin(), wall.end());
  std::sort(processor.begin(), processor.end());
  return {wall[wall.size() / 2], processor[processor.size() / 2]};
}

}  // namespace

int main(int words, char** word) {
  const int size = words == 5 ? std::atoi(word[3]) : 0, launches = words == 5 ? std::atoi(word[4]) : 0;
  if (size <= 0 || size % static_cast<int>(threads) != 0 || launches <= 0) {
    std::fprintf(stderr, "usage: kernels_opencl PLATFORM NAME SIZE LAUNCHES; SIZE is a multiple of %zu\n", threads);
    return 2;
  }
  try {
    const seconds took = time_of(first_device_of(word[1]), word[2], static_cast<std::size_t>(size), launches);
    std::printf("%.6f %.6f\n", took.wall, took.processor);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
}
