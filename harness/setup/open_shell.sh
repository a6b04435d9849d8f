#!/bin/bash
# Starts the user's shell with this checkout's simtcc, and the grader where it is installed, on the PATH.
#
#   open_shell.sh BUILD_TREE
set -u
harness/setup/build_target.sh "$1" 'simtcc simtlab_emulator_sealed simtlab_emulator_headers' \
  'simtcc does not build, which is no fault of yours: tell your instructor' || exit 1
export PATH=$PWD/$1/bin${PATH:+:$PATH}
[ ! -x .venv/bin/simtlab ] || PATH=$PWD/.venv/bin:$PATH
[ ! -t 0 ] || echo "simtcc is on the PATH here, as in: simtcc prog.cu -o prog && ./prog. To leave this shell: exit"
exec "${SHELL:-/bin/bash}"
