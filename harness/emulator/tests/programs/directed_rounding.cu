// Directed roundings and the integer intrinsics on parts of words, bit by bit, as hashes.
#include "hashed_values.h"

#define OF_ONE(name, type)                                                                 \
  struct call_##name {                                                                     \
    static __device__ auto of(word a, word, word) { return name(from<type>(a)); }          \
  };
#define OF_TWO(name, type)                                                                          \
  struct call_##name {                                                                              \
    static __device__ auto of(word a, word b, word) { return name(from<type>(a), from<type>(b)); }  \
  };
#define OF_THREE(name, type)                                                                                            \
  struct call_##name {                                                                                                  \
    static __device__ auto of(word a, word b, word c) { return name(from<type>(a), from<type>(b), from<type>(c)); }     \
  };

OF_TWO(__fadd_rn, float)
OF_TWO(__fsub_rn, float)
OF_TWO(__fmul_rn, float)
OF_TWO(__fdiv_rn, float)
OF_ONE(__frcp_rn, float)
OF_ONE(__fsqrt_rn, float)
OF_THREE(__fmaf_rn, float)
OF_TWO(__fadd_rz, float)
OF_TWO(__fsub_rz, float)
OF_TWO(__fmul_rz, float)
OF_TWO(__fdiv_rz, float)
OF_ONE(__frcp_rz, float)
OF_ONE(__fsqrt_rz, float)
OF_THREE(__fmaf_rz, float)
OF_TWO(__fadd_ru, float)
OF_TWO(__fsub_ru, float)
OF_TWO(__fmul_ru, float)
OF_TWO(__fdiv_ru, float)
OF_ONE(__frcp_ru, float)
OF_ONE(__fsqrt_ru, float)
OF_THREE(__fmaf_ru, float)
OF_TWO(__fadd_rd, float)
OF_TWO(__fsub_rd, float)
OF_TWO(__fmul_rd, float)
OF_TWO(__fdiv_rd, float)
OF_ONE(__frcp_rd, float)
OF_ONE(__fsqrt_rd, float)
OF_THREE(__fmaf_rd, float)
OF_TWO(__dadd_rn, double)
OF_TWO(__dsub_rn, double)
OF_TWO(__dmul_rn, double)
OF_TWO(__ddiv_rn, double)
OF_ONE(__drcp_rn, double)
OF_ONE(__dsqrt_rn, double)
OF_THREE(__fma_rn, double)
OF_TWO(__dadd_rz, double)
OF_TWO(__dsub_rz, double)
OF_TWO(__dmul_rz, double)
OF_TWO(__ddiv_rz, double)
OF_ONE(__drcp_rz, double)
OF_ONE(__dsqrt_rz, double)
OF_THREE(__fma_rz, double)
OF_TWO(__dadd_ru, double)
OF_TWO(__dsub_ru, double)
OF_TWO(__dmul_ru, double)
OF_TWO(__ddiv_ru, double)
OF_ONE(__drcp_ru, double)
OF_ONE(__dsqrt_ru, double)
OF_THREE(__fma_ru, double)
OF_TWO(__dadd_rd, double)
OF_TWO(__dsub_rd, double)
OF_TWO(__dmul_rd, double)
OF_TWO(__ddiv_rd, double)
OF_ONE(__drcp_rd, double)
OF_ONE(__dsqrt_rd, double)
OF_THREE(__fma_rd, double)
OF_ONE(__frsqrt_rn, float)
OF_ONE(__int2float_rn, int)
OF_ONE(__uint2float_rn, unsigned int)
OF_ONE(__ll2float_rn, long long)
OF_ONE(__ull2float_rn, unsigned long long)
OF_ONE(__ll2double_rn, long long)
OF_ONE(__ull2double_rn, unsigned long long)
OF_ONE(__double2float_rn, double)
OF_ONE(__float2int_rn, float)
OF_ONE(__double2int_rn, double)
OF_ONE(__float2uint_rn, float)
OF_ONE(__double2uint_rn, double)
OF_ONE(__float2ll_rn, float)
OF_ONE(__double2ll_rn, double)
OF_ONE(__float2ull_rn, float)
OF_ONE(__double2ull_rn, double)
OF_ONE(__int2float_rz, int)
OF_ONE(__uint2float_rz, unsigned int)
OF_ONE(__ll2float_rz, long long)
OF_ONE(__ull2float_rz, unsigned long long)
OF_ONE(__ll2double_rz, long long)
OF_ONE(__ull2double_rz, unsigned long long)
OF_ONE(__double2float_rz, double)
OF_ONE(__float2int_rz, float)
OF_ONE(__double2int_rz, double)
OF_ONE(__float2uint_rz, float)
OF_ONE(__double2uint_rz, double)
OF_ONE(__float2ll_rz, float)
OF_ONE(__double2ll_rz, double)
OF_ONE(__float2ull_rz, float)
OF_ONE(__double2ull_rz, double)
OF_ONE(__int2float_ru, int)
OF_ONE(__uint2float_ru, unsigned int)
OF_ONE(__ll2float_ru, long long)
OF_ONE(__ull2float_ru, unsigned long long)
OF_ONE(__ll2double_ru, long long)
OF_ONE(__ull2double_ru, unsigned long long)
OF_ONE(__double2float_ru, double)
OF_ONE(__float2int_ru, float)
OF_ONE(__double2int_ru, double)
OF_ONE(__float2uint_ru, float)
OF_ONE(__double2uint_ru, double)
OF_ONE(__float2ll_ru, float)
OF_ONE(__double2ll_ru, double)
OF_ONE(__float2ull_ru, float)
OF_ONE(__double2ull_ru, double)
OF_ONE(__int2float_rd, int)
OF_ONE(__uint2float_rd, unsigned int)
OF_ONE(__ll2float_rd, long long)
OF_ONE(__ull2float_rd, unsigned long long)
OF_ONE(__ll2double_rd, long long)
OF_ONE(__ull2double_rd, unsigned long long)
OF_ONE(__double2float_rd, double)
OF_ONE(__float2int_rd, float)
OF_ONE(__double2int_rd, double)
OF_ONE(__float2uint_rd, float)
OF_ONE(__double2uint_rd, double)
OF_ONE(__float2ll_rd, float)
OF_ONE(__double2ll_rd, double)
OF_ONE(__float2ull_rd, float)
OF_ONE(__double2ull_rd, double)
OF_ONE(__vabs2, unsigned int)
OF_ONE(__vabsss2, unsigned int)
OF_ONE(__vneg2, unsigned int)
OF_ONE(__vnegss2, unsigned int)
OF_TWO(__vadd2, unsigned int)
OF_TWO(__vaddss2, unsigned int)
OF_TWO(__vaddus2, unsigned int)
OF_TWO(__vsub2, unsigned int)
OF_TWO(__vsubss2, unsigned int)
OF_TWO(__vsubus2, unsigned int)
OF_TWO(__vavgs2, unsigned int)
OF_TWO(__vavgu2, unsigned int)
OF_TWO(__vhaddu2, unsigned int)
OF_TWO(__vabsdiffs2, unsigned int)
OF_TWO(__vabsdiffu2, unsigned int)
OF_TWO(__vsads2, unsigned int)
OF_TWO(__vsadu2, unsigned int)
OF_TWO(__vmaxs2, unsigned int)
OF_TWO(__vmaxu2, unsigned int)
OF_TWO(__vmins2, unsigned int)
OF_TWO(__vminu2, unsigned int)
OF_TWO(__vcmpeq2, unsigned int)
OF_TWO(__vseteq2, unsigned int)
OF_TWO(__vcmpne2, unsigned int)
OF_TWO(__vsetne2, unsigned int)
OF_TWO(__vcmpgts2, unsigned int)
OF_TWO(__vsetgts2, unsigned int)
OF_TWO(__vcmpgtu2, unsigned int)
OF_TWO(__vsetgtu2, unsigned int)
OF_TWO(__vcmpges2, unsigned int)
OF_TWO(__vsetges2, unsigned int)
OF_TWO(__vcmpgeu2, unsigned int)
OF_TWO(__vsetgeu2, unsigned int)
OF_TWO(__vcmplts2, unsigned int)
OF_TWO(__vsetlts2, unsigned int)
OF_TWO(__vcmpltu2, unsigned int)
OF_TWO(__vsetltu2, unsigned int)
OF_TWO(__vcmples2, unsigned int)
OF_TWO(__vsetles2, unsigned int)
OF_TWO(__vcmpleu2, unsigned int)
OF_TWO(__vsetleu2, unsigned int)
OF_ONE(__vabs4, unsigned int)
OF_ONE(__vabsss4, unsigned int)
OF_ONE(__vneg4, unsigned int)
OF_ONE(__vnegss4, unsigned int)
OF_TWO(__vadd4, unsigned int)
OF_TWO(__vaddss4, unsigned int)
OF_TWO(__vaddus4, unsigned int)
OF_TWO(__vsub4, unsigned int)
OF_TWO(__vsubss4, unsigned int)
OF_TWO(__vsubus4, unsigned int)
OF_TWO(__vavgs4, unsigned int)
OF_TWO(__vavgu4, unsigned int)
OF_TWO(__vhaddu4, unsigned int)
OF_TWO(__vabsdiffs4, unsigned int)
OF_TWO(__vabsdiffu4, unsigned int)
OF_TWO(__vsads4, unsigned int)
OF_TWO(__vsadu4, unsigned int)
OF_TWO(__vmaxs4, unsigned int)
OF_TWO(__vmaxu4, unsigned int)
OF_TWO(__vmins4, unsigned int)
OF_TWO(__vminu4, unsigned int)
OF_TWO(__vcmpeq4, unsigned int)
OF_TWO(__vseteq4, unsigned int)
OF_TWO(__vcmpne4, unsigned int)
OF_TWO(__vsetne4, unsigned int)
OF_TWO(__vcmpgts4, unsigned int)
OF_TWO(__vsetgts4, unsigned int)
OF_TWO(__vcmpgtu4, unsigned int)
OF_TWO(__vsetgtu4, unsigned int)
OF_TWO(__vcmpges4, unsigned int)
OF_TWO(__vsetges4, unsigned int)
OF_TWO(__vcmpgeu4, unsigned int)
OF_TWO(__vsetgeu4, unsigned int)
OF_TWO(__vcmplts4, unsigned int)
OF_TWO(__vsetlts4, unsigned int)
OF_TWO(__vcmpltu4, unsigned int)
OF_TWO(__vsetltu4, unsigned int)
OF_TWO(__vcmples4, unsigned int)
OF_TWO(__vsetles4, unsigned int)
OF_TWO(__vcmpleu4, unsigned int)
OF_TWO(__vsetleu4, unsigned int)
OF_TWO(__hadd, int)
OF_TWO(__rhadd, int)
OF_TWO(__mulhi, int)
OF_TWO(__mul24, int)
OF_TWO(__uhadd, unsigned int)
OF_TWO(__urhadd, unsigned int)
OF_TWO(__umulhi, unsigned int)
OF_TWO(__umul24, unsigned int)
OF_THREE(__sad, int)
OF_THREE(__usad, unsigned int)
OF_THREE(__funnelshift_l, unsigned int)
OF_THREE(__funnelshift_r, unsigned int)
OF_THREE(__funnelshift_lc, unsigned int)
OF_THREE(__funnelshift_rc, unsigned int)
OF_THREE(__byte_perm, unsigned int)

