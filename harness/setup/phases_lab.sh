#!/bin/bash
# Runs a lab's toys with the student's own kernel, its tile two wide, and prints which thread loaded and stored what in which phase.
#
#   phases_lab.sh BUILD_TREE LAB
set -u
tree=$1
lab=$2
if [ ! -f "labs/$lab/phases.cu" ]; then
  with=$(cd labs && printf '%s\n' */phases.cu | cut -d- -f1 | paste -sd ' ')
  echo "$lab has no toy whose phases could be printed; labs that have one: $with" >&2
  exit 2
fi
copy=$(mktemp) || exit 1  # only to see whether it can be made: the build makes its own
trap 'rm -f "$copy" "$copy.part"' EXIT
harness/setup/narrow_tile.sh "labs/$lab/kernel.cu" 2 "$copy" || exit 1
harness/setup/build_target.sh "$tree" "phases_$lab" "$lab does not build with tile_width 2; its messages are above" || exit 1
table=$("$tree/labs/$lab/phases") || exit
printf '%s\n\n%s\n' "labs/$lab/kernel.cu with tile_width 2, as the emulator ran it:" "$table"
