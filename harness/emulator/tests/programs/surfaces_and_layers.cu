// Surfaces and layered / 3-D arrays: Game of Life by surf2Dread/surf2Dwrite, layered texture, 3-D volume.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>

#define CHECK(x) do { cudaError_t err_ = (x); if (err_ != cudaSuccess) { fprintf(stderr, "%s line %d\n", cudaGetErrorString(err_), __LINE__); exit(1); } } while (0)

const int N = 64, LAYERS = 3, VX = 16, VY = 12, VZ = 10;

__global__ void seed_surface(cudaSurfaceObject_t s)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned v = (x * 73856093u) ^ (y * 19349663u);
    surf2Dwrite((unsigned char)((v >> 5) % 3 == 0), s, x, y);
}

__global__ void life_step(cudaSurfaceObject_t in, cudaSurfaceObject_t out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, c = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx || dy) c += surf2Dread<unsigned char>(in, x + dx, y + dy, cudaBoundaryModeZero);
    unsigned char me = surf2Dread<unsigned char>(in, x, y);
    surf2Dwrite((unsigned char)(c == 3 || (me && c == 2)), out, x, y);
}

__global__ void count_alive(cudaSurfaceObject_t s, int *alive)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x, y = blockIdx.y;
    unsigned char v;
    surf2Dread(&v, s, x, y);
    unsigned m = __ballot_sync(0xffffffffu, v);
    if ((threadIdx.x & 31) == 0) atomicAdd(alive, __popc(m));
}

__global__ void mix_layers(cudaTextureObject_t t, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float s = 0;
    for (int l = 0; l < LAYERS; ++l) {
        float2 v = tex2DLayered<float2>(t, x + 0.5f, y + 0.5f, l);
        s += (l + 1) * v.x - v.y;
    }
    out[y * N + x] = s;
}

__global__ void volume_write(cudaSurfaceObject_t s)
{
    int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    surf3Dwrite((float)(x + 10 * y + 100 * z), s, x * (int)sizeof(float), y, z);
}

__global__ void volume_trilinear(cudaTextureObject_t t, float *out)   // samples half way between the voxels
{
    int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    out[(z * VY + y) * VX + x] = tex3D<float>(t, x + 1.0f, y + 1.0f, z + 1.0f);
}

static cudaSurfaceObject_t surfaceOf(cudaArray_t a)
{
    cudaResourceDesc r = {}; r.resType = cudaResourceTypeArray; r.res.array.array = a;
    cudaSurfaceObject_t s; CHECK(cudaCreateSurfaceObject(&s, &r)); return s;
}
static cudaTextureObject_t textureOf(cudaArray_t a, cudaTextureFilterMode f)
{
    cudaResourceDesc r = {}; r.resType = cudaResourceTypeArray; r.res.array.array = a;
    cudaTextureDesc d = {}; d.filterMode = f; d.readMode = cudaReadModeElementType;
    d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = cudaAddressModeClamp;
    cudaTextureObject_t t; CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr)); return t;
}