// Half of the numbers are near 1 or near one another, some are tiny, huge, infinite or none.
word oddFloat(word x) {
  const unsigned int low = (unsigned int)x;
  switch (x >> 32 & 7) {
    case 0: return low;
    case 1: return (low & 0x807fffffu) | 0x3f800000u;
    case 2: return (low & 0x80ffffffu) | 0x3f000000u;
    case 3: return low & 0x80ffffffu;
    case 4: return (low & 0x80ffffffu) | 0x7e800000u;
    case 5: return (low & 0x8000000fu) | 0x3f800000u;
    case 6: return (low & 0x87ffffffu) | 0x38000000u;
    default: return (low & 1) == 0 ? low & 0x80000000u : (low & 0xff800000u) | 0x7f800000u;
  }
}
word oddDouble(word x) {
  const word wide = x * 0x9e3779b97f4a7c15ull;
  switch (x >> 32 & 7) {
    case 0: return wide;
    case 1: return (wide & 0x800fffffffffffffull) | 0x3ff0000000000000ull;
    case 2: return (wide & 0x801fffffffffffffull) | 0x3fe0000000000000ull;
    case 3: return wide & 0x801fffffffffffffull;
    case 4: return (wide & 0x801fffffffffffffull) | 0x7fc0000000000000ull;
    case 5: return (wide & 0x800000000000000full) | 0x3ff0000000000000ull;
    case 6: return (wide & 0x80ffffffffffffffull) | 0x3f00000000000000ull;
    default: return (wide & 1) == 0 ? wide & 0x8000000000000000ull : (wide & 0xfff0000000000000ull) | 0x7ff0000000000000ull;
  }
}
word oddInteger(word x) {
  const word wide = x * 0x9e3779b97f4a7c15ull;
  switch (x & 7) {
    case 0: return (wide & 1) != 0 ? wide : 0x7f7f7f7f80808080ull;
    case 1: return wide >> (x >> 3 & 63);
    case 2: return (word)((long long)wide >> (x >> 3 & 63));
    case 3: return 1ull << (x >> 3 & 63);
    default: return wide;
  }
}

