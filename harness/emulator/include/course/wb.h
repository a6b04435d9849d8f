// The interface of the support library that many CUDA courses hand out with their labs: arguments of the command line, data
// files, images, messages, times and the comparison with the expected result. Written for programs that include <wb.h> and
// have no copy of that library beside them; a folder given with -I comes first. Plain C++: nvcc compiles it, too.
#pragma once

// What such programs find in it without asking.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "wb/argument.h"
#include "wb/data_file.h"
#include "wb/image.h"
#include "wb/message.h"
#include "wb/solution.h"
#include "wb/sparse.h"
#include "wb/type.h"
#ifndef SIMTLAB_WB_COMPILED
#include "wb/functions/argument.h"
#include "wb/functions/data_file.h"
#include "wb/functions/image.h"
#include "wb/functions/message.h"
#include "wb/functions/solution.h"
#include "wb/functions/sparse.h"
#include "wb/functions/type.h"
#endif

inline void wb_init(int*, char***) {}
