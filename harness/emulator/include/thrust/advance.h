#pragma once
#include "detail/place.h"
