// SIMTLAB_SYSTEM_CALL_STUB(name) defines `long name(long number, six arguments)`, hidden, with the one system call
// instruction of its own that a filter can tell by its place: it returns to `name_end`. Errors are negative, as the kernel
// gives them. A library's code that calls or enters it, through a pointer that a program forged, goes no further: the return
// address has to lie in the executable, before the call and behind it. Put it at namespace scope of one source, beside
//   extern "C" long name(long number, long, long, long, long, long, long);
//   extern "C" const char name_end[];
#pragma once

#ifdef __x86_64__
#define SIMTLAB_SYSTEM_CALL_STUB(name)                                                              \
  asm(".pushsection .text\n.globl " #name "\n.hidden " #name "\n.type " #name ", @function\n" #name \
      ":\n"                                                                                         \
      "  lea etext(%rip), %r11\n"                                                                   \
      "  cmp %r11, (%rsp)\n"                                                                        \
      "  ja 1f\n"                                                                                   \
      "  mov %rdi, %rax\n"                                                                          \
      "  mov %rsi, %rdi\n"                                                                          \
      "  mov %rdx, %rsi\n"                                                                          \
      "  mov %rcx, %rdx\n"                                                                          \
      "  mov %r8, %r10\n"                                                                           \
      "  mov %r9, %r8\n"                                                                            \
      "  mov 8(%rsp), %r9\n"                                                                        \
      "  syscall\n"                                                                                 \
      ".globl " #name "_end\n.hidden " #name "_end\n" #name                                         \
      "_end:\n"                                                                                     \
      "  lea etext(%rip), %r11\n"                                                                   \
      "  cmp %r11, (%rsp)\n"                                                                        \
      "  ja 1f\n"                                                                                   \
      "  ret\n"                                                                                     \
      "1: ud2\n.size " #name ", . - " #name "\n.popsection\n")
#else  // AArch64
#define SIMTLAB_SYSTEM_CALL_STUB(name)                                                                  \
  asm(".pushsection .text\n.globl " #name "\n.hidden " #name "\n.type " #name ", %function\n" #name     \
      ":\n"                                                                                             \
      "  mov x8, x0\n"                                                                                  \
      "  mov x0, x1\n"                                                                                  \
      "  mov x1, x2\n"                                                                                  \
      "  mov x2, x3\n"                                                                                  \
      "  mov x3, x4\n"                                                                                  \
      "  mov x4, x5\n"                                                                                  \
      "  mov x5, x6\n"                                                                                  \
      "  svc #0\n"                                                                                      \
      ".globl " #name "_end\n.hidden " #name "_end\n" #name "_end:\n  ret\n.size " #name ", . - " #name \
      "\n.popsection\n")
#endif
