#pragma once
#include "detail/sorting.h"
