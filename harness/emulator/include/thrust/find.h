#pragma once
#include "detail/reductions.h"
