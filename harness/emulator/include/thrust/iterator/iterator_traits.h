// The traits of iterators, as the standard library has them.
#pragma once
#include "../detail/place.h"
