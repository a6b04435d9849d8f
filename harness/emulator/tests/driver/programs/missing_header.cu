#include "my_tiles.cuh"
int main() {}
