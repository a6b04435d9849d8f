// A ray tracer with materials and shapes as classes with virtual functions, whose objects a kernel creates and deletes.
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <vector>
#include <curand_kernel.h>

#define checkCudaErrors(val) check_cuda((val), #val, __FILE__, __LINE__)
void check_cuda(cudaError_t result, char const *const func, const char *const file, int const line) {
  if (result) {
    fprintf(stderr, "CUDA error = %u at %s:%d '%s'\n", static_cast<unsigned int>(result), file, line, func);
    cudaDeviceReset();
    exit(99);
  }
}

class vec3 {
 public:
  __host__ __device__ vec3() : e{0, 0, 0} {}
  __host__ __device__ vec3(float x, float y, float z) : e{x, y, z} {}
  __host__ __device__ inline float x() const { return e[0]; }
  __host__ __device__ inline float y() const { return e[1]; }
  __host__ __device__ inline float z() const { return e[2]; }
  __host__ __device__ inline float operator[](int i) const { return e[i]; }
  __host__ __device__ inline vec3 &operator+=(const vec3 &v) {
    for (int i = 0; i < 3; i++) e[i] += v.e[i];
    return *this;
  }
  __host__ __device__ inline float squared_length() const { return e[0] * e[0] + e[1] * e[1] + e[2] * e[2]; }
  float e[3];
};
__host__ __device__ inline vec3 operator+(const vec3 &a, const vec3 &b) { return vec3(a.x() + b.x(), a.y() + b.y(), a.z() + b.z()); }
__host__ __device__ inline vec3 operator-(const vec3 &a, const vec3 &b) { return vec3(a.x() - b.x(), a.y() - b.y(), a.z() - b.z()); }
__host__ __device__ inline vec3 operator*(const vec3 &a, const vec3 &b) { return vec3(a.x() * b.x(), a.y() * b.y(), a.z() * b.z()); }
__host__ __device__ inline vec3 operator*(float t, const vec3 &v) { return vec3(t * v.x(), t * v.y(), t * v.z()); }
__host__ __device__ inline float dot(const vec3 &a, const vec3 &b) { return a.x() * b.x() + a.y() * b.y() + a.z() * b.z(); }
__device__ inline vec3 unit(const vec3 &v) { return rsqrtf(v.squared_length()) * v; }

struct ray {
  vec3 origin, direction;
  __device__ vec3 at(float t) const { return origin + t * direction; }
};

class material;
struct hit_record {
  float t;
  vec3 point, normal;
  const material *surface;
};

class material {
 public:
  __device__ virtual bool scatter(const ray &in, const hit_record &hit, vec3 &attenuation, ray &out, curandState *state) const = 0;
  __device__ virtual ~material() {}
};
__device__ vec3 in_unit_sphere(curandState *state) {
  vec3 p;
  do {
    p = 2.0f * vec3(curand_uniform(state), curand_uniform(state), curand_uniform(state)) - vec3(1, 1, 1);
  } while (p.squared_length() >= 1.0f);
  return p;
}
class lambertian : public material {
 public:
  __device__ explicit lambertian(const vec3 &a) : albedo(a) {}
  __device__ bool scatter(const ray &, const hit_record &hit, vec3 &attenuation, ray &out, curandState *state) const override {
    out = {hit.point, hit.normal + in_unit_sphere(state)};
    attenuation = albedo;
    return true;
  }
 private:
  vec3 albedo;
};
class metal : public material {
 public:
  __device__ metal(const vec3 &a, float f) : albedo(a), fuzz(f < 1 ? f : 1) {}
  __device__ bool scatter(const ray &in, const hit_record &hit, vec3 &attenuation, ray &out, curandState *state) const override {
    const vec3 d = unit(in.direction), reflected = d - 2.0f * dot(d, hit.normal) * hit.normal;
    out = {hit.point, reflected + fuzz * in_unit_sphere(state)};
    attenuation = albedo;
    return dot(out.direction, hit.normal) > 0;
  }
 private:
  vec3 albedo;
  float fuzz;
};

