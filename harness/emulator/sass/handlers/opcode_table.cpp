#include "sass/handlers/tables.h"

namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL {

const opcode_rule* find_here(std::string_view name);

const opcode_rule* find_here(std::string_view name) {
  for (const auto& table :
       {integer_opcodes(), logic_opcodes(), float_opcodes(), double_opcodes(), half_opcodes(), conversion_opcodes(),
        exchange_opcodes(), memory_opcodes(), atomic_opcodes(), texture_opcodes(), control_opcodes()})
    for (const opcode_rule& rule : table)
      if (rule.name == name) return &rule;
  return nullptr;
}

}  // namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL
