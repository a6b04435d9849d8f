__device__ float f(float x);
__global__ void k(float* a) { a[0] = f(a[0]); }
int main() { float *d = nullptr; k<<<1,1>>>(d); }
