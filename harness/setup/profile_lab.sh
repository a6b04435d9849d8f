#!/bin/bash
# Prints the student's source of one lab with memory requests, wavefronts, active lanes and findings beside each line.
# The counters are the emulator's, whatever backend the tests run on, so the runner is built for it.
#
#   profile_lab.sh BUILD_TREE LAB
set -u
tree=$1
lab=$2
log=build/setup/profile-$lab.log
if ! cmake --build "$tree" --target "profile_$lab" >"$log" 2>&1; then
  grep -v -e '^\[[0-9]*/[0-9]*\]' -e '^ninja: ' -e '^FAILED: ' "$log" >&2
  echo "$lab does not build; its messages are above" >&2
  exit 1
fi
exec "$tree/labs/$lab/judge-$lab" --runner "$tree/labs/$lab/profile-runner" --profile "labs/$lab/kernel.cu"
