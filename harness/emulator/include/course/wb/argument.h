// The command line of a lab's program: -i INPUT,INPUT... -e EXPECTED -o OUTPUT -t TYPE.
#pragma once

#include "type.h"

/// Texts live as long as the program.
struct wbArg_t {
  int inputCount;
  char** inputFiles;
  char* outputFile;      ///< null when not given
  char* expectedOutput;  ///< null when not given
  char* type;            ///< vector, matrix, integral_vector, histogram, image or text
};

/// Unknown words are passed over, as course programs have their own.
SIMTLAB_WB_FUNCTION wbArg_t wbArg_read(int argc, char** argv);

/// Ends the program when so many files were not given.
SIMTLAB_WB_FUNCTION char* wbArg_getInputFile(const wbArg_t& arguments, int number);
inline char** wbArg_getInputFiles(const wbArg_t& arguments) { return arguments.inputFiles; }
inline int wbArg_getInputCount(const wbArg_t& arguments) { return arguments.inputCount; }
inline char* wbArg_getOutputFile(const wbArg_t& arguments) { return arguments.outputFile; }
inline char* wbArg_getExpectedOutputFile(const wbArg_t& arguments) { return arguments.expectedOutput; }
inline char* wbArg_getType(const wbArg_t& arguments) { return arguments.type; }
inline void wbArg_delete(wbArg_t) {}
