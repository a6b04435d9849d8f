#include "verifier/disassembler.h"

#include <capstone/capstone.h>

#include <new>
#include <stdexcept>

#include "verifier/forbidden_instructions.h"
#include "verifier/instruction_group.h"

namespace simtlab::verifier {
namespace {

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
  i.reaches_system = is_forbidden(*decoded_);
  if (i.reaches_system) i.name = decoded_->mnemonic;
  return i;
}

}  // namespace simtlab::verifier
