#include "verifier/allowed_instructions.h"

#include <unordered_map>

namespace simtlab::verifier {
namespace {

/// What an instruction does with an operand in memory, which is its first one unless it only reads.
enum class use : std::uint8_t { loads, stores, changes, nothing };

struct rule {
  use first;       ///< when the operand in memory comes first
  unsigned bytes;  ///< 0: as many as the operand that capstone tells
};

using rules = std::unordered_map<unsigned, rule>;

void add(rules& all, rule r, std::initializer_list<unsigned> ids) {
  for (const unsigned id : ids) all.emplace(id, r);
}

rules make_rules() {
  rules all;
  // Whole numbers.
  add(all, {use::stores, 0}, {X86_INS_MOV, X86_INS_MOVABS, X86_INS_POP});
  add(all, {use::changes, 0},
      {X86_INS_ADD, X86_INS_SUB, X86_INS_ADC, X86_INS_SBB, X86_INS_AND, X86_INS_OR, X86_INS_XOR, X86_INS_INC,
       X86_INS_DEC, X86_INS_NEG, X86_INS_NOT, X86_INS_SHL, X86_INS_SAL, X86_INS_SHR, X86_INS_SAR, X86_INS_ROL,
       X86_INS_ROR, X86_INS_SHLD, X86_INS_SHRD});
  add(all, {use::loads, 0},
      {X86_INS_CMP, X86_INS_TEST, X86_INS_PUSH, X86_INS_MUL, X86_INS_IMUL, X86_INS_DIV, X86_INS_IDIV, X86_INS_MOVZX,
       X86_INS_MOVSX, X86_INS_MOVSXD, X86_INS_BSF, X86_INS_BSR, X86_INS_TZCNT, X86_INS_CALL, X86_INS_JMP});
  add(all, {use::stores, 1},
      {X86_INS_SETA, X86_INS_SETAE, X86_INS_SETB, X86_INS_SETBE, X86_INS_SETE, X86_INS_SETG, X86_INS_SETGE,
       X86_INS_SETL, X86_INS_SETLE, X86_INS_SETNE, X86_INS_SETNO, X86_INS_SETNP, X86_INS_SETNS, X86_INS_SETO,
       X86_INS_SETP, X86_INS_SETS});
  add(all, {use::loads, 0},
      {X86_INS_CMOVA, X86_INS_CMOVAE, X86_INS_CMOVB, X86_INS_CMOVBE, X86_INS_CMOVE, X86_INS_CMOVG, X86_INS_CMOVGE,
       X86_INS_CMOVL, X86_INS_CMOVLE, X86_INS_CMOVNE, X86_INS_CMOVNO, X86_INS_CMOVNP, X86_INS_CMOVNS, X86_INS_CMOVO,
       X86_INS_CMOVP, X86_INS_CMOVS});
  // Nothing in memory, or an address alone. Bit operations go on only between registers (see is_allowed).
  add(all, {use::nothing, 0},
      {X86_INS_LEA, X86_INS_NOP, X86_INS_ENDBR64, X86_INS_RET,  X86_INS_LEAVE, X86_INS_CDQ, X86_INS_CDQE,
       X86_INS_CQO, X86_INS_CWD, X86_INS_CWDE,    X86_INS_CBW,  X86_INS_BSWAP, X86_INS_UD2, X86_INS_BT,
       X86_INS_BTC, X86_INS_BTR, X86_INS_BTS,     X86_INS_XCHG, X86_INS_JA,    X86_INS_JAE, X86_INS_JB,
       X86_INS_JBE, X86_INS_JE,  X86_INS_JG,      X86_INS_JGE,  X86_INS_JL,    X86_INS_JLE, X86_INS_JNE,
       X86_INS_JNO, X86_INS_JNP, X86_INS_JNS,     X86_INS_JO,   X86_INS_JP,    X86_INS_JS});
  // Floating point, one number.
  add(all, {use::stores, 4}, {X86_INS_MOVSS, X86_INS_MOVD});
  add(all, {use::stores, 8},
      {X86_INS_MOVSD, X86_INS_MOVQ, X86_INS_MOVLPS, X86_INS_MOVHPS, X86_INS_MOVLPD, X86_INS_MOVHPD});
  add(all, {use::loads, 4},
      {X86_INS_ADDSS, X86_INS_SUBSS, X86_INS_MULSS, X86_INS_DIVSS, X86_INS_SQRTSS, X86_INS_MINSS, X86_INS_MAXSS,
       X86_INS_COMISS, X86_INS_UCOMISS, X86_INS_CVTSS2SD, X86_INS_CVTSS2SI, X86_INS_CVTTSS2SI, X86_INS_RCPSS,
       X86_INS_RSQRTSS, X86_INS_CMPSS});
  add(all, {use::loads, 8},
      {X86_INS_ADDSD, X86_INS_SUBSD, X86_INS_MULSD, X86_INS_DIVSD, X86_INS_SQRTSD, X86_INS_MINSD, X86_INS_MAXSD,
       X86_INS_COMISD, X86_INS_UCOMISD, X86_INS_CVTSD2SS, X86_INS_CVTSD2SI, X86_INS_CVTTSD2SI, X86_INS_CMPSD,
       X86_INS_CVTPS2PD, X86_INS_CVTPI2PS, X86_INS_CVTDQ2PD});
  add(all, {use::loads, 0}, {X86_INS_CVTSI2SS, X86_INS_CVTSI2SD});
  // 16 bytes.
  add(all, {use::stores, 16},
      {X86_INS_MOVAPS, X86_INS_MOVAPD, X86_INS_MOVUPS, X86_INS_MOVUPD, X86_INS_MOVDQA, X86_INS_MOVDQU});
  add(all, {use::loads, 16},
      {X86_INS_ADDPS,      X86_INS_SUBPS,      X86_INS_MULPS,     X86_INS_DIVPS,     X86_INS_ADDPD,
       X86_INS_SUBPD,      X86_INS_MULPD,      X86_INS_DIVPD,     X86_INS_SQRTPS,    X86_INS_SQRTPD,
       X86_INS_MINPS,      X86_INS_MAXPS,      X86_INS_MINPD,     X86_INS_MAXPD,     X86_INS_ANDPS,
       X86_INS_ANDPD,      X86_INS_ANDNPS,     X86_INS_ANDNPD,    X86_INS_ORPS,      X86_INS_ORPD,
       X86_INS_XORPS,      X86_INS_XORPD,      X86_INS_CMPPS,     X86_INS_CMPPD,     X86_INS_SHUFPS,
       X86_INS_SHUFPD,     X86_INS_UNPCKLPS,   X86_INS_UNPCKHPS,  X86_INS_UNPCKLPD,  X86_INS_UNPCKHPD,
       X86_INS_CVTDQ2PS,   X86_INS_CVTPS2DQ,   X86_INS_CVTTPS2DQ, X86_INS_CVTPD2PS,  X86_INS_CVTPD2DQ,
       X86_INS_CVTTPD2DQ,  X86_INS_PXOR,       X86_INS_POR,       X86_INS_PAND,      X86_INS_PANDN,
       X86_INS_PADDB,      X86_INS_PADDW,      X86_INS_PADDD,     X86_INS_PADDQ,     X86_INS_PSUBB,
       X86_INS_PSUBW,      X86_INS_PSUBD,      X86_INS_PSUBQ,     X86_INS_PMULLW,    X86_INS_PMULHW,
       X86_INS_PMULUDQ,    X86_INS_PMADDWD,    X86_INS_PCMPEQB,   X86_INS_PCMPEQW,   X86_INS_PCMPEQD,
       X86_INS_PCMPGTB,    X86_INS_PCMPGTW,    X86_INS_PCMPGTD,   X86_INS_PUNPCKLBW, X86_INS_PUNPCKLWD,
       X86_INS_PUNPCKLDQ,  X86_INS_PUNPCKLQDQ, X86_INS_PUNPCKHBW, X86_INS_PUNPCKHWD, X86_INS_PUNPCKHDQ,
       X86_INS_PUNPCKHQDQ, X86_INS_PSHUFD,     X86_INS_PSHUFLW,   X86_INS_PSHUFHW,   X86_INS_PACKSSDW,
       X86_INS_PACKSSWB,   X86_INS_PACKUSWB,   X86_INS_PMAXSW,    X86_INS_PMINSW,    X86_INS_PMAXUB,
       X86_INS_PMINUB,     X86_INS_PSLLW,      X86_INS_PSLLD,     X86_INS_PSLLQ,     X86_INS_PSRLW,
       X86_INS_PSRLD,      X86_INS_PSRLQ,      X86_INS_PSRAW,     X86_INS_PSRAD,     X86_INS_PSLLDQ,
       X86_INS_PSRLDQ,     X86_INS_PINSRW,     X86_INS_PEXTRW});
  // Comparisons by capstone's names for each of them.
  add(all, {use::loads, 4},
      {X86_INS_CMPEQSS, X86_INS_CMPLESS, X86_INS_CMPLTSS, X86_INS_CMPNEQSS, X86_INS_CMPNLESS, X86_INS_CMPNLTSS,
       X86_INS_CMPORDSS, X86_INS_CMPUNORDSS});
  add(all, {use::loads, 8},
      {X86_INS_CMPEQSD, X86_INS_CMPLESD, X86_INS_CMPLTSD, X86_INS_CMPNEQSD, X86_INS_CMPNLESD, X86_INS_CMPNLTSD,
       X86_INS_CMPORDSD, X86_INS_CMPUNORDSD});
  add(all, {use::loads, 16},
      {X86_INS_CMPEQPS, X86_INS_CMPLEPS, X86_INS_CMPLTPS, X86_INS_CMPNEQPS, X86_INS_CMPNLEPS, X86_INS_CMPNLTPS,
       X86_INS_CMPORDPS, X86_INS_CMPUNORDPS});
  add(all, {use::loads, 16},
      {X86_INS_CMPEQPD, X86_INS_CMPLEPD, X86_INS_CMPLTPD, X86_INS_CMPNEQPD, X86_INS_CMPNLEPD, X86_INS_CMPNLTPD,
       X86_INS_CMPORDPD, X86_INS_CMPUNORDPD});
  add(all, {use::nothing, 0}, {X86_INS_MOVMSKPS, X86_INS_MOVMSKPD, X86_INS_PMOVMSKB, X86_INS_MOVHLPS, X86_INS_MOVLHPS});
  // long double.
  add(all, {use::loads, 0},
      {X86_INS_FLD, X86_INS_FILD, X86_INS_FADD, X86_INS_FSUB, X86_INS_FSUBR, X86_INS_FMUL, X86_INS_FDIV, X86_INS_FDIVR,
       X86_INS_FIADD, X86_INS_FISUB, X86_INS_FISUBR, X86_INS_FIMUL, X86_INS_FIDIV, X86_INS_FIDIVR, X86_INS_FLDCW});
  add(all, {use::stores, 0}, {X86_INS_FST, X86_INS_FSTP, X86_INS_FIST, X86_INS_FISTP, X86_INS_FISTTP, X86_INS_FNSTCW});
  add(all, {use::nothing, 0},
      {X86_INS_FLD1,    X86_INS_FLDZ,     X86_INS_FLDPI,   X86_INS_FLDL2E,  X86_INS_FLDL2T,  X86_INS_FLDLG2,
       X86_INS_FLDLN2,  X86_INS_FADDP,    X86_INS_FSUBP,   X86_INS_FSUBRP,  X86_INS_FMULP,   X86_INS_FDIVP,
       X86_INS_FDIVRP,  X86_INS_FCHS,     X86_INS_FABS,    X86_INS_FSQRT,   X86_INS_FXCH,    X86_INS_FCOMI,
       X86_INS_FCOMIP,  X86_INS_FUCOMI,   X86_INS_FUCOMIP, X86_INS_FCMOVB,  X86_INS_FCMOVBE, X86_INS_FCMOVE,
       X86_INS_FCMOVNB, X86_INS_FCMOVNBE, X86_INS_FCMOVNE, X86_INS_FCMOVNU, X86_INS_FCMOVU,  X86_INS_FNSTSW,
       X86_INS_FXAM,    X86_INS_FRNDINT});
  return all;
}

const rules& all_rules() {
  static const rules all = make_rules();
  return all;
}

}  // namespace

std::optional<string_operation> string_operation_of(const operation& i) {
  const bool repeats = i.prefix == X86_PREFIX_REP;
  const bool two = i.count >= 2 && i.operands[0].kind == operand::memory && i.operands[1].kind == operand::memory;
  switch (i.id) {
    case X86_INS_MOVSB:
      return string_operation{1, true, repeats};
    case X86_INS_MOVSW:
      return string_operation{2, true, repeats};
    case X86_INS_MOVSD:
      return two ? std::optional(string_operation{4, true, repeats}) : std::nullopt;
    case X86_INS_MOVSQ:
      return string_operation{8, true, repeats};
    case X86_INS_STOSB:
      return string_operation{1, false, repeats};
    case X86_INS_STOSW:
      return string_operation{2, false, repeats};
    case X86_INS_STOSD:
      return string_operation{4, false, repeats};
    case X86_INS_STOSQ:
      return string_operation{8, false, repeats};
    default:
      return std::nullopt;
  }
}

bool is_allowed(const operation& i) {
  const auto found = all_rules().find(i.id);
  if (found == all_rules().end() || i.prefix == X86_PREFIX_LOCK) return false;
  const bool is_nop = i.id == X86_INS_NOP || i.id == X86_INS_RET || i.id == X86_INS_ENDBR64;
  // The string instruction movsd has the name of the one that moves a number; it has two operands in memory.
  if (i.prefix != 0 && i.count > 0 && i.operands[0].kind == operand::memory && i.operands[1].kind == operand::memory)
    return false;
  if (i.count >= 2 && i.operands[0].kind == operand::memory && i.operands[1].kind == operand::memory) return false;
  const operand* const m = i.memory();
  if (m == nullptr || is_nop || i.id == X86_INS_LEA) return true;
  return found->second.first != use::nothing;
}

memory_use use_of_memory(const operation& i) {
  const rule r = all_rules().at(i.id);
  const operand* const m = i.memory();
  memory_use result;
  if (r.first == use::nothing) return result;
  const bool first = i.operands[0].kind == operand::memory;
  const bool only_reads = !first || (i.id == X86_INS_IMUL && i.count > 1);
  result.reads = only_reads || r.first != use::stores;
  result.writes = !only_reads && r.first != use::loads;
  if (i.id == X86_INS_MOV && i.count == 2) {
    const operand& other = i.operands[first ? 1 : 0];
    result.bytes = other.kind == operand::general_register ? other.bytes : m->bytes;
  } else {
    result.bytes = r.bytes != 0 ? r.bytes : m->bytes;
  }
  // 8 bytes widened to 16.
  if (i.id == X86_INS_CMPSS) result.bytes = 4;
  if (i.id == X86_INS_PINSRW || i.id == X86_INS_PEXTRW) result.bytes = 2;
  return result;
}

}  // namespace simtlab::verifier
