#pragma once
#include "functional.h"
