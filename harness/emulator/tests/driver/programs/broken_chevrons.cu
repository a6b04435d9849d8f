__global__ void k(unsigned* a) {}
int main() { unsigned *d;
  k<<<1,1>>(d);
}