int main()
{
    cudaChannelFormatDesc cb = cudaCreateChannelDesc<unsigned char>(), cf = cudaCreateChannelDesc<float>(), cf2 = cudaCreateChannelDesc<float2>();
    cudaArray_t a, b, lay, vol;
    CHECK(cudaMallocArray(&a, &cb, N, N, cudaArraySurfaceLoadStore));
    CHECK(cudaMallocArray(&b, &cb, N, N, cudaArraySurfaceLoadStore));
    CHECK(cudaMalloc3DArray(&lay, &cf2, make_cudaExtent(N, N, LAYERS), cudaArrayLayered));
    CHECK(cudaMalloc3DArray(&vol, &cf, make_cudaExtent(VX, VY, VZ), cudaArraySurfaceLoadStore));
    cudaSurfaceObject_t sa = surfaceOf(a), sb = surfaceOf(b), sv = surfaceOf(vol);
    std::vector<float2> hl(N * N * LAYERS);
    for (int i = 0; i < N * N * LAYERS; ++i) hl[i] = make_float2((float)(i % 101), (float)(i % 13) * 0.5f);
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(hl.data(), N * sizeof(float2), N, N);
    p.dstArray = lay; p.extent = make_cudaExtent(N, N, LAYERS); p.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&p));
    cudaTextureObject_t tl = textureOf(lay, cudaFilterModePoint), tv = textureOf(vol, cudaFilterModeLinear);
    int *alive; float *mix, *tri;
    CHECK(cudaMalloc(&alive, 4)); CHECK(cudaMemset(alive, 0, 4));
    CHECK(cudaMalloc(&mix, N * N * 4)); CHECK(cudaMalloc(&tri, VX * VY * VZ * 4));
    dim3 blk(16, 16), grd(N / 16, N / 16);
    seed_surface<<<grd, blk>>>(sa);
    const int STEPS = 6;
    for (int k = 0; k < STEPS; ++k) life_step<<<grd, blk>>>(k & 1 ? sb : sa, k & 1 ? sa : sb);
    count_alive<<<dim3(2, N), 32>>>(sa, alive);
    mix_layers<<<grd, blk>>>(tl, mix);
    volume_write<<<VZ, dim3(VX, VY)>>>(sv);
    volume_trilinear<<<VZ, dim3(VX, VY)>>>(tv, tri);
    CHECK(cudaGetLastError()); CHECK(cudaDeviceSynchronize());
    std::vector<unsigned char> g(N * N), cur(N * N), nxt(N * N); std::vector<float> hm(N * N), ht(VX * VY * VZ); int ha;
    CHECK(cudaMemcpy2DFromArray(g.data(), N, a, 0, 0, N, N, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(hm.data(), mix, N * N * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(ht.data(), tri, VX * VY * VZ * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&ha, alive, 4, cudaMemcpyDeviceToHost));
    for (int y = 0; y < N; ++y) for (int x = 0; x < N; ++x) cur[y * N + x] = (((x * 73856093u) ^ (y * 19349663u)) >> 5) % 3 == 0;
    for (int k = 0; k < STEPS; ++k) {
        for (int y = 0; y < N; ++y) for (int x = 0; x < N; ++x) {
            int c = 0;
            for (int dy = -1; dy <= 1; ++dy) for (int dx = -1; dx <= 1; ++dx) {
                int xx = x + dx, yy = y + dy;
                if ((dx || dy) && xx >= 0 && yy >= 0 && xx < N && yy < N) c += cur[yy * N + xx];
            }
            nxt[y * N + x] = c == 3 || (cur[y * N + x] && c == 2);
        }
        cur.swap(nxt);
    }
    int bad = cur != g, cnt = 0; unsigned hash = 0; double ms = 0, ts = 0;
    for (int i = 0; i < N * N; ++i) {
        cnt += cur[i]; hash = hash * 31 + g[i];
        float s = 0;
        for (int l = 0; l < LAYERS; ++l) s += (l + 1) * hl[l * N * N + i].x - hl[l * N * N + i].y;
        bad += s != hm[i]; ms += hm[i];
    }
    bad += cnt != ha;
    for (int z = 0; z < VZ; ++z) for (int y = 0; y < VY; ++y) for (int x = 0; x < VX; ++x) {
        float e = std::min(x + 0.5f, VX - 1.0f) + 10 * std::min(y + 0.5f, VY - 1.0f) + 100 * std::min(z + 0.5f, VZ - 1.0f);
        float v = ht[(z * VY + y) * VX + x];
        bad += fabsf(v - e) > 0.01f; ts += v;
    }
    printf("alive %d hash %08x\nlayers %.1f volume %.4g\n", ha, hash, ms, ts);
    CHECK(cudaDestroySurfaceObject(sa)); CHECK(cudaDestroySurfaceObject(sb)); CHECK(cudaDestroySurfaceObject(sv));
    CHECK(cudaDestroyTextureObject(tl)); CHECK(cudaDestroyTextureObject(tv));
    printf("%s\n", bad ? "FAILED" : "PASSED");
    return bad != 0;
}
