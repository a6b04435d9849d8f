// The functions of include/course/wb.h, compiled once for all programs that simtcc makes.
#define SIMTLAB_COURSE_LIBRARY 1
#include <wb.h>
#include <wb/functions/argument.h>
#include <wb/functions/data_file.h>
#include <wb/functions/image.h>
#include <wb/functions/message.h>
#include <wb/functions/solution.h>
#include <wb/functions/sparse.h>
#include <wb/functions/type.h>
