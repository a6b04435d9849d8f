#include "verifier/operation.h"

#include <memory>
#include <stdexcept>

#include "verifier/instruction_group.h"

namespace simtlab::verifier {
namespace {

struct register_name {
  int number = no_register;
  bool is_high = false;
};

register_name general_of(unsigned r) {
  switch (r) {
#define SIMTLAB_OLD(n, letter) \
  case X86_REG_R##letter##X:   \
  case X86_REG_E##letter##X:   \
  case X86_REG_##letter##X:    \
  case X86_REG_##letter##L:    \
    return {n, false};         \
  case X86_REG_##letter##H:    \
    return {n, true};
    SIMTLAB_OLD(rax, A)
    SIMTLAB_OLD(rcx, C)
    SIMTLAB_OLD(rdx, D)
    SIMTLAB_OLD(rbx, B)
#undef SIMTLAB_OLD
#define SIMTLAB_POINTER(n, name) \
  case X86_REG_R##name:          \
  case X86_REG_E##name:          \
  case X86_REG_##name:           \
  case X86_REG_##name##L:        \
    return {n, false};
    SIMTLAB_POINTER(rsp, SP)
    SIMTLAB_POINTER(rbp, BP)
    SIMTLAB_POINTER(rsi, SI)
    SIMTLAB_POINTER(rdi, DI)
#undef SIMTLAB_POINTER
#define SIMTLAB_NEW(n)  \
  case X86_REG_R##n:    \
  case X86_REG_R##n##D: \
  case X86_REG_R##n##W: \
  case X86_REG_R##n##B: \
    return {n, false};
    SIMTLAB_NEW(8)
    SIMTLAB_NEW(9)
    SIMTLAB_NEW(10)
    SIMTLAB_NEW(11)
    SIMTLAB_NEW(12)
    SIMTLAB_NEW(13)
    SIMTLAB_NEW(14)
    SIMTLAB_NEW(15)
#undef SIMTLAB_NEW
    default:
      return {};
  }
}

operand operand_of(const cs_x86_op& from) {
  operand o;
  o.bytes = from.size;
  if (from.type == X86_OP_REG) {
    const register_name r = general_of(from.reg);
    o.kind = r.number == no_register ? operand::other_register : operand::general_register;
    o.reg = r.number;
    o.is_high = r.is_high;
  } else if (from.type == X86_OP_IMM) {
    o.kind = operand::immediate;
    o.value = from.imm;
  } else if (from.type == X86_OP_MEM) {
    o.kind = operand::memory;
    o.value = from.mem.disp;
    o.scale = from.mem.scale;
    o.is_rip = from.mem.base == X86_REG_RIP;
    o.is_fs = from.mem.segment == X86_REG_FS;
    o.is_odd = from.mem.segment != X86_REG_INVALID && !o.is_fs;
    const auto known = [&o](unsigned r) {
      if (r == X86_REG_INVALID || r == X86_REG_RIP || r == X86_REG_RIZ) return no_register;
      const int number = general_of(r).number;
      o.is_odd |= number == no_register;
      return number;
    };
    o.base = known(from.mem.base);
    o.index = known(from.mem.index);
  }
  return o;
}

}  // namespace

decoder::decoder() {
  if (cs_open(CS_ARCH_X86, CS_MODE_64, &handle_) != CS_ERR_OK) throw std::runtime_error("capstone does not start");
  cs_option(handle_, CS_OPT_DETAIL, CS_OPT_ON);
}
decoder::~decoder() { cs_close(&handle_); }

std::string decoder::name_of(unsigned id) const {
  const char* name = cs_insn_name(handle_, id);
  return name == nullptr ? "?" : name;
}

std::vector<operation> decoder::take_apart(const object_code& object, const code_range& f) const {
  std::vector<operation> found;
  const section& s = object.sections().at(f.begin.section);
  if (f.begin.offset + f.size > s.bytes.size()) return found;
  const std::uint8_t* code = s.bytes.data() + f.begin.offset;
  std::size_t left = f.size;
  std::uint64_t at = f.begin.offset;
  const std::unique_ptr<cs_insn, void (*)(cs_insn*)> decoded(cs_malloc(handle_), [](cs_insn* i) { cs_free(i, 1); });
  found.reserve(left / 4);
  while (left > 0) {
    if (!cs_disasm_iter(handle_, &code, &left, &at, decoded.get())) return {};
    const cs_x86& x = decoded->detail->x86;
    operation& i = found.emplace_back();
    i.at = decoded->address;
    i.end = at;
    i.id = decoded->id;
    i.prefix = x.prefix[0];
    i.count = std::min<int>(x.op_count, static_cast<int>(i.operands.size()));
    for (int n = 0; n < i.count; ++n) i.operands[static_cast<std::size_t>(n)] = operand_of(x.operands[n]);
    i.is_jump = is_in(*decoded, CS_GRP_JUMP);
    i.is_conditional = i.is_jump && i.id != X86_INS_JMP;
    cs_regs read, written;
    std::uint8_t reads = 0, writes = 0;
    if (cs_regs_access(handle_, decoded.get(), read, &reads, written, &writes) != CS_ERR_OK) return {};
    for (int n = 0; n < writes; ++n)
      if (const int r = general_of(written[n]).number; r != no_register)
        i.written |= static_cast<std::uint16_t>(1U << r);
    // Where the relocations of displacement and immediate lie.
    const auto begin = i.at;
    for (int n = 0; n < i.count; ++n) {
      operand& o = i.operands[static_cast<std::size_t>(n)];
      const bool is_memory = o.kind == operand::memory;
      const std::uint8_t offset = is_memory ? x.encoding.disp_offset : x.encoding.imm_offset;
      const std::uint8_t size = is_memory ? x.encoding.disp_size : x.encoding.imm_size;
      if (offset == 0 || (!is_memory && o.kind != operand::immediate)) continue;
      o.symbol = object.relocation_in(f.begin.section, begin + offset, begin + offset + std::max<int>(size, 1));
    }
    // Every relocation of the instruction has to be one of an operand's.
    const relocation* any = object.relocation_in(f.begin.section, i.at, i.end);
    bool is_used = any == nullptr;
    for (int n = 0; n < i.count; ++n) is_used |= i.operands[static_cast<std::size_t>(n)].symbol == any;
    if (!is_used) return {};
  }
  return found;
}

}  // namespace simtlab::verifier
