// Part of device_atomic_functions.h in this emulator.
#pragma once
#pragma GCC system_header
#define __SM_35_ATOMIC_FUNCTIONS_H__  // the toolkit's guard, for headers that look for it

#include "device_atomic_functions.h"
