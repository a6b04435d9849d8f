#!/bin/bash
# Starts gdb in one thread of one block of a lab's kernel, at its first line. The program is built without optimisation and
# without counters, so that every variable is there; the inputs are those of a case, or the student's own.
#
#   debug_lab.sh BUILD_TREE LAB     with CASE, INPUT, SIZES, BLOCK, THREAD, GDB_COMMANDS in the environment
#
# GDB_COMMANDS names a file of gdb commands to run instead of a dialogue.
set -u
tree=$1
lab=$2
folder=$(mktemp -d "${TMPDIR:-/tmp}/simtlab-debug-XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
harness/setup/prepare_debugger.sh "$tree" "$lab" "$folder/case" || exit
gdb=(gdb -q -nx -iex 'set auto-load safe-path /')
[ -n "${GDB_COMMANDS:-}" ] && gdb+=(-batch)
SIMTLAB_DEBUG_BLOCK=${BLOCK:-0} SIMTLAB_DEBUG_THREAD=${THREAD:-0} \
  "${gdb[@]}" -x harness/setup/debug_thread.py -x harness/setup/debug_until_launch.gdb \
  -x harness/setup/debug_start.gdb ${GDB_COMMANDS:+-x "$GDB_COMMANDS"} --args "$tree/labs/$lab/debug-runner" "$folder/case"
