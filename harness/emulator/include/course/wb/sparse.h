// Sparse matrices: from compressed rows (CSR) to jagged diagonals (JDS).
#pragma once

#include "type.h"

/// A square matrix of `dim` rows. The rows are sorted by their number of values, the longest first, equal ones in their order; of each
/// row the first value comes, then of each the second, and so on. Results are memory for `free`: permutation[dim], the row of the
/// matrix; length[dim]; start[longest row], where the first, second, ... values begin; column and value of each.
SIMTLAB_WB_FUNCTION void CSRToJDS(int dim, const int* row_begin, const int* column, const float* value,
                                  int** permutation, int** length, int** start, int** jds_column, float** jds_value);
