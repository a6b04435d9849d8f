#include "driver/command_line.h"

namespace simtlab::emulator {

std::string usage() {
  return R"(simtcc compiles CUDA C++ for simtlab's emulator: the program runs on the CPU, counted and checked.

usage: simtcc [options] FILE...
       simtcc prog.cu -o prog && ./prog          build, then run: findings on stderr at the end
       simtcc --annotate --run prog.cu           both at once, with counters beside every line

Files
  FILE.cu                  CUDA C++: its kernels are counted and checked, its headers translated with it
  FILE.cpp .cc .cxx .c     plain C++; CUDA C++ with -x cu
  FILE.o .a .so, -lNAME    for the linker
  -o OUT                   the program (a.out), with -c the object file (FILE.o), with -E the text (FILE.ii)
  -odir DIR                the folder of outputs without -o
  -c, -dc, -dw             compile only; -dc: device code may use another file's, as with -rdc=true
  -dlink                   an object with nothing in it: device code is linked with the rest
  -lib, -shared            a library of the files; a shared one becomes a part of each program that is linked with it
  -E                       preprocess only: macros replaced, headers pasted in, nothing translated
  -M, -MM                  print what a file includes, as a rule for make
  -MD, -MMD, -MF FILE, -MT TARGET, -MP    the same beside each object
  --options-file FILE, @FILE    further options; also -optf
  --expanded-text FILE     beside the object of -c: the very text that it was made of, macros replaced, as -E would write it; of
                           the emulator's own headers it may have the lines alone that name other files
  --keep DIR               leave the intermediate files in DIR
  --compile-commands FILE  compile nothing: add to the database FILE (compile_commands.json) how an editor's clangd reads
                           each .cu FILE with these options
  --check-support DIR      make nothing: a table of the .cu and .cuh files below DIR, whether each compiles with these options,
                           and what each uses that the emulator does not have, why not, and what to use instead
  --precompile-headers[=course]    parse the emulator's headers once for all programs with these options, besides those that were
                           parsed for others (25 MB each); the build does this without options.
                           With =course also <wb.h>, for programs that begin with it (62 MB)

Compiling
  -I DIR, -D NAME[=VALUE], -U NAME, -include FILE, -isystem DIR, -L DIR
  --engine g++|sass        what runs of a kernel: what g++ makes of it (the default), or the machine code that nvcc makes, executed
                           without a GPU; needs nvcc and nvdisasm (make setup SASS=1), and takes nvcc's options for device code
  --front-end[=PATH]       also ask a real CUDA front end: the one at PATH, or the quickest that the build found
  --submission             refuse what hides or changes what is counted: assembly, attributes, pasted words
  --unrestricted           for simtlab's own tests: the source may say what a kernel may not
  -std=c++NN               default gnu++17, as nvcc's; older standards count as 17
  -O0 .. -O3               for plain C++ files; kernels have one level, for which the counters are defined
  -W..., -w                warnings; likely mistakes warn by default, -w silences all
  -Xcompiler A,B           options for the C++ compiler (-fopenmp reaches all files and the linker); -Xlinker A,B for the linker
  -forward-unknown-to-host-compiler    options that are unknown are for the C++ compiler
  -v                       show the commands that run
  -fmad=true|false         true: a product and a sum of .cu files are rounded once, as nvcc's default has it for kernels;
                           false (the default): one by one, so that results are the same on every machine
  --expt-relaxed-constexpr    device code may call constexpr functions of the host
  --for-gdb                build for stepping: nothing is optimised, counted or checked. With SIMTLAB_DEBUG_BLOCK=1,0 and
                           SIMTLAB_DEBUG_THREAD=3,2 simtlab_debug_stop is called before that thread enters a kernel
  --run, --run-args A,B    start the finished program; its exit code becomes simtcc's. Without -o it is not kept

Options of the program. A flag is stored in the program; the environment overrides it when the program runs.
  --workers N              SIMTLAB_WORKERS=N       CPU threads that run blocks without checks (as many as there are processors);
                                                   results do not depend on it
  --checks on|off          SIMTLAB_CHECKS=on|off   races, bounds, initialisation, barriers (on); off is faster
  --counters on|off        SIMTLAB_COUNTERS=on|off requests, sectors, wavefronts (on)
  --schedule ORDER         SIMTLAB_SCHEDULE=ORDER  in-order, reverse or random:SEED: the order of blocks, warps and lanes
  --gpu KEY                SIMTLAB_GPU=KEY         whose properties and occupancy the program sees: simtlab (the default),
                                                   h200, a100, rtx4090, l4, rtx3090, t4, v100, gtx1080, lecture
  --annotate               SIMTLAB_ANNOTATE=1      the source on stderr, counters and findings beside each line
  --profile                SIMTLAB_PROFILE=1       one line on stderr per access of each launch
  --report FILE            SIMTLAB_REPORT=FILE     findings as SARIF (FILE.sarif) or JUnit (FILE.xml), else everything as JSON
                                                   (report.schema.json); - for stdout; %p in the name is the process
                           SIMTLAB_TEXT=off        findings in that report alone, not on stderr
  --error-exitcode N       SIMTLAB_ERROR_EXITCODE=N  exit code after an error finding (86); 0: the program's own
                           SIMTLAB_ENGINE=g++|sass which of the two runs, of a program compiled with --engine sass (sass)
                           SIMTLAB_SUMMARY=1       the last line on stderr also where nothing was found

wb.h, the support header of many courses, is included; a copy of your own comes first with -I.
nvcc's -arch and -gencode set __CUDA_ARCH__: of several the newest that the emulated GPU runs, the oldest where all are
newer. A note names each option that means nothing here (-G, -Xptxas, -use_fast_math, for kernels -ffast-math and -march);
-w leaves it out. What would change results is refused.
A sentence refuses what the emulator does not have: files of PTX, inline PTX beyond the instructions of docs/install.md,
launches from kernels, texture references, clusters of blocks, cuRAND's host API, cuFFT and the other libraries,
OpenCV, cutil.

exit code: 0 done; 1 the program is wrong, messages on stderr; 2 the command line is wrong; 3 simtcc's own fault, or the machine's
A program with an error finding ends with exit code 86 unless its own is not zero; one that a fault of its host code
stops ends with 70.
SIMTLAB_EMULATOR_ROOT names the folder of another build's emulator (with its simtcc.conf).
)";
}

}  // namespace simtlab::emulator
