// The opcodes of each file of handlers, for one level of the processor.
#pragma once

#include <span>

#include "sass/handlers/opcode_rule.h"

#ifndef SIMTLAB_SASS_LEVEL
#define SIMTLAB_SASS_LEVEL plain
#endif

namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL {

std::span<const opcode_rule> integer_opcodes();
std::span<const opcode_rule> logic_opcodes();
std::span<const opcode_rule> float_opcodes();
std::span<const opcode_rule> double_opcodes();
std::span<const opcode_rule> half_opcodes();
std::span<const opcode_rule> conversion_opcodes();
std::span<const opcode_rule> exchange_opcodes();
std::span<const opcode_rule> memory_opcodes();
std::span<const opcode_rule> atomic_opcodes();
std::span<const opcode_rule> texture_opcodes();
std::span<const opcode_rule> control_opcodes();

}  // namespace simtlab::emulator::sass::SIMTLAB_SASS_LEVEL
