#!/bin/bash
# Prints the student's source of one lab with memory requests, wavefronts, active lanes and findings beside each line.
# The counters are the emulator's, whatever backend the tests run on, so the runner is built for it.
#
#   profile_lab.sh BUILD_TREE LAB
set -u
tree=$1
lab=$2
harness/setup/build_target.sh "$tree" "profile_$lab" "$lab does not build; its messages are above" || exit 1
exec "$tree/labs/$lab/judge-$lab" --runner "$tree/labs/$lab/profile-runner" --profile "labs/$lab/kernel.cu"
