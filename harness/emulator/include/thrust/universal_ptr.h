#pragma once
#include "universal_vector.h"
