__global__ void child() {}
__global__ void k(unsigned* a) {
  child<<<1, 1>>>();
}
int main() { unsigned *d; k<<<1,1>>>(d); }
