texture<float, 2, cudaReadModeElementType> tex;
__global__ void k(float* out) { out[0] = tex2D(tex, 1, 2); }
int main() { float* d; cudaBindTexture(0, tex, d, 4); }
