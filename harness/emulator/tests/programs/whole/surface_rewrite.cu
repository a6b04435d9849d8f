/*
 * surface_rewrite.cu
 * Reading and writing CUDA arrays through surface objects.  Note that the x coordinate
 * of surf2Dread and surf2Dwrite counts bytes while y counts rows.  The program writes a
 * pattern, copies it with a rotation into a second array, shifts it with the boundary
 * modes clamp and zero, inverts an RGBA image in place, works on a float2 array, and
 * finally reads arrays again through a texture object bound to the same memory.
 */
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK_CUDA(stmt)                                                                       \
    do {                                                                                       \
        cudaError_t code = (stmt);                                                             \
        if (code != cudaSuccess) {                                                             \
            fprintf(stderr, "%d %s: %s\n", __LINE__, cudaGetErrorName(code), cudaGetErrorString(code)); \
            exit(EXIT_FAILURE);                                                                \
        }                                                                                      \
    } while (0)

static const int W = 40, H = 24;
/* An array that can be used as a surface and as a texture. */
template <typename T>
struct Image {
    int width, height;
    cudaArray_t array = nullptr;
    cudaSurfaceObject_t surface = 0;
    cudaTextureObject_t texture = 0;
    Image(int w, int h) : width(w), height(h)
    {
        cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();
        CHECK_CUDA(cudaMallocArray(&array, &desc, w, h, cudaArraySurfaceLoadStore));
        cudaResourceDesc res = {};
        res.resType = cudaResourceTypeArray;
        res.res.array.array = array;
        CHECK_CUDA(cudaCreateSurfaceObject(&surface, &res));
        cudaTextureDesc tex = {};
        tex.addressMode[0] = tex.addressMode[1] = cudaAddressModeClamp;
        tex.filterMode = cudaFilterModePoint;
        CHECK_CUDA(cudaCreateTextureObject(&texture, &res, &tex, nullptr));
    }
    ~Image()
    {
        CHECK_CUDA(cudaDestroyTextureObject(texture));
        CHECK_CUDA(cudaDestroySurfaceObject(surface));
        CHECK_CUDA(cudaFreeArray(array));
    }
    std::vector<T> download() const
    {
        const size_t row = width * sizeof(T);
        std::vector<T> v(width * height);
        CHECK_CUDA(cudaMemcpy2DFromArray(v.data(), row, array, 0, 0, row, height, cudaMemcpyDeviceToHost));
        return v;
    }
    void upload(const std::vector<T> &v)
    {
        const size_t row = width * sizeof(T);
        CHECK_CUDA(cudaMemcpy2DToArray(array, 0, 0, v.data(), row, row, height, cudaMemcpyHostToDevice));
    }
};

#define PIXEL(x, y) const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y

__host__ __device__ inline int pattern(int x, int y) { return 100 * y + x + 1; }
__global__ void write_pattern(cudaSurfaceObject_t s, int w, int h)
{
    PIXEL(x, y);
    if (x < w && y < h) surf2Dwrite(pattern(x, y), s, x * (int)sizeof(int), y);
}

/* destination is h wide and w high */
__global__ void rotate(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int w, int h)
{
    PIXEL(x, y);
    if (x >= w || y >= h) return;
    int v = surf2Dread<int>(from, x * (int)sizeof(int), y);
    surf2Dwrite(v, to, (h - 1 - y) * (int)sizeof(int), x);
}
__global__ void shift(cudaSurfaceObject_t s, int *clamped, int *zeroed, int w, int h, int dx, int dy)
{
    PIXEL(x, y);
    if (x >= w || y >= h) return;
    int bx = (x + dx) * (int)sizeof(int);
    clamped[y * w + x] = surf2Dread<int>(s, bx, y + dy, cudaBoundaryModeClamp);
    zeroed[y * w + x] = surf2Dread<int>(s, bx, y + dy, cudaBoundaryModeZero);
}

/* writes outside of the array are dropped in mode zero */
__global__ void stamp(cudaSurfaceObject_t s, int x0, int y0, int value)
{
    surf2Dwrite(value, s, (x0 + (int)threadIdx.x) * (int)sizeof(int), y0 + (int)threadIdx.y, cudaBoundaryModeZero);
}

__global__ void invert(cudaSurfaceObject_t s, int w, int h)
{
    PIXEL(x, y);
    if (x >= w || y >= h) return;
    uchar4 c;
    surf2Dread(&c, s, x * (int)sizeof(uchar4), y);
    surf2Dwrite(make_uchar4(255 - c.x, 255 - c.y, 255 - c.z, c.w), s, x * (int)sizeof(uchar4), y);
}

