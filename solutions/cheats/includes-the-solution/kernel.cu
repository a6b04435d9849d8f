// lab: 08-bank-conflicts
// row: 36
// expect: forbidden
// rule: header
// caught-by: audit
// without-audit: compile_error
// else: compile_error
// Takes the model solution from where it lies in the course's repository.
#include "../../../../solutions/08-bank-conflicts/kernel.cu"
