#include "verifier/disassembler.h"

#include <capstone/capstone.h>

#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>

namespace simtlab::verifier {
namespace {

bool is_in(const cs_insn& i, unsigned group) {
  return std::any_of(i.detail->groups, i.detail->groups + i.detail->groups_count,
                     [group](std::uint8_t one) { return one == group; });
}

/// What capstone's groups tell, and what g++ writes for no CUDA C++: other ways to the system, what hides from hooks (stores
/// past the cache, all registers saved at once), what reads or sets the machine's own state.
bool does_reach_system(const cs_insn& i) {
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

void find_form(const cs_insn& i, bool branches, instruction& made) {
  const cs_x86& x = i.detail->x86;
  const cs_x86_op &first = x.operands[0], &second = x.operands[1];
  if (i.id == X86_INS_JA) made.form = instruction::above;
  if (i.id == X86_INS_CMP && first.type == X86_OP_REG && first.size == 8 && second.type == X86_OP_IMM) {
    made.form = instruction::comparison;
    made.reg = first.reg;
    made.number = static_cast<std::uint64_t>(second.imm);
  }
  if (!branches || x.op_count == 0 || first.type == X86_OP_IMM) return;
  made.form = instruction::pointer_jump;
  if (i.id != X86_INS_JMP || first.type != X86_OP_MEM || first.mem.base != X86_REG_INVALID || first.mem.scale != 8 ||
      (first.mem.segment != X86_REG_INVALID && first.mem.segment != X86_REG_DS))  // of `notrack`
    return;
  made.form = instruction::table_jump;
  made.reg = first.mem.index;
}

}  // namespace

disassembler::disassembler() {
  if (cs_open(CS_ARCH_X86, CS_MODE_64, &handle_) != CS_ERR_OK) throw std::runtime_error("capstone does not start");
  cs_option(handle_, CS_OPT_DETAIL, CS_OPT_ON);
  decoded_ = cs_malloc(handle_);
  if (decoded_ == nullptr) throw std::bad_alloc();
}
disassembler::~disassembler() {
  cs_free(decoded_, 1);
  cs_close(&handle_);
}

std::optional<instruction> disassembler::next(const std::vector<std::uint8_t>& code, std::uint64_t at,
                                              std::uint64_t end) const {
  const std::uint8_t* bytes = code.data() + at;
  std::size_t left = end - at;
  std::uint64_t behind = at;
  if (!cs_disasm_iter(handle_, &bytes, &left, &behind, decoded_)) return std::nullopt;
  const cs_x86& x = decoded_->detail->x86;
  instruction i;
  i.at = at;
  i.end = behind;
  const bool branches = is_in(*decoded_, CS_GRP_JUMP) || is_in(*decoded_, CS_GRP_CALL);
  if (branches && x.op_count > 0 && x.operands[0].type == X86_OP_IMM)
    i.names = static_cast<std::uint64_t>(x.operands[0].imm);
  i.goes = i.names.has_value();
  find_form(*decoded_, branches, i);
  for (int n = 0; n < x.op_count; ++n)
    if (x.operands[n].type == X86_OP_MEM && x.operands[n].mem.base == X86_REG_RIP)
      i.names = behind + static_cast<std::uint64_t>(x.operands[n].mem.disp);
  i.is_padding = decoded_->id == X86_INS_NOP;
  i.reaches_system = does_reach_system(*decoded_);
  if (i.reaches_system) i.name = decoded_->mnemonic;
  return i;
}

}  // namespace simtlab::verifier
