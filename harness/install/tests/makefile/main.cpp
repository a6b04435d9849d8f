#include "gpu.h"
int main() { return seven() == 7 ? 0 : 1; }
