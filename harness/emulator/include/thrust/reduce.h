#pragma once
#include "detail/serial.h"
