#pragma once
#include "detail/set_operations.h"
