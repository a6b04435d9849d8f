#pragma once
#include "detail/config.h"
