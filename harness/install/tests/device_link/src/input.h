#pragma once
#include <vector>
std::vector<unsigned> numbers(int count);