int main(int argc, char **argv) {
  const char *wanted = argc > 1 ? argv[1] : "";
  makeInputs(oddFloat);
  report("__fadd_rn", wanted, callAll<call___fadd_rn>);
  report("__fsub_rn", wanted, callAll<call___fsub_rn>);
  report("__fmul_rn", wanted, callAll<call___fmul_rn>);
  report("__fdiv_rn", wanted, callAll<call___fdiv_rn>);
  report("__frcp_rn", wanted, callAll<call___frcp_rn>);
  report("__fsqrt_rn", wanted, callAll<call___fsqrt_rn>);
  report("__fmaf_rn", wanted, callAll<call___fmaf_rn>);
  report("__fadd_rz", wanted, callAll<call___fadd_rz>);
  report("__fsub_rz", wanted, callAll<call___fsub_rz>);
  report("__fmul_rz", wanted, callAll<call___fmul_rz>);
  report("__fdiv_rz", wanted, callAll<call___fdiv_rz>);
  report("__frcp_rz", wanted, callAll<call___frcp_rz>);
  report("__fsqrt_rz", wanted, callAll<call___fsqrt_rz>);
  report("__fmaf_rz", wanted, callAll<call___fmaf_rz>);
  report("__fadd_ru", wanted, callAll<call___fadd_ru>);
  report("__fsub_ru", wanted, callAll<call___fsub_ru>);
  report("__fmul_ru", wanted, callAll<call___fmul_ru>);
  report("__fdiv_ru", wanted, callAll<call___fdiv_ru>);
  report("__frcp_ru", wanted, callAll<call___frcp_ru>);
  report("__fsqrt_ru", wanted, callAll<call___fsqrt_ru>);
  report("__fmaf_ru", wanted, callAll<call___fmaf_ru>);
  report("__fadd_rd", wanted, callAll<call___fadd_rd>);
  report("__fsub_rd", wanted, callAll<call___fsub_rd>);
  report("__fmul_rd", wanted, callAll<call___fmul_rd>);
  report("__fdiv_rd", wanted, callAll<call___fdiv_rd>);
  report("__frcp_rd", wanted, callAll<call___frcp_rd>);
  report("__fsqrt_rd", wanted, callAll<call___fsqrt_rd>);
  report("__fmaf_rd", wanted, callAll<call___fmaf_rd>);
  report("__frsqrt_rn", wanted, callAll<call___frsqrt_rn>);
  report("__float2int_rn", wanted, callAll<call___float2int_rn>);
  report("__float2uint_rn", wanted, callAll<call___float2uint_rn>);
  report("__float2ll_rn", wanted, callAll<call___float2ll_rn>);
  report("__float2ull_rn", wanted, callAll<call___float2ull_rn>);
  report("__float2int_rz", wanted, callAll<call___float2int_rz>);
  report("__float2uint_rz", wanted, callAll<call___float2uint_rz>);
  report("__float2ll_rz", wanted, callAll<call___float2ll_rz>);
  report("__float2ull_rz", wanted, callAll<call___float2ull_rz>);
  report("__float2int_ru", wanted, callAll<call___float2int_ru>);
  report("__float2uint_ru", wanted, callAll<call___float2uint_ru>);
  report("__float2ll_ru", wanted, callAll<call___float2ll_ru>);
  report("__float2ull_ru", wanted, callAll<call___float2ull_ru>);
  report("__float2int_rd", wanted, callAll<call___float2int_rd>);
  report("__float2uint_rd", wanted, callAll<call___float2uint_rd>);
  report("__float2ll_rd", wanted, callAll<call___float2ll_rd>);
  report("__float2ull_rd", wanted, callAll<call___float2ull_rd>);
  freeInputs();
  makeInputs(oddDouble);
  report("__dadd_rn", wanted, callAll<call___dadd_rn>);
  report("__dsub_rn", wanted, callAll<call___dsub_rn>);
  report("__dmul_rn", wanted, callAll<call___dmul_rn>);
  report("__ddiv_rn", wanted, callAll<call___ddiv_rn>);
  report("__drcp_rn", wanted, callAll<call___drcp_rn>);
  report("__dsqrt_rn", wanted, callAll<call___dsqrt_rn>);
  report("__fma_rn", wanted, callAll<call___fma_rn>);
  report("__dadd_rz", wanted, callAll<call___dadd_rz>);
  report("__dsub_rz", wanted, callAll<call___dsub_rz>);
  report("__dmul_rz", wanted, callAll<call___dmul_rz>);
  report("__ddiv_rz", wanted, callAll<call___ddiv_rz>);
  report("__drcp_rz", wanted, callAll<call___drcp_rz>);
  report("__dsqrt_rz", wanted, callAll<call___dsqrt_rz>);
  report("__fma_rz", wanted, callAll<call___fma_rz>);
  report("__dadd_ru", wanted, callAll<call___dadd_ru>);
  report("__dsub_ru", wanted, callAll<call___dsub_ru>);
  report("__dmul_ru", wanted, callAll<call___dmul_ru>);
  report("__ddiv_ru", wanted, callAll<call___ddiv_ru>);
  report("__drcp_ru", wanted, callAll<call___drcp_ru>);
  report("__dsqrt_ru", wanted, callAll<call___dsqrt_ru>);
  report("__fma_ru", wanted, callAll<call___fma_ru>);
  report("__dadd_rd", wanted, callAll<call___dadd_rd>);
  report("__dsub_rd", wanted, callAll<call___dsub_rd>);
  report("__dmul_rd", wanted, callAll<call___dmul_rd>);
  report("__ddiv_rd", wanted, callAll<call___ddiv_rd>);
  report("__drcp_rd", wanted, callAll<call___drcp_rd>);
  report("__dsqrt_rd", wanted, callAll<call___dsqrt_rd>);
  report("__fma_rd", wanted, callAll<call___fma_rd>);
  report("__double2float_rn", wanted, callAll<call___double2float_rn>);
  report("__double2int_rn", wanted, callAll<call___double2int_rn>);
  report("__double2uint_rn", wanted, callAll<call___double2uint_rn>);
  report("__double2ll_rn", wanted, callAll<call___double2ll_rn>);
  report("__double2ull_rn", wanted, callAll<call___double2ull_rn>);
  report("__double2float_rz", wanted, callAll<call___double2float_rz>);
  report("__double2int_rz", wanted, callAll<call___double2int_rz>);
  report("__double2uint_rz", wanted, callAll<call___double2uint_rz>);
  report("__double2ll_rz", wanted, callAll<call___double2ll_rz>);
  report("__double2ull_rz", wanted, callAll<call___double2ull_rz>);
  report("__double2float_ru", wanted, callAll<call___double2float_ru>);
  report("__double2int_ru", wanted, callAll<call___double2int_ru>);
  report("__double2uint_ru", wanted, callAll<call___double2uint_ru>);
  report("__double2ll_ru", wanted, callAll<call___double2ll_ru>);
  report("__double2ull_ru", wanted, callAll<call___double2ull_ru>);
  report("__double2float_rd", wanted, callAll<call___double2float_rd>);
  report("__double2int_rd", wanted, callAll<call___double2int_rd>);
  report("__double2uint_rd", wanted, callAll<call___double2uint_rd>);
  report("__double2ll_rd", wanted, callAll<call___double2ll_rd>);
  report("__double2ull_rd", wanted, callAll<call___double2ull_rd>);
  freeInputs();
  makeInputs(oddInteger);
  report("__int2float_rn", wanted, callAll<call___int2float_rn>);
  report("__uint2float_rn", wanted, callAll<call___uint2float_rn>);
  report("__ll2float_rn", wanted, callAll<call___ll2float_rn>);
  report("__ull2float_rn", wanted, callAll<call___ull2float_rn>);
  report("__ll2double_rn", wanted, callAll<call___ll2double_rn>);
  report("__ull2double_rn", wanted, callAll<call___ull2double_rn>);
  report("__int2float_rz", wanted, callAll<call___int2float_rz>);
  report("__uint2float_rz", wanted, callAll<call___uint2float_rz>);
  report("__ll2float_rz", wanted, callAll<call___ll2float_rz>);
  report("__ull2float_rz", wanted, callAll<call___ull2float_rz>);
  report("__ll2double_rz", wanted, callAll<call___ll2double_rz>);
  report("__ull2double_rz", wanted, callAll<call___ull2double_rz>);
  report("__int2float_ru", wanted, callAll<call___int2float_ru>);
  report("__uint2float_ru", wanted, callAll<call___uint2float_ru>);
  report("__ll2float_ru", wanted, callAll<call___ll2float_ru>);
  report("__ull2float_ru", wanted, callAll<call___ull2float_ru>);
  report("__ll2double_ru", wanted, callAll<call___ll2double_ru>);
  report("__ull2double_ru", wanted, callAll<call___ull2double_ru>);
  report("__int2float_rd", wanted, callAll<call___int2float_rd>);
  report("__uint2float_rd", wanted, callAll<call___uint2float_rd>);
  report("__ll2float_rd", wanted, callAll<call___ll2float_rd>);
  report("__ull2float_rd", wanted, callAll<call___ull2float_rd>);
  report("__ll2double_rd", wanted, callAll<call___ll2double_rd>);
  report("__ull2double_rd", wanted, callAll<call___ull2double_rd>);
  report("__vabs2", wanted, callAll<call___vabs2>);
  report("__vabsss2", wanted, callAll<call___vabsss2>);
  report("__vneg2", wanted, callAll<call___vneg2>);
  report("__vnegss2", wanted, callAll<call___vnegss2>);
  report("__vadd2", wanted, callAll<call___vadd2>);
  report("__vaddss2", wanted, callAll<call___vaddss2>);
  report("__vaddus2", wanted, callAll<call___vaddus2>);
  report("__vsub2", wanted, callAll<call___vsub2>);
  report("__vsubss2", wanted, callAll<call___vsubss2>);
  report("__vsubus2", wanted, callAll<call___vsubus2>);
  report("__vavgs2", wanted, callAll<call___vavgs2>);
  report("__vavgu2", wanted, callAll<call___vavgu2>);
  report("__vhaddu2", wanted, callAll<call___vhaddu2>);
  report("__vabsdiffs2", wanted, callAll<call___vabsdiffs2>);
  report("__vabsdiffu2", wanted, callAll<call___vabsdiffu2>);
  report("__vsads2", wanted, callAll<call___vsads2>);
  report("__vsadu2", wanted, callAll<call___vsadu2>);
  report("__vmaxs2", wanted, callAll<call___vmaxs2>);
  report("__vmaxu2", wanted, callAll<call___vmaxu2>);
  report("__vmins2", wanted, callAll<call___vmins2>);
  report("__vminu2", wanted, callAll<call___vminu2>);
  report("__vcmpeq2", wanted, callAll<call___vcmpeq2>);
  report("__vseteq2", wanted, callAll<call___vseteq2>);
  report("__vcmpne2", wanted, callAll<call___vcmpne2>);
  report("__vsetne2", wanted, callAll<call___vsetne2>);
  report("__vcmpgts2", wanted, callAll<call___vcmpgts2>);
  report("__vsetgts2", wanted, callAll<call___vsetgts2>);
  report("__vcmpgtu2", wanted, callAll<call___vcmpgtu2>);
  report("__vsetgtu2", wanted, callAll<call___vsetgtu2>);
  report("__vcmpges2", wanted, callAll<call___vcmpges2>);
  report("__vsetges2", wanted, callAll<call___vsetges2>);
  report("__vcmpgeu2", wanted, callAll<call___vcmpgeu2>);
  report("__vsetgeu2", wanted, callAll<call___vsetgeu2>);
  report("__vcmplts2", wanted, callAll<call___vcmplts2>);
  report("__vsetlts2", wanted, callAll<call___vsetlts2>);
  report("__vcmpltu2", wanted, callAll<call___vcmpltu2>);
  report("__vsetltu2", wanted, callAll<call___vsetltu2>);
  report("__vcmples2", wanted, callAll<call___vcmples2>);
  report("__vsetles2", wanted, callAll<call___vsetles2>);
  report("__vcmpleu2", wanted, callAll<call___vcmpleu2>);
  report("__vsetleu2", wanted, callAll<call___vsetleu2>);
  report("__vabs4", wanted, callAll<call___vabs4>);
  report("__vabsss4", wanted, callAll<call___vabsss4>);
  report("__vneg4", wanted, callAll<call___vneg4>);
  report("__vnegss4", wanted, callAll<call___vnegss4>);
  report("__vadd4", wanted, callAll<call___vadd4>);
  report("__vaddss4", wanted, callAll<call___vaddss4>);
  report("__vaddus4", wanted, callAll<call___vaddus4>);
  report("__vsub4", wanted, callAll<call___vsub4>);
  report("__vsubss4", wanted, callAll<call___vsubss4>);
  report("__vsubus4", wanted, callAll<call___vsubus4>);
  report("__vavgs4", wanted, callAll<call___vavgs4>);
  report("__vavgu4", wanted, callAll<call___vavgu4>);
  report("__vhaddu4", wanted, callAll<call___vhaddu4>);
  report("__vabsdiffs4", wanted, callAll<call___vabsdiffs4>);
  report("__vabsdiffu4", wanted, callAll<call___vabsdiffu4>);
  report("__vsads4", wanted, callAll<call___vsads4>);
  report("__vsadu4", wanted, callAll<call___vsadu4>);
  report("__vmaxs4", wanted, callAll<call___vmaxs4>);
  report("__vmaxu4", wanted, callAll<call___vmaxu4>);
  report("__vmins4", wanted, callAll<call___vmins4>);
  report("__vminu4", wanted, callAll<call___vminu4>);
  report("__vcmpeq4", wanted, callAll<call___vcmpeq4>);
  report("__vseteq4", wanted, callAll<call___vseteq4>);
  report("__vcmpne4", wanted, callAll<call___vcmpne4>);
  report("__vsetne4", wanted, callAll<call___vsetne4>);
  report("__vcmpgts4", wanted, callAll<call___vcmpgts4>);
  report("__vsetgts4", wanted, callAll<call___vsetgts4>);
  report("__vcmpgtu4", wanted, callAll<call___vcmpgtu4>);
  report("__vsetgtu4", wanted, callAll<call___vsetgtu4>);
  report("__vcmpges4", wanted, callAll<call___vcmpges4>);
  report("__vsetges4", wanted, callAll<call___vsetges4>);
  report("__vcmpgeu4", wanted, callAll<call___vcmpgeu4>);
  report("__vsetgeu4", wanted, callAll<call___vsetgeu4>);
  report("__vcmplts4", wanted, callAll<call___vcmplts4>);
  report("__vsetlts4", wanted, callAll<call___vsetlts4>);
  report("__vcmpltu4", wanted, callAll<call___vcmpltu4>);
  report("__vsetltu4", wanted, callAll<call___vsetltu4>);
  report("__vcmples4", wanted, callAll<call___vcmples4>);
  report("__vsetles4", wanted, callAll<call___vsetles4>);
  report("__vcmpleu4", wanted, callAll<call___vcmpleu4>);
  report("__vsetleu4", wanted, callAll<call___vsetleu4>);
  report("__hadd", wanted, callAll<call___hadd>);
  report("__rhadd", wanted, callAll<call___rhadd>);
  report("__mulhi", wanted, callAll<call___mulhi>);
  report("__mul24", wanted, callAll<call___mul24>);
  report("__uhadd", wanted, callAll<call___uhadd>);
  report("__urhadd", wanted, callAll<call___urhadd>);
  report("__umulhi", wanted, callAll<call___umulhi>);
  report("__umul24", wanted, callAll<call___umul24>);
  report("__sad", wanted, callAll<call___sad>);
  report("__usad", wanted, callAll<call___usad>);
  report("__funnelshift_l", wanted, callAll<call___funnelshift_l>);
  report("__funnelshift_r", wanted, callAll<call___funnelshift_r>);
  report("__funnelshift_lc", wanted, callAll<call___funnelshift_lc>);
  report("__funnelshift_rc", wanted, callAll<call___funnelshift_rc>);
  report("__byte_perm", wanted, callAll<call___byte_perm>);
  freeInputs();
  return 0;
}
