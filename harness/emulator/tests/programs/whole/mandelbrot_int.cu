/*
 * mandelbrot_int.cu
 *
 * The Mandelbrot set in fixed-point arithmetic (8.24 numbers, 64-bit products), so that
 * every machine computes the same iteration counts.  Rows cost very different amounts of
 * work; blocks therefore fetch their next row from a global counter instead of owning a
 * fixed range.  Further kernels build a histogram of the counts with shared-memory
 * atomics, reduce the image to a small character picture, and find the boundary pixels.
 */
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define CUDA_CHECK(stmt)                                                                   \
    do {                                                                                   \
        cudaError_t rc_ = (stmt);                                                          \
        if (rc_ != cudaSuccess) {                                                          \
            std::fprintf(stderr, "[%s:%d] %s\n", __FILE__, __LINE__, cudaGetErrorString(rc_)); \
            std::exit(EXIT_FAILURE);                                                       \
        }                                                                                  \
    } while (0)

constexpr int FRACTION = 24;
constexpr int WIDTH = 200, HEIGHT = 120, LIMIT = 80;
constexpr int CELL_W = 4, CELL_H = 6;
constexpr int PIC_W = WIDTH / CELL_W, PIC_H = HEIGHT / CELL_H;

// A number with 24 fractional bits.
struct Fixed {
    int raw;
    __host__ __device__ explicit constexpr Fixed(int r = 0) : raw(r) {}
    static constexpr Fixed ratio(long long p, long long q) { return Fixed((int)(p * (1LL << FRACTION) / q)); }
    __host__ __device__ friend Fixed operator+(Fixed a, Fixed b) { return Fixed(a.raw + b.raw); }
    __host__ __device__ friend Fixed operator-(Fixed a, Fixed b) { return Fixed(a.raw - b.raw); }
    __host__ __device__ friend Fixed operator*(Fixed a, Fixed b)
    {
        return Fixed((int)(((long long)a.raw * b.raw) >> FRACTION));
    }
    __host__ __device__ Fixed times(int k) const { return Fixed(raw * k); }
};

struct View { Fixed left, top, step; };

__host__ __device__ inline int escape_time(Fixed cx, Fixed cy) {
    Fixed x, y;
    int n = 0;
    for (; n < LIMIT; ++n) {
        const Fixed x2 = x * x, y2 = y * y;
        if ((long long)x2.raw + y2.raw > (4LL << FRACTION)) break;
        const Fixed xy = x * y;
        x = x2 - y2 + cx;
        y = xy + xy + cy;
    }
    return n;
}

__device__ unsigned next_row;                       // reset by the host before each image

__global__ void render(unsigned char *image, View view, unsigned *rows_done) {
    __shared__ unsigned row;
    while (true) {
        if (threadIdx.x == 0) row = atomicAdd(&next_row, 1u);
        __syncthreads();
        const unsigned mine = row;
        __syncthreads();                            // nobody overwrites row before all have read it
        if (mine >= HEIGHT) break;                  // uniform over the block
        const Fixed cy = view.top + view.step.times((int)mine);
        for (int col = threadIdx.x; col < WIDTH; col += blockDim.x)
            image[mine * WIDTH + col] = (unsigned char)escape_time(view.left + view.step.times(col), cy);
        if (threadIdx.x == 0) atomicAdd(rows_done, 1u);
    }
}

__global__ void count_iterations(const unsigned char *image, int pixels, unsigned *histogram) {
    __shared__ unsigned local[LIMIT + 1];
    for (int b = threadIdx.x; b <= LIMIT; b += blockDim.x) local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x)
        atomicAdd(&local[image[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b <= LIMIT; b += blockDim.x)
        if (local[b]) atomicAdd(&histogram[b], local[b]);
}

__constant__ char palette[9] = " .:-=+*%";

__global__ void picture(const unsigned char *image, char *text) {
    const int cx = blockIdx.x * blockDim.x + threadIdx.x, cy = blockIdx.y * blockDim.y + threadIdx.y;
    if (cx >= PIC_W || cy >= PIC_H) return;
    int sum = 0, inside = 0;
    for (int dy = 0; dy < CELL_H; ++dy)
        for (int dx = 0; dx < CELL_W; ++dx) {
            const int n = image[(cy * CELL_H + dy) * WIDTH + cx * CELL_W + dx];
            sum += n;
            inside += n == LIMIT;
        }
    const int mean = sum / (CELL_W * CELL_H);
    const int shade = mean < 4 ? 0 : min(7, 1 + (31 - __clz(mean / 2)));
    text[cy * (PIC_W + 1) + cx] = inside > CELL_W * CELL_H / 2 ? '#' : palette[shade];
    if (cx == PIC_W - 1) text[cy * (PIC_W + 1) + PIC_W] = cy == PIC_H - 1 ? '\0' : '\n';
}

__global__ void boundary(const unsigned char *image, int *count) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int edge = 0;
    if (x > 0 && y > 0 && x < WIDTH - 1 && y < HEIGHT - 1 && image[y * WIDTH + x] == LIMIT)
        edge = image[y * WIDTH + x - 1] != LIMIT || image[y * WIDTH + x + 1] != LIMIT ||
               image[(y - 1) * WIDTH + x] != LIMIT || image[(y + 1) * WIDTH + x] != LIMIT;
    const int in_block = __syncthreads_count(edge);
    if (threadIdx.x == 0 && threadIdx.y == 0 && in_block) atomicAdd(count, in_block);
}

