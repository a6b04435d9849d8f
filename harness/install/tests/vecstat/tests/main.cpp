#include <cstdio>
#include "cases.hpp"
std::map<std::string, std::function<bool()>>& cases() {
  static std::map<std::string, std::function<bool()>> all;
  return all;
}
int main(int argc, char** argv) {
  int failed = 0;
  for (const auto& [name, body] : cases())
    if (argc < 2 || name == argv[1]) {
      const bool ok = body();
      std::printf("%s %s\n", ok ? "ok" : "FAILED", name.c_str());
      failed += !ok;
    }
  return failed;
}
