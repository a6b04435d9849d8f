// Marks a function that changes no register but general ones, so that a hook need not keep the others around its call. Only a
// function with the same mark is inlined into one.
#pragma once

#ifdef __x86_64__
#define SIMTLAB_GENERAL_REGISTERS __attribute__((target("general-regs-only")))
#else
#define SIMTLAB_GENERAL_REGISTERS
#endif
