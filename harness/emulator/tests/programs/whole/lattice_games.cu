/*
 * lattice_games.cu
 *
 * Bit tricks on lattices.  Conway's life is stored as packed words, 32 cells each: the
 * neighbours in a word come from funnel shifts, a full adder of eight bit planes (with
 * lop3 in inline PTX) counts them for all 32 cells at once, and __ballot_sync packs the
 * initial field.  Other kernels describe the field with __popc, __ffs, __brev and
 * more PTX (bfe, prmt).  Finally a 3D integer stencil runs on a volume from
 * cudaMalloc3D that travels with cudaMemcpy3D.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define OK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::fprintf(stderr, "%s -> %s\n", #call, cudaGetErrorString(e_)); std::exit(1); } } while (0)

using u32 = std::uint32_t;
constexpr int W = 256, H = 96, WORDS = W / 32, GENERATIONS = 24;

__host__ __device__ inline bool seed_cell(int x, int y) {
    u32 h = (u32)x * 0x9e3779b1u ^ (u32)y * 0x85ebca77u; h ^= h >> 15; h *= 0x2c1b3c6du;
    return ((h ^ (h >> 12)) & 3u) == 0; }

#define LOP3(name, table)                                                                        \
    __device__ __forceinline__ u32 name(u32 a, u32 b, u32 c)                                     \
    {                                                                                            \
        u32 r;                                                                                   \
        asm("lop3.b32 %0, %1, %2, %3, " #table ";" : "=r"(r) : "r"(a), "r"(b), "r"(c));          \
        return r;                                                                                \
    }
LOP3(xor3, 0x96) LOP3(majority, 0xe8)
__device__ __forceinline__ u32 bits(u32 v, u32 start, u32 length) {
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(v) : "r"(v), "r"(start), "r"(length)); return v; }
__device__ __forceinline__ u32 swap_bytes(u32 v) {
    asm("prmt.b32 %0, %1, %2, 0x0123;" : "=r"(v) : "r"(v), "r"(0u)); return v; }

__global__ void plant(u32 *field) {                          // one warp makes one word
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    const u32 word = __ballot_sync(0xffffffffu, seed_cell(x, y));
    if (threadIdx.x % 32 == 0) field[y * WORDS + x / 32] = word;
}

__global__ void life(const u32 *__restrict__ in, u32 *__restrict__ out) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (k >= WORDS || y >= H) return;
    u32 west[3], mid[3], east[3];
    for (int d = 0; d < 3; ++d) {                            // rows y-1, y, y+1 on a torus
        const u32 *row = in + (y + d - 1 + H) % H * WORDS;
        const u32 before = row[(k + WORDS - 1) % WORDS], here = row[k], after = row[(k + 1) % WORDS]; mid[d] = here;
        west[d] = __funnelshift_l(before, here, 1);          // bit i holds cell i - 1
        east[d] = __funnelshift_r(here, after, 1);           // bit i holds cell i + 1
    }
    // sum of eight planes: three full adders, then the carries
    const u32 s0 = xor3(west[0], mid[0], east[0]), c0 = majority(west[0], mid[0], east[0]);
    const u32 s1 = xor3(west[2], mid[2], east[2]), c1 = majority(west[2], mid[2], east[2]);
    const u32 s2 = west[1] ^ east[1], c2 = west[1] & east[1];
    const u32 ones = xor3(s0, s1, s2), c3 = majority(s0, s1, s2);
    const u32 t0 = xor3(c0, c1, c2), f0 = majority(c0, c1, c2);
    const u32 twos = t0 ^ c3, fours = f0 | (t0 & c3);        // fours: the count is 4 or more
    out[y * WORDS + k] = twos & ~fours & (ones | mid[1]);    // 3, or 2 and alive
}

struct Summary { u32 alive, lowest_sum, mirrored, bytes, nibble; };
__global__ void summarize(const u32 *field, Summary *s) {    // a warp takes 32 words at a time
    const int lane = threadIdx.x & 31, warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    const int warps = (gridDim.x * blockDim.x) >> 5;
    for (int i = warp * 32; i < H * WORDS; i += warps * 32) {
        const u32 w = field[i + lane];                       // H * WORDS is a multiple of 32
        u32 alive = __popc(w), low = __ffs((int)w), mirror = __brev(w), bytes = swap_bytes(w), nibble = bits(w, 13, 4);
        for (int d = 16; d > 0; d >>= 1) {
            alive += __shfl_xor_sync(0xffffffffu, alive, d); low += __shfl_xor_sync(0xffffffffu, low, d);
            mirror ^= __shfl_xor_sync(0xffffffffu, mirror, d); bytes ^= __shfl_xor_sync(0xffffffffu, bytes, d);
            nibble += __shfl_xor_sync(0xffffffffu, nibble, d);
        }
        if (lane == 0) {
            atomicAdd(&s->alive, alive); atomicAdd(&s->lowest_sum, low);
            atomicXor(&s->mirrored, mirror); atomicXor(&s->bytes, bytes); atomicAdd(&s->nibble, nibble);
        }
    }
}

__global__ void stencil(cudaPitchedPtr in, cudaPitchedPtr out, int nx, int ny, int nz) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z; if (x >= nx || y >= ny || z >= nz) return;
    auto at = [&](int i, int j, int k) -> int {              // zero outside
        if (i < 0 || j < 0 || k < 0 || i >= nx || j >= ny || k >= nz) return 0;
        const char *slice = (const char *)in.ptr + (size_t)k * in.pitch * ny;
        return ((const int *)(slice + j * in.pitch))[i];
    };
    const int v = 2 * at(x, y, z) + at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) +
                  at(x, y, z - 1) + 3 * at(x, y, z + 1);
    ((int *)((char *)out.ptr + ((size_t)z * ny + y) * out.pitch))[x] = v & 0xffff;
}

static int run_life() {
    u32 *field[2]; Summary *d_summary, s; OK(cudaMalloc(&field[0], H * WORDS * sizeof(u32)));
    OK(cudaMalloc(&field[1], H * WORDS * sizeof(u32))); OK(cudaMalloc(&d_summary, sizeof(Summary)));
    plant<<<dim3(W / 64, H), 64>>>(field[0]); OK(cudaGetLastError()); std::vector<char> cells(W * H), next(W * H);
    for (int y = 0; y < H; ++y) for (int x = 0; x < W; ++x) cells[y * W + x] = seed_cell(x, y);
    int wrong = 0; std::vector<u32> words(H * WORDS);
    for (int g = 0; g <= GENERATIONS; ++g) {
        if (g % 6 == 0) {
            OK(cudaMemset(d_summary, 0, sizeof(Summary)));
            summarize<<<4, 96>>>(field[g & 1], d_summary); OK(cudaGetLastError());
            OK(cudaMemcpy(&s, d_summary, sizeof(s), cudaMemcpyDeviceToHost));
            OK(cudaMemcpy(words.data(), field[g & 1], words.size() * sizeof(u32), cudaMemcpyDeviceToHost));
            u32 alive = 0, low = 0, mirrored = 0, bytes = 0, nibble = 0;
            for (int i = 0; i < H * WORDS; ++i) {
                u32 w = 0, m = 0;
                for (int b = 0; b < 32; ++b) { w |= (u32)cells[i * 32 + b] << b; m |= (u32)cells[i * 32 + b] << (31 - b); }
                for (int b = 0; b < 32; ++b) alive += (w >> b) & 1u;
                wrong += w != words[i];
                for (u32 b = 1; w != 0 && b <= 32; ++b) if ((w >> (b - 1)) & 1u) { low += b; break; }
                mirrored ^= m; bytes ^= (w >> 24) | ((w >> 8) & 0xff00u) | ((w << 8) & 0xff0000u) | (w << 24);
                nibble += (w >> 13) & 15u;
            }
            wrong += s.alive != alive || s.lowest_sum != low || s.mirrored != mirrored || s.bytes != bytes || s.nibble != nibble;
            std::printf("generation %2d: alive %u, ffs sum %u\n    mirror %08x, bytes %08x, nibbles %u, mismatches %d\n",
                        g, s.alive, s.lowest_sum, s.mirrored, s.bytes, s.nibble, wrong);
        }
        if (g == GENERATIONS) break;
        life<<<dim3(1, (H + 15) / 16), dim3(WORDS, 16)>>>(field[g & 1], field[(g + 1) & 1]);
        for (int i = 0; i < W * H; ++i) {
            int n = 0, x = i % W, y = i / W;
            for (int d = 0; d < 9; ++d)
                if (d != 4) n += cells[(y + d / 3 - 1 + H) % H * W + (x + d % 3 - 1 + W) % W];
            next[i] = n == 3 || (n == 2 && cells[i]);
        }
        cells.swap(next);
    }
    OK(cudaFree(field[0])); OK(cudaFree(field[1])); OK(cudaFree(d_summary)); return wrong;
}

static int run_stencil() {
    const int nx = 45, ny = 30, nz = 18;
    std::vector<int> volume(nx * ny * nz), got(volume.size()), ref(volume.size());
    for (size_t i = 0; i < volume.size(); ++i) volume[i] = (int)((i * 7919u) % 1000u);
    const cudaExtent extent = make_cudaExtent(nx * sizeof(int), ny, nz);
    cudaPitchedPtr d[2]; OK(cudaMalloc3D(&d[0], extent));
    OK(cudaMalloc3D(&d[1], extent)); OK(cudaMemset3D(d[1], 0, extent)); cudaMemcpy3DParms up = {};
    up.srcPtr = make_cudaPitchedPtr(volume.data(), nx * sizeof(int), nx, ny);
    up.dstPtr = d[0]; up.extent = extent; up.kind = cudaMemcpyHostToDevice; OK(cudaMemcpy3D(&up));
    const dim3 block(16, 4, 2), grid((nx + 15) / 16, (ny + 3) / 4, (nz + 1) / 2);
    for (int step = 0; step < 4; ++step) {
        stencil<<<grid, block>>>(d[step & 1], d[(step + 1) & 1], nx, ny, nz);
        auto at = [&](int i, int j, int k) { return i < 0 || j < 0 || k < 0 || i >= nx || j >= ny || k >= nz ? 0
                                                    : volume[(k * ny + j) * nx + i]; };
        for (int z = 0; z < nz; ++z) for (int y = 0; y < ny; ++y) for (int x = 0; x < nx; ++x)
            ref[(z * ny + y) * nx + x] = (2 * at(x, y, z) + at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) +
                                          at(x, y + 1, z) + at(x, y, z - 1) + 3 * at(x, y, z + 1)) & 0xffff;
        volume = ref;
    }
    OK(cudaGetLastError()); cudaMemcpy3DParms down = {}; down.srcPtr = d[0];
    down.dstPtr = make_cudaPitchedPtr(got.data(), nx * sizeof(int), nx, ny);
    down.extent = extent; down.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&down)); int wrong = 0; long long sum = 0;
    for (size_t i = 0; i < got.size(); ++i) { wrong += got[i] != ref[i]; sum += got[i]; }
    std::printf("stencil: first %d, last %d, sum %lld, mismatches %d\n", got[0], got.back(), sum, wrong);
    OK(cudaFree(d[0].ptr)); OK(cudaFree(d[1].ptr)); return wrong;
}

int main() {
    int failures = run_life();
    failures += run_stencil();
    std::puts(failures == 0 ? "PASS" : "FAIL");
    return 0;
}
