#include <vector>
__global__ void k(float* a, int n) {}
template <class T> __global__ void t(T* a, int n) {}
int main() {
  int* d;
  std::vector<float> v;
  k<<<1, 2>>>(d, 3);
  k<<<1, 2>>>(d);
  k<<<1, 2>>>(nullptr, 3, 4);
  k<<<1>>>(nullptr, 3);
  k<<<"x", 2>>>(nullptr, 3);
  k<<<1, 2>>>(v, 3);
  t<<<1, 2>>>(d);
  t<float><<<1, 2>>>(d, 2);
  t<<<1, 2>>>(3, 2);
}
