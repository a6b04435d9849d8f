/*
 * nbody_tiles.cu
 *
 * All-pairs gravity.  Each block stages tiles of bodies (float4: position and mass) in
 * dynamic shared memory and every thread sums the force on its own body with rsqrtf.
 * Leapfrog steps move the bodies; the total energy is computed in double precision
 * before and after and must hardly change, and the host repeats the simulation in double
 * precision.  Printed numbers are rounded far above the float error.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
#include <cuda_runtime.h>

#define GUARD(call) guard((call), __FILE__, __LINE__)
inline void guard(cudaError_t code, const char *file, int line) {
    if (code != cudaSuccess) {
        std::fprintf(stderr, "%s(%d): %s\n", file, line, cudaGetErrorString(code));
        std::exit(1);
    }
}

struct CudaFree { void operator()(void *p) const { GUARD(cudaFree(p)); } };
template <typename T> using DevicePtr = std::unique_ptr<T, CudaFree>;
template <typename T> DevicePtr<T> device_array(size_t n) {
    T *p = nullptr; GUARD(cudaMalloc(&p, n * sizeof(T)));
    return DevicePtr<T>(p);
}

constexpr int BODIES = 500;                  // not a multiple of the tile
constexpr int TILE = 64;
constexpr int STEPS = 6;
constexpr float DT = 0.005f;
constexpr float SOFTENING2 = 0.01f;

__device__ __forceinline__ float3 add_pull(float3 acc, float4 me, float4 other) {
    const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    const float inv = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTENING2);
    const float strength = other.w * inv * inv * inv;
    acc.x += dx * strength;
    acc.y += dy * strength;
    acc.z += dz * strength;
    return acc;
}

__global__ void accelerations(const float4 *__restrict__ bodies, float4 *__restrict__ acc, int n) {
    extern __shared__ float4 tile[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 me = i < n ? bodies[i] : make_float4(0.f, 0.f, 0.f, 0.f);
    float3 a = make_float3(0.f, 0.f, 0.f);
    for (int base = 0; base < n; base += blockDim.x) {
        const int j = base + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0.f, 0.f, 0.f, 0.f);   // no mass, no pull
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < TILE; ++k) a = add_pull(a, me, tile[k]);
        __syncthreads();
    }
    if (i < n) acc[i] = make_float4(a.x, a.y, a.z, 0.f);
}

__global__ void kick(float4 *vel, const float4 *acc, int n, float dt) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        vel[i].x = fmaf(acc[i].x, dt, vel[i].x);
        vel[i].y = fmaf(acc[i].y, dt, vel[i].y);
        vel[i].z = fmaf(acc[i].z, dt, vel[i].z);
    }
}

__global__ void drift(float4 *bodies, const float4 *vel, int n, float dt) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        bodies[i].x = fmaf(vel[i].x, dt, bodies[i].x);
        bodies[i].y = fmaf(vel[i].y, dt, bodies[i].y);
        bodies[i].z = fmaf(vel[i].z, dt, bodies[i].z);
    }
}

// One value per body, summed by the host in a fixed order.
__global__ void energies(const float4 *bodies, const float4 *vel, double2 *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4 b = bodies[i], v = vel[i];
    double potential = 0.0;
    for (int j = i + 1; j < n; ++j) {
        const double dx = (double)bodies[j].x - b.x, dy = (double)bodies[j].y - b.y, dz = (double)bodies[j].z - b.z;
        potential -= (double)b.w * bodies[j].w / sqrt(dx * dx + dy * dy + dz * dz + SOFTENING2);
    }
    const double speed2 = (double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z;
    out[i] = make_double2(0.5 * b.w * speed2, potential);
}

struct Body { double x, y, z, m, vx, vy, vz; };

static void host_kick(std::vector<Body> &b, double dt) {
    for (auto &p : b) {
        double ax = 0, ay = 0, az = 0;
        for (const auto &q : b) {
            const double dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
            const double r2 = dx * dx + dy * dy + dz * dz + SOFTENING2;
            const double s = q.m / (r2 * std::sqrt(r2));
            ax += dx * s; ay += dy * s; az += dz * s;
        }
        p.vx += ax * dt; p.vy += ay * dt; p.vz += az * dt;
    }
}

int main() {
    std::vector<float4> pos(BODIES), vel(BODIES);
    std::vector<Body> ref;
    unsigned seed = 99;
    auto next = [&seed] { seed = seed * 1664525u + 1013904223u; return (seed >> 8) / 16777216.0f; };
    for (int i = 0; i < BODIES; ++i) {
        const float x = 2 * next() - 1, y = 2 * next() - 1, z = 2 * next() - 1, m = (1 + i % 4) / 512.0f;
        pos[i] = make_float4(x, y, z, m);
        vel[i] = make_float4(-0.5f * y, 0.5f * x, 0.1f * z, 0.0f);
        ref.push_back({x, y, z, m, vel[i].x, vel[i].y, vel[i].z});
    }
    auto dPos = device_array<float4>(BODIES), dVel = device_array<float4>(BODIES), dAcc = device_array<float4>(BODIES);
    auto dEnergy = device_array<double2>(BODIES);
    GUARD(cudaMemcpy(dPos.get(), pos.data(), BODIES * sizeof(float4), cudaMemcpyHostToDevice));
    GUARD(cudaMemcpy(dVel.get(), vel.data(), BODIES * sizeof(float4), cudaMemcpyHostToDevice));
    const int grid = (BODIES + TILE - 1) / TILE;
    auto total_energy = [&](const char *when) {
        std::vector<double2> e(BODIES);
        energies<<<grid, TILE>>>(dPos.get(), dVel.get(), dEnergy.get(), BODIES);
        GUARD(cudaGetLastError());
        GUARD(cudaMemcpy(e.data(), dEnergy.get(), BODIES * sizeof(double2), cudaMemcpyDeviceToHost));
        double kinetic = 0, potential = 0;
        for (const double2 &v : e) { kinetic += v.x; potential += v.y; }
        std::printf("%-6s kinetic %.4g potential %.4g\n", when, kinetic, potential);
        return kinetic + potential;
    };
    const double before = total_energy("before");
    for (int step = 0; step < STEPS; ++step) {
        accelerations<<<grid, TILE, TILE * sizeof(float4)>>>(dPos.get(), dAcc.get(), BODIES);
        kick<<<grid, TILE>>>(dVel.get(), dAcc.get(), BODIES, step == 0 ? 0.5f * DT : DT);
        drift<<<grid, TILE>>>(dPos.get(), dVel.get(), BODIES, DT);
    }
    accelerations<<<grid, TILE, TILE * sizeof(float4)>>>(dPos.get(), dAcc.get(), BODIES);
    kick<<<grid, TILE>>>(dVel.get(), dAcc.get(), BODIES, 0.5f * DT);      // velocities back in step
    GUARD(cudaGetLastError());
    GUARD(cudaDeviceSynchronize());
    const double after = total_energy("after");
    GUARD(cudaMemcpy(pos.data(), dPos.get(), BODIES * sizeof(float4), cudaMemcpyDeviceToHost));
    GUARD(cudaMemcpy(vel.data(), dVel.get(), BODIES * sizeof(float4), cudaMemcpyDeviceToHost));
    for (int step = 0; step < STEPS; ++step) {
        host_kick(ref, step == 0 ? 0.5 * DT : DT);
        for (auto &p : ref) { p.x += p.vx * DT; p.y += p.vy * DT; p.z += p.vz * DT; }
    }
    host_kick(ref, 0.5 * DT);
    int bad = 0;
    double massCentre = 0;
    for (int i = 0; i < BODIES; ++i) {
        bad += std::fabs(pos[i].x - ref[i].x) > 1e-4 || std::fabs(pos[i].y - ref[i].y) > 1e-4 ||
               std::fabs(pos[i].z - ref[i].z) > 1e-4 || std::fabs(vel[i].x - ref[i].vx) > 1e-3 ||
               std::fabs(vel[i].y - ref[i].vy) > 1e-3 || std::fabs(vel[i].z - ref[i].vz) > 1e-3;
        massCentre += pos[i].w;
    }
    for (int i = 3; i < BODIES; i += 83)
        std::printf("body %3d near (%.2f, %.2f, %.2f)\n", i, pos[i].x + 10, pos[i].y + 10, pos[i].z + 10);
    const bool conserved = std::fabs(after - before) < 0.005 * std::fabs(before);
    std::printf("total mass %.6f, energy conserved: %s, bodies off the reference: %d\n", massCentre,
                conserved ? "yes" : "no", bad);
    std::puts(bad == 0 && conserved ? "PASS" : "FAIL");
    return 0;
}
