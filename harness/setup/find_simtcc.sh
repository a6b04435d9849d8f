#!/bin/bash
# Prints the folder of simtcc: of the one on PATH, else of this checkout's, which is built first.
set -u
if found=$(command -v simtcc); then
  dirname "$found"
  exit
fi
cd "$(dirname "$0")/../.." || exit 1
harness/setup/configure.sh default '' batches >&2 || exit 1
harness/setup/build_target.sh build/default "simtcc simtlab_emulator_sealed simtlab_emulator_headers" \
  "simtcc does not build in $PWD. make setup says what is missing there." >&2 || exit 1
echo "$PWD/build/default/bin"
