// The one header of lab.cpp. A lab's folder exports one function; the linker is the registry. docs/lab-author.md is the
// guide. lab.cpp is compiled twice: for the judge, where the student's entry gives only its type, and for the runner,
// where reference, cases and criteria are absent.
#pragma once

#if defined(SIMTLAB_RUNNER) == defined(SIMTLAB_JUDGE)
#error "lab.cpp is compiled with either SIMTLAB_JUDGE or SIMTLAB_RUNNER defined"
#elif defined(SIMTLAB_RUNNER)
#include "spec/runner_lab_spec.h"
#else
#include "spec/lab_spec.h"
#endif

/// Implemented by lab.cpp.
simtlab::lab define_lab();
