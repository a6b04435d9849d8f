// tiled_product.cu in OpenCL, for a peer. Prints the seconds of wall and of processor time that the last of LAUNCHES launches takes.
//   tiled_product_opencl PLATFORM SIZE LAUNCHES       PLATFORM: what the platform's name begins with
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr std::size_t tile_width = 16;

const char* const source = R"(
#define TILE_WIDTH 16
kernel void product(global const float* a, global const float* b, global float* c, int size) {
  local float tile_a[TILE_WIDTH][TILE_WIDTH];
  local float tile_b[TILE_WIDTH][TILE_WIDTH];
  const int x = get_local_id(0), y = get_local_id(1);
  const int row = get_group_id(1) * TILE_WIDTH + y, column = get_group_id(0) * TILE_WIDTH + x;
  float sum = 0;
  for (int phase = 0; phase < size / TILE_WIDTH; ++phase) {
    tile_a[y][x] = a[row * size + phase * TILE_WIDTH + x];
    tile_b[y][x] = b[(phase * TILE_WIDTH + y) * size + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE_WIDTH; ++k) sum += tile_a[y][k] * tile_b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * size + column] = sum;
}
)";

void expect_success(const char* call, cl_int status) {
  if (status != CL_SUCCESS) throw std::runtime_error(std::string(call) + " ended with " + std::to_string(status));
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

/// The last of `launches` launches. What OpenCL gave out goes back with the process.
seconds time_of_product(cl_device_id device, std::size_t size, int launches) {
  cl_int status = CL_SUCCESS;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
  expect_success("clCreateContext", status);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  expect_success("clCreateCommandQueue", status);
  const char* text = source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &status);
  expect_success("clCreateProgramWithSource", status);
  expect_success("clBuildProgram", clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  cl_kernel kernel = clCreateKernel(program, "product", &status);
  expect_success("clCreateKernel", status);

  std::vector<float> host(size * size, 1.0f);
  const std::size_t bytes = host.size() * sizeof(float);
  std::array<cl_mem, 3> matrices{};
  for (cl_uint i = 0; i < matrices.size(); ++i) {
    matrices.at(i) = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, host.data(), &status);
    expect_success("clCreateBuffer", status);
    expect_success("clSetKernelArg", clSetKernelArg(kernel, i, sizeof(cl_mem), &matrices.at(i)));
  }
  const auto elements_of_a_row = static_cast<cl_int>(size);
  expect_success("clSetKernelArg", clSetKernelArg(kernel, 3, sizeof elements_of_a_row, &elements_of_a_row));

  const std::array<std::size_t, 2> grid{size, size}, group{tile_width, tile_width};
  seconds took;
  for (int launch = 0; launch < launches; ++launch) {
    const std::clock_t processor_begin = std::clock();
    const auto begin = std::chrono::steady_clock::now();
    expect_success("clEnqueueNDRangeKernel",
                   clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, grid.data(), group.data(), 0, nullptr, nullptr));
    expect_success("clFinish", clFinish(queue));
    took = {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
            static_cast<double>(std::clock() - processor_begin) / CLOCKS_PER_SEC};
  }
  expect_success("clEnqueueReadBuffer",
                 clEnqueueReadBuffer(queue, matrices[2], CL_TRUE, 0, bytes, host.data(), 0, nullptr, nullptr));
  for (const float element : host)
    if (element != static_cast<float>(size)) throw std::runtime_error("the product came out wrong");
  return took;
}

}  // namespace

int main(int words, char** word) {
  const int size = words == 4 ? std::atoi(word[2]) : 0, launches = words == 4 ? std::atoi(word[3]) : 0;
  if (size <= 0 || size % static_cast<int>(tile_width) != 0 || launches <= 0) {
    std::fprintf(stderr, "usage: tiled_product_opencl PLATFORM SIZE LAUNCHES; SIZE is a multiple of %zu\n", tile_width);
    return 2;
  }
  try {
    const seconds took = time_of_product(first_device_of(word[1]), static_cast<std::size_t>(size), launches);
    std::printf("%.6f %.6f\n", took.wall, took.processor);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
}
