// Compiled once per lab: the folder's name.
#include "judge/lab_name.h"

const char* const simtlab::lab_name = SIMTLAB_LAB_NAME;
