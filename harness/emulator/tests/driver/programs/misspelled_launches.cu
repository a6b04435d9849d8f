__global__ void k(float* a) { a[0] = 1; }
int main() {
  float* d = nullptr;
  int g = 1, b = 32;
  k<<g, b>>(d);
}
