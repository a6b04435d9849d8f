__global__ void k(float* a) { a[0] = __shfl_down_sync(a[0], 1); }
template <class T> __global__ void t(T* a) { a[0] = __ballot_sync(a[0] > 0); }
int main() {
  float* d = nullptr;
  int g = 1, b = 32;
  dim3 g3(1), b3(32);
  k<<g, b>>(d);
  k<<g3, b3>>(d);
  k<<g, b>>>(d);
  k<g3, b3>(d);
  t<<g3, b>>(d);
  t<float><<g, b>>(d);
}