int main() {
    const View views[] = {
        {Fixed::ratio(-22, 10), Fixed::ratio(-12, 10), Fixed::ratio(16, 1000)},
        {Fixed::ratio(-80, 100), Fixed::ratio(5, 100), Fixed::ratio(1, 1000)},
    };
    const int pixels = WIDTH * HEIGHT;
    unsigned char *dImage;
    unsigned *dHist, *dRows, hist[LIMIT + 1], rows;
    char *dText;
    int *dEdge, edge, failures = 0;
    CUDA_CHECK(cudaMalloc(&dImage, pixels));
    CUDA_CHECK(cudaMalloc(&dHist, sizeof(hist)));
    CUDA_CHECK(cudaMalloc(&dRows, sizeof(unsigned)));
    CUDA_CHECK(cudaMalloc(&dEdge, sizeof(int)));
    CUDA_CHECK(cudaMalloc(&dText, (PIC_W + 1) * PIC_H));
    for (const View &view : views) {
        const unsigned zero = 0;
        CUDA_CHECK(cudaMemcpyToSymbol(next_row, &zero, sizeof(zero)));
        CUDA_CHECK(cudaMemset(dHist, 0, sizeof(hist)));
        CUDA_CHECK(cudaMemset(dRows, 0, sizeof(unsigned)));
        CUDA_CHECK(cudaMemset(dEdge, 0, sizeof(int)));
        render<<<12, 64>>>(dImage, view, dRows);
        count_iterations<<<10, 128>>>(dImage, pixels, dHist);
        picture<<<dim3((PIC_W + 15) / 16, (PIC_H + 7) / 8), dim3(16, 8)>>>(dImage, dText);
        boundary<<<dim3((WIDTH + 15) / 16, (HEIGHT + 7) / 8), dim3(16, 8)>>>(dImage, dEdge);
        CUDA_CHECK(cudaGetLastError());
        std::vector<unsigned char> image(pixels);
        std::vector<char> text((PIC_W + 1) * PIC_H);
        CUDA_CHECK(cudaMemcpy(image.data(), dImage, pixels, cudaMemcpyDeviceToHost));
        CUDA_CHECK(cudaMemcpy(hist, dHist, sizeof(hist), cudaMemcpyDeviceToHost));
        CUDA_CHECK(cudaMemcpy(&rows, dRows, sizeof(rows), cudaMemcpyDeviceToHost));
        CUDA_CHECK(cudaMemcpy(&edge, dEdge, sizeof(edge), cudaMemcpyDeviceToHost));
        CUDA_CHECK(cudaMemcpy(text.data(), dText, text.size(), cudaMemcpyDeviceToHost));
        std::vector<unsigned> want(LIMIT + 1, 0);
        int wrong = rows != (unsigned)HEIGHT;
        for (int y = 0; y < HEIGHT; ++y)
            for (int x = 0; x < WIDTH; ++x) {
                const int n = escape_time(view.left + view.step.times(x), view.top + view.step.times(y));
                wrong += image[y * WIDTH + x] != n;
                ++want[n];
            }
        for (int n = 0; n <= LIMIT; ++n) wrong += hist[n] != want[n];
        std::puts(text.data());
        std::printf("rows %u, histogram:", rows);
        for (int n = 0; n < LIMIT; n += 9) std::printf(" %d:%u", n, hist[n]);
        std::printf(" inside:%u, boundary pixels %d, mismatches %d\n", hist[LIMIT], edge, wrong);
        failures += wrong;
    }
    CUDA_CHECK(cudaFree(dImage)); CUDA_CHECK(cudaFree(dHist)); CUDA_CHECK(cudaFree(dRows));
    CUDA_CHECK(cudaFree(dEdge)); CUDA_CHECK(cudaFree(dText));
    std::puts(failures == 0 ? "PASS" : "FAIL");
    return 0;
}
