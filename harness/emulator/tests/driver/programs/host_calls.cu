int main() {
  float *d;
  cudaMalloc(d, 3);
  cudaMemcpy(d, d, 3);
  cudaMalloc((void**)&d);
  foo(3);
  return 0
}
