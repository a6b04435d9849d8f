// Arithmetic of inline PTX on numbers of 16 bits, alone and two in a register, bit by bit, as hashes. The engine sass computes the same
// with the instructions that nvcc makes of it, as far as it knows them: neither has been compared with a GPU yet.
#include "hashed_values.h"

// What is left of a -0 by .relu the manual does not say.
__device__ unsigned int withoutSignsOfZeros(unsigned int r) {
  return r & (r & 0x7fff0000 ? ~0u : 0x7fffffff) & (r & 0x7fff ? ~0u : 0xffff7fff);
}

struct call_0 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("add.f16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_1 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("add.rn.f16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_2 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("add.ftz.f16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_3 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("add.sat.f16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_4 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("sub.f16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_5 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("sub.ftz.sat.f16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_6 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("mul.f16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_7 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("mul.ftz.f16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_8 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("mul.rn.sat.f16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_9 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b), "h"((unsigned short)c));
    return r;
  }
};
struct call_10 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("fma.rn.ftz.f16 %0, %1, %2, %3;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b), "h"((unsigned short)c));
    return r;
  }
};
struct call_11 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("fma.rn.sat.f16 %0, %1, %2, %3;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b), "h"((unsigned short)c));
    return r;
  }
};
struct call_12 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("fma.rn.relu.f16 %0, %1, %2, %3;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b), "h"((unsigned short)c));
    return r;
  }
};
struct call_13 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("fma.rn.ftz.relu.f16 %0, %1, %2, %3;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b), "h"((unsigned short)c));
    return r;
  }
};
struct call_14 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("neg.f16 %0, %1;" : "=h"(r) : "h"((unsigned short)a));
    return r;
  }
};
struct call_15 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("neg.ftz.f16 %0, %1;" : "=h"(r) : "h"((unsigned short)a));
    return r;
  }
};
struct call_16 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("abs.f16 %0, %1;" : "=h"(r) : "h"((unsigned short)a));
    return r;
  }
};
struct call_17 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("abs.ftz.f16 %0, %1;" : "=h"(r) : "h"((unsigned short)a));
    return r;
  }
};
struct call_18 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("min.f16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_19 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("max.f16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_20 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("min.ftz.f16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_21 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("max.ftz.f16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_22 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("min.NaN.f16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_23 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("max.NaN.f16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_24 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("max.ftz.NaN.f16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_25 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("add.f16x2 %0, %1, %2;" : "=r"(r) : "r"((unsigned int)a), "r"((unsigned int)b));
    return r;
  }
};
struct call_26 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("sub.sat.f16x2 %0, %1, %2;" : "=r"(r) : "r"((unsigned int)a), "r"((unsigned int)b));
    return r;
  }
};
struct call_27 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("mul.ftz.f16x2 %0, %1, %2;" : "=r"(r) : "r"((unsigned int)a), "r"((unsigned int)b));
    return r;
  }
};
struct call_28 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("min.f16x2 %0, %1, %2;" : "=r"(r) : "r"((unsigned int)a), "r"((unsigned int)b));
    return r;
  }
};
struct call_29 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("max.NaN.f16x2 %0, %1, %2;" : "=r"(r) : "r"((unsigned int)a), "r"((unsigned int)b));
    return r;
  }
};
struct call_30 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("add.ftz.sat.f16x2 %0, %1, %2;" : "=r"(r) : "r"((unsigned int)a), "r"((unsigned int)b));
    return r;
  }
};
struct call_31 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"((unsigned int)a), "r"((unsigned int)b), "r"((unsigned int)c));
    return r;
  }
};
struct call_32 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("fma.rn.sat.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"((unsigned int)a), "r"((unsigned int)b), "r"((unsigned int)c));
    return r;
  }
};
struct call_33 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("fma.rn.relu.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"((unsigned int)a), "r"((unsigned int)b), "r"((unsigned int)c));
    return r;
  }
};
struct call_34 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("neg.f16x2 %0, %1;" : "=r"(r) : "r"((unsigned int)a));
    return r;
  }
};
struct call_35 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("abs.ftz.f16x2 %0, %1;" : "=r"(r) : "r"((unsigned int)a));
    return r;
  }
};
struct call_36 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("add.bf16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_37 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("sub.rn.bf16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_38 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("mul.bf16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_39 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("min.bf16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_40 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("max.bf16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_41 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("min.NaN.bf16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_42 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("max.NaN.bf16 %0, %1, %2;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_43 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b), "h"((unsigned short)c));
    return r;
  }
};
struct call_44 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("fma.rn.relu.bf16 %0, %1, %2, %3;" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b), "h"((unsigned short)c));
    return r;
  }
};
struct call_45 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("neg.bf16 %0, %1;" : "=h"(r) : "h"((unsigned short)a));
    return r;
  }
};
struct call_46 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("abs.bf16 %0, %1;" : "=h"(r) : "h"((unsigned short)a));
    return r;
  }
};
struct call_47 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("add.rn.bf16x2 %0, %1, %2;" : "=r"(r) : "r"((unsigned int)a), "r"((unsigned int)b));
    return r;
  }
};
struct call_48 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("sub.bf16x2 %0, %1, %2;" : "=r"(r) : "r"((unsigned int)a), "r"((unsigned int)b));
    return r;
  }
};
struct call_49 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("mul.bf16x2 %0, %1, %2;" : "=r"(r) : "r"((unsigned int)a), "r"((unsigned int)b));
    return r;
  }
};
struct call_50 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("min.bf16x2 %0, %1, %2;" : "=r"(r) : "r"((unsigned int)a), "r"((unsigned int)b));
    return r;
  }
};
struct call_51 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("max.NaN.bf16x2 %0, %1, %2;" : "=r"(r) : "r"((unsigned int)a), "r"((unsigned int)b));
    return r;
  }
};
struct call_52 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"((unsigned int)a), "r"((unsigned int)b), "r"((unsigned int)c));
    return r;
  }
};
struct call_53 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("fma.rn.relu.bf16x2 %0, %1, %2, %3;" : "=r"(r) : "r"((unsigned int)a), "r"((unsigned int)b), "r"((unsigned int)c));
    return r;
  }
};
struct call_54 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("neg.bf16x2 %0, %1;" : "=r"(r) : "r"((unsigned int)a));
    return r;
  }
};
struct call_55 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("abs.bf16x2 %0, %1;" : "=r"(r) : "r"((unsigned int)a));
    return r;
  }
};
struct call_56 {
  static __device__ float of(word a, word b, word c) {
    float r;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(__uint_as_float(a)), "f"(__uint_as_float(b)));
    return r;
  }
};
struct call_57 {
  static __device__ float of(word a, word b, word c) {
    float r;
    asm("max.ftz.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(__uint_as_float(a)), "f"(__uint_as_float(b)));
    return r;
  }
};
struct call_58 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("{ .reg .pred p; setp.lt.f16 p, %1, %2; selp.u16 %0, 1, 0, p; }" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_59 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("{ .reg .pred p; setp.gtu.f16 p, %1, %2; selp.u16 %0, 1, 0, p; }" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_60 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("{ .reg .pred p; setp.eq.ftz.f16 p, %1, %2; selp.u16 %0, 1, 0, p; }" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_61 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("{ .reg .pred p; setp.num.f16 p, %1, %2; selp.u16 %0, 1, 0, p; }" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_62 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("{ .reg .pred p; setp.nan.f16 p, %1, %2; selp.u16 %0, 1, 0, p; }" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_63 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("{ .reg .pred p; setp.ne.f16 p, %1, %2; selp.u16 %0, 1, 0, p; }" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_64 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("{ .reg .pred p; setp.le.bf16 p, %1, %2; selp.u16 %0, 1, 0, p; }" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_65 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("{ .reg .pred p; setp.geu.bf16 p, %1, %2; selp.u16 %0, 1, 0, p; }" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_66 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("{ .reg .pred p; setp.nan.bf16 p, %1, %2; selp.u16 %0, 1, 0, p; }" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b));
    return r;
  }
};
struct call_67 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("{ .reg .pred p, q; setp.lt.f16 q, %1, %3; setp.gt.and.f16 p, %1, %2, q; selp.u16 %0, 1, 0, p; }" : "=h"(r) : "h"((unsigned short)a), "h"((unsigned short)b), "h"((unsigned short)c));
    return r;
  }
};
struct call_68 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("{ .reg .pred p, q; .reg .b32 t; setp.le.f16x2 p|q, %1, %2; selp.b32 %0, 1, 0, p; selp.b32 t, 2, 0, q; or.b32 %0, %0, t; }" : "=r"(r) : "r"((unsigned int)a), "r"((unsigned int)b));
    return r;
  }
};
struct call_69 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("{ .reg .pred p, q; .reg .b32 t; setp.equ.ftz.f16x2 p|q, %1, %2; selp.b32 %0, 1, 0, p; selp.b32 t, 2, 0, q; or.b32 %0, %0, t; }" : "=r"(r) : "r"((unsigned int)a), "r"((unsigned int)b));
    return r;
  }
};
struct call_70 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("{ .reg .pred p, q; .reg .b32 t; setp.ltu.bf16x2 p|q, %1, %2; selp.b32 %0, 1, 0, p; selp.b32 t, 2, 0, q; or.b32 %0, %0, t; }" : "=r"(r) : "r"((unsigned int)a), "r"((unsigned int)b));
    return r;
  }
};
struct call_71 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("{ .reg .pred p, q, s; .reg .b32 t; setp.eq.u32 s, %3, 0; setp.ge.or.f16x2 p|q, %1, %2, s; selp.b32 %0, 1, 0, p; selp.b32 t, 2, 0, q; or.b32 %0, %0, t; }" : "=r"(r) : "r"((unsigned int)a), "r"((unsigned int)b), "r"((unsigned int)c & 1));
    return r;
  }
};
struct call_72 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(__uint_as_float(a)));
    return r;
  }
};
struct call_73 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("cvt.rz.f16.f32 %0, %1;" : "=h"(r) : "f"(__uint_as_float(a)));
    return r;
  }
};
struct call_74 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("cvt.rm.f16.f32 %0, %1;" : "=h"(r) : "f"(__uint_as_float(a)));
    return r;
  }
};
struct call_75 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("cvt.rp.f16.f32 %0, %1;" : "=h"(r) : "f"(__uint_as_float(a)));
    return r;
  }
};
struct call_76 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("cvt.rn.relu.f16.f32 %0, %1;" : "=h"(r) : "f"(__uint_as_float(a)));
    return r;
  }
};
struct call_77 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("cvt.rn.sat.f16.f32 %0, %1;" : "=h"(r) : "f"(__uint_as_float(a)));
    return r;
  }
};
struct call_78 {
  static __device__ float of(word a, word b, word c) {
    float r;
    asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"((unsigned short)a));
    return r;
  }
};
struct call_79 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(r) : "d"(__longlong_as_double(a)));
    return r;
  }
};
struct call_80 {
  static __device__ double of(word a, word b, word c) {
    double r;
    asm("cvt.f64.f16 %0, %1;" : "=d"(r) : "h"((unsigned short)a));
    return r;
  }
};
struct call_81 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(r) : "f"(__uint_as_float(a)));
    return r;
  }
};
struct call_82 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("cvt.rz.bf16.f32 %0, %1;" : "=h"(r) : "f"(__uint_as_float(a)));
    return r;
  }
};
struct call_83 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("cvt.rn.relu.bf16.f32 %0, %1;" : "=h"(r) : "f"(__uint_as_float(a)));
    return r;
  }
};
struct call_84 {
  static __device__ float of(word a, word b, word c) {
    float r;
    asm("cvt.f32.bf16 %0, %1;" : "=f"(r) : "h"((unsigned short)a));
    return r;
  }
};
struct call_85 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("cvt.rn.f16.s64 %0, %1;" : "=h"(r) : "l"(a));
    return r;
  }
};
struct call_86 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("cvt.rz.f16.u32 %0, %1;" : "=h"(r) : "r"((unsigned int)a));
    return r;
  }
};
struct call_87 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("cvt.rni.f16.f16 %0, %1;" : "=h"(r) : "h"((unsigned short)a));
    return r;
  }
};
struct call_88 {
  static __device__ int of(word a, word b, word c) {
    int r;
    asm("cvt.rzi.s32.f16 %0, %1;" : "=r"(r) : "h"((unsigned short)a));
    return r;
  }
};
struct call_89 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("cvt.rpi.u32.f16 %0, %1;" : "=r"(r) : "h"((unsigned short)a));
    return r;
  }
};
struct call_90 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("cvt.rn.bf16.s32 %0, %1;" : "=h"(r) : "r"((int)a));
    return r;
  }
};
struct call_91 {
  static __device__ int of(word a, word b, word c) {
    int r;
    asm("cvt.rni.s32.bf16 %0, %1;" : "=r"(r) : "h"((unsigned short)a));
    return r;
  }
};
struct call_92 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("cvt.rn.bf16.f16 %0, %1;" : "=h"(r) : "h"((unsigned short)a));
    return r;
  }
};
struct call_93 {
  static __device__ unsigned short of(word a, word b, word c) {
    unsigned short r;
    asm("cvt.rm.f16.bf16 %0, %1;" : "=h"(r) : "h"((unsigned short)a));
    return r;
  }
};
struct call_94 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(__uint_as_float(a)), "f"(__uint_as_float(b)));
    return r;
  }
};
struct call_95 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("cvt.rz.relu.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(__uint_as_float(a)), "f"(__uint_as_float(b)));
    return withoutSignsOfZeros(r);
  }
};
struct call_96 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(__uint_as_float(a)), "f"(__uint_as_float(b)));
    return r;
  }
};
struct call_97 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("cvt.rz.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(__uint_as_float(a)), "f"(__uint_as_float(b)));
    return r;
  }
};
struct call_98 {
  static __device__ unsigned int of(word a, word b, word c) {
    unsigned int r;
    asm("cvt.rn.relu.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(__uint_as_float(a)), "f"(__uint_as_float(b)));
    return withoutSignsOfZeros(r);
  }
};

/// Four numbers of 16 bits: of any bits, near 1, subnormal, or one of those with a rule of its own.
static word fourNumbers(word random) {
  static const unsigned short special[] = {0, 0x8000, 0x7c00, 0xfc00, 0x7e01, 0xffff, 0x3c00, 0xbc00, 1, 0x8001, 0x7bff, 0x7f80, 0xff80, 0x3f80, 0x400, 0x80};
  word result = 0;
  for (int part = 0; part < 4; part++) {
    const unsigned short bits = random >> 4 ^ random >> 20, kind = random & 3;
    const unsigned short near = (bits & 0x8fff) | 0x3000, small = bits & 0x83ff;
    result = result << 16 | (kind == 0 ? bits : kind == 1 ? near : kind == 2 ? small : special[bits & 15]);
    random = nextRandom();
  }
  return result;
}

int main(int argc, char **argv) {
  const char *wanted = argc > 1 ? argv[1] : "";
  makeInputs(fourNumbers);
  report("add.f16", wanted, callAll<call_0>);
  report("add.rn.f16", wanted, callAll<call_1>);
  report("add.ftz.f16", wanted, callAll<call_2>);
  report("add.sat.f16", wanted, callAll<call_3>);
  report("sub.f16", wanted, callAll<call_4>);
  report("sub.ftz.sat.f16", wanted, callAll<call_5>);
  report("mul.f16", wanted, callAll<call_6>);
  report("mul.ftz.f16", wanted, callAll<call_7>);
  report("mul.rn.sat.f16", wanted, callAll<call_8>);
  report("fma.rn.f16", wanted, callAll<call_9>);
  report("fma.rn.ftz.f16", wanted, callAll<call_10>);
  report("fma.rn.sat.f16", wanted, callAll<call_11>);
  report("fma.rn.relu.f16", wanted, callAll<call_12>);
  report("fma.rn.ftz.relu.f16", wanted, callAll<call_13>);
  report("neg.f16", wanted, callAll<call_14>);
  report("neg.ftz.f16", wanted, callAll<call_15>);
  report("abs.f16", wanted, callAll<call_16>);
  report("abs.ftz.f16", wanted, callAll<call_17>);
  report("min.f16", wanted, callAll<call_18>);
  report("max.f16", wanted, callAll<call_19>);
  report("min.ftz.f16", wanted, callAll<call_20>);
  report("max.ftz.f16", wanted, callAll<call_21>);
  report("min.NaN.f16", wanted, callAll<call_22>);
  report("max.NaN.f16", wanted, callAll<call_23>);
  report("max.ftz.NaN.f16", wanted, callAll<call_24>);
  report("add.f16x2", wanted, callAll<call_25>);
  report("sub.sat.f16x2", wanted, callAll<call_26>);
  report("mul.ftz.f16x2", wanted, callAll<call_27>);
  report("min.f16x2", wanted, callAll<call_28>);
  report("max.NaN.f16x2", wanted, callAll<call_29>);
  report("add.ftz.sat.f16x2", wanted, callAll<call_30>);
  report("fma.rn.f16x2", wanted, callAll<call_31>);
  report("fma.rn.sat.f16x2", wanted, callAll<call_32>);
  report("fma.rn.relu.f16x2", wanted, callAll<call_33>);
  report("neg.f16x2", wanted, callAll<call_34>);
  report("abs.ftz.f16x2", wanted, callAll<call_35>);
  report("add.bf16", wanted, callAll<call_36>);
  report("sub.rn.bf16", wanted, callAll<call_37>);
  report("mul.bf16", wanted, callAll<call_38>);
  report("min.bf16", wanted, callAll<call_39>);
  report("max.bf16", wanted, callAll<call_40>);
  report("min.NaN.bf16", wanted, callAll<call_41>);
  report("max.NaN.bf16", wanted, callAll<call_42>);
  report("fma.rn.bf16", wanted, callAll<call_43>);
  report("fma.rn.relu.bf16", wanted, callAll<call_44>);
  report("neg.bf16", wanted, callAll<call_45>);
  report("abs.bf16", wanted, callAll<call_46>);
  report("add.rn.bf16x2", wanted, callAll<call_47>);
  report("sub.bf16x2", wanted, callAll<call_48>);
  report("mul.bf16x2", wanted, callAll<call_49>);
  report("min.bf16x2", wanted, callAll<call_50>);
  report("max.NaN.bf16x2", wanted, callAll<call_51>);
  report("fma.rn.bf16x2", wanted, callAll<call_52>);
  report("fma.rn.relu.bf16x2", wanted, callAll<call_53>);
  report("neg.bf16x2", wanted, callAll<call_54>);
  report("abs.bf16x2", wanted, callAll<call_55>);
  report("min.NaN.f32", wanted, callAll<call_56>);
  report("max.ftz.NaN.f32", wanted, callAll<call_57>);
  report("setp.lt.f16", wanted, callAll<call_58>);
  report("setp.gtu.f16", wanted, callAll<call_59>);
  report("setp.eq.ftz.f16", wanted, callAll<call_60>);
  report("setp.num.f16", wanted, callAll<call_61>);
  report("setp.nan.f16", wanted, callAll<call_62>);
  report("setp.ne.f16", wanted, callAll<call_63>);
  report("setp.le.bf16", wanted, callAll<call_64>);
  report("setp.geu.bf16", wanted, callAll<call_65>);
  report("setp.nan.bf16", wanted, callAll<call_66>);
  report("setp.gt.and.f16", wanted, callAll<call_67>);
  report("setp.le.f16x2", wanted, callAll<call_68>);
  report("setp.equ.ftz.f16x2", wanted, callAll<call_69>);
  report("setp.ltu.bf16x2", wanted, callAll<call_70>);
  report("setp.ge.or.f16x2", wanted, callAll<call_71>);
  report("cvt.rn.f16.f32", wanted, callAll<call_72>);
  report("cvt.rz.f16.f32", wanted, callAll<call_73>);
  report("cvt.rm.f16.f32", wanted, callAll<call_74>);
  report("cvt.rp.f16.f32", wanted, callAll<call_75>);
  report("cvt.rn.relu.f16.f32", wanted, callAll<call_76>);
  report("cvt.rn.sat.f16.f32", wanted, callAll<call_77>);
  report("cvt.f32.f16", wanted, callAll<call_78>);
  report("cvt.rn.f16.f64", wanted, callAll<call_79>);
  report("cvt.f64.f16", wanted, callAll<call_80>);
  report("cvt.rn.bf16.f32", wanted, callAll<call_81>);
  report("cvt.rz.bf16.f32", wanted, callAll<call_82>);
  report("cvt.rn.relu.bf16.f32", wanted, callAll<call_83>);
  report("cvt.f32.bf16", wanted, callAll<call_84>);
  report("cvt.rn.f16.s64", wanted, callAll<call_85>);
  report("cvt.rz.f16.u32", wanted, callAll<call_86>);
  report("cvt.rni.f16.f16", wanted, callAll<call_87>);
  report("cvt.rzi.s32.f16", wanted, callAll<call_88>);
  report("cvt.rpi.u32.f16", wanted, callAll<call_89>);
  report("cvt.rn.bf16.s32", wanted, callAll<call_90>);
  report("cvt.rni.s32.bf16", wanted, callAll<call_91>);
  report("cvt.rn.bf16.f16", wanted, callAll<call_92>);
  report("cvt.rm.f16.bf16", wanted, callAll<call_93>);
  report("cvt.rn.f16x2.f32", wanted, callAll<call_94>);
  report("cvt.rz.relu.f16x2.f32", wanted, callAll<call_95>);
  report("cvt.rn.bf16x2.f32", wanted, callAll<call_96>);
  report("cvt.rz.bf16x2.f32", wanted, callAll<call_97>);
  report("cvt.rn.relu.bf16x2.f32", wanted, callAll<call_98>);
  freeInputs();
  return 0;
}