class hitable {
 public:
  __device__ virtual bool hit(const ray &r, float t_min, float t_max, hit_record &rec) const = 0;
  __device__ virtual ~hitable() {}
};
class sphere : public hitable {
 public:
  __device__ sphere(vec3 c, float r, material *m) : center(c), radius(r), mat(m) {}
  __device__ ~sphere() override { delete mat; }
  __device__ bool hit(const ray &r, float t_min, float t_max, hit_record &rec) const override {
    const vec3 oc = r.origin - center;
    const float a = r.direction.squared_length(), b = dot(oc, r.direction), c = oc.squared_length() - radius * radius;
    const float discriminant = b * b - a * c;
    if (discriminant <= 0) return false;
    for (int side = -1; side <= 1; side += 2) {
      const float t = (-b + side * sqrtf(discriminant)) / a;
      if (t < t_max && t > t_min) {
        rec = {t, r.at(t), (1 / radius) * (r.at(t) - center), mat};
        return true;
      }
    }
    return false;
  }
 private:
  vec3 center;
  float radius;
  material *mat;
};

__device__ vec3 color(ray r, hitable **world, int count, curandState *state) {
  vec3 attenuation(1, 1, 1);
  for (int depth = 0; depth < 8; depth++) {
    hit_record rec, closest;
    closest.t = FLT_MAX;
    for (int i = 0; i < count; i++)
      if (world[i]->hit(r, 0.001f, closest.t, rec)) closest = rec;
    if (closest.t == FLT_MAX) {
      const float t = 0.5f * (unit(r.direction).y() + 1.0f);
      return attenuation * ((1 - t) * vec3(1, 1, 1) + t * vec3(0.5f, 0.7f, 1));
    }
    ray scattered;
    vec3 here;
    if (!closest.surface->scatter(r, closest, here, scattered, state)) break;
    attenuation = attenuation * here;
    r = scattered;
  }
  return vec3();
}

__global__ void create_world(hitable **world) {
  if (threadIdx.x != 0 || blockIdx.x != 0) return;
  world[0] = new sphere(vec3(0, 0, -1), 0.5f, new lambertian(vec3(0.8f, 0.3f, 0.3f)));
  world[1] = new sphere(vec3(0, -100.5f, -1), 100, new lambertian(vec3(0.8f, 0.8f, 0)));
  world[2] = new sphere(vec3(1, 0, -1), 0.5f, new metal(vec3(0.8f, 0.6f, 0.2f), 0.1f));
  world[3] = new sphere(vec3(-1, 0, -1), 0.5f, new metal(vec3(0.8f, 0.8f, 0.8f), 1));
}
__global__ void free_world(hitable **world, int count) {
  for (int i = 0; i < count; i++) delete world[i];
}
__global__ void render(vec3 *fb, int width, int height, int samples, hitable **world, int count) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x, j = threadIdx.y + blockIdx.y * blockDim.y;
  if (i >= width || j >= height) return;
  curandState state;
  curand_init(1984, j * width + i, 0, &state);
  vec3 sum;
  for (int s = 0; s < samples; s++) {
    const float u = (i + curand_uniform(&state)) / width, v = (j + curand_uniform(&state)) / height;
    sum += color({vec3(), vec3(-2 + 4 * u, -1 + 2 * v, -1)}, world, count, &state);
  }
  fb[j * width + i] = (1.0f / samples) * sum;
}

int main(int argc, char **argv) {
  const int width = 64, height = 32, samples = 4, count = 4;
  hitable **world;
  vec3 *fb;
  checkCudaErrors(cudaMalloc((void **)&world, count * sizeof(hitable *)));
  checkCudaErrors(cudaMallocManaged((void **)&fb, width * height * sizeof(vec3)));
  create_world<<<1, 1>>>(world);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  const dim3 threads(8, 8), blocks((width + threads.x - 1) / threads.x, (height + threads.y - 1) / threads.y);
  render<<<blocks, threads>>>(fb, width, height, samples, world, count);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  double mean[3] = {0, 0, 0};
  for (int pixel = 0; pixel < width * height; pixel++)
    for (int c = 0; c < 3; c++) mean[c] += sqrt(fb[pixel][c]) / (width * height);
  printf("mean color: %.2f %.2f %.2f\n", mean[0], mean[1], mean[2]);
  const vec3 &top = fb[(height - 1) * width];
  printf("top left: %.2f %.2f %.2f\n", top.x(), top.y(), top.z());
  if (argc > 1) {
    std::ofstream picture(argv[1]);
    picture << "P3\n" << width << " " << height << "\n255\n";
    for (int j = height - 1; j >= 0; j--)
      for (int i = 0; i < width; i++)
        for (int c = 0; c < 3; c++) picture << int(255.99 * sqrt(fb[j * width + i][c])) << (c < 2 ? " " : "\n");
  }
  free_world<<<1, 1>>>(world, count);
  checkCudaErrors(cudaDeviceSynchronize());
  checkCudaErrors(cudaFree(world));
  checkCudaErrors(cudaFree(fb));
  cudaDeviceReset();
}
