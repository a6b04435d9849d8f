// What wb/sparse.h declares.
#pragma once

#include <algorithm>
#include <vector>

#include "../sparse.h"
#include "../type.h"

SIMTLAB_WB_FUNCTION void CSRToJDS(int dim, const int* row_begin, const int* column, const float* value,
                                  int** permutation, int** length, int** start, int** jds_column, float** jds_value) {
  const auto count_of = [&](int row) { return row_begin[row + 1] - row_begin[row]; };
  std::vector<int> order(static_cast<size_t>(dim));
  for (int row = 0; row < dim; ++row) {
    if (count_of(row) < 0) simtlab_wb::give_up("CSRToJDS", "the begins of the rows must not fall");
    order[static_cast<size_t>(row)] = row;
  }
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return count_of(a) > count_of(b); });
  const int longest = dim > 0 ? count_of(order[0]) : 0, all = dim > 0 ? row_begin[dim] - row_begin[0] : 0;
  *permutation = wbNewArray(int, static_cast<size_t>(dim));
  *length = wbNewArray(int, static_cast<size_t>(dim));
  *start = wbNewArray(int, static_cast<size_t>(longest));
  *jds_column = wbNewArray(int, static_cast<size_t>(all));
  *jds_value = wbNewArray(float, static_cast<size_t>(all));
  for (int i = 0; i < dim; ++i) {
    (*permutation)[i] = order[static_cast<size_t>(i)];
    (*length)[i] = count_of(order[static_cast<size_t>(i)]);
  }
  int next = 0;
  for (int diagonal = 0; diagonal < longest; ++diagonal) {
    (*start)[diagonal] = next;
    for (int i = 0; i < dim && (*length)[i] > diagonal; ++i, ++next) {
      const int from = row_begin[order[static_cast<size_t>(i)]] + diagonal;
      (*jds_column)[next] = column[from];
      (*jds_value)[next] = value[from];
    }
  }
}
