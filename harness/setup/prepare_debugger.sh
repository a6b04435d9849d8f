#!/bin/bash
# Builds a lab for the debugger and writes the inputs of a case, or the student's own, into a folder, for `debug-runner FOLDER`.
#
#   prepare_debugger.sh BUILD_TREE LAB FOLDER     with CASE, INPUT, SIZES in the environment; the folder is emptied or made
set -u
tree=$1
lab=$2
folder=$3
if ! command -v gdb >/dev/null 2>&1; then
  echo 'make debug needs the debugger gdb, which is not here. To install it: sudo apt-get install -y gdb' >&2
  exit 1
fi
if [ ! -f "labs/$lab/kernel.cu" ]; then
  echo "$lab is no lab: open the kernel.cu of a folder in labs/, then start the debugger" >&2
  exit 2
fi
harness/setup/build_target.sh "$tree" "debug_$lab" "$lab does not build; its messages are above" || exit 1
rm -rf "$folder" && mkdir -p "$folder" || exit 1
# Memory that closes while host code runs (closed_memory) is opened from a signal, at which gdb would stop.
"$tree/labs/$lab/judge-$lab" --prepare "$folder" --without closed_memory ${CASE:+--case "$CASE"} ${INPUT:+--input "$INPUT"} ${SIZES:+--sizes "$SIZES"} 2>"$folder.said" || {
  head -n 1 "$folder.said" >&2
  exit 2
}
