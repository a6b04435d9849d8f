// The comparison of a result with the expected one, which the command line names (-e), in the way its type (-t) wants.
#pragma once

#include "argument.h"
#include "image.h"
#include "type.h"

SIMTLAB_WB_FUNCTION wbBool wbSolution(const wbArg_t& arguments, const wbImage* image);
/// `data`: floats for vector and matrix, ints for integral_vector, bytes for histogram, characters for text.
SIMTLAB_WB_FUNCTION wbBool wbSolution(const wbArg_t& arguments, const void* data, int rows, int columns = 1,
                                      int depth = 1);
