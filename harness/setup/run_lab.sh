#!/bin/bash
# Runs a lab's kernel once, on the emulator, with the student's own small input, and prints what went in and came out.
#
#   run_lab.sh BUILD_TREE LAB INPUT [judge's options]
set -u
tree=$1
lab=$2
input=$3
shift 3
if [ ! -f "$input" ]; then
  echo "there is no input file $input; docs/student.md shows how one looks" >&2
  exit 2
fi
harness/setup/build_target.sh "$tree" "profile_$lab" "$lab does not build; its messages are above" || exit 1
said=$(mktemp) || exit 1
trap 'rm -f "$said"' EXIT
"$tree/labs/$lab/judge-$lab" --runner "$tree/labs/$lab/profile-runner" --input "$input" "$@" 2>"$said"
status=$?
[ $status = 2 ] && head -n 1 "$said" >&2 || cat "$said" >&2
exit $status
