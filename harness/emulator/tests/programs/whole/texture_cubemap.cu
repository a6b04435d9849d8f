/* texture_cubemap.cu - Cubemap textures on arrays made with cudaMalloc3DArray and
 * the flag cudaArrayCubemap.  A float4 cubemap is filled by one copy of six layers
 * and sampled at the centre of every texel; a float cubemap is filled face by face
 * and sampled along a list of directions of different lengths, along mirrored
 * directions, and along a lattice of directions that counts the hits per face.
 * Point filtering makes all values exact; the host locates face and texel itself.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

enum { SIZE = 8, FACES = 6, SPAN = 14 };       /* SPAN: directions on a lattice -SPAN..SPAN */
#define CUDA_SAFE(call)                                                        \
    if (cudaError_t e = (call)) {                                              \
        fprintf(stderr, "%s failed: %s\n", #call, cudaGetErrorString(e));      \
        exit(EXIT_FAILURE);                                                    \
    }

__host__ __device__ inline float3 direction(int f, float s, float t)   /* s, t in -1..1 on face f */
{
    switch (f) {
    case 0:  return make_float3(1.0f, -t, -s);
    case 1:  return make_float3(-1.0f, -t, s);
    case 2:  return make_float3(s, 1.0f, t);
    case 3:  return make_float3(s, -1.0f, -t);
    case 4:  return make_float3(s, -t, 1.0f);
    default: return make_float3(-s, -t, -1.0f);
    }
}
__host__ __device__ inline float centre(int i) { return (2 * i + 1) / (float)SIZE - 1.0f; }

struct Hit { int face, x, y; };
static Hit locate(float3 d)
{
    float ax = fabsf(d.x), ay = fabsf(d.y), az = fabsf(d.z), m, s, t;
    Hit h;
    if (ax > ay && ax > az) { h.face = d.x > 0 ? 0 : 1; m = ax; s = d.x > 0 ? -d.z : d.z; t = -d.y; }
    else if (ay > az)       { h.face = d.y > 0 ? 2 : 3; m = ay; s = d.x; t = d.y > 0 ? d.z : -d.z; }
    else                    { h.face = d.z > 0 ? 4 : 5; m = az; s = d.z > 0 ? d.x : -d.x; t = -d.y; }
    h.x = (int)floorf((s / m + 1.0f) * 0.5f * SIZE);
    h.y = (int)floorf((t / m + 1.0f) * 0.5f * SIZE);
    return h;
}

__global__ void sample_centres(cudaTextureObject_t tex, float4 *out)
{
    int x = threadIdx.x, y = threadIdx.y, f = blockIdx.x;
    float3 d = direction(f, centre(x), centre(y));
    out[(f * SIZE + y) * SIZE + x] = texCubemap<float4>(tex, d.x, d.y, d.z);
}

__global__ void sample_list(cudaTextureObject_t tex, const float3 *dir, float *straight, float *mirrored, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float3 d = dir[i];
    straight[i] = texCubemap<float>(tex, d.x, d.y, d.z);
    mirrored[i] = texCubemap<float>(tex, -d.x, -d.y, -d.z);
}

/* three different absolute values: no ties between faces */
__host__ __device__ inline bool clear_direction(int x, int y, int z)
{
    int a = abs(x), b = abs(y), c = abs(z);
    return a != b && b != c && a != c;
}

__global__ void count_hits(cudaTextureObject_t tex, unsigned *hits)
{
    int x = (int)(blockIdx.x * blockDim.x + threadIdx.x) - SPAN;
    int y = (int)(blockIdx.y * blockDim.y + threadIdx.y) - SPAN;
    int z = (int)blockIdx.z - SPAN;
    if (x > SPAN || y > SPAN || !clear_direction(x, y, z)) return;
    float4 v = texCubemap<float4>(tex, (float)x, (float)y, (float)z);
    atomicAdd(&hits[(int)v.x], 1u);
}

static void copy_faces(cudaArray_t array, void *from, size_t texel, int first, int count)
{
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(from, SIZE * texel, SIZE, SIZE);
    copy.dstArray = array;
    copy.dstPos = make_cudaPos(0, 0, first);
    copy.extent = make_cudaExtent(SIZE, SIZE, count);
    copy.kind = cudaMemcpyHostToDevice;
    CUDA_SAFE(cudaMemcpy3D(&copy));
}
static cudaTextureObject_t cube_texture(cudaArray_t array)
{
    cudaResourceDesc res = {};
    cudaTextureDesc desc = {};
    res.resType = cudaResourceTypeArray;
    res.res.array.array = array;
    desc.addressMode[0] = desc.addressMode[1] = desc.addressMode[2] = cudaAddressModeClamp;
    desc.filterMode = cudaFilterModePoint;
    desc.readMode = cudaReadModeElementType;
    desc.normalizedCoords = 1;
    cudaTextureObject_t tex = 0;
    CUDA_SAFE(cudaCreateTextureObject(&tex, &res, &desc, NULL));
    return tex;
}
int main(void)
{
    const int texels = FACES * SIZE * SIZE;
    std::vector<float4> cube(texels), got(texels);
    std::vector<float> mono(texels);
    for (int i = 0; i < texels; i++) {
        int f = i / (SIZE * SIZE), y = i / SIZE % SIZE, x = i % SIZE;
        cube[i] = make_float4((float)f, (float)x, (float)y, 0.25f * (float)((i * 29) % 97));
        mono[i] = 1000.0f * (f + 1) + 10.0f * y + x;
    }
    cudaArray_t array4, array1;
    cudaChannelFormatDesc four = cudaCreateChannelDesc<float4>(), one = cudaCreateChannelDesc<float>();
    CUDA_SAFE(cudaMalloc3DArray(&array4, &four, make_cudaExtent(SIZE, SIZE, FACES), cudaArrayCubemap));
    CUDA_SAFE(cudaMalloc3DArray(&array1, &one, make_cudaExtent(SIZE, SIZE, FACES), cudaArrayCubemap));
    copy_faces(array4, cube.data(), sizeof(float4), 0, FACES);
    for (int f = 0; f < FACES; f++) copy_faces(array1, &mono[f * SIZE * SIZE], sizeof(float), f, 1);
    cudaTextureObject_t tex4 = cube_texture(array4), tex1 = cube_texture(array1);
    std::vector<float3> dirs;
    for (int i = 0; i < 60; i++) {                    /* texel centres, lengths scaled by 0.5 .. 3 */
        float3 d = direction(i % FACES, centre((i * 5 + 1) % SIZE), centre((i * 3 + 2) % SIZE));
        float k = 0.5f * (1 + i / FACES % 6);
        dirs.push_back(make_float3(k * d.x, k * d.y, k * d.z));
    }
    const int n = (int)dirs.size();
    float4 *d_out;
    float3 *d_dirs;
    float *d_values;
    unsigned *d_hits, hits[FACES], ref_hits[FACES] = {0};
    CUDA_SAFE(cudaMalloc(&d_out, texels * sizeof(float4)));
    CUDA_SAFE(cudaMalloc(&d_dirs, n * sizeof(float3)));
    CUDA_SAFE(cudaMalloc(&d_values, 2 * n * sizeof(float)));
    CUDA_SAFE(cudaMalloc(&d_hits, sizeof hits));
    CUDA_SAFE(cudaMemset(d_hits, 0, sizeof hits));
    CUDA_SAFE(cudaMemcpy(d_dirs, dirs.data(), n * sizeof(float3), cudaMemcpyHostToDevice));
    sample_centres<<<FACES, dim3(SIZE, SIZE)>>>(tex4, d_out);
    sample_list<<<2, 32>>>(tex1, d_dirs, d_values, d_values + n, n);
    count_hits<<<dim3(2, 2, 2 * SPAN + 1), dim3(16, 16)>>>(tex4, d_hits);
    CUDA_SAFE(cudaGetLastError());
    std::vector<float> values(2 * n);
    CUDA_SAFE(cudaMemcpy(got.data(), d_out, texels * sizeof(float4), cudaMemcpyDeviceToHost));
    CUDA_SAFE(cudaMemcpy(values.data(), d_values, 2 * n * sizeof(float), cudaMemcpyDeviceToHost));
    CUDA_SAFE(cudaMemcpy(hits, d_hits, sizeof hits, cudaMemcpyDeviceToHost));

    int bad[3] = {0, 0, 0};
    for (int i = 0; i < texels; i++)
        bad[0] += got[i].x != cube[i].x || got[i].y != cube[i].y || got[i].z != cube[i].z || got[i].w != cube[i].w;
    for (int f = 0; f < FACES; f++)
        printf("face %d texel (6,3): %.2f\n", f, got[f * SIZE * SIZE + 3 * SIZE + 6].w);
    for (int i = 0; i < n; i++) {
        Hit a = locate(dirs[i]), b = locate(make_float3(-dirs[i].x, -dirs[i].y, -dirs[i].z));
        bad[1] += values[i] != mono[(a.face * SIZE + a.y) * SIZE + a.x];
        bad[1] += values[n + i] != mono[(b.face * SIZE + b.y) * SIZE + b.x];
        if (i % 5 == 0) printf("direction %2d: %.0f, opposite %.0f\n", i, values[i], values[n + i]);
    }
    for (int i = 0, side = 2 * SPAN + 1; i < side * side * side; i++) {
        int x = i % side - SPAN, y = i / side % side - SPAN, z = i / side / side - SPAN;
        if (clear_direction(x, y, z)) ref_hits[locate(make_float3((float)x, (float)y, (float)z)).face]++;
    }
    for (int f = 0; f < FACES; f++) bad[2] += hits[f] != ref_hits[f];
    printf("hits: %u %u %u %u %u %u\n", hits[0], hits[1], hits[2], hits[3], hits[4], hits[5]);
    printf("mismatches: centres %d directions %d hits %d\n", bad[0], bad[1], bad[2]);
    printf("%s\n", bad[0] + bad[1] + bad[2] == 0 ? "PASS" : "FAIL");

    for (cudaTextureObject_t t : {tex4, tex1}) CUDA_SAFE(cudaDestroyTextureObject(t));
    for (cudaArray_t a : {array4, array1}) CUDA_SAFE(cudaFreeArray(a));
    for (void *p : {(void *)d_out, (void *)d_dirs, (void *)d_values, (void *)d_hits}) CUDA_SAFE(cudaFree(p));
    return 0;
}
