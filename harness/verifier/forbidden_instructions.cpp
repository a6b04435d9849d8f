#include "verifier/forbidden_instructions.h"

#include <capstone/capstone.h>

#include <algorithm>
#include <array>

#include "verifier/instruction_group.h"

namespace simtlab::verifier {

bool is_forbidden(const cs_insn& i) {
  constexpr std::array ids{X86_INS_SYSCALL,  X86_INS_SYSENTER,  X86_INS_SYSEXIT,  X86_INS_SYSRET,     X86_INS_INT,
                           X86_INS_INT1,     X86_INS_INT3,      X86_INS_INTO,     X86_INS_IN,         X86_INS_OUT,
                           X86_INS_INSB,     X86_INS_INSD,      X86_INS_INSW,     X86_INS_OUTSB,      X86_INS_OUTSD,
                           X86_INS_OUTSW,    X86_INS_CPUID,     X86_INS_RDTSC,    X86_INS_RDTSCP,     X86_INS_RDPMC,
                           X86_INS_WRFSBASE, X86_INS_WRGSBASE,  X86_INS_RDFSBASE, X86_INS_RDGSBASE,   X86_INS_LJMP,
                           X86_INS_LCALL,    X86_INS_RETF,      X86_INS_RETFQ,    X86_INS_FXSAVE,     X86_INS_FXSAVE64,
                           X86_INS_FXRSTOR,  X86_INS_FXRSTOR64, X86_INS_XSAVE,    X86_INS_XSAVE64,    X86_INS_XRSTOR,
                           X86_INS_XRSTOR64, X86_INS_MOVNTI,    X86_INS_MASKMOVQ, X86_INS_MASKMOVDQU, X86_INS_CLFLUSH};
  return is_in(i, CS_GRP_INT) || is_in(i, CS_GRP_IRET) || is_in(i, CS_GRP_PRIVILEGE) || is_in(i, X86_GRP_VM) ||
         std::find(ids.begin(), ids.end(), static_cast<x86_insn>(i.id)) != ids.end();
}

}  // namespace simtlab::verifier
