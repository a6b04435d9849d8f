// lab: 08-bank-conflicts
// expect: pass
// Hundreds of objects of a type of its own that live until the program ends.
#include <cuda_runtime.h>
struct S {
  int n;
  ~S();
};
S::~S() { n = 1; }
S a0, b0, c0, d0, e0, f0, g0, h0;
S a1, b1, c1, d1, e1, f1, g1, h1;
S a2, b2, c2, d2, e2, f2, g2, h2;
S a3, b3, c3, d3, e3, f3, g3, h3;
S a4, b4, c4, d4, e4, f4, g4, h4;
S a5, b5, c5, d5, e5, f5, g5, h5;
S a6, b6, c6, d6, e6, f6, g6, h6;
S a7, b7, c7, d7, e7, f7, g7, h7;
S a8, b8, c8, d8, e8, f8, g8, h8;
S a9, b9, c9, d9, e9, f9, g9, h9;
S a10, b10, c10, d10, e10, f10, g10, h10;
S a11, b11, c11, d11, e11, f11, g11, h11;
S a12, b12, c12, d12, e12, f12, g12, h12;
S a13, b13, c13, d13, e13, f13, g13, h13;
S a14, b14, c14, d14, e14, f14, g14, h14;
S a15, b15, c15, d15, e15, f15, g15, h15;
S a16, b16, c16, d16, e16, f16, g16, h16;
S a17, b17, c17, d17, e17, f17, g17, h17;
S a18, b18, c18, d18, e18, f18, g18, h18;
S a19, b19, c19, d19, e19, f19, g19, h19;
S a20, b20, c20, d20, e20, f20, g20, h20;
S a21, b21, c21, d21, e21, f21, g21, h21;
S a22, b22, c22, d22, e22, f22, g22, h22;
S a23, b23, c23, d23, e23, f23, g23, h23;
S a24, b24, c24, d24, e24, f24, g24, h24;
S a25, b25, c25, d25, e25, f25, g25, h25;
S a26, b26, c26, d26, e26, f26, g26, h26;
S a27, b27, c27, d27, e27, f27, g27, h27;
S a28, b28, c28, d28, e28, f28, g28, h28;
S a29, b29, c29, d29, e29, f29, g29, h29;
S a30, b30, c30, d30, e30, f30, g30, h30;
S a31, b31, c31, d31, e31, f31, g31, h31;
S a32, b32, c32, d32, e32, f32, g32, h32;
S a33, b33, c33, d33, e33, f33, g33, h33;
S a34, b34, c34, d34, e34, f34, g34, h34;
S a35, b35, c35, d35, e35, f35, g35, h35;
S a36, b36, c36, d36, e36, f36, g36, h36;
S a37, b37, c37, d37, e37, f37, g37, h37;
S a38, b38, c38, d38, e38, f38, g38, h38;
S a39, b39, c39, d39, e39, f39, g39, h39;
S a40, b40, c40, d40, e40, f40, g40, h40;
S a41, b41, c41, d41, e41, f41, g41, h41;
S a42, b42, c42, d42, e42, f42, g42, h42;
S a43, b43, c43, d43, e43, f43, g43, h43;
S a44, b44, c44, d44, e44, f44, g44, h44;
S a45, b45, c45, d45, e45, f45, g45, h45;
S a46, b46, c46, d46, e46, f46, g46, h46;
S a47, b47, c47, d47, e47, f47, g47, h47;
S a48, b48, c48, d48, e48, f48, g48, h48;
S a49, b49, c49, d49, e49, f49, g49, h49;
S a50, b50, c50, d50, e50, f50, g50, h50;
S a51, b51, c51, d51, e51, f51, g51, h51;
S a52, b52, c52, d52, e52, f52, g52, h52;
S a53, b53, c53, d53, e53, f53, g53, h53;
S a54, b54, c54, d54, e54, f54, g54, h54;
S a55, b55, c55, d55, e55, f55, g55, h55;
S a56, b56, c56, d56, e56, f56, g56, h56;
S a57, b57, c57, d57, e57, f57, g57, h57;
S a58, b58, c58, d58, e58, f58, g58, h58;
S a59, b59, c59, d59, e59, f59, g59, h59;

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
