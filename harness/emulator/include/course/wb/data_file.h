// Vectors, matrices and texts in files. The ending says how values are written: .raw and .dat begin with a line `rows` or
// `rows columns`, values follow, separated by blanks; .csv and .tsv have a matrix's row on each line; .txt is a text, byte by
// byte; .ppm, .pgm and .pbm are images.
#pragma once

#include "image.h"
#include "type.h"

/// Memory for `free`. `type`: "Real" (float), "Integer" (int) or "Text" (char). A single row counts as a column.
SIMTLAB_WB_FUNCTION void* wbImport(const char* file, int* rows, int* columns, const char* type = "Real");
/// For files of one column or one row.
inline void* wbImport(const char* file, int* count, const char* type = "Real") {
  return wbImport(file, count, nullptr, type);
}
SIMTLAB_WB_FUNCTION wbImage_t wbImport(const char* file);
/// The one number that a file holds.
SIMTLAB_WB_FUNCTION int wbImport_flag(const char* file);

SIMTLAB_WB_FUNCTION void wbExport(const char* file, const wbReal_t* data, int rows, int columns = 1);
SIMTLAB_WB_FUNCTION void wbExport(const char* file, const int* data, int rows, int columns = 1);
SIMTLAB_WB_FUNCTION void wbExport(const char* file, const unsigned char* data, int rows, int columns = 1);
SIMTLAB_WB_FUNCTION void wbExport(const char* file, const wbImage* image);
