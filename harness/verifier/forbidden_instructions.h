// Which instructions end a submission's grading as `forbidden`. What is neither here nor in allowed_instructions.h is no
// proof against anybody: the grade waits.
#pragma once

struct cs_insn;

namespace simtlab::verifier {

/// Whether the instruction calls the system, needs privileges, or moves state past every hook: what capstone's groups tell, and
/// what g++ writes for no CUDA C++. These are other ways to the system, what hides from hooks (stores past the cache, all
/// registers saved at once), and what reads or sets the machine's own state.
[[nodiscard]] bool is_forbidden(const cs_insn&);

}  // namespace simtlab::verifier
