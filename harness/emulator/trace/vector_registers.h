// For assembly that calls the emulator where no register may change: the vector registers go to 256 aligned bytes at the stack
// pointer, and come back from there.
#pragma once

#define SIMTLAB_VECTORS_SAVED                                  \
  "\tmovaps\t%xmm0, (%rsp)\n\tmovaps\t%xmm1, 16(%rsp)\n"       \
  "\tmovaps\t%xmm2, 32(%rsp)\n\tmovaps\t%xmm3, 48(%rsp)\n"     \
  "\tmovaps\t%xmm4, 64(%rsp)\n\tmovaps\t%xmm5, 80(%rsp)\n"     \
  "\tmovaps\t%xmm6, 96(%rsp)\n\tmovaps\t%xmm7, 112(%rsp)\n"    \
  "\tmovaps\t%xmm8, 128(%rsp)\n\tmovaps\t%xmm9, 144(%rsp)\n"   \
  "\tmovaps\t%xmm10, 160(%rsp)\n\tmovaps\t%xmm11, 176(%rsp)\n" \
  "\tmovaps\t%xmm12, 192(%rsp)\n\tmovaps\t%xmm13, 208(%rsp)\n" \
  "\tmovaps\t%xmm14, 224(%rsp)\n\tmovaps\t%xmm15, 240(%rsp)\n"
#define SIMTLAB_VECTORS_RESTORED                               \
  "\tmovaps\t(%rsp), %xmm0\n\tmovaps\t16(%rsp), %xmm1\n"       \
  "\tmovaps\t32(%rsp), %xmm2\n\tmovaps\t48(%rsp), %xmm3\n"     \
  "\tmovaps\t64(%rsp), %xmm4\n\tmovaps\t80(%rsp), %xmm5\n"     \
  "\tmovaps\t96(%rsp), %xmm6\n\tmovaps\t112(%rsp), %xmm7\n"    \
  "\tmovaps\t128(%rsp), %xmm8\n\tmovaps\t144(%rsp), %xmm9\n"   \
  "\tmovaps\t160(%rsp), %xmm10\n\tmovaps\t176(%rsp), %xmm11\n" \
  "\tmovaps\t192(%rsp), %xmm12\n\tmovaps\t208(%rsp), %xmm13\n" \
  "\tmovaps\t224(%rsp), %xmm14\n\tmovaps\t240(%rsp), %xmm15\n"
