#pragma once
#include "detail/copying.h"
#include "detail/serial.h"
