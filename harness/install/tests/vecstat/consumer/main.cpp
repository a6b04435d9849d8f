#include <vecstat/vecstat.hpp>
int main() { return vecstat::largest({1, 3, 2}) == 3 ? 0 : 1; }
