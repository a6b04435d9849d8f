#include <heat/checksum.h>
#include <heat/simulation.h>
#include <heat/version.h>
#include <cstdio>
#include <cstdlib>
int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 4;
  const heat::extent size{70, 45};
  heat::simulation plate(size, heat::hot_edge(size, 100.0F), 0.2F);
  plate.run(steps);
  const auto values = plate.values();
  std::printf("heat %s: %d steps, total %.1f, checksum %08x\n", HEAT_VERSION, steps, plate.total(),
              heat_checksum(values.data(), values.size() * sizeof(float)));
}
