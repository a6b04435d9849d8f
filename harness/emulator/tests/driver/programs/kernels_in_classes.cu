struct shape {
  __global__ void member(int* p) { *p = 1; }
  friend __global__ void declared(shape, int*);
  friend __global__ void defined(shape, int* p) { *p = 1; }
};
int main() { return 0; }
