// What wb/argument.h declares.
#pragma once

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "../argument.h"

namespace simtlab_wb {

inline char* copy_of(const std::string& text) {
  char* const copy = static_cast<char*>(allocate(text.size() + 1));
  memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

inline std::vector<std::string> split(const std::string& list, char at) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = list.find(at, begin) == std::string::npos ? list.size() : list.find(at, begin);
    size_t first = begin, last = end;
    while (first < last && list[first] == ' ') ++first;
    while (last > first && list[last - 1] == ' ') --last;
    if (last > first) parts.push_back(list.substr(first, last - first));
    begin = end + 1;
  }
  return parts;
}

}  // namespace simtlab_wb

SIMTLAB_WB_FUNCTION wbArg_t wbArg_read(int argc, char** argv) {
  wbArg_t result{0, nullptr, nullptr, nullptr, nullptr};
  const char* wanted[] = {"-i", "--input", "-o", "--output", "-e", "--expected", "-t", "--type"};
  for (int i = 1; i < argc; ++i) {
    int option = 0;
    while (option < 8 && strcmp(argv[i], wanted[option]) != 0) ++option;
    if (option == 8) continue;
    if (i + 1 >= argc) simtlab_wb::give_up(argv[i], "this option needs a value behind it");
    const std::string value = argv[++i];
    if (option / 2 == 0) {
      if (value == "none") continue;
      const std::vector<std::string> files = simtlab_wb::split(value, ',');
      result.inputFiles = static_cast<char**>(simtlab_wb::allocate(files.size() * sizeof(char*)));
      for (size_t f = 0; f < files.size(); ++f) result.inputFiles[f] = simtlab_wb::copy_of(files[f]);
      result.inputCount = static_cast<int>(files.size());
    } else {
      (option / 2 == 1   ? result.outputFile
       : option / 2 == 2 ? result.expectedOutput
                         : result.type) = simtlab_wb::copy_of(value);
    }
  }
  return result;
}

SIMTLAB_WB_FUNCTION char* wbArg_getInputFile(const wbArg_t& arguments, int number) {
  if (number < 0 || number >= arguments.inputCount) {
    const std::string found = "the program asks for input file " + std::to_string(number) +
                              " (they count from 0), but " + std::to_string(arguments.inputCount) +
                              " were given. Start it with -i FILE,FILE... -e EXPECTED -t TYPE";
    simtlab_wb::give_up(nullptr, found.c_str());
  }
  return arguments.inputFiles[number];
}
