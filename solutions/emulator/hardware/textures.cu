// What a texture unit answers: fetches at random coordinates and at the ones between two steps of the filter's weights, in every
// mode of addressing and filtering, of one to three dimensions, from floats, halves and normalised whole numbers.
// Prints the GPU, then a line for each fetch: setting, coordinates and value, as the bits of floats.
// Usage: textures [FETCHES of each setting, 64 if not given]. Compiles with nvcc and simtcc.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define CHECK(call)                                                                          \
  do {                                                                                       \
    const cudaError_t error = (call);                                                        \
    if (error != cudaSuccess) {                                                              \
      std::fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(error)); \
      std::exit(1);                                                                          \
    }                                                                                        \
  } while (0)

namespace {

// The numbers of one setting, whatever the standard library is.
class numbers {
 public:
  explicit numbers(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}
  std::uint32_t next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::uint32_t>(state_ >> 32);
  }
  /// In [0, 1), with 24 bits.
  float fraction() { return static_cast<float>(next() >> 8) * 0x1p-24F; }

 private:
  std::uint64_t state_;
};

enum class stored { floats, halves, bytes, signed_bytes, shorts };
const char* const stored_names[] = {"float", "half", "uchar", "char", "ushort"};
const char* const address_names[] = {"wrap", "clamp", "mirror", "border"};

struct setting {
  int dimensions;
  stored kind;
  cudaTextureAddressMode address;
  cudaTextureFilterMode filter;
  bool normalised;
  std::string name() const {
    return std::to_string(dimensions) + "d-" + stored_names[static_cast<int>(kind)] + "-" + address_names[address] +
           (filter == cudaFilterModeLinear ? "-linear" : "-point") + (normalised ? "-normalised" : "-texels");
  }
};

constexpr int extents[3] = {29, 16, 5};

}  // namespace

__global__ void fetch(cudaTextureObject_t texture, int dimensions, const float* at, float* value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = at[3 * i], y = at[3 * i + 1], z = at[3 * i + 2];
  value[i] = dimensions == 1   ? tex1D<float>(texture, x)
             : dimensions == 2 ? tex2D<float>(texture, x, y)
                               : tex3D<float>(texture, x, y, z);
}

namespace {

cudaChannelFormatDesc format_of(stored kind) {
  switch (kind) {
    case stored::floats:
      return cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    case stored::halves:
      return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
    case stored::bytes:
      return cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
    case stored::signed_bytes:
      return cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindSigned);
    default:
      return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindUnsigned);
  }
}

// Halves of finite size; every pattern of the whole numbers.
std::vector<unsigned char> texels_of(stored kind, int count, numbers& random) {
  const int bytes = kind == stored::floats ? 4 : kind == stored::bytes || kind == stored::signed_bytes ? 1 : 2;
  std::vector<unsigned char> texels(static_cast<std::size_t>(count) * bytes);
  for (int i = 0; i < count; ++i) {
    const float f = 2 * random.fraction() - 1;
    std::uint32_t bits = random.next() >> 16;
    if (kind == stored::floats) std::memcpy(&bits, &f, 4);
    if (kind == stored::halves) bits = (bits & 0x83ffU) | (8 + bits % 11) << 10;
    std::memcpy(texels.data() + static_cast<std::size_t>(i) * bytes, &bits, bytes);
  }
  return texels;
}

// Half of them anywhere from one and a half textures before to the same behind; the others at multiples of 1/512 texel or
// close by, where a weight's 8 bits change.
float coordinate(int extent, bool normalised, int i, numbers& random) {
  float texels = (4 * random.fraction() - 1.5F) * static_cast<float>(extent);
  if (i % 2 == 1) {
    const int steps = static_cast<int>(random.next() % (512U * 2U * static_cast<unsigned>(extent)));
    texels = static_cast<float>(steps - 256 * extent) / 512;
    if (i % 4 == 3) texels += (random.fraction() - 0.5F) / 4096;
  }
  return normalised ? texels / static_cast<float>(extent) : texels;
}

void run(const setting& s, int fetches, std::uint64_t seed) {
  numbers random(seed);
  const int width = extents[0], height = s.dimensions > 1 ? extents[1] : 1, depth = s.dimensions > 2 ? extents[2] : 1;
  std::vector<unsigned char> texels = texels_of(s.kind, width * height * depth, random);
  const cudaChannelFormatDesc format = format_of(s.kind);
  const std::size_t row = static_cast<std::size_t>(width) * (format.x / 8);
  cudaArray_t array = nullptr;
  CHECK(cudaMalloc3DArray(&array, &format,
                          make_cudaExtent(width, s.dimensions > 1 ? height : 0, s.dimensions > 2 ? depth : 0)));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), row, width, height);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(width, height, depth);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  for (cudaTextureAddressMode& mode : description.addressMode) mode = s.address;
  description.filterMode = s.filter;
  description.readMode =
      s.kind == stored::floats || s.kind == stored::halves ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
  description.normalizedCoords = s.normalised;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));

  std::vector<float> at(static_cast<std::size_t>(fetches) * 3), value(fetches);
  for (int i = 0; i < fetches; ++i)
    for (int d = 0; d < 3; ++d) at[3 * i + d] = d < s.dimensions ? coordinate(extents[d], s.normalised, i, random) : 0;
  float *device_at = nullptr, *device_value = nullptr;
  CHECK(cudaMalloc(&device_at, at.size() * sizeof(float)));
  CHECK(cudaMalloc(&device_value, value.size() * sizeof(float)));
  CHECK(cudaMemcpy(device_at, at.data(), at.size() * sizeof(float), cudaMemcpyHostToDevice));
  fetch<<<(fetches + 127) / 128, 128>>>(texture, s.dimensions, device_at, device_value, fetches);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(value.data(), device_value, value.size() * sizeof(float), cudaMemcpyDeviceToHost));
  const std::string name = s.name();
  for (int i = 0; i < fetches; ++i) {
    std::uint32_t bits[4];
    std::memcpy(bits, &at[3 * i], 12);
    std::memcpy(bits + 3, &value[i], 4);
    std::printf("%s,%08x,%08x,%08x,%08x\n", name.c_str(), bits[0], bits[1], bits[2], bits[3]);
  }
  CHECK(cudaFree(device_at));
  CHECK(cudaFree(device_value));
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

}  // namespace

int main(int count, char** words) {
  const int fetches = count > 1 ? std::atoi(words[1]) : 64;
  if (fetches < 1) {
    std::fprintf(stderr, "usage: textures [FETCHES of each setting, at least 1]\n");
    return 2;
  }
  cudaDeviceProp gpu = {};
  CHECK(cudaGetDeviceProperties(&gpu, 0));
  std::printf("# %s, compute capability %d.%d\nsetting,x,y,z,value\n", gpu.name, gpu.major, gpu.minor);
  std::uint64_t seed = 1;
  for (int dimensions = 1; dimensions <= 3; ++dimensions)
    for (const stored kind : {stored::floats, stored::halves, stored::bytes, stored::signed_bytes, stored::shorts})
      for (int address = 0; address < 4; ++address)
        for (const cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear})
          for (const bool normalised : {false, true})
            run({dimensions, kind, static_cast<cudaTextureAddressMode>(address), filter, normalised}, fetches, seed++);
}
