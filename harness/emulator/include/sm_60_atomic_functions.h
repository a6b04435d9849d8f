// Part of device_atomic_functions.h in this emulator.
#pragma once
#pragma GCC system_header

#include "device_atomic_functions.h"
