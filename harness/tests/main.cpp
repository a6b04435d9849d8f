// doctest's main, compiled once for every C++ test of the project.
// The emulator turns signals into findings; doctest's own handlers would be in its way.
#define DOCTEST_CONFIG_NO_POSIX_SIGNALS
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