__global__ void complex_square(cudaSurfaceObject_t s, int w, int h)
{
    PIXEL(x, y);
    if (x >= w || y >= h) return;
    float2 z = surf2Dread<float2>(s, x * (int)sizeof(float2), y);
    surf2Dwrite(make_float2(z.x * z.x - z.y * z.y, 2.0f * z.x * z.y), s, x * (int)sizeof(float2), y);
}

__global__ void through_texture(cudaTextureObject_t t, int *out, int w, int h)
{
    PIXEL(x, y);
    if (x < w && y < h) out[y * w + x] = 2 * tex2D<int>(t, x + 0.5f, y + 0.5f);
}
static int clampi(int v, int n) { return v < 0 ? 0 : v >= n ? n - 1 : v; }
int main()
{
    const dim3 block(16, 4), grid((W + 15) / 16, (H + 3) / 4);
    int bad[5] = {0, 0, 0, 0, 0}, *clamped, *zeroed, *doubled;
    for (int **p : {&clamped, &zeroed, &doubled}) CHECK_CUDA(cudaMallocManaged(p, W * H * sizeof(int)));
    {
        Image<int> a(W, H), b(H, W);
        Image<uchar4> rgba(W, H);
        Image<float2> plane(W, H);
        std::vector<uchar4> colours(W * H);
        std::vector<float2> numbers(W * H);
        for (int i = 0; i < W * H; i++) {
            colours[i] = make_uchar4(i & 255, (i * 3) & 255, (i * 7) & 255, (i * 11) & 255);
            numbers[i] = make_float2((float)(i % 9 + 1), (float)(i % 5 + 1));
        }
        rgba.upload(colours);
        plane.upload(numbers);
        write_pattern<<<grid, block>>>(a.surface, W, H);
        rotate<<<grid, block>>>(a.surface, b.surface, W, H);
        shift<<<grid, block>>>(a.surface, clamped, zeroed, W, H, -3, 2);
        stamp<<<1, dim3(8, 8)>>>(a.surface, W - 5, -2, -7);
        through_texture<<<grid, block>>>(a.texture, doubled, W, H);
        invert<<<grid, block>>>(rgba.surface, W, H);
        complex_square<<<grid, block>>>(plane.surface, W, H);
        CHECK_CUDA(cudaGetLastError());
        CHECK_CUDA(cudaDeviceSynchronize());
        const auto rotated = b.download(), stamped = a.download();
        const auto inverted = rgba.download();
        const auto squares = plane.download();
        for (int i = 0; i < W * H; i++) {
            const int x = i % W, y = i / W, sx = x - 3, sy = y + 2;
            const bool in = sx >= 0 && sy < H, mark = x >= W - 5 && y < 6;
            const float2 z = numbers[i];
            bad[0] += rotated[x * H + H - 1 - y] != pattern(x, y);
            bad[1] += clamped[i] != pattern(clampi(sx, W), clampi(sy, H)) || zeroed[i] != (in ? pattern(sx, sy) : 0);
            bad[2] += stamped[i] != (mark ? -7 : pattern(x, y)) || doubled[i] != 2 * stamped[i];
            bad[3] += inverted[i].x != 255 - colours[i].x || inverted[i].y != 255 - colours[i].y ||
                      inverted[i].z != 255 - colours[i].z || inverted[i].w != colours[i].w;
            bad[4] += squares[i].x != z.x * z.x - z.y * z.y || squares[i].y != 2.0f * z.x * z.y;
        }
        for (int y = 0; y < H; y += 6)
            printf("row %2d: clamp %4d %4d zero %4d %4d texture %5d %5d\n", y, clamped[y * W], clamped[y * W + 39],
                   zeroed[y * W], zeroed[y * W + 39], doubled[y * W], doubled[y * W + 39]);
        for (int i = 100; i < 900; i += 200)
            printf("pixel %d: rotated %d rgba %3d %3d %3d %3d square %.0f%+.0fi\n", i, rotated[i], inverted[i].x,
                   inverted[i].y, inverted[i].z, inverted[i].w, squares[i].x, squares[i].y);
    }
    const char *name[5] = {"rotate", "shift", "stamp", "invert", "square"};
    for (int k = 0; k < 5; k++) printf("%-7s mismatches %d %s\n", name[k], bad[k], bad[k] ? "FAIL" : "PASS");
    for (int *p : {clamped, zeroed, doubled}) CHECK_CUDA(cudaFree(p));
    return 0;
}
