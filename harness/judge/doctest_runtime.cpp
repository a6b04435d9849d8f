// doctest itself. It runs for moments and takes long to compile, so it is compiled by itself, without optimisation.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
